//! Users' bytes are sacred (spec 05): what is shown of a file is what is in it, and what a model
//! sends back is what lands there, byte for byte, whatever private folders it names.

use kernel::effect::Began;
use kernel::mark::OPEN;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;

use super::fixture::{Fixture, code};

const FILE: &str = "project/a.md";

/// A file such as people have: absolute paths of all kinds.
fn config(f: &Fixture) -> String {
    let (project, home) = (f.real("project"), f.temp.path());
    format!(
        "build = /tmp/build\ndata = {}/data\nroot = {}\nlib = /usr/lib\nend",
        home.display(),
        project.display()
    )
}

fn read(f: &Fixture) -> Value {
    let r = f.call("fs.read", &json!({ "path": "@project/a.md" }));
    assert_private(f, &r);
    r
}

fn content(r: &Value) -> &str {
    r["content"].as_str().unwrap_or_else(|| panic!("{r}"))
}

/// No real folder of the fixture stands in it.
fn assert_private(f: &Fixture, r: &Value) {
    let text = r.to_string();
    assert!(!text.contains(f.temp.path().to_str().unwrap()), "{text}");
}

fn patch(f: &Fixture, op: &Value) -> Value {
    let r = f.call("fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
    assert_private(f, &r);
    r
}

#[test]
fn only_private_folders_are_marked_and_the_result_says_what_marks_are() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    let r = read(&f);
    assert_eq!(
        content(&r),
        "build = /tmp/build\ndata = ⟦folder:home⟧/data\nroot = ⟦folder:project⟧\nlib = /usr/lib\nend"
    );
    assert!(r["marks"].as_str().unwrap().contains("Copy it as it is"));
    f.put(FILE, "build = /tmp/build\n");
    assert!(read(&f).get("marks").is_none());
}

#[test]
fn the_shown_text_can_be_written_back_and_the_file_is_the_same() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    let shown = content(&read(&f)).to_owned();
    let args = json!({ "path": "@project/a.md", "content": shown, "verify_after_write": true });
    let r = f.call("fs.write", &args);
    assert_eq!((&r["noop_write"], &r["verification"]["passed"]), (&json!(true), &json!(true)));
    assert_eq!(f.get(FILE), config(&f));
    let args = json!({ "path": "@project/b.md", "content": shown });
    assert_eq!(f.call("fs.write", &args)["ok"], true);
    assert_eq!(f.get("project/b.md"), config(&f), "another file gets the real names too");
}

#[test]
fn the_shown_text_can_be_replaced_and_appended() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    let op = json!({ "operation": "replace", "old": "data = ⟦folder:home⟧/data",
        "new": "data = ⟦folder:home⟧/more\nsrc = ⟦folder:project⟧/src" });
    assert_eq!(patch(&f, &op)["replaced"], 1);
    let (project, home) = (f.real("project"), f.temp.path().display().to_string());
    let wanted = config(&f).replace(
        &format!("data = {home}/data"),
        &format!("data = {home}/more\nsrc = {}/src", project.display()),
    );
    assert_eq!(f.get(FILE), wanted);
    let args =
        json!({ "path": "@project/a.md", "content": "\n⟦folder:home⟧/end", "mode": "append" });
    assert_eq!(f.call("fs.write", &args)["ok"], true);
    assert_eq!(f.get(FILE), format!("{wanted}\n{home}/end"));
}

#[test]
fn a_diff_of_the_shown_text_fits_and_a_dry_run_shows_one() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    let diff = "@@ -1,3 +1,3 @@\n build = /tmp/build\n-data = ⟦folder:home⟧/data\n+data = ⟦folder:home⟧/x\n root = ⟦folder:project⟧\n";
    let op = json!({ "operation": "unified", "diff": diff });
    let args = json!({ "path": "@project/a.md", "patch": op, "dryRun": true });
    let r = f.call("fs.apply_patch", &args);
    assert_private(&f, &r);
    let shown = r["diff"].as_str().unwrap();
    assert!(shown.contains("-data = ⟦folder:home⟧/data\n+data = ⟦folder:home⟧/x\n"), "{shown}");
    assert_eq!(patch(&f, &op)["hunks"], 1);
    assert_eq!(f.get(FILE), config(&f).replace("/data\n", "/x\n"));
}

