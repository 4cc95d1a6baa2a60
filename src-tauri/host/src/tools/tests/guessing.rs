//! A model that guesses the name of a private folder letter by letter: whatever it asks about the
//! real text, a right guess is answered like a wrong one.

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::fixture::{Fixture, code};

const FILE: &str = "project/a.md";

/// A file that names the home folder, by itself and with more text in the line.
fn planted(f: &Fixture) -> String {
    let home = f.temp.path().display().to_string();
    f.put(FILE, format!("first\ndata = {home}/data tail\nmore\n{home}\n"));
    home
}

/// What a call answers, whichever of the two guesses it asks about.
fn same_for(f: &Fixture, tool: &str, right: &str, wrong: &str, args: impl Fn(&str) -> Value) {
    let ask = |guess: &str| {
        let r = f.call(tool, &args(guess));
        if r["ok"] == true {
            return json!([r["matches"], r["stats"], r["verification"]["passed"], r["replaced"]]);
        }
        // Which lines are close depends on the guess itself.
        let words = r["error"]["message"].as_str().unwrap();
        json!([code(&r), words.contains("white space")])
    };
    assert_eq!(ask(right), ask(wrong), "{tool} tells {right} from {wrong}");
}

/// Every beginning and end of the name, with a text of as many characters that is none. The whole
/// name is another matter: the mark itself says that it was right.
fn guesses(home: &str) -> Vec<(String, String)> {
    let mut right: Vec<&str> = (2..home.len()).map(|end| &home[..end]).collect();
    right.extend((1..home.len()).map(|start| &home[start..]));
    let wrong = |right: &str| format!("{}§", &right[..right.len() - 1]);
    // What the file shows of itself is no guess.
    let shown = "first data = ⟦folder:home⟧/data tail more";
    right.retain(|right| !shown.contains(right));
    right.into_iter().map(|right| (right.to_owned(), wrong(right))).collect()
}

#[rstest]
#[case("{}", false)]
#[case("data = {}", false)]
#[case("{}", true)]
#[case("^data = {}", true)]
#[case("^data = {}.*tail$", true)]
// Of two alternatives one is in the text as it is shown, and the other is the guess.
#[case("folder:home|{}", true)]
#[case("^data = .{13}/|{}", true)]
#[case(r"\B/data|{}", true)]
#[case("(?s)data.*(?:⟧|{})", true)]
fn a_search_finds_no_part_of_a_folder(#[case] pattern: &str, #[case] regex: bool) {
    let f = Fixture::new();
    let home = planted(&f);
    for (right, wrong) in guesses(&home) {
        same_for(&f, "fs.search", &right, &wrong, |guess| {
            let guess = if regex { regex_syntax::escape(guess) } else { guess.to_owned() };
            json!({ "path": "@project", "pattern": pattern.replace("{}", &guess), "regex": regex })
        });
    }
}

#[rstest]
#[case("tail", false)]
#[case("tail", true)]
#[case("/data", false)]
#[case("/d.ta", true)]
fn a_column_is_that_of_the_line_as_it_is_shown(#[case] pattern: &str, #[case] regex: bool) {
    let f = Fixture::new();
    planted(&f);
    let args = json!({ "path": "@project", "pattern": pattern, "regex": regex });
    let found = &f.call("fs.search", &args)["matches"][0];
    let text = found["text"].as_str().unwrap();
    let column = usize::try_from(found["column"].as_u64().unwrap()).unwrap();
    let there: String = text.chars().skip(column - 1).collect();
    assert!(there.starts_with(&pattern.replace('.', "a")), "{found}");
}

