use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case("/Users/mia/work/notes.md", "[path]")]
#[case("see /home/mia/notes.md.", "see [path].")]
#[case("(/tmp/a)", "([path])")]
#[case("[notes](/home/mia/a.md), then", "[notes]([path]), then")]
#[case("PATH=/usr/bin:/home/mia/bin", "PATH=[path]:[path]")]
#[case("/tmp", "[path]")]
#[case("is it in '/tmp'?", "is it in '[path]'?")]
#[case("/data/_x/-y", "[path]")]
#[case("/secrets.env", "[path]")]
#[case("/home/mia/.ssh/id_rsa", "[path]")]
#[case("/home/.ssh", "[path]")]
#[case("/home/mia/src/main.rs:12:5", "[path]:12:5")]
#[case("/Users/mia/My Documents/plan.md and more", "[path] and more")]
#[case("open \"/Users/mia/My Long Name/plan.md\" now", "open \"[path]\" now")]
#[case("'/home/mia/it' and '/home/mia/b'", "'[path]' and '[path]'")]
#[case("/tmp/a,/tmp/b;/tmp/c", "[path],[path];[path]")]
#[case("文件在/Users/mia/计划.md，请看", "文件在[path]，请看")]
#[case("文件：/home/mia/计划.md。", "文件：[path]。")]
#[case("//server/share/x", "[path]")]
#[case(r"C:\Users\mia\notes.md", "[path]")]
#[case(r"C:\Program Files (x86)\App Data\a.txt is", "[path] is")]
#[case(r"C:\Users\mia\My Long Folder Name\a.txt", "[path]")]
#[case("c:/work/x", "[path]")]
#[case(r#"{"p":"C:\\Users\\mia"}"#, r#"{"p":"[path]"}"#)]
#[case(r"\\server\share\x", "[path]")]
#[case(r"\\?\C:\Users\mia", "[path]")]
#[case(r"\\\\server\\share", "[path]")]
#[case("file:///home/mia/a%20b.md", "[path]")]
#[case("FILE:///C:/Users/mia", "[path]")]
#[case("file:/etc/hosts", "[path]")]
#[case("file://server/share/x", "[path]")]
#[case("vscode://file/home/mia/a.rs", "[path]")]
#[case("sqlite:///home/mia/db", "[path]")]
#[case("<img src=/home/mia/a.png>", "<img src=[path]>")]
#[case("</home/mia/a>", "<[path]>")]
fn an_absolute_path_becomes_a_mark(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(redact_text(text), expected);
}

#[rstest]
#[case("@project/artifacts/report.md")]
#[case("read @pkg/steps/a.md, then @state/workflow.md.")]
#[case("data: ⟦folder:home⟧/data/2026, ⟦folder:project⟧/etc/x")]
#[case("artifacts/x/y.md")]
#[case("./a/b ../c/d ~/e src/home/index.ts")]
#[case("资料/docs/设计.md")]
#[case("and/or, km/h, 1/2, 3 / 4, n/a, 是/否")]
#[case("2026/01/02 10:30")]
#[case("$5 /month, 9 /10")]
#[case("say /help or /approve")]
#[case("https://example.com/Users/mia?q=/a#/b")]
#[case("http://127.0.0.1:8080/v1/models")]
#[case("见 https://example.com/a/b，谢谢")]
#[case("git+ssh://host/home/x")]
#[case("http://file/a and HTTPS://file/a/b")]
#[case("<div>a</div><br />")]
#[case("// a comment")]
#[case("/* a comment */")]
#[case("**/*.md and ${root}/a/b and #/definitions/x")]
#[case(r"a\b, \n, \\alpha")]
#[case("C: drive, ratio a:b, 10:30")]
#[case("")]
fn a_text_without_an_absolute_path_stays(#[case] text: &str) {
    assert_eq!(redact_text(text), text);
}

#[test]
fn every_string_of_a_value_is_redacted_and_nothing_else() {
    let value = json!({
        "n": 1, "b": true, "z": null,
        "list": ["/home/mia/a", {"deep": "x C:\\a\\b y"}],
        "/home/mia/key": 1, "/home/mia/other": 2,
    });
    assert_eq!(
        redact_paths(&value),
        json!({
            "n": 1, "b": true, "z": null,
            "list": ["[path]", {"deep": "x [path] y"}],
            "[path]": 1, "[path] 2": 2,
        })
    );
}

/// Names that no text round them holds.
fn name() -> impl Strategy<Value = String> {
    "zq[a-z0-9]{1,8}(\\.[a-z]{1,3})?"
}

fn absolute() -> impl Strategy<Value = String> {
    let posix = proptest::collection::vec(name(), 2..5).prop_map(|s| format!("/{}", s.join("/")));
    let root = (proptest::sample::select(ROOTS), name()).prop_map(|(r, n)| format!("/{r}/{n}"));
    let drive = ("[A-Za-z]", proptest::collection::vec(name(), 1..4), "[\\\\/]")
        .prop_map(|(d, s, sep)| format!("{d}:{sep}{}", s.join(&sep)));
    let unc = proptest::collection::vec(name(), 2..4).prop_map(|s| format!(r"\\{}", s.join(r"\")));
    let file =
        proptest::collection::vec(name(), 1..4).prop_map(|s| format!("file:///{}", s.join("/")));
    prop_oneof![posix, root, drive, unc, file]
}

proptest! {
    #[test]
    fn no_name_of_an_absolute_path_survives_whatever_stands_round_it(
        path in absolute(),
        before in "(a word|说明|2026/01/02|and/or|https://h/x|@project/notes|)",
        open in "[ \n\t(\\[{=:\"'`|>，：「]",
        close in "( |\n|\\)|\"|'|`|, next|\\. Next|；|)",
    ) {
        let text = format!("{before}{open}{path}{close}");
        // Behind `http:` in a URL a colon or bracket belongs to the URL: it needs a real end.
        prop_assume!(!before.starts_with("https") || open.trim().is_empty() || "\"`>，：「".contains(&open));
        let out = redact_text(&text);
        prop_assert!(!out.contains("zq"), "{text:?} became {out:?}");
        prop_assert!(out.contains(MARK), "{out:?}");
        prop_assert!(out.starts_with(&before), "{out:?}");
    }

    #[test]
    fn what_is_not_absolute_is_untouched(
        words in proptest::collection::vec(
            "(@(project|pkg|state)(/[a-z]{1,6}){1,3}\\.md|[a-z]{1,6}(/[a-z]{1,6}){1,3}|https?://[a-z]{1,6}(/[a-z]{1,6}){1,3}|[0-9]{4}/[0-9]{2}/[0-9]{2}|[a-z]{1,6}/[a-z]{1,6}|文档/[a-f]{2,6}/x|[A-Za-z,.!?]{1,8})",
            0..8,
        )
    ) {
        let text = words.join(" ");
        prop_assert_eq!(redact_text(&text), text);
    }

    #[test]
    fn redacting_twice_changes_nothing_more(text in "[a-z/\\\\:@ .,\"'()\\[\\]<>|\nC文，]{0,60}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn any_text_is_redacted_without_a_panic(text in ".{0,200}") {
        let _ = redact_text(&text);
    }
}