#[test]
fn values_of_front_matter_get_the_real_names() {
    let f = Fixture::new();
    f.put(FILE, "---\ntitle: x\n---\nbody\n");
    let op = json!({ "operation": "updateFrontmatter",
        "update": { "variables": { "set": { "dir": "⟦folder:home⟧/d" } } } });
    assert_eq!(patch(&f, &op)["ok"], true);
    let home = f.temp.path().display().to_string();
    assert!(f.get(FILE).contains(&format!("{home}/d")), "{}", f.get(FILE));
}

#[rstest]
#[case(json!({ "content": "a ⟦folder:nowhere⟧ b" }), "fs.write", "content")]
#[case(json!({ "content": "⟦folder:home~3r⟧", "mode": "append" }), "fs.write", "content")]
#[case(json!({ "patch": { "operation": "replace", "old": "⟦folder:x⟧", "new": "" } }),
    "fs.apply_patch", "old")]
#[case(json!({ "patch": { "operation": "replace", "old": "end", "new": "⟦folder:x⟧" } }),
    "fs.apply_patch", "new")]
#[case(json!({ "patch": "@@ -5 +5 @@\n-end\n+⟦folder:x⟧\n" }), "fs.apply_patch", "diff")]
#[case(json!({ "patch": { "operation": "updateFrontmatter",
    "update": { "variables": { "set": { "⟦folder:x⟧": 1 } } } } }), "fs.apply_patch", "update")]
#[case(json!({ "expect_contains": ["⟦folder:x⟧"] }), "fs.read", "expect_contains")]
#[case(json!({ "pattern": "⟦folder:x⟧" }), "fs.search", "pattern")]
fn a_mark_that_stands_for_no_folder_is_refused_and_nothing_is_written(
    #[case] mut args: Value,
    #[case] tool: &str,
    #[case] argument: &str,
) {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    args["path"] = json!("@project/a.md");
    let r = f.call(tool, &args);
    assert_eq!(code(&r), "E_UNKNOWN_MARK", "{r}");
    let message = r["error"]["message"].as_str().unwrap();
    assert!(message.contains("@project/a.md") && message.contains(argument), "{message}");
    assert_eq!(r["error"]["details"]["argument"], argument);
    assert!(r["error"]["action"].as_str().unwrap().contains("⟦folder:="), "{r}");
    assert_eq!(f.get(FILE), config(&f));
}

#[test]
fn text_of_the_user_that_looks_like_a_mark_is_told_from_one() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    let text = format!("⟦folder:home⟧ and ⟦folder:=x⟧ and {home} and ⟦e⟧\n");
    f.put(FILE, &text);
    let shown = content(&read(&f)).to_owned();
    assert_eq!(shown, "⟦folder:=home⟧ and ⟦folder:==x⟧ and ⟦folder:home⟧ and ⟦e⟧\n");
    f.call("fs.write", &json!({ "path": "@project/a.md", "content": shown.replace("⟦e⟧", "!") }));
    assert_eq!(f.get(FILE), text.replace("⟦e⟧", "!"));
}

#[test]
fn a_failed_replace_names_the_nearest_lines_as_they_are_shown() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    let long = format!("{} {home}/data", "w".repeat(190));
    f.put(FILE, format!("{}\n{long}\n", config(&f)));
    let op = json!({ "operation": "replace", "old": "data = ⟦folder:home⟧/date", "new": "" });
    let r = patch(&f, &op);
    assert_eq!(code(&r), "E_PATCH_FAILED");
    let closest = json!({ "line": 2, "text": "data = ⟦folder:home⟧/data" });
    assert_eq!(r["error"]["details"]["closest"][0], closest);
    let old = format!("{} x", "w".repeat(190));
    let r = patch(&f, &json!({ "operation": "replace", "old": old, "new": "" }));
    let text = r.to_string();
    assert!(!text.contains("/tmp/.") && !text.contains("/tm…"), "{text}");
    let diff = "@@ -2 +2 @@\n-data = ⟦folder:home⟧/date\n+x\n";
    let r = patch(&f, &json!({ "operation": "unified", "diff": diff }));
    assert_eq!(r["error"]["details"]["closest"][0], closest, "{r}");
}

