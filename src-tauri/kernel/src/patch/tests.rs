use super::*;
use crate::code::ErrorCode;
use proptest::prelude::*;
use rstest::rstest;

const FILE: &str = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    one();\n    three();\n}\n";

fn ok(text: &str, diff: &str) -> Applied {
    unified(text, diff).unwrap_or_else(|e| panic!("{e:?}\n{diff}"))
}

fn refused(text: &str, diff: &str) -> Failure {
    let failure = unified(text, diff).expect_err("it must not fit");
    assert_eq!(failure.code, ErrorCode::PatchFailed, "{failure}");
    assert!(failure.action.is_some(), "{failure}");
    failure
}

const TWO: &str = "@@ -2,2 +2,2 @@\n     one();\n-    two();\n+    2();\n";

#[test]
fn a_diff_that_is_exact_is_applied_without_a_word() {
    let diff = format!("--- a/x.rs\n+++ b/x.rs\n{TWO}");
    let applied = ok(FILE, &diff);
    assert_eq!(applied.text, FILE.replace("two()", "2()"));
    assert_eq!((applied.hunks, applied.repaired), (1, vec![]));
}

#[rstest]
#[case::wrong_numbers("@@ -40,2 +40,2 @@\n     one();\n-    two();\n+    2();\n")]
#[case::wrong_counts("@@ -2,9 +2,1 @@\n     one();\n-    two();\n+    2();\n")]
#[case::bare("@@\n     one();\n-    two();\n+    2();\n")]
#[case::dots("@@ ... @@\n     one();\n-    two();\n+    2();\n")]
#[case::fenced("```diff\n@@ -2,2 +2,2 @@\n     one();\n-    two();\n+    2();\n```\n")]
#[case::no_line_end("@@ -2,2 +2,2 @@\n     one();\n-    two();\n+    2();")]
#[case::crlf_patch("@@ -2,2 +2,2 @@\r\n     one();\r\n-    two();\r\n+    2();\r\n")]
#[case::trailing_space("@@ -2,2 +2,2 @@\n     one();  \n-    two();\n+    2();\n")]
#[case::no_sign("@@ -1,3 +1,3 @@\nfn a() {\n     one();\n-    two();\n+    2();\n")]
#[case::git(
    "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -2,2 +2,2 @@ fn a\n     one();\n-    two();\n+    2();\n-- \n2.47.1\n"
)]
#[case::a_line_of_context_left_out(
    "@@ -1,5 +1,5 @@\n fn a() {\n-    two();\n+    2();\n }\n \n fn b() {\n"
)]
#[case::a_line_of_context_made_up(
    "@@ -1,5 +1,5 @@\n // a\n fn a() {\n     one();\n-    two();\n+    2();\n }\n"
)]
fn a_slip_that_leaves_no_doubt_is_mended(#[case] diff: &str) {
    let applied = ok(FILE, diff);
    assert_eq!(applied.text, FILE.replace("two()", "2()"), "{diff}");
    let silent = ["@@ -2,2 +2,2 @@"].iter().any(|header| diff.contains(header));
    assert!(silent || !applied.repaired.is_empty(), "it must be said: {diff}");
}

#[test]
fn other_indentation_is_carried_over_to_what_is_inserted() {
    let diff = "@@ -2,2 +2,4 @@\n one();\n-two();\n+2();\n+\n+3();\n";
    let applied = ok(FILE, diff);
    assert_eq!(applied.text, FILE.replace("    two();\n", "    2();\n\n    3();\n"));
    assert_eq!(applied.repaired, ["hunk 1: white space is different in the file"]);
    let applied = ok("one();\ntwo();\n", "@@\n     one();\n-    two();\n+    2();\n");
    assert_eq!(applied.text, "one();\n2();\n");
}

#[test]
fn tabs_for_spaces_are_no_indentation_one_could_carry_over() {
    refused("\tone();\n\t\ttwo();\n", "@@\n   one();\n-    two();\n+    2();\n");
}

#[test]
fn a_place_that_is_not_the_only_one_is_refused() {
    let failure = refused(FILE, "@@ -99,1 +99,1 @@\n-    one();\n+    1();\n");
    assert_eq!(failure.details.unwrap(), json!({ "hunk": 1, "places": 2, "lines": [2, 7] }));
    let applied = ok(FILE, "@@ -7,1 +7,1 @@\n-    one();\n+    1();\n");
    assert!(applied.text.ends_with("    1();\n    three();\n}\n"), "the named line decides");
}

#[test]
fn what_is_not_there_is_answered_with_the_nearest_lines() {
    let failure = refused(FILE, "@@ -2,2 +2,2 @@\n     one();\n-    twoo();\n+    2();\n");
    let details = failure.details.unwrap();
    assert_eq!(details["closest"][0], json!({ "line": 3, "text": "    two();" }));
    assert!(failure.message.contains("line 3"), "{}", failure.message);
    refused(FILE, "@@ -1,3 +1,3 @@\n alpha\n-beta\n+gamma\n delta\n");
}

