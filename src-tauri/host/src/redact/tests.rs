use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

fn redactor() -> Redactor {
    Redactor::new(vec![
        (PathBuf::from("/home/ada"), "~"),
        (PathBuf::from("/home/ada/my project"), "@project"),
        (PathBuf::from("/home/ada/.local/share/crewagent"), "[store]"),
        (PathBuf::from("/tmp"), "[temp]"),
        (PathBuf::from(r"C:\Users\Ada\Work"), "@pkg"),
        (PathBuf::from("/srv/资料"), "@state"),
    ])
}

#[rstest]
#[case("see /home/ada/my project/a.md", "see @project/a.md")]
#[case("file:///home/ada/my%20project/a.md", "file:@project/a.md")]
#[case("%2Fhome%2Fada%2Fmy%20project%2Fa.md", "@project%2Fa.md")]
#[case("%252Fhome%252fada%252Fmy%2520project", "@project")]
#[case("/home/ada/my+project", "@project")]
#[case(r"\home\ada\my project\a.md", r"@project\a.md")]
#[case(r#"{"p":"\/home\/ada\/my project\/a"}"#, r#"{"p":"@project\/a"}"#)]
#[case("//home//ada///my project", "@project")]
#[case("(/home/ada).", "(~).")]
#[case("/home/ada-lovelace/x", "/home/ada-lovelace/x")]
#[case("/home/adam", "/home/adam")]
#[case("/home/ada.old/x", "/home/ada.old/x")]
#[case(r"/home/ada+C:\Users\Ada\Work", "~+@pkg")]
#[case("C:/users/ADA/work/a", "@pkg/a")]
#[case(r"C:\Users\Ada\Work\a", r"@pkg\a")]
#[case(r#"{"p":"C:\\Users\\Ada\\Work\\a"}"#, r#"{"p":"@pkg\\a"}"#)]
#[case("file:///C:/Users/Ada/Work", "file:///@pkg")]
#[case("file:///C%3A/Users/Ada/Work", "file:///@pkg")]
#[case(r"/srv/\u8d44\u6599/x", "@state/x")]
#[case("/srv/%E8%B5%84%e6%96%99/x", "@state/x")]
#[case("读取/srv/资料/设计.md失败", "读取@state/设计.md失败")]
#[case("in /tmp/x and src/tmp/x", "in [temp]/x and src/tmp/x")]
#[case("https://example.org/a/tmp/b", "https://example.org/a/tmp/b")]
#[case(r"error\n/tmp/x", r"error\n[temp]/x")]
#[case("cc -I/tmp/x --out=/tmp/y", "cc -I[temp]/x --out=[temp]/y")]
#[case("/usr/share/doc", "/usr/share/doc")]
#[case("\u{1b}[32m/tmp/x\u{1b}[0m", "\u{1b}[32m[temp]/x\u{1b}[0m")]
#[case("\u{1b}[K/tmp/x \u{1b}[1;31m/tmp", "\u{1b}[K[temp]/x \u{1b}[1;31m[temp]")]
#[case(r"\u001b[32m/tmp/x", r"\u001b[32m[temp]/x")]
#[case("目录/tmp/x 路径：/tmp/x", "目录[temp]/x 路径：[temp]/x")]
#[case("./tmp/x ~/tmp/x _/tmp/x a-/tmp +/tmp", ".[temp]/x ~[temp]/x _[temp]/x a-[temp] +[temp]")]
#[case(r"a\u000a/tmp/x \u2028/tmp/x", r"a\u000a[temp]/x \u2028[temp]/x")]
#[case(r"a\x0a/tmp/x a\012/tmp/x", r"a\x0a[temp]/x a\012[temp]/x")]
#[case("a%0A/tmp/x a&#10/tmp/x", "a%0A[temp]/x a&#10[temp]/x")]
#[case("%E8%B5%84/tmp/x", "%E8%B5%84[temp]/x")]
#[case(r"sr\u0063/tmp/x sr\x63/tmp sr\143/tmp", r"sr\u0063/tmp/x sr\x63/tmp sr\143/tmp")]
#[case("sr%63/tmp/x a1/tmp/x A/tmp", "sr%63/tmp/x a1/tmp/x A/tmp")]
#[case("/home/./ada/././my project/./x", "@project/./x")]
#[case(r"/home/ada/my\ project/x", "@project/x")]
#[case(r"/home/ada/my\040project /home/ada/my\x20project", "@project @project")]
#[case("/home/ada/my&nbsp;project &#47;home&#x2f;ada", "@project ~")]
#[case(r"\x2fhome\x2fada\x2f \057home\057ada", r"~\x2f ~")]
#[case("/home/ada/my project_old/x", "~/my project_old/x")]
// Names that only look like the known one.
#[case("/homeada /home.ada /home./ada /home/.ada", "/homeada /home.ada /home./ada /home/.ada")]
#[case("/home%2eada /home%2e%2fada /home%2f%2eada", "/home%2eada /home%2e%2fada /home%2f%2eada")]
#[case(r"/home/+da /home/a\da", r"/home/+da /home/a\da")]
#[case(r"sort/tmp/x dir\q/tmp", r"sort/tmp/x dir\q/tmp")]
fn a_known_root_is_replaced_in_every_spelling(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(redactor().redact(text), expected);
}