#[test]
fn the_marked_text_is_found_by_search_and_checks() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    for (pattern, regex) in [("= ⟦folder:home⟧/data", false), (r"= ⟦folder:home⟧/\w+$", true)]
    {
        let args = json!({ "path": "@project", "pattern": pattern, "regex": regex });
        let r = f.call("fs.search", &args);
        assert_private(&f, &r);
        assert_eq!(r["matches"][0]["text"], "data = ⟦folder:home⟧/data", "{r}");
        assert_eq!(r["matches"][0]["after"][0], "root = ⟦folder:project⟧");
    }
    let token = "root = ⟦folder:project⟧";
    let args = json!({ "path": "@project/a.md", "expect_contains": [token, "nowhere"] });
    let r = f.call("fs.read", &args);
    assert_eq!(r["verification"]["missing"], json!(["nowhere"]), "{r}");
    assert_eq!(r["verification"]["expected"], json!([token, "nowhere"]));
}

#[test]
fn a_search_shows_no_part_of_a_folder_where_a_line_is_cut() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    for before in [450, 480, 490, 496, 499, 1980, 1995] {
        f.put(FILE, format!("needle {} {home}/x {}", "y".repeat(before), "z".repeat(9000)));
        let r = f.call("fs.search", &json!({ "path": "@project", "pattern": "needle" }));
        let text = r["matches"][0]["text"].as_str().unwrap();
        assert!(text.ends_with('…') && !text.contains("/t"), "{text}");
    }
}

#[test]
fn one_long_line_is_not_cut_within_a_folder() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    for before in 16_384 - home.len()..16_390 {
        let line = format!("{} {home}/x {}", "y".repeat(before), "z".repeat(600 * 1024));
        f.put(FILE, line);
        let r = f.call("fs.read", &json!({ "path": "@project/a.md" }));
        let shown = r["contentPreview"].as_str().unwrap();
        assert!(!shown.contains("/t"), "{}", &shown[shown.len() - 60..]);
    }
}

#[test]
fn a_long_result_is_kept_as_it_was_shown_and_read_again_as_it_is() {
    let f = Fixture::new();
    let home = f.temp.path().display().to_string();
    f.put(FILE, format!("{home}/data\n").repeat(4000));
    let r = f.call("fs.read", &json!({ "path": "@project/a.md" }));
    let kept = r["fullOutputPath"].as_str().unwrap();
    assert_private(&f, &json!(f.get(&kept.replacen('@', "", 1))));
    let args = json!({ "path": kept, "pattern": "⟦folder:home⟧/data" });
    let again = f.call("fs.search", &args);
    assert_private(&f, &again);
    let text = again["matches"].to_string();
    assert!(text.contains("⟦folder:home⟧/data") && !text.contains("⟦folder:=home"), "{text}");
}

#[test]
fn a_marked_path_may_be_sent_as_a_path() {
    let f = Fixture::new();
    f.put(FILE, "hello");
    let r = f.call("fs.read", &json!({ "path": "⟦folder:project⟧/a.md" }));
    assert_eq!((&r["content"], &r["path"]), (&json!("hello"), &json!("@project/a.md")));
}

