//! What is read of the files that a person's words mention.

use kernel::bounds::{GIVEN_FILES, PREVIEW_BYTES};
use kernel::mention::{GivenFile, NamedFiles, Withheld, mentions};
use rstest::rstest;
use std::fs::File;

use super::fixture::Fixture;

fn given(f: &Fixture, words: &str) -> Vec<GivenFile> {
    let policy = f.policy.clone();
    let given = f.host.given(&NamedFiles { mentions: mentions(words), policy });
    // No real folder of the fixture stands in it.
    let text = serde_json::to_string(&given).unwrap();
    assert!(!text.contains(f.temp.path().to_str().unwrap()), "{text}");
    given
}

/// The one file that is given along.
fn one(f: &Fixture, words: &str) -> GivenFile {
    let mut files = given(f, words);
    assert_eq!(files.len(), 1, "{words}: {files:?}");
    files.remove(0)
}

fn withheld(f: &Fixture, words: &str) -> Option<Withheld> {
    let file = one(f, words);
    assert_eq!((file.preview.as_str(), file.bytes, file.cut), ("", 0, false));
    file.withheld
}

#[test]
fn a_file_is_given_with_its_name_and_size() {
    let f = Fixture::new();
    f.put("project/docs/a b.md", "one\ntwo\n").put("pkg/p.md", "").put("state/workflow.md", "s");
    let file = one(&f, "look at @\"docs/a b.md\"");
    assert_eq!(
        (file.label.as_str(), file.path.to_string().as_str()),
        ("a b.md", "@project/docs/a b.md")
    );
    assert_eq!((file.preview.as_str(), file.bytes, file.cut), ("one\ntwo\n", 8, false));
    assert_eq!(file.withheld, None);
    let paths: Vec<String> =
        given(&f, "@pkg/p.md @state/workflow.md").iter().map(|it| it.path.to_string()).collect();
    assert_eq!(paths, ["@pkg/p.md", "@state/workflow.md"]);
}

#[test]
fn what_is_not_there_is_no_mention() {
    let f = Fixture::new();
    f.put("project/a.md", "a");
    assert_eq!(given(&f, "mia@example.com @mia @b.md @a.md/c @../a.md @/etc/passwd"), []);
    assert_eq!(
        given(&f, "@.env @state/other @id_rsa"),
        [],
        "what is private tells nothing of itself"
    );
}

#[test]
fn words_that_follow_without_a_space_are_not_part_of_the_name() {
    let f = Fixture::new();
    f.put("project/notes.md", "n").put("project/笔记.md", "b");
    let paths = |words| given(&f, words).iter().map(|it| it.label.clone()).collect::<Vec<_>>();
    assert_eq!(paths("看@notes.md的内容，和@笔记.md。"), ["notes.md", "笔记.md"]);
    assert_eq!(paths("@notes.md's end"), ["notes.md"]);
    assert_eq!(paths("@notes.md and @./notes.md"), ["notes.md"], "once");
}

#[test]
fn a_long_file_is_cut_after_a_whole_line_and_read_no_further() {
    let f = Fixture::new();
    f.put("project/long.md", "line\n".repeat(1_000));
    let file = one(&f, "@long.md");
    assert!(file.cut && file.preview.len() <= PREVIEW_BYTES && file.preview.ends_with("line\n"));
    assert_eq!(file.bytes, 5_000);
    f.put("project/line.md", "中".repeat(5_000));
    let file = one(&f, "@line.md");
    assert!(file.cut && file.preview.ends_with("中…"), "{}", file.preview);
    let huge = File::create(f.real("project/huge.md")).unwrap();
    std::io::Write::write_all(&mut &huge, "line\n".repeat(4_000).as_bytes()).unwrap();
    huge.set_len(1 << 40).unwrap();
    let file = one(&f, "@huge.md");
    assert!(file.cut && file.bytes == 1 << 40);
}

#[test]
fn the_limit_of_an_agent_is_the_limit_of_a_preview() {
    let mut f = Fixture::new();
    f.policy.max_read_bytes = 10;
    f.put("project/a.md", "12345\n6789\nabc\n");
    let file = one(&f, "@a.md");
    assert_eq!((file.preview.as_str(), file.cut), ("12345\n", true));
}

#[rstest]
#[case(b"\xff\xfe\x41\x00".as_slice())]
#[case(b"a\0b".as_slice())]
#[case(b"caf\xe9".as_slice())]
fn what_is_no_text_is_told_of_and_not_shown(#[case] bytes: &[u8]) {
    let f = Fixture::new();
    f.put("project/a.bin", bytes);
    assert_eq!(withheld(&f, "@a.bin"), Some(Withheld::NotText));
}