#[test]
fn the_longest_root_wins() {
    assert_eq!(redactor().redact("/home/ada/.local/share/crewagent/x"), "[store]/x");
}

#[test]
fn a_root_behind_a_link_is_known_by_both_names() {
    let temp = tempfile::tempdir().unwrap();
    let real = temp.path().join("real");
    std::fs::create_dir(&real).unwrap();
    #[cfg(unix)]
    {
        let link = temp.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let redactor = Redactor::new(vec![(link.clone(), "@project")]);
        for name in [&link, &real.canonicalize().unwrap()] {
            assert_eq!(redactor.redact(&format!("{}/a", name.display())), "@project/a");
        }
    }
}

#[test]
fn the_root_of_a_disk_or_nothing_is_not_a_root() {
    let redactor = Redactor::new(vec![
        (PathBuf::from("/"), "a"),
        (PathBuf::from(""), "b"),
        (PathBuf::from(r"C:\"), "c"),
    ]);
    assert!(!redactor.scan("/usr C:\\Windows / x"));
}

#[test]
fn a_root_is_known_however_many_slashes_it_was_given_with() {
    let redactor = Redactor::new(vec![(PathBuf::from("/home//ada///work/"), "@project")]);
    assert_eq!(redactor.redact("/home/ada/work/x /home//ada/work"), "@project/x @project");
}

#[test]
fn strings_and_keys_of_a_value_are_redacted_and_nothing_else() {
    let mut value = json!({ "/home/ada/x": [1, { "a": "/tmp/y", "b": null }], "c": "plain" });
    assert!(redactor().redact_value(&mut value));
    assert_eq!(value, json!({ "~/x": [1, { "a": "[temp]/y", "b": null }], "c": "plain" }));
    assert!(!redactor().redact_value(&mut value));
}

#[test]
fn debug_shows_aliases_only() {
    let shown = format!("{:?}", redactor());
    assert!(shown.contains("@project") && !shown.contains("ada"), "{shown}");
}

#[derive(Debug, Clone, Copy)]
enum SpellingForm {
    Plain,
    Json,
    Json2,
    Percent,
    FullPercent,
    Unicode,
    Back,
}

fn spelt(text: &str, form: SpellingForm) -> String {
    let json = |t: &str| serde_json::to_string(t).unwrap().trim_matches('"').to_owned();
    match form {
        SpellingForm::Plain => text.to_owned(),
        SpellingForm::Json => json(&text.replace('/', "\\")),
        SpellingForm::Json2 => json(&json(&text.replace('/', "\\"))),
        SpellingForm::Back => text.replace('/', "\\"),
        SpellingForm::Percent => text
            .bytes()
            .map(|b| {
                if b.is_ascii_alphanumeric() || b == b'/' {
                    char::from(b).to_string()
                } else {
                    format!("%{b:02X}")
                }
            })
            .collect(),
        SpellingForm::FullPercent => {
            text.bytes().flat_map(|b| format!("%{b:02x}").into_bytes()).map(char::from).collect()
        }
        SpellingForm::Unicode => text
            .encode_utf16()
            .map(|u| {
                if u < 128 {
                    char::from(u8::try_from(u).unwrap()).to_string()
                } else {
                    format!("\\u{u:04x}")
                }
            })
            .collect(),
    }
}

fn form() -> impl Strategy<Value = SpellingForm> {
    prop_oneof![
        Just(SpellingForm::Plain),
        Just(SpellingForm::Json),
        Just(SpellingForm::Json2),
        Just(SpellingForm::Percent),
        Just(SpellingForm::FullPercent),
        Just(SpellingForm::Unicode),
        Just(SpellingForm::Back),
    ]
}

proptest! {
    #[test]
    fn a_spelt_root_never_survives(
        segments in prop::collection::vec("[a-zA-Z0-9é中 _.-]{0,6}[a-zA-Z0-9中]", 2..5),
        before in "[ -~]{0,12}[ \"'(=:]",
        after in "(/[a-z]{1,5})?[ \")]",
        form in form(),
    ) {
        let root = format!("/{}", segments.join("/"));
        let redactor = Redactor::new(vec![(PathBuf::from(&root), "@project")]);
        let text = format!("{before}{}{after}", spelt(&root, form));
        prop_assert!(redactor.scan(&text), "{text:?} {root:?}");
        let clean = redactor.redact(&text).into_owned();
        prop_assert!(!redactor.scan(&clean), "{clean:?}");
        prop_assert!(clean.contains("@project"));
    }

    #[test]
    fn any_text_is_taken_without_panic_and_twice_is_as_once(text in "\\PC{0,80}") {
        let redactor = redactor();
        let once = redactor.redact(&text).into_owned();
        prop_assert_eq!(redactor.redact(&once), once.as_str());
        prop_assert!(!redactor.scan(&once));
    }

    #[test]
    fn slashes_and_escapes_in_any_mix_are_taken_without_panic(
        text in "([/\\\\%u25C0-9a-f:tmp homead]){0,60}"
    ) {
        let redactor = redactor();
        prop_assert!(!redactor.scan(&redactor.redact(&text)));
    }
}

#[test]
fn a_drive_is_found_by_its_letter_in_any_case_and_escaped() {
    let redactor = Redactor::new(vec![(PathBuf::from(r"K:\work\secret"), "@project")]);
    for text in
        [r"K:\work\secret", "k:/WORK/secret", r"\u004b:\work\secret", "%4B%3A%5Cwork%5csecret"]
    {
        assert_eq!(redactor.redact(text), "@project", "{text}");
    }
    // The Kelvin sign is a K in another case.
    assert_eq!(redactor.redact("\u{212a}:/work/secret"), "@project");
}

#[test]
fn a_value_is_redacted_in_more_than_one_place() {
    let mut value = json!([["/tmp/x", "/tmp/y"], { "/tmp/a": "/tmp/b" }]);
    assert!(redactor().redact_value(&mut value));
    assert_eq!(value, json!([["[temp]/x", "[temp]/y"], { "[temp]/a": "[temp]/b" }]));
    for some in [
        json!(["/tmp/x", "/tmp/y"]),
        json!(["/tmp/x", "plain"]),
        json!({ "a": "/tmp/x", "b": "/tmp/y" }),
        json!({ "a": "/tmp/x", "b": "plain" }),
    ] {
        let mut value = some.clone();
        assert!(redactor().redact_value(&mut value), "{some}");
        assert!(!value.to_string().contains("/tmp"), "{value}");
    }
    assert_eq!(redactor().find("in /srv/资料/x"), Some("@state"));
    assert_eq!(redactor().find("in /usr/lib"), None);
}
