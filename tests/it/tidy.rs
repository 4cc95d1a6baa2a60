//! The laws of the code that no compiler holds (ARCHITECTURE.md, "Laws of the code, and what
//! enforces each"): sizes, directions of imports, what may not stand in a file. The lists here may
//! only get shorter.

mod book;
mod circles;
mod floors;
mod imports;
mod names;
pub(crate) mod source;
mod tools;

use source::{Source, all, functions, line_of, root};
use std::process::Command;

const FILE_LINES: usize = 500;
const FUNCTION_LINES: usize = 60;

/// What the kernel may not be linked with (law A).
const NOT_IN_THE_KERNEL: [&str; 7] =
    ["tokio", "reqwest", "rusqlite", "mio", "hyper", "notify", "tauri"];

/// Fails with every finding, so that one run shows all there is to mend.
fn none(law: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{law}\n  {}\n", findings.join("\n  "));
}

fn rust() -> Vec<Source> {
    let mut sources = all();
    sources.retain(|s| s.is(&["rs"]) && !s.is_aside());
    let tests: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
    sources.retain(|s| !tests.contains(&s.path));
    assert!(sources.len() > 20, "the Rust sources were not found");
    sources
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let mut sources = all();
    sources.retain(|s| s.is(&["rs", "ts", "tsx", "mjs", "css", "sh"]) && !s.is_aside());
    let long: Vec<String> = sources
        .iter()
        .filter_map(|s| {
            let text = if s.is(&["rs"]) { s.code() } else { s.text.clone() };
            let lines = text.trim_end().lines().count();
            (lines > FILE_LINES).then(|| format!("{}: {lines} lines; split it", s.path))
        })
        .collect();
    none("law J: no file over 500 lines, tests aside", &long);
}

#[test]
fn no_function_is_longer_than_60_lines() {
    let mut long = Vec::new();
    for source in rust() {
        for (name, line, lines) in functions(&source.code()) {
            if lines > FUNCTION_LINES {
                long.push(format!("{}:{line}: `{name}` has {lines} lines", source.path));
            }
        }
    }
    none("law J: no function over 60 lines, tests aside", &long);
}

/// A name alone is what programs call a tool; in a sentence somebody is told to call it.
#[test]
fn texts_name_tools_as_a_model_calls_them() {
    let mut found = Vec::new();
    for source in rust().into_iter().filter(|s| s.below("src-tauri/")) {
        for (line, text) in source.texts() {
            let told = |tool: &&kernel::tool::Tool| {
                text.contains(tool.name) && text.trim_matches('"') != tool.name
            };
            found.extend(kernel::tool::BUILT_IN.iter().find(told).map(|tool| {
                let name = kernel::tool::wire_name(tool.name);
                format!("{}:{line}: write {name}", source.path)
            }));
        }
    }
    none("a model is told the names it can call", &found);
}

/// Where failures are made that the model alone reads, as the results of its calls. What a person
/// meets is a phrase in both languages, which the compiler asks for everywhere else.
const FOR_THE_MODEL: [&str; 17] = [
    "src-tauri/host/src/redact/marks.rs",
    "src-tauri/host/src/tools/",
    "src-tauri/kernel/src/code.rs",
    "src-tauri/kernel/src/context/build.rs",
    "src-tauri/kernel/src/engine/approvals.rs",
    "src-tauri/kernel/src/engine/ends.rs",
    "src-tauri/kernel/src/engine/interruptions.rs",
    "src-tauri/kernel/src/engine/queue.rs",
    "src-tauri/kernel/src/engine/state_calls.rs",
    "src-tauri/kernel/src/engine/tool_calls.rs",
    "src-tauri/kernel/src/frontmatter/update.rs",
    "src-tauri/kernel/src/patch.rs",
    "src-tauri/kernel/src/patch/",
    "src-tauri/kernel/src/state_doc/",
    "src-tauri/kernel/src/tool/",
    "src-tauri/kernel/src/view/imported.rs",
    "src-tauri/kernel/src/widget/payload.rs",
];

#[test]
fn only_what_the_model_alone_reads_is_in_english_alone() {
    let mut found = Vec::new();
    let mut used = std::collections::BTreeSet::new();
    for source in rust() {
        let code = source.code();
        let Some(at) = code.find("for_model(") else {
            continue;
        };
        match FOR_THE_MODEL.iter().find(|place| source.path.starts_with(**place)) {
            Some(place) => _ = used.insert(*place),
            None => found.push(format!("{}:{}", source.path, line_of(&code, at))),
        }
    }
    none("what a person can meet is a phrase in both languages", &found);
    let idle = FOR_THE_MODEL.iter().filter(|place| !used.contains(*place));
    none(
        "the list of places may only get shorter",
        &idle.map(|p| (*p).to_owned()).collect::<Vec<_>>(),
    );
}