#[test]
fn a_folder_is_told_of() {
    let f = Fixture::new();
    f.put("project/docs/a.md", "a");
    assert_eq!(withheld(&f, "@docs/"), Some(Withheld::Folder));
}

#[test]
fn what_may_not_be_read_is_not_shown() {
    let mut f = Fixture::new();
    f.put("project/.env", "KEY=1").put("project/private.md", "p").put("state/run.json", "{}");
    f.put("project/.crewagentignore", "private.md\n");
    for words in ["@.env", "@private.md", "@state/run.json"] {
        assert_eq!(withheld(&f, words), Some(Withheld::Refused), "{words}");
    }
    f.policy.allow_secret_files = true;
    assert_eq!(one(&f, "@.env").preview, "KEY=1");
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_project_and_pipes_make_nobody_wait() {
    use std::os::unix::fs::symlink;
    let f = Fixture::new();
    f.put("project/docs/a.md", "a").put("outside/secret.md", "secret");
    symlink("docs/a.md", f.real("project/link.md")).unwrap();
    symlink(f.real("outside/secret.md"), f.real("project/out.md")).unwrap();
    symlink("../outside", f.real("project/out")).unwrap();
    symlink("loop.md", f.real("project/loop.md")).unwrap();
    symlink("gone.md", f.real("project/dangling.md")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(f.real("project/pipe")).status();
    assert!(pipe.unwrap().success());
    assert_eq!(one(&f, "@link.md").preview, "a");
    for words in ["@out.md", "@loop.md", "@pipe"] {
        assert_eq!(withheld(&f, words), Some(Withheld::Refused), "{words}");
    }
    assert_eq!(withheld(&f, "@out"), Some(Withheld::Refused));
    assert_eq!(given(&f, "@out/secret.md @dangling.md"), [], "nothing outside is looked at");
}

#[test]
fn only_so_many_files_are_given() {
    let f = Fixture::new();
    let words = "@0.md @1.md @2.md @3.md @4.md @5.md @6.md @7.md @8.md";
    (1..9).for_each(|n| _ = f.put(&format!("project/{n}.md"), "a"));
    let files = given(&f, words);
    let (shown, told) = files.split_at(GIVEN_FILES);
    let labels = |files: &[GivenFile]| files.iter().map(|it| it.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(shown), ["1.md", "2.md", "3.md", "4.md", "5.md"]);
    assert!(shown.iter().all(|it| it.preview == "a"), "{shown:?}");
    assert_eq!(labels(told), ["6.md", "7.md", "8.md"]);
    let too_many = |it: &GivenFile| it.preview.is_empty() && it.withheld == Some(Withheld::TooMany);
    assert!(told.iter().all(too_many), "{told:?}");
}

#[test]
fn private_folders_are_marked() {
    let f = Fixture::new();
    let (project, home) = (f.real("project"), f.temp.path());
    f.put("project/a.md", format!("{}/x\n{}/y\n/tmp/z\n", project.display(), home.display()));
    assert_eq!(one(&f, "@a.md").preview, "⟦folder:project⟧/x\n⟦folder:home⟧/y\n/tmp/z\n");
    // Not half of its name either, wherever the text is cut.
    for before in PREVIEW_BYTES - 80..PREVIEW_BYTES {
        f.put("project/b.md", format!("{}{}/x", "-".repeat(before), home.display()));
        let shown = one(&f, "@b.md").preview;
        let home = home.to_str().unwrap();
        assert!(!shown.contains(&home[..home.len() - 2]), "{shown}");
    }
}

/// The files that are offered for what was typed.
fn offered(f: &Fixture, matching: &str) -> Vec<String> {
    f.host.find(matching).unwrap().iter().map(|path| path.rel().to_owned()).collect()
}

#[test]
fn files_are_offered_by_what_their_path_holds_the_nearest_first() {
    let f = Fixture::new();
    for file in ["notes.md", "docs/Notes on rain.md", "docs/my-notes.md", "notes/a.md", "b.md"] {
        f.put(&format!("project/{file}"), "");
    }
    f.put("project/node_modules/notes.md", "").put("project/.notes", "").put("project/.env", "");
    f.put("project/private/notes.md", "").put("project/.crewagentignore", "private/\n");
    assert_eq!(
        offered(&f, "NOTES"),
        ["notes.md", "docs/Notes on rain.md", "notes/a.md", "docs/my-notes.md"]
    );
    assert_eq!(offered(&f, "docs/"), ["docs/Notes on rain.md", "docs/my-notes.md"]);
    assert_eq!(offered(&f, "").len(), 5);
    assert_eq!(offered(&f, "none such"), [""; 0]);
    (0..50).for_each(|n| _ = f.put(&format!("project/many/{n}.txt"), ""));
    assert_eq!(offered(&f, ".txt").len(), kernel::bounds::OFFERED_FILES);
}
