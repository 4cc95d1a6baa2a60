use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

const PROJECT: &str = "/home/ada/my project";

fn marks() -> Marks {
    Marks::new(vec![
        (PROJECT.into(), Folder::Project),
        ("/home/ada/.local/share/crewagent/packages/p-1".into(), Folder::Package),
        ("/home/ada/.local/share/crewagent".into(), Folder::Store),
        ("/home/ada".into(), Folder::Home),
        (r"C:\Users\Ada\Wörk".into(), Folder::State),
    ])
}

#[rstest]
#[case("see /home/ada/my project/a.md", "see ⟦folder:project⟧/a.md")]
#[case("DATA=/home/ada/data", "DATA=⟦folder:home⟧/data")]
#[case("/home/ada/.local/share/crewagent/x", "⟦folder:store⟧/x")]
#[case("/home/ada/.local/share/crewagent/packages/p-1/a", "⟦folder:package⟧/a")]
#[case("file:///home/ada/my%20project/a", "file:⟦folder:project~fff.11r.p0a.7r⟧/a")]
#[case(r"C:\Users\Ada\Wörk\a", r"⟦folder:state⟧\a")]
#[case("c:/users/ADA/Wörk", "⟦folder:state~v0r.r.f.v0r.4r.f.r.2v1r.f.4r⟧")]
#[case("/home/annabel /home/ada2 /home/ada-b /tmp/build /home", "")]
#[case("a ⟦folder:home⟧ b", "a ⟦folder:=home⟧ b")]
#[case("a ⟦folder:=home⟧ ⟦e⟧", "a ⟦folder:==home⟧ ⟦e⟧")]
fn a_text_is_shown_with_marks_and_turned_back(#[case] text: &str, #[case] shown: &str) {
    let shown = if shown.is_empty() { text } else { shown };
    let marks = marks();
    assert_eq!(marks.shown(text), shown);
    assert_eq!(marks.restored(shown, usize::MAX).unwrap(), text);
}

#[rstest]
#[case("⟦folder:nowhere⟧")]
#[case("⟦folder:home9⟧")]
#[case("⟦folder:home~3r⟧")]
#[case("⟦folder:home~0r.9r⟧")]
#[case("⟦folder:home~99999999999999999999r⟧")]
#[case("⟦folder:home~9⟧")]
#[case("⟦folder:home~9w⟧")]
#[case("⟦folder:home~9v9999r⟧")]
#[case("⟦folder:home~9q99999⟧")]
#[case("⟦folder:home~f.4r.pz.3r⟧")]
#[case("⟦folder:home~r.4p9a.r.3p9a⟧")]
#[case("⟦folder:home~r.4e65a.r.3e65a⟧")]
#[case("⟦folder:home")]
fn what_stands_for_no_folder_is_refused(#[case] mark: &str) {
    let marks = marks();
    let text = format!("a ⟦folder:home⟧ {mark}");
    let Err(NotBack::Unknown(unknown)) = marks.restored(&text, usize::MAX) else { panic!() };
    assert!(mark.starts_with(unknown), "{unknown}");
    assert_eq!(marks.restored_as_far(&text, 4096).unwrap(), format!("a /home/ada {mark}"));
}

#[test]
fn a_name_that_is_spelt_beyond_all_reason_is_hidden_and_not_written_back() {
    let marks = marks();
    for (depth, back) in [(0, true), (8, true), (9, false), (5_000, false)] {
        let text = format!("see %{}2fhome/ada/data", "25".repeat(depth));
        let shown = marks.shown(&text);
        assert!(!shown.contains("ada"), "{shown}");
        match marks.restored(&shown, usize::MAX) {
            Ok(restored) => assert!(back && restored == text, "{depth}"),
            Err(why) => assert_eq!((back, why), (false, NotBack::Unknown("⟦folder:home~x⟧"))),
        }
    }
}