/// Whether code names a crate or module as the root of a path.
fn names(code: &str, module: &str) -> Option<usize> {
    code.match_indices(&format!("{module}::")).map(|(at, _)| at).find(|at| {
        let before = &code[..*at];
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && (!before.ends_with("::") || before.ends_with("crate::"))
    })
}

/// Where files of `folder` name one of `modules`.
fn naming(folder: &str, modules: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for source in rust().into_iter().filter(|s| s.below(folder)) {
        let code = source.code();
        for module in modules {
            if let Some(at) = names(&code, module) {
                found.push(format!("{}:{}: {module}", source.path, line_of(&code, at)));
            }
        }
    }
    found
}

#[test]
fn rust_imports_go_downwards() {
    let kernel: Vec<&str> = [&["host"], &NOT_IN_THE_KERNEL[..]].concat();
    let importer = naming("src-tauri/import-electron/", &kernel);
    none("law A: an importer names the kernel alone", &importer);
    let importer = naming("src-tauri/import-skills/", &kernel);
    none("law A: an importer names the kernel alone", &importer);
    let kernel = [&["import_electron", "import_skills"], &kernel[..]].concat();
    none("law A: the kernel names nobody", &naming("src-tauri/kernel/", &kernel));
    let above = ["tauri", "tauri_build"];
    none("law F: the host knows no shell", &naming("src-tauri/host/", &above));
    none("law F: the CLI knows no Tauri", &naming("src-tauri/cli/", &above));
    none(
        "the engine does not know how it is shown",
        &naming("src-tauri/kernel/src/engine", &["view"]),
    );
}

#[test]
fn only_the_desktop_package_depends_on_tauri() {
    let found: Vec<String> = all()
        .into_iter()
        .filter(|s| s.path.ends_with("/Cargo.toml"))
        .flat_map(|s| {
            let lines = s.text.lines().filter(|l| l.starts_with("tauri")).map(str::to_owned);
            lines.map(|line| format!("{}: {line}", s.path)).collect::<Vec<_>>()
        })
        .collect();
    none("law F: only the desktop package knows Tauri", &found);
}

#[test]
fn the_kernel_is_linked_with_nothing_that_does_io() {
    // An importer is as pure.
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "-p", "crewagent-kernel", "-p", "crewagent-import-electron"])
        .args(["-p", "crewagent-import-skills"])
        .args(["-e", "normal", "--prefix", "none", "--offline", "--locked", "--all-features"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).unwrap();
    for importer in ["crewagent-import-electron", "crewagent-import-skills"] {
        assert!(tree.contains(importer), "not a tree: {tree}");
    }
    let found: Vec<String> = tree
        .lines()
        .filter(|line| NOT_IN_THE_KERNEL.contains(&line.split(' ').next().unwrap_or_default()))
        .map(str::to_owned)
        .collect();
    none("law A: the kernel does no I/O", &found);
}

/// What a TypeScript file imports, as written.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for opening in ["from '", "from \"", "import '", "import \"", "import('", "import(\""] {
        for (at, _) in text.match_indices(opening) {
            let name: String =
                text[at + opening.len()..].chars().take_while(|c| !"'\"\n".contains(*c)).collect();
            found.push((line_of(text, at), name));
        }
    }
    found
}

/// The layer of `ui/src` that an import of a file leads to.
fn layer(file: &str, import: &str) -> Option<String> {
    let mut place: Vec<&str> = file.split('/').collect();
    place.pop();
    if import.starts_with('.') {
        for part in import.split('/') {
            match part {
                "." => {}
                ".." => drop(place.pop()),
                part => place.push(part),
            }
        }
        return (place.len() > 3 && place[..2] == ["ui", "src"]).then(|| place[2].to_owned());
    }
    import.strip_prefix("@/").and_then(|rest| rest.split('/').next()).map(str::to_owned)
}

