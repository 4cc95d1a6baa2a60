//! Commands that words name are commands there are.

use super::*;
use clap::CommandFactory as _;
use std::fs;
use std::path::Path;

/// Every text a person may read, by its path from the repository's top.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open: Vec<PathBuf> =
        ["src-tauri", "ui/src", "templates", "docs"].iter().map(|name| root.join(name)).collect();
    let mut files: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
            .iter()
            .map(|name| root.join(name))
            .collect();
    files.extend(["dev", "src-tauri/cli/src/args.rs"].map(|name| root.join(name)));
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if ["rs", "ts", "tsx", "md", "json"].contains(&ending) {
                files.push(path);
            }
        }
    }
    let read = |path: PathBuf| Some((path.display().to_string(), fs::read_to_string(path).ok()?));
    files.into_iter().filter_map(read).collect()
}

/// What stands behind each `crewagent ` in a text, to the end of the command: a quote or a break.
fn mentions(text: &str) -> impl Iterator<Item = String> {
    // A text in the source may be broken within a command.
    let text = text.replace("\\\n", " ");
    let ends = |c: char| "`\"'\n;,.()|…’”，。；、：".contains(c);
    let found: Vec<String> = text
        .split("crewagent ")
        .skip(1)
        .map(|rest| rest.split(ends).next().unwrap_or_default().trim().to_owned())
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    found.into_iter()
}

/// Why a command that is named does not exist.
fn wrong(program: &clap::Command, mention: &str) -> Option<String> {
    let mut command = program;
    let mut options = Vec::new();
    for word in mention.split_whitespace() {
        let plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        // What comes behind it is somebody else's command line.
        if word == "--" {
            break;
        }
        if let Some(option) = word.strip_prefix("--") {
            options.push(option.split('=').next().unwrap_or_default());
        } else if plain && options.is_empty() && command.has_subcommands() {
            let Some(next) = command.find_subcommand(word) else {
                return Some(format!("`{}` has no command `{word}`", command.get_name()));
            };
            command = next;
        }
    }
    let known = |option: &&str| {
        let mut arguments = command.get_arguments().chain(program.get_arguments());
        ["help", "version"].contains(option) || arguments.any(|a| a.get_long() == Some(*option))
    };
    let unknown = options.iter().find(|option| !known(option))?;
    Some(format!("`{}` has no option `--{unknown}`", command.get_name()))
}

#[test]
fn every_command_that_words_hints_and_documents_name_exists() {
    let program = Cli::command();
    let texts = texts();
    let (mut named, mut mistakes) = (0, Vec::new());
    for (file, text) in &texts {
        for mention in mentions(text) {
            named += 1;
            if let Some(why) = wrong(&program, &mention) {
                mistakes.push(format!("{file}: `crewagent {mention}`: {why}"));
            }
        }
    }
    assert!(named > 40, "only {named} commands were found in {} files", texts.len());
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn a_command_that_does_not_exist_is_noticed() {
    let program = Cli::command();
    let new = concat!("make one with `crewagent", " package imagine`.");
    let told: Vec<_> = mentions(new).filter_map(|m| wrong(&program, &m)).collect();
    assert_eq!(told, ["`package` has no command `imagine`"]);
    let option = concat!("crewagent", " runs list --everywhere");
    let told: Vec<_> = mentions(option).filter_map(|m| wrong(&program, &m)).collect();
    assert_eq!(told, ["`list` has no option `--everywhere`"]);
}