#[test]
fn marks_are_not_expanded_beyond_the_limit() {
    let marks = marks();
    // 9 bytes each.
    let text = "⟦folder:home⟧".repeat(100_000);
    assert_eq!(marks.restored(&text, 899_999), Err(NotBack::TooLong));
    assert_eq!(marks.restored(&text, 900_000).unwrap().len(), 900_000);
    assert_eq!(marks.restored_pattern(&text, 899_999), Err(NotBack::TooLong));
    assert_eq!(marks.restored_as_far(&text, 899_999), None);
    assert_eq!(marks.restored_as_far(&text, 900_000).unwrap().len(), 900_000);
    let path: AliasPath = "@project/a.md".parse().unwrap();
    let failure = marks.lens(&path, 899_999).restored(&path, "content", &text).unwrap_err();
    assert_eq!(failure.code, ErrorCode::WriteLimit);
    assert_eq!(failure.details.unwrap()["limit"], 899_999);
    let lens = marks.lens(&path, 899_999);
    assert!(lens.check_len(&path, 899_999).is_ok());
    assert_eq!(lens.check_len(&path, 900_000).unwrap_err().code, ErrorCode::WriteLimit);
    // A mark of a few letters is no book.
    let longest = "⟦folder:home~r.4p8a.r.3p8a⟧";
    assert!(marks.restored(longest, usize::MAX).unwrap().len() < 8 * longest.len());
}

#[test]
fn a_text_of_marks_that_say_nothing_is_looked_through_at_once() {
    let marks = marks();
    let text = "⟦folder:home~rv9r⟧".repeat(50_000);
    assert_eq!(marks.restored_as_far(&text, usize::MAX).unwrap(), text);
}

#[test]
fn a_folder_behind_a_link_has_two_marks_and_each_is_turned_back() {
    let temp = tempfile::tempdir().unwrap();
    let real = temp.path().canonicalize().unwrap().join("real");
    std::fs::create_dir(&real).unwrap();
    #[cfg(unix)]
    {
        let link = temp.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let marks = Marks::new(vec![(link.clone(), Folder::Project)]);
        let text = format!("{}/a {}/b", link.display(), real.display());
        let shown = marks.shown(&text);
        assert_eq!(shown, "⟦folder:project⟧/a ⟦folder:project2⟧/b");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text);
    }
}

#[test]
fn a_cut_text_names_no_part_of_a_folder() {
    let marks = marks();
    for text in ["x /home/ada", "x /home/ad", "x /home/", r"x \/home\/a", "x %2Fhome%2", "x /"] {
        assert_eq!(marks.uncut(&format!("word {text}")), "word x ", "{text}");
    }
    for text in ["a /usr/lib b", "see a.md", "a full stop.", "see /homestead", "see /% of it"] {
        assert_eq!(marks.uncut(text), text, "no folder begins at its end");
    }
    let long = format!("see /home/%{}", "2".repeat(64));
    assert_eq!(marks.uncut(&long), long, "no escape is as long");
    assert_eq!(marks.shown_prefix("x /home/ada y", 100), "x ⟦folder:home⟧ y");
    let path = "@project/a.md".parse().unwrap();
    assert_eq!(marks.lens(&path, 4096).uncut("word /home/ad"), "word ");
    let line = format!("{} {PROJECT}/a.md {}", "x".repeat(300), "y".repeat(9000));
    for max in 0..500 {
        let shown = marks.shown_prefix(&line, max);
        assert!(!shown.contains("/home"), "{shown}");
        assert!(shown.ends_with('…') && shown.len() <= max + '…'.len_utf8(), "{shown}");
    }
}

#[test]
fn what_the_runtime_keeps_for_itself_is_neither_told_apart_nor_turned_back() {
    let marks = marks();
    let (log, file) = ("@state/logs/tool-results/c.json", "@project/a.md");
    let lens =
        |path: &str| path.parse().map(|path: AliasPath| (marks.lens(&path, 4096), path)).unwrap();
    let (own, path) = lens(log);
    assert_eq!(own.shown("⟦folder:home⟧ /home/ada"), "⟦folder:home⟧ ⟦folder:home⟧");
    assert_eq!(own.restored(&path, "pattern", "⟦folder:x⟧").unwrap(), "⟦folder:x⟧");
    let (theirs, path) = lens(file);
    assert_eq!(theirs.shown("⟦folder:home⟧"), "⟦folder:=home⟧");
    let failure = theirs.restored(&path, "content", "a ⟦folder:x⟧").unwrap_err();
    assert_eq!(failure.code, kernel::code::ErrorCode::UnknownMark);
    assert!(failure.message.starts_with("@project/a.md: `content` holds `⟦folder:x⟧`"));
    assert!(failure.action.unwrap().contains("`⟦folder:=x⟧`"));
}