#[rstest]
#[case::empty("")]
#[case::words("please change two into 2")]
#[case::only_headers("--- a/x\n+++ b/x\n")]
#[case::a_hunk_of_context("@@ -1,1 +1,1 @@\n fn a() {\n")]
#[case::an_empty_hunk("@@ -1,0 +1,0 @@\n")]
#[case::one_good_one_empty("@@ -3,1 +3,1 @@\n-    two();\n+    2();\n@@ -8,1 +8,1 @@\n")]
#[case::two_files(
    "--- a/x\n+++ b/x\n@@ -3,1 +3,1 @@\n-    two();\n+    2();\n--- a/y\n+++ b/y\n@@ -8,1 +8,1 @@\n-    three();\n+    3();\n"
)]
#[case::a_removal("--- a/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-fn a() {\n")]
#[case::nothing_around("@@ -4,0 +5,1 @@\n+new\n")]
#[case::nothing_around_nor_numbers("@@\n+new\n")]
#[case::the_same_twice(
    "@@ -3,1 +3,1 @@\n-    two();\n+    2();\n@@ -3,1 +3,1 @@\n-    two();\n+    2();\n"
)]
#[case::inserted_twice(
    "@@ -3,1 +3,2 @@\n     two();\n+    2();\n@@ -3,1 +3,2 @@\n     two();\n+    2();\n"
)]
#[case::one_needs_what_the_other_deletes(
    "@@ -3,1 +3,0 @@\n-    two();\n@@ -3,2 +3,3 @@\n     two();\n+    x();\n }\n"
)]
fn a_diff_that_would_do_nothing_or_nobody_knows_what_is_refused(#[case] diff: &str) {
    refused(FILE, diff);
}

#[test]
fn an_unknown_line_beside_an_insertion_is_refused() {
    refused(FILE, "@@ -1,4 +1,5 @@\n fn a() {\n     one();\n+    new();\n     unknown();\n }\n");
    refused("a\nb\nx\nc\nd\n", "@@ -1,4 +1,5 @@\n a\n b\n+new\n c\n d\n");
}

#[test]
fn lines_without_neighbours_go_to_the_ends_of_a_file_only() {
    assert_eq!(ok("a\n", "@@ -0,0 +1,1 @@\n+x\n").text, "x\na\n");
    assert_eq!(ok("a\n", "@@ -1,0 +2,1 @@\n+x\n").text, "a\nx\n");
    assert_eq!(ok("", "@@\n+x\n+y\n").text, "x\ny\n");
}

#[test]
fn hunks_are_placed_in_the_old_file_in_any_order() {
    let first = "@@ -3,1 +3,1 @@\n-    two();\n+    2();\n";
    let second = "@@ -8,1 +8,1 @@\n-    three();\n+    3();\n";
    let wanted = FILE.replace("two()", "2()").replace("three()", "3()");
    assert_eq!(ok(FILE, &format!("{first}{second}")).text, wanted);
    assert_eq!(ok(FILE, &format!("{second}{first}")).text, wanted);
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let crlf = FILE.replace('\n', "\r\n");
    assert_eq!(ok(&crlf, TWO).text, crlf.replace("two()", "2()"));
    let marked = format!("\u{feff}{FILE}");
    let first = "@@ -1,1 +1,1 @@\n-fn a() {\n+fn A() {\n";
    assert_eq!(ok(&marked, first).text, marked.replace("fn a()", "fn A()"));
    let mixed = "a\r\nb\nc\r\n";
    assert_eq!(ok(mixed, "@@ -2,1 +2,2 @@\n b\n+x\n").text, "a\r\nb\nx\nc\r\n");
}

#[test]
fn a_file_without_a_line_end_at_its_end_stays_so_unless_the_diff_says_otherwise() {
    assert_eq!(ok("a\nb", "@@ -2,1 +2,1 @@\n-b\n+c\n").text, "a\nc");
    assert_eq!(ok("a\nb", "@@ -2,1 +2,2 @@\n b\n+c\n").text, "a\nb\nc");
    let marker = "\\ No newline at end of file\n";
    let closed = format!("@@ -2,1 +2,1 @@\n-b\n{marker}+c\n");
    assert_eq!(ok("a\nb", &closed).text, "a\nc\n");
    let opened = format!("@@ -2,1 +2,1 @@\n-b\n+c\n{marker}");
    assert_eq!(ok("a\nb\n", &opened).text, "a\nc");
    assert_eq!(ok("a\r\nb", "@@ -1,2 +1,1 @@\n a\n-b\n").text, "a");
    assert_eq!(ok("a\n", "@@ -1,1 +0,0 @@\n-a\n").text, "");
}

#[test]
fn a_line_number_no_file_can_have_is_only_wrong() {
    let diff = format!("@@ -{0},2 +{0},2 @@\n     one();\n-    two();\n+    2();\n", usize::MAX);
    assert_eq!(ok(FILE, &diff).text, FILE.replace("two()", "2()"));
    refused(FILE, &diff.replace("two", "none"));
}

#[test]
fn a_deleted_line_of_dashes_is_no_header() {
    let text = "-- a\nb\n";
    assert_eq!(ok(text, "@@ -1,2 +1,2 @@\n--- a\n+++ c\n b\n").text, "++ c\nb\n");
}