#[test]
fn an_approval_shows_the_marks_and_binds_the_real_bytes() {
    let f = Fixture::new();
    f.put(FILE, config(&f));
    let shown = content(&read(&f)).replace("/data", "/other");
    let args = json!({ "path": "@project/a.md", "content": shown });
    let preview = f.host.preview(&f.permit("fs.write", &args, None)).unwrap();
    assert!(preview.diff.contains("-data = ⟦folder:home⟧/data\n+data = ⟦folder:home⟧/other\n"));
    let words = "⟦folder:project⟧, ⟦folder:home⟧ stands for a folder of this machine; the file gets its real path";
    assert!(preview.summary.ends_with(words), "{}", preview.summary);
    let zh = kernel::words::say(&preview.parts, kernel::words::Lang::Zh);
    assert!(zh.ends_with("代表本机的文件夹，写入文件的是它的真实路径"), "{zh}");
    f.perform("fs.write", &args, Some(preview.began));
    assert_eq!(f.get(FILE), config(&f).replace("/data", "/other"));
}

/// Texts of a file with private folders in them: alone and spelt in other ways, in lines with and
/// without other text, at the end, and with text that looks like a mark.
fn lines() -> impl Strategy<Value = (Vec<(u8, u8, String)>, bool, bool)> {
    let line = (0_u8..6, 0_u8..6, "([ -~]|é|中|⟦folder:|⟦folder:=home⟧|/tmp/build|%2F){0,4}");
    (prop::collection::vec(line, 1..8), any::<bool>(), any::<bool>())
}

fn planted(f: &Fixture, parts: &(Vec<(u8, u8, String)>, bool, bool)) -> String {
    let (parts, crlf, ends) = parts;
    let real = |n: u8| match n {
        0 => f.real("project"),
        1 => f.temp.path().to_owned(),
        2 => f.real("pkg"),
        _ => f.real("project/src"),
    };
    let spelt = |root: u8, manner: u8| {
        let name = real(root).display().to_string();
        match manner {
            0 => name.replace('/', "\\/"),
            1 => name.replace('/', "\\"),
            2 => name.replace('/', "%2F"),
            3 => format!("file://{name}"),
            4 => name.replace('/', "//"),
            _ => name,
        }
    };
    let end = if *crlf { "\r\n" } else { "\n" };
    let line = |(n, (root, manner, text)): (usize, &(u8, u8, String))| {
        let plant = if *root < 4 { spelt(*root, *manner) } else { String::new() };
        format!("{n} {text} {plant}")
    };
    let text = parts.iter().enumerate().map(line).collect::<Vec<_>>().join(end);
    if *ends { text + end } else { text }
}