#[test]
fn a_name_in_a_pattern_stands_for_itself() {
    use grep_matcher::Matcher as _;
    // `\<` would be the beginning of a word, not the character.
    for home in ["/home/a.b+c", "/home/a<b>c", "/home/a-b~c&d", "/home/[a]{2}#|$^"] {
        let marks = Marks::new(vec![(home.into(), Folder::Home)]);
        let pattern = marks.restored_pattern(r"^⟦folder:home⟧/\d+$", usize::MAX).unwrap();
        let matcher = grep_regex::RegexMatcher::new(&pattern).unwrap();
        assert!(matcher.is_match(format!("{home}/12").as_bytes()).unwrap(), "{pattern}");
        assert!(!matcher.is_match(format!("{home}x/12").as_bytes()).unwrap(), "{pattern}");
    }
}

#[test]
fn every_string_of_a_value_is_hidden_or_turned_back() {
    let marks = marks();
    let path: AliasPath = "@project/a.md".parse().unwrap();
    let real = json!({ "/home/ada/x": ["/home/ada", { "a": 1, "b": null }], "c": "plain" });
    let mut value = real.clone();
    assert!(marks.hide_in(&mut value));
    let hidden =
        json!({ "⟦folder:home⟧/x": ["⟦folder:home⟧", { "a": 1, "b": null }], "c": "plain" });
    assert_eq!(value, hidden);
    assert!(!marks.hide_in(&mut value));
    marks.lens(&path, 4096).restore_in(&path, "update", &mut value).unwrap();
    assert_eq!(value, real);
}

#[rstest]
#[case(json!(["/home/ada", "/home/ada/x"]))]
#[case(json!(["/home/ada", "plain"]))]
#[case(json!({ "a": "/home/ada", "b": "/home/ada" }))]
#[case(json!({ "a": "/home/ada", "b": "plain" }))]
#[case(json!({ "/home/ada": 1 }))]
fn a_value_with_any_folder_in_it_is_told_from_one_without(#[case] mut value: Value) {
    assert!(marks().hide_in(&mut value));
    assert!(!value.to_string().contains("ada") && !marks().hide_in(&mut value));
}

#[test]
fn debug_shows_folders_and_none_of_their_names() {
    let shown = format!("{:?}", marks());
    assert!(shown.contains("Project") && !shown.contains("ada"), "{shown}");
}

#[test]
fn a_huge_text_of_what_a_root_may_begin_with_is_looked_through_once() {
    let marks = marks();
    for piece in
        ["/", "\\", "%2F", "%252f", "\\u002f", "\\/", "/home", "⟦folder:", "c:", "/home/ada/"]
    {
        let text = piece.repeat(64 * 1024 / piece.len());
        let shown = marks.shown(&text);
        assert!(marks.restored(&shown, usize::MAX).unwrap() == text, "{piece}");
        marks.uncut(&text);
    }
}

