//! The crates of the workspace that ship, and the names they have for each other.

use super::rust::Crate;
use crate::tidy::source::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Every library and program below `src-tauri`, as cargo knows them.
pub(super) fn of_the_workspace() -> Vec<Crate> {
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let metadata: Value = serde_json::from_slice(&told.stdout).unwrap();
    let top = format!("{}/", metadata["workspace_root"].as_str().unwrap().replace('\\', "/"));
    let mut targets = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap().to_owned();
        for target in package["targets"].as_array().unwrap() {
            let file = target["src_path"].as_str().unwrap().replace('\\', "/");
            let file = file.strip_prefix(&top).unwrap_or(&file).to_owned();
            let is = |kind: &str| target["kind"].as_array().unwrap().iter().any(|k| k == kind);
            let is_program = is("bin");
            if file.starts_with("src-tauri/") && (is_program || is("lib") || is("rlib")) {
                let library = target["name"].as_str().unwrap().to_owned();
                targets.push(Target { package, name: name.clone(), file, library, is_program });
            }
        }
    }
    targets.iter().map(|target| target.read(&targets)).collect()
}

struct Target<'a> {
    package: &'a Value,
    name: String,
    file: String,
    /// What the target is called: the crate's name where a dependency has none of its own for it.
    library: String,
    is_program: bool,
}

impl Target<'_> {
    /// `crewagent-kernel` is the crate `kernel`; a program beside a library has a name of its own.
    fn crate_name(&self, all: &[Target<'_>]) -> String {
        let short = self.name.trim_start_matches("crewagent-").to_owned();
        let has_library = all.iter().any(|other| other.name == self.name && !other.is_program);
        if self.is_program && has_library { format!("{short} program") } else { short }
    }

    fn read(&self, all: &[Target<'_>]) -> Crate {
        let mut knows = BTreeMap::new();
        let library = |name: &str| all.iter().find(|t| t.name == name && !t.is_program);
        if self.is_program
            && let Some(own) = library(&self.name)
        {
            knows.insert(own.library.replace('-', "_"), own.crate_name(all));
        }
        for dependency in self.package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap();
            if let Some(target) = library(name).filter(|_| dependency["kind"].is_null()) {
                let given = dependency["rename"].as_str().unwrap_or(&target.library);
                let given = given.replace('-', "_");
                knows.insert(given, target.crate_name(all));
            }
        }
        Crate { name: self.crate_name(all), root: self.file.clone(), knows }
    }
}