#[test]
fn lines_that_are_no_hits_are_the_context_of_those_that_are() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    let inside = &home[1..4];
    f.put(FILE, format!("{home}\n{inside} one\n{home}\n{home}\n{inside} two\n{home}\n"));
    for regex in [false, true] {
        let args =
            json!({ "path": "@project", "pattern": inside, "regex": regex, "maxMatches": 2 });
        let r = f.call("fs.search", &args);
        let found = r["matches"].as_array().unwrap();
        let lines: Vec<&Value> = found.iter().map(|hit| &hit["line"]).collect();
        assert_eq!(lines, [2, 5], "{r}");
        assert_eq!(found[0]["before"], json!(["⟦folder:home⟧"]));
        assert_eq!(found[0]["after"], json!(["⟦folder:home⟧"]));
        assert_eq!(found[1]["before"], json!(["⟦folder:home⟧"]));
        assert!(r.get("truncated").is_none(), "{r}");
    }
}

#[test]
fn a_check_confirms_no_part_of_a_folder() {
    let f = Fixture::new();
    let home = planted(&f);
    for (right, wrong) in guesses(&home) {
        for around in ["", "data = ", "first\ndata = "] {
            same_for(
                &f,
                "fs.read",
                &right,
                &wrong,
                |guess| json!({ "path": "@project/a.md", "expect_contains": [format!("{around}{guess}")] }),
            );
        }
    }
    let shown = ["data = ⟦folder:home⟧/data", "first\r\ndata = ⟦folder:home⟧", "tail", "/data t"];
    let args = json!({ "path": "@project/a.md", "expect_contains": shown });
    assert_eq!(f.call("fs.read", &args)["verification"]["passed"], true);
}

#[test]
fn a_check_confirms_none_where_the_file_is_read_in_pieces() {
    let f = Fixture::in_memory();
    let home = f.temp.path().display().to_string();
    // Pieces of 64 KiB; a line of more than 1 MiB is looked through in parts as well.
    for (edge, line) in [(64 * 1024, "\n"), (64 * 1024, ""), (17 * 64 * 1024, "")] {
        for before in (0..home.len() + 8).step_by(3) {
            let filler = "é".repeat((edge - before) / 2);
            f.put(FILE, format!("{filler}{line}={home}/data 中{}{line}end", "z".repeat(70_000)));
            let parts = [&home[..home.len() / 2], &home[1..]];
            let asked = [parts[0], parts[1], "=⟦folder:home⟧/data 中", "z\u{7}", "zend"];
            let asked = asked.map(|text| {
                if line.is_empty() { text.to_owned() } else { text.replace("zend", "z\nend") }
            });
            let args = json!({ "path": "@project/a.md", "startLine": 1, "endLine": 1,
                "expect_contains": asked });
            let r = f.call("fs.read", &args);
            let missing: Vec<&str> = r["verification"]["missing"]
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_str().unwrap())
                .collect();
            let wanted = [parts[0], parts[1], "z\u{7}"];
            assert_eq!(missing, wanted, "{edge} {line:?} {before}");
        }
    }
}

#[test]
fn a_patch_tells_no_part_of_a_folder() {
    let f = Fixture::new();
    let home = planted(&f);
    let before = f.get(FILE);
    for (right, wrong) in guesses(&home) {
        for (around, all) in [("", false), ("", true), ("data = ", true), ("data  =  ", true)] {
            same_for(&f, "fs.apply_patch", &right, &wrong, |guess| {
                json!({ "path": "@project/a.md", "dryRun": true, "patch": { "operation": "replace",
                    "old": format!("{around}{guess}"), "new": "", "all": all } })
            });
        }
    }
    same_for(&f, "fs.apply_patch", &home, &"x".repeat(home.len()), |guess| {
        let diff = format!("@@ -2 +2 @@\n-data = {guess}/data tail\n+x\n");
        json!({ "path": "@project/a.md", "dryRun": true,
            "patch": { "operation": "unified", "diff": diff } })
    });
    assert_eq!(f.get(FILE), before);
}

#[test]
fn a_replacement_of_letters_leaves_the_names_of_folders_alone() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    f.put(FILE, format!("t{home}/t t\n"));
    let op = json!({ "operation": "replace", "old": "t", "new": "u", "all": true });
    let r = f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
    assert_eq!(r["replaced"], 3, "{r}");
    assert_eq!(f.get(FILE), format!("u{home}/u u\n"));
}

