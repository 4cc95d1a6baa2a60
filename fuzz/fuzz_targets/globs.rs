//! Globs of a search and lines of an ignore file: what the bounds let through, the libraries build
//! and match without a panic, in the stack and the time there is.

#![no_main]

use std::path::Path;

use ignore::gitignore::GitignoreBuilder;
use ignore::overrides::OverrideBuilder;
use kernel::bounds::check_glob;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 4] = ["a", "src/main.rs", "a/b/c/{d}.md", "文/档 [1].txt"];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let fit = || text.lines().filter(|line| check_glob(line).is_ok());
    let mut rules = GitignoreBuilder::new("");
    assert!(rules.case_insensitive(true).is_ok());
    for line in fit() {
        _ = rules.add_line(None, line);
    }
    if let Ok(rules) = rules.build() {
        for name in NAMES {
            _ = rules.matched(Path::new(name), false);
        }
    }
    let mut globs = OverrideBuilder::new("");
    for glob in fit() {
        _ = globs.add(glob);
    }
    if let Ok(globs) = globs.build() {
        for name in NAMES {
            _ = globs.matched(Path::new(name), false);
        }
    }
});