#[test]
fn ui_imports_go_downwards_and_only_the_bridge_knows_tauri() {
    /// Each layer, and what it may not know.
    const ABOVE: [(&str, &[&str]); 4] = [
        ("kit", &["views", "widgets", "state", "bridge"]),
        ("widgets", &["views"]),
        ("state", &["views", "widgets", "kit"]),
        ("bridge", &["views", "widgets", "state", "kit"]),
    ];
    let mut found = Vec::new();
    for source in all() {
        if !source.below("ui/src/") || !source.is(&["ts", "tsx"]) || source.is_aside() {
            continue;
        }
        let own = source.path.split('/').nth(2).unwrap_or_default().to_owned();
        for (line, import) in imports(&source.text) {
            if import.starts_with("@tauri-apps") && own != "bridge" {
                found.push(format!("{}:{line}: {import}", source.path));
            }
            let above = ABOVE.iter().find(|(layer, _)| *layer == own).map_or(&[][..], |(_, a)| a);
            if layer(&source.path, &import).is_some_and(|to| above.contains(&to.as_str())) {
                found.push(format!("{}:{line}: {own} imports {import}", source.path));
            }
        }
    }
    none("law F, law J: ui imports go downwards, only the bridge knows Tauri", &found);
}

#[test]
fn npm_packages_are_pinned_exactly() {
    let Ok(text) = std::fs::read_to_string(root().join("ui/package.json")) else {
        panic!("ui/package.json is missing");
    };
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut loose = Vec::new();
    for group in ["dependencies", "devDependencies"] {
        for (name, version) in manifest[group].as_object().unwrap() {
            let version = version.as_str().unwrap_or_default();
            if !version.starts_with(|c: char| c.is_ascii_digit()) {
                loose.push(format!("{name}: {version}"));
            }
        }
    }
    none("npm packages have exact versions", &loose);
}

/// Where files of a machine lie: those of ours first, then everybody's.
const MACHINE: [&str; 5] = ["/root/", "/work/", "/home/", "/Users/", "C:\\Users\\"];

#[test]
fn no_file_names_a_folder_of_the_machine_it_was_written_on() {
    let mut found = Vec::new();
    for source in all() {
        if source.is_aside() || source.path.ends_with("package-lock.json") {
            continue;
        }
        // Rust may explain with an invented person's folder what a path looks like.
        let (folders, text) = if source.is(&["rs"]) {
            (&MACHINE[..2], source.without_tests())
        } else {
            (&MACHINE[..], source.text)
        };
        for (number, line) in text.lines().enumerate() {
            if folders.iter().any(|folder| names_folder(line, folder)) {
                found.push(format!("{}:{}: {}", source.path, number + 1, line.trim()));
            }
        }
    }
    none("no file names a folder of a machine", &found);
}

/// `/home/ann/x` names a folder; `/home/` alone, as a pattern, and `a/home/` do not.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let begins = !line[..at].ends_with(|c: char| c.is_alphanumeric() || ".}_-".contains(c));
        begins && line[at + folder.len()..].starts_with(|c: char| c.is_alphanumeric())
    })
}

#[test]
fn the_repository_stands_alone_and_says_what_it_is() {
    let top = root();
    let license = std::fs::read_to_string(top.join("LICENSE")).unwrap();
    assert!(license.contains("Apache License"));
    let committed = all();
    for file in [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Cargo.lock",
        "README.md",
        "deny.toml",
        "dev",
        "rust-toolchain.toml",
        "tauri.conf.json",
        ".ci/run",
        "ui/package-lock.json",
    ] {
        assert!(committed.iter().any(|s| s.path == file), "{file} is missing");
    }
    let outside: Vec<String> = committed
        .iter()
        .filter(|s| !s.is_aside() && s.text.contains("../shared"))
        .map(|s| s.path.clone())
        .collect();
    none("nothing here needs a folder outside the repository", &outside);
}

#[test]
fn the_toolchain_file_and_the_workspace_name_the_same_rust() {
    let value_of = |file: &str, key: &str| {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let line = text.lines().find(|l| l.starts_with(key)).unwrap().to_owned();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let toolchain = value_of("rust-toolchain.toml", "channel");
    let workspace = value_of("Cargo.toml", "rust-version");
    assert!(toolchain.starts_with(&workspace), "{toolchain} and {workspace}");
}

#[test]
fn the_limits_of_the_benchmarks_are_those_that_contributing_names() {
    let limits = |path: &str, row: fn(&str) -> Option<(&str, &str)>| {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let rows = text.lines().filter_map(row);
        rows.map(|(at, limit)| (at.to_owned(), limit.to_owned())).collect::<Vec<_>>()
    };
    let code = limits("tests/examples/bench/main.rs", |line| {
        line.trim().strip_prefix("(\"/")?.strip_suffix("),")?.split_once("\", ")
    });
    let told = limits("CONTRIBUTING.md", |line| {
        let (at, rest) = line.strip_prefix("| `/")?.split_once("` | ")?;
        Some((at, rest.split_once(" |")?.0))
    });
    assert_eq!(code.len(), 37, "{code:?}");
    assert_eq!(code, told);
}