#[test]
fn a_huge_file_and_a_huge_diff_are_done_in_time_that_does_not_explode() {
    let text: String = lines_of((0..100_000).map(|n| format!("line {n}")));
    let diff: String = lines_of((0..500).map(|n| format!("@@\n-line {}\n+LINE", n * 100)));
    assert_eq!(ok(&text, &diff).text.matches("LINE\n").count(), 500);
    let same = "x\n".repeat(20_000);
    refused(&same, &format!("@@\n{}-y\n+z\n", " x\n".repeat(30)));
}

#[test]
fn the_lines_of_a_hunk_are_no_depth_of_calls() {
    let text: String = lines_of((0..60_000).map(|n| format!("line {n}")));
    let context: String = lines_of((1..59_999).map(|n| format!(" line {n}")));
    let applied = ok(&text, &format!("@@\n-line 0\n{context} made up\n line 59999\n"));
    assert_eq!(applied.text.len(), text.len() - "line 0\n".len());
    assert!(applied.repaired.iter().any(|note| note.contains("1 line(s) of context")));
    refused(&text, &format!("@@\n{context}-gone\n+new\n"));
}

#[test]
fn lines_that_are_all_alike_are_refused_when_the_steps_are_spent() {
    let same = "x\n".repeat(40_000);
    let context = " x\n".repeat(10_000);
    let failure = refused(&same, &format!("@@ -1,10001 +1,10001 @@\n{context}-y\n+z\n"));
    assert!(failure.message.contains("too many lines of the file are alike"), "{failure}");
    let stated = format!("@@ -20001,10001 +20001,10001 @@\n{context}-x\n+z\n");
    assert_eq!(
        ok(&same, &stated).text.find('z'),
        Some(60_000),
        "a line that is named is tried first"
    );
}

#[test]
fn the_steps_are_those_of_all_hunks_and_operations_together() {
    let same = "x\n".repeat(2000);
    let hunk = format!("@@\n{}-y\n+z\n", " x\n".repeat(1000));
    let mut fuel = Fuel::new(40_000_000);
    let failure = unified_within(&same, &hunk, &mut fuel).unwrap_err();
    assert!(failure.message.contains("fits nowhere"), "{failure}");
    let mut fuel = Fuel::new(1000);
    let failure = unified_within(&same, &hunk, &mut fuel).unwrap_err();
    assert!(failure.message.contains("alike"), "{failure}");
    let failure = unified_within(FILE, TWO, &mut fuel).unwrap_err();
    assert!(failure.message.contains("alike"), "what is spent is spent: {failure}");
}

#[test]
fn as_many_places_are_counted_as_anybody_reads() {
    let text = "a\nb\n".repeat(5000);
    let failure = refused(&text, "@@\n-b\n+c\n");
    assert!(failure.message.contains("at least 100 places"), "{failure}");
    let failure = refused(&text, "@@\n a\n b\n lost\n a\n-b\n+c\n");
    assert!(failure.message.contains("at least 100 places"), "{failure}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_a_differ_writes_is_applied_to_the_letter(
        old in text(), new in text(), context in 0_usize..4,
    ) {
        prop_assume!(old != new);
        let mut options = diffy::DiffOptions::new();
        let diff = options.set_context_len(context.max(3)).create_patch(&old, &new).to_string();
        prop_assert_eq!(ok(&old, &diff).text, new, "{}", diff);
    }

    #[test]
    fn no_diff_panics_and_none_succeeds_without_saying_what_it_did(
        old in text(), diff in "([-+ @\\\\][ab \t]{0,3}|@@ -[0-9],[0-9] \\+[0-9],[0-9] @@|@@|```|)(\n([-+ @\\\\][ab]{0,2}|@@ -[0-9],[0-9] \\+[0-9],[0-9] @@|@@|)){0,12}",
    ) {
        if let Ok(applied) = unified(&old, &diff) {
            prop_assert!(applied.hunks > 0);
        }
    }

    /// Whatever is done: lines the diff does not delete are all still there, in their order.
    #[test]
    fn what_a_diff_does_not_delete_stays_in_its_order(
        old in text(), diff in "@@ -[0-9],[0-9] \\+[0-9],[0-9] @@(\n[-+ ][ab]{0,2}){1,8}\n",
    ) {
        if let Ok(applied) = unified(&old, &diff) {
            let deleted = diff.lines().filter(|l| l.starts_with('-')).count();
            let inserted = diff.lines().filter(|l| l.starts_with('+')).count();
            let count = |t: &str| t.lines().count();
            prop_assert_eq!(count(&applied.text) + deleted, count(&old) + inserted, "{:?}", applied);
        }
    }
}

fn lines_of(lines: impl Iterator<Item = String>) -> String {
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn text() -> impl Strategy<Value = String> {
    (proptest::collection::vec("[ab]{0,2}", 0..12), any::<bool>()).prop_map(|(lines, open)| {
        let text: String = lines_of(lines.into_iter());
        if open { text.trim_end_matches('\n').to_owned() } else { text }
    })
}
