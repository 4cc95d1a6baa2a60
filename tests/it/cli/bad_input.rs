//! Bad input: a clear code, words, something to do, and nothing left behind.

use rstest::rstest;
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use support::program::{Sandbox, has_han, hello_branch, root};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

type Files = BTreeMap<String, Vec<u8>>;

/// The small package of the fixtures.
fn mini() -> Files {
    let top = root().join("tests/fixtures/packages/mini");
    let names = [
        "bmad.json",
        "agents.json",
        "workflow.md",
        "workflow.graph.json",
        "steps/ask.md",
        "steps/write.md",
        "steps/done.md",
    ];
    names.map(|name| (name.to_owned(), std::fs::read(top.join(name)).unwrap())).into()
}

fn zipped(files: &Files) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in files {
        zip.start_file(name.as_str(), options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The small package with one file more, or another one.
fn with(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut files = mini();
    files.insert(name.to_owned(), bytes.to_vec());
    zipped(&files)
}

fn without(name: &str) -> Vec<u8> {
    let mut files = mini();
    files.remove(name).unwrap();
    zipped(&files)
}

fn with_a_link() -> Vec<u8> {
    let mut zip = ZipWriter::new_append(Cursor::new(zipped(&mini()))).unwrap();
    zip.add_symlink("steps/link.md", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    zip.finish().unwrap().into_inner()
}

fn cut_off() -> Vec<u8> {
    let mut bytes = zipped(&mini());
    bytes.truncate(bytes.len() / 2);
    bytes
}

fn classic() -> Vec<u8> {
    zipped(&[("workflow.yaml".to_owned(), b"name: old\n".to_vec())].into())
}

/// No package, no run, no file in the project, and nothing beside the package file.
fn nothing_left(sandbox: &Sandbox) {
    let packages = sandbox.path("store/packages");
    let left = std::fs::read_dir(packages).into_iter().flatten().count();
    assert_eq!(left, 0, "the packages folder is not empty");
    assert_eq!(sandbox.rows("runs"), 0);
    assert_eq!(sandbox.rows("packages"), 0);
    assert!(!sandbox.path("evil.md").exists());
    assert_eq!(std::fs::read_dir(sandbox.project()).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(sandbox.path("work")).unwrap().count(), 0);
}

#[rstest]
#[case::no_archive(b"this is no archive".to_vec(), "ARCHIVE_INVALID", "")]
#[case::cut_off(cut_off(), "ARCHIVE_INVALID", "")]
#[case::climbs_out(with("../evil.md", b"x"), "ARCHIVE_UNSAFE", "evil.md")]
#[case::absolute(with("/evil.md", b"x"), "ARCHIVE_UNSAFE", "evil.md")]
#[case::backslash(with("..\\evil.md", b"x"), "ARCHIVE_UNSAFE", "evil.md")]
#[case::device(with("steps/con.md", b"x"), "ARCHIVE_UNSAFE", "con.md")]
#[case::two_in_one(with("Steps/ASK.md", b"x"), "ARCHIVE_UNSAFE", "")]
#[case::link(with_a_link(), "ARCHIVE_UNSAFE", "link.md")]
#[case::bomb(with("assets/zeros.bin", &vec![0; 4 << 20]), "ARCHIVE_LIMIT", "zeros.bin")]
#[case::missing_step(without("steps/write.md"), "PACKAGE_INVALID", "steps/write.md")]
#[case::no_manifest(without("bmad.json"), "PACKAGE_INVALID", "bmad.json")]
#[case::front_matter(
    with("steps/ask.md", b"---\nnodeId: [\n---\n"),
    "PACKAGE_INVALID",
    "steps/ask.md"
)]
#[case::state_template(with("workflow.md", b"---\n: : :\n---\n"), "PACKAGE_INVALID", "workflow.md")]
#[case::no_json(with("agents.json", b"{"), "PACKAGE_INVALID", "agents.json")]
#[case::classic(classic(), "NOT_SUPPORTED_CLASSIC_WORKFLOW", "workflow.yaml")]
fn a_package_that_cannot_be_used_is_refused_whole(
    #[case] archive: Vec<u8>,
    #[case] code: &str,
    #[case] named: &str,
) {
    let sandbox = Sandbox::new();
    let file = sandbox.write("bad.bmad", archive);
    let import = sandbox.run(&["package", "import", &file, "--yes", "--json"]).exits(5);
    let error = import.error(code);
    assert!(error.to_string().contains(named), "{error:#}");
    nothing_left(&sandbox);
    sandbox.run(&["run", &file, "--model", "demo", "--json"]).exits(5).error(code);
    nothing_left(&sandbox);
}

#[test]
fn a_schema_violation_names_the_file_the_place_and_what_to_do() {
    let sandbox = Sandbox::new();
    let manifest = br#"{"schemaVersion":"1.1","name":"mini","version":7,"entry":{}}"#;
    let file = sandbox.write("bad.bmad", with("bmad.json", manifest));
    let validated = sandbox.run(&["package", "validate", &file, "--json"]).exits(5).json();
    let findings = validated["findings"].as_array().unwrap();
    let version = findings.iter().find(|f| f["instancePath"] == "/version").unwrap();
    assert_eq!(version["severity"], "error");
    assert_eq!(version["file"], "bmad.json");
    assert!(version["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{version:#}");
    assert!(version["schemaPath"].is_string(), "{version:#}");

    let import = sandbox.run(&["package", "import", &file, "--json"]).exits(5);
    assert_eq!(import.error("PACKAGE_INVALID")["details"]["findings"], validated["findings"]);
    let words = sandbox.run(&["package", "import", &file]).exits(5);
    assert!(words.stderr.contains("bmad.json /version"), "{}", words.stderr);
    nothing_left(&sandbox);
}

#[rstest]
#[case::package(&["run", "no-such-package"], "PACKAGE_NOT_FOUND")]
#[case::package_file(&["package", "import", "nowhere/no.bmad"], "PACKAGE_NOT_FOUND")]
#[case::shown(&["package", "show", "no-such-package"], "PACKAGE_NOT_FOUND")]
#[case::run(&["runs", "show", "01a200b2-1286-751b-a65d-8b81fa7cb011"], "RUN_NOT_FOUND")]
#[case::resumed(&["runs", "resume", "01a200b2-1286-751b-a65d-8b81fa7cb011"], "RUN_NOT_FOUND")]
#[case::stopped(&["stop", "01a200b2-1286-751b-a65d-8b81fa7cb011"], "RUN_NOT_FOUND")]
#[case::conversation(&["snapshot", "run-nobody"], "CONVERSATION_NOT_FOUND")]
#[case::said(&["say", "run-nobody", "hello"], "CONVERSATION_NOT_FOUND")]
#[case::setting(&["settings", "set", "engine.maxTurns", "0"], "SETTING_INVALID")]
fn what_does_not_exist_is_said(#[case] args: &[&str], #[case] code: &str) {
    let sandbox = Sandbox::new();
    let args = [args, &["--json"]].concat();
    sandbox.run(&args).exits(5).error(code);
    nothing_left(&sandbox);
}

#[rstest]
#[case::workflow(&["--workflow", "nope"], "WORKFLOW_REF_MISMATCH")]
#[case::agent(&["--agent", "nope"], "AGENT_NOT_FOUND")]
fn an_unknown_workflow_or_agent_leaves_nothing(#[case] option: &[&str], #[case] code: &str) {
    let sandbox = Sandbox::new();
    let package = hello_branch();
    let args = [&["run", &package, "--model", "demo", "--json"], option].concat();
    let error = sandbox.run(&args).exits(5).error(code);
    assert!(error["action"].as_str().unwrap().contains("Choose one of"), "{error:#}");
    nothing_left(&sandbox);
}

#[test]
fn a_project_folder_that_is_not_there_leaves_nothing() {
    let sandbox = Sandbox::new();
    let gone = sandbox.path("gone").to_string_lossy().into_owned();
    let package = hello_branch();
    let args = ["run", &package, "--model", "demo", "--json", "--project", &gone];
    sandbox.run(&args).exits(5).error("PROJECT_ROOT_INVALID");
    nothing_left(&sandbox);
    assert!(!sandbox.path("gone").exists());
}

#[test]
fn a_store_that_cannot_be_made_is_said_in_both_languages() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("occupied", "a file where a folder should be");
    let args = ["package", "list", "--json", "--store", &file];
    let error = sandbox.run(&args).exits(4).error("STORE_OPEN_FAILED");
    assert!(error["message"].as_str().unwrap().is_ascii(), "{error:#}");
    let zh = sandbox.run(&[&args[..], &["--lang", "zh"]].concat()).exits(4);
    assert!(has_han(&zh.error("STORE_OPEN_FAILED")["action"].to_string()));
    let words = sandbox.run(&["package", "list", "--store", &file, "--lang", "zh"]).exits(4);
    assert!(has_han(&words.stderr) && words.stderr.contains("STORE_OPEN_FAILED"));
    assert_eq!(words.stdout, "");
}

#[test]
fn a_store_of_a_newer_program_is_refused_with_a_way_out_that_a_terminal_has() {
    let sandbox = Sandbox::new();
    sandbox.run(&["package", "list"]).exits(0);
    sandbox.database().execute_batch("PRAGMA user_version = 99").unwrap();
    let error = sandbox.run(&["package", "list", "--json"]).exits(4).error("STORE_TOO_NEW");
    assert_eq!(error["details"]["found"], 99);
    for (lang, han) in [("en", false), ("zh", true)] {
        let words = sandbox.run(&["package", "list", "--lang", lang]).exits(4);
        assert!(words.stderr.contains("--store"), "{words:#?}");
        let way = words.stderr.lines().last().unwrap();
        assert_eq!(has_han(way), han, "{words:#?}");
        assert!(!way.contains("window") && !way.contains("窗口"), "{words:#?}");
    }
    let version = "SELECT user_version FROM pragma_user_version";
    let version: i64 = sandbox.database().query_row(version, [], |row| row.get(0)).unwrap();
    assert_eq!(version, 99, "it stays as it was");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_cannot_be_written_is_said() {
    let sandbox = Sandbox::new();
    let args = ["package", "list", "--json", "--store", "/sys/kernel/crewagent"];
    sandbox.run(&args).exits(4).error("STORE_OPEN_FAILED");
    let package = hello_branch();
    let args = ["run", &package, "--model", "demo", "--json", "--project", "/sys/kernel"];
    sandbox.run(&args).exits(5).error("PROJECT_ROOT_INVALID");
    nothing_left(&sandbox);
}

#[rstest]
#[case::no_package(&["run"])]
#[case::no_such_command(&["dance"])]
#[case::no_such_provider(&["doctor", "--provider", "nobody"])]
#[case::answers_file(&["run", "hello-branch", "--answers", "nowhere.yaml"])]
fn a_wrong_command_line_ends_with_2(#[case] args: &[&str]) {
    let sandbox = Sandbox::new();
    let args = [args, &["--json"]].concat();
    sandbox.run(&args).exits(2).error("BAD_REQUEST");
    let zh = sandbox.run(&[&args[..], &["--lang", "zh"]].concat()).exits(2);
    assert!(has_han(&zh.error("BAD_REQUEST").to_string()));
    nothing_left(&sandbox);
}

#[test]
fn a_file_of_answers_is_not_read_for_ever() {
    let sandbox = Sandbox::new();
    let long = sandbox.write("long.yaml", "\n".repeat(17 * 1024 * 1024));
    let endless = cfg!(unix).then_some("/dev/zero");
    for file in std::iter::once(long.as_str()).chain(endless) {
        let args = ["run", "hello-branch", "--model", "demo", "--answers", file];
        let error = sandbox.run(&[&args[..], &["--json"]].concat()).exits(2).error("BAD_REQUEST");
        assert!(error["message"].as_str().unwrap().contains("longer than 16.0 MiB"), "{error:#}");
        let zh = sandbox.run(&[&args[..], &["--lang", "zh"]].concat()).exits(2);
        assert!(zh.stderr.contains("超过 16.0 MiB"), "{zh:#?}");
    }
    assert_eq!(sandbox.rows("runs"), 0);
}