#[test]
fn slashes_before_a_root_stay_what_they_are() {
    let marks = marks();
    for count in [1, 15, 16, 17, 40] {
        let text = format!("{}home/ada{}my project", "/".repeat(count), "/".repeat(count));
        let shown = marks.shown(&text);
        assert!(!shown.contains("ada") && !shown.contains("my project"), "{shown}");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text);
    }
    // Also where some may belong to an escape.
    let text = format!(r"{}x68ome/ada/x", r"\".repeat(40));
    let shown = marks.shown(&text);
    assert!(shown.starts_with(&format!("{}⟦folder:home~", r"\".repeat(24))), "{shown}");
    assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text);
}

/// A character of a name, spelt in some way.
fn spelt(c: char, manner: u8, depth: usize, capitals: bool) -> String {
    let hex = |text: String| if capitals { text.to_uppercase() } else { text };
    let percent = |c: char| -> String {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).bytes();
        let twenty_five = "25".repeat(depth);
        bytes.fold(String::new(), |out, b| out + "%" + &twenty_five + &hex(format!("{b:02x}")))
    };
    let escape = |c: char| -> String {
        let mut buffer = [0; 2];
        let units = c.encode_utf16(&mut buffer).iter();
        let slashes = "\\".repeat(depth + 1);
        units.fold(String::new(), |out, u| out + &slashes + "u" + &hex(format!("{u:04x}")))
    };
    match (c, manner) {
        ('/', 0) => "\\".to_owned(),
        ('/', 1) => "\\\\".repeat(depth + 1),
        ('/', 2) => "/".repeat(depth + 1),
        (' ', 0) => "+".to_owned(),
        ('"', 0..=3) => format!("{}\"", "\\".repeat(depth + 1)),
        (c, 3 | 4) => percent(c),
        (c, 5) => escape(c),
        (c, _) => c.to_string(),
    }
}

/// Texts with roots in them, in every spelling and mixture.
fn planted() -> impl Strategy<Value = String> {
    let roots = prop::sample::select(vec![
        PROJECT,
        "/home/ada",
        "/home/ada/.local/share/crewagent",
        "C:/Users/Ada/Wörk",
    ]);
    let root = (roots, prop::collection::vec((0_u8..9, 0_usize..3, any::<bool>()), 60)).prop_map(
        |(root, manners)| {
            root.chars()
                .zip(manners)
                .map(|(c, (manner, depth, capitals))| spelt(c, manner, depth, capitals))
                .collect::<String>()
        },
    );
    let evenly =
        (prop::sample::select(vec![PROJECT, "/home/ada"]), 0_u8..9, 0_usize..3, any::<bool>())
            .prop_map(|(root, manner, depth, capitals)| {
                root.chars().map(|c| spelt(c, manner, depth, capitals)).collect::<String>()
            });
    let other =
        "([ -~]|\n|\r\n|é|中|⟦folder:|⟦folder:=|home|project2|~3r|⟧|/tmp/x|%2F|\\\\u00){0,6}";
    prop::collection::vec(prop_oneof![root, evenly, other.prop_map(String::from)], 0..8)
        .prop_map(|parts| parts.concat())
}

#[test]
fn a_name_that_goes_on_with_a_mark_ends_there() {
    let marks = marks();
    for text in [r"\home\ada+C:\Users\Ada\Wörk", "/home/ada-/home/ada/x", "/home/ada.@/home/ada"] {
        let shown = marks.shown(text);
        assert!(!shown.contains("ada"), "{shown}");
        assert!(matches!(marks.hidden(&shown), Cow::Borrowed(_)), "{shown}");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text);
    }
    // With a name behind it, it is another one.
    assert_eq!(marks.shown("/home/ada-old/home/ada2"), "/home/ada-old/home/ada2");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_shown_is_turned_back_byte_for_byte(text in planted()) {
        let marks = marks();
        let shown = marks.shown(&text);
        prop_assert!(matches!(marks.hidden(&shown), Cow::Borrowed(_)), "{shown}");
        prop_assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text.as_str());
        prop_assert_eq!(marks.restored_as_far(&shown, usize::MAX).unwrap(), text.as_str());
    }

    #[test]
    fn each_shown_line_is_turned_back_by_itself(text in planted()) {
        let marks = marks();
        let shown = marks.shown(&text).into_owned();
        let lines = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let back: Vec<String> = lines(&shown)
            .iter()
            .map(|line| marks.restored(line, usize::MAX).unwrap().into_owned())
            .collect();
        prop_assert_eq!(back, lines(&text));
    }

    #[test]
    fn hiding_twice_changes_nothing_more(text in planted()) {
        let marks = marks();
        let once = marks.hidden(&text).into_owned();
        prop_assert_eq!(marks.hidden(&once), once.as_str());
    }

    #[test]
    fn any_text_of_a_model_is_taken(text in "(⟦folder:|home|project|~|[0-9.]|[rwqpefbv]|⟧|=){0,30}") {
        let marks = marks();
        _ = marks.restored(&text, usize::MAX);
        _ = marks.restored_as_far(&text, usize::MAX);
    }
}