/// What a call answers, and that it tells nothing private.
fn private(f: &Fixture, tool: &str, args: &Value) -> Value {
    let r = f.call(tool, args);
    assert_private(f, &r);
    r
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_file_that_is_read_and_written_back_has_the_same_bytes(parts in lines()) {
        let f = Fixture::in_memory();
        let text = planted(&f, &parts);
        f.put(FILE, &text);
        let shown = content(&read(&f)).to_owned();
        let args = json!({ "path": "@project/a.md", "content": shown });
        let r = private(&f, "fs.write", &args);
        prop_assert_eq!(&r["noop_write"], true, "{}", r);
        let args = json!({ "path": "@project/b.md", "content": shown });
        private(&f, "fs.write", &args);
        prop_assert_eq!(f.get("project/b.md"), text);
    }

    #[test]
    fn a_line_that_is_replaced_is_what_an_editor_would_have_made(
        parts in lines(),
        at in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
    ) {
        let f = Fixture::in_memory();
        let text = planted(&f, &parts);
        f.put(FILE, &text);
        let shown = content(&read(&f)).to_owned();
        let split = |text: &str| text.split('\n').map(str::to_owned).collect::<Vec<_>>();
        let (real, shown) = (split(&text), split(&shown));
        prop_assert_eq!(real.len(), shown.len());
        let (at, from) = (at.index(real.len()), from.index(real.len()));
        prop_assume!(!real[at].trim().is_empty());
        let op = json!({ "operation": "replace", "old": shown[at], "new": shown[from],
            "all": true });
        let r = private(&f, "fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
        prop_assert_eq!(&r["ok"], true, "{}", r);
        prop_assert_eq!(f.get(FILE), text.replace(&real[at], &real[from]));
    }

    #[test]
    fn a_diff_of_the_shown_text_makes_what_one_of_the_real_text_would(
        parts in lines(),
        at in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
    ) {
        let f = Fixture::in_memory();
        let text = planted(&f, &parts);
        f.put(FILE, &text);
        let shown = content(&read(&f)).to_owned();
        let changed = |text: &str| {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (at, from) = (at.index(lines.len()), from.index(lines.len()));
            lines[at] = lines[from];
            lines.concat()
        };
        let (wanted, shown_after) = (changed(&text), changed(&shown));
        prop_assume!(wanted != text);
        // The last line has no end: a digit would stand right beside a name.
        prop_assume!(wanted.lines().count() == text.lines().count());
        let diff = diffy::create_patch(&shown, &shown_after).to_string();
        let op = json!({ "operation": "unified", "diff": diff });
        let r = private(&f, "fs.apply_patch", &json!({ "path": "@project/a.md", "patch": op }));
        prop_assert_eq!(&r["ok"], true, "{}", r);
        prop_assert_eq!(f.get(FILE), wanted);
    }

    #[test]
    fn nothing_private_is_in_what_is_shown_before_a_write(parts in lines()) {
        let f = Fixture::in_memory();
        let text = planted(&f, &parts);
        f.put(FILE, &text);
        let shown = format!("changed\n{}", content(&read(&f)));
        let args = json!({ "path": "@project/a.md", "content": shown });
        let preview = f.host.preview(&f.permit("fs.write", &args, None)).unwrap();
        assert_private(&f, &json!([preview.summary, preview.diff]));
        let began: Began = preview.began;
        private(&f, "fs.search", &json!({ "path": "@project", "pattern": " ", "after": 2 }));
        f.perform("fs.write", &args, Some(began));
        fs::read_to_string(f.real(FILE)).unwrap();
    }
}

#[test]
fn a_project_whose_name_ends_the_file_and_crosses_lines_is_handled() {
    let f = Fixture::new();
    let project = f.real("project").display().to_string();
    let (head, tail) = project.split_at(project.len() / 2);
    // Cut by a line end it is no folder's name, and stays.
    let text = format!("{head}\n{tail}\r\n{project}-old {project}s {project}");
    f.put(FILE, &text);
    let shown = content(&read(&f).clone()).to_owned();
    assert!(shown.ends_with("⟦folder:project⟧") && shown.contains(OPEN), "{shown}");
    f.call("fs.write", &json!({ "path": "@project/b.md", "content": shown }));
    assert_eq!(f.get("project/b.md"), text);
}

#[test]
fn a_key_that_was_shown_as_a_sign_is_not_replaced_by_the_sign() {
    const KEY: &str = "sk-sacred-0123456789abcdef";
    crate::logs::hide_secret(KEY);
    let f = Fixture::new();
    f.put(FILE, format!("key = {KEY}\nn = 1\n"));
    assert_eq!(content(&read(&f)), "key = [key]\nn = 1\n");
    let write =
        |content: &str| f.call("fs.write", &json!({ "path": "@project/a.md", "content": content }));
    assert_eq!(code(&write("key = [key]\nn = 2\n")), "E_INVALID_ARGS");
    assert_eq!(f.get(FILE), format!("key = {KEY}\nn = 1\n"));
    // What is not the key may be changed around it, and the key be taken out or replaced.
    let other = json!({ "operation": "replace", "old": "n = 1", "new": "n = 2 # [key] above" });
    assert_eq!(patch(&f, &other)["ok"], true);
    assert_eq!(f.get(FILE), format!("key = {KEY}\nn = 2 # [key] above\n"));
    assert_eq!(write("key = none\n")["ok"], true);
    assert_eq!(write("key = [key]\n")["ok"], true);
}