#[rstest]
#[case(&[("fs.write", json!({ "content": "a ⟦folder:home⟧x" }))])]
#[case(&[("fs.write", json!({ "content": "a ⟦folder:home⟧⟦folder:home⟧" })),
    ("fs.write", json!({ "content": "x", "mode": "append" }))])]
#[case(&[("fs.apply_patch", json!({ "patch": { "operation": "replace", "old": "/data", "new": "s" } }))])]
#[case(&[("fs.apply_patch", json!({ "patch": { "operation": "replace", "old": "first", "new": "⟦folder:project⟧2" } }))])]
#[case(&[("fs.apply_patch", json!({ "patch": "@@ -1 +1 @@\n-first\n+⟦folder:project⟧-b\n" }))])]
fn a_mark_beside_a_letter_is_no_way_to_read_the_name(#[case] calls: &[(&str, Value)]) {
    let f = Fixture::new();
    let home = planted(&f);
    let mut codes = Vec::new();
    for (tool, args) in calls {
        let mut args = args.clone();
        args["path"] = json!("@project/a.md");
        let r = f.call(tool, &args);
        codes.push(if r["ok"] == true { "ok".to_owned() } else { code(&r).to_owned() });
        let read = f.call("fs.read", &json!({ "path": "@project/a.md" }));
        assert!(!read.to_string().contains(&home), "{read}");
    }
    assert_eq!(codes.pop().as_deref(), Some("E_UNKNOWN_MARK"));
}

#[test]
fn the_state_document_keeps_a_mark_beside_a_letter() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    assert_eq!(f.host.on_disk("dir: ⟦folder:home⟧/x\n"), format!("dir: {home}/x\n"));
    for text in ["dir: ⟦folder:home⟧x\n", "⟦folder:project⟧_old ⟦folder:home⟧/x"] {
        assert_eq!(f.host.on_disk(text), text);
    }
}

#[test]
fn names_of_other_folders_that_a_file_has_are_written_as_they_are() {
    let f = Fixture::new();
    let home = planted(&f);
    let other = format!("x {home}s/a ⟦folder:home⟧/b {home}-old");
    let args = json!({ "path": "@project/b.md", "content": other });
    assert_eq!(f.call("fs.write", &args)["ok"], true);
    let op = json!({ "operation": "replace", "old": "x ", "new": "⟦folder:home⟧ " });
    assert_eq!(
        f.call("fs.apply_patch", &json!({ "path": "@project/b.md", "patch": op }))["ok"],
        true
    );
    let real = other.replacen("x ", "⟦folder:home⟧ ", 1).replace("⟦folder:home⟧", &home);
    assert_eq!(f.get("project/b.md"), real);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_shown_of_a_line_is_found_in_every_way(
        before in "[a-c =]{0,6}",
        after in "[/a-c ]{0,6}",
        from in any::<prop::sample::Index>(),
    ) {
        let f = Fixture::in_memory();
        let home = f.temp.path().display().to_string();
        f.put(FILE, format!("{before}-{home}:{after}\n"));
        let shown = format!("{before}-⟦folder:home⟧:{after}");
        let start = from.index(before.len() + 2);
        let asked = shown[start..].trim_end();
        for regex in [false, true] {
            let args = json!({ "path": "@project", "pattern": asked, "regex": regex });
            let r = f.call("fs.search", &args);
            prop_assert_eq!(&r["matches"][0]["column"], start + 1, "{}", r);
        }
        let args = json!({ "path": "@project/a.md", "expect_contains": [asked] });
        prop_assert_eq!(&f.call("fs.read", &args)["verification"]["passed"], true);
        let op = json!({ "operation": "replace", "old": asked, "new": "!" });
        f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
        let left = format!("{}!{}\n", &shown[..start], &shown[start + asked.len()..]);
        prop_assert_eq!(f.get(FILE), left);
    }
}
