//! What is shipped holds no crash points.

use std::process::Command;

use host::crash::Point;

use support::program::{program, root};

/// The module as a release compiles it; a call elsewhere names a variant, which is a number.
#[test]
fn a_release_holds_neither_the_names_nor_the_variables_of_crash_points() {
    let temp = tempfile::tempdir().unwrap();
    let built = temp.path().join("crash.o");
    let rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "obj"])
        .args(["-O", "-C", "debug-assertions=off", "-C", "link-dead-code", "-o"])
        .arg(&built)
        .arg("src-tauri/host/src/crash.rs")
        .current_dir(root())
        .status();
    assert!(rustc.unwrap().success());
    let (release, debug) = (std::fs::read(built).unwrap(), std::fs::read(program()).unwrap());
    let (release, debug) = (String::from_utf8_lossy(&release), String::from_utf8_lossy(&debug));
    for word in Point::ALL.iter().map(|point| point.name()).chain(["CREWAGENT_CRASH_"]) {
        assert!(!release.contains(word), "a release holds `{word}`");
    }
    assert!(debug.contains("CREWAGENT_CRASH_AT"), "the program these tests kill has no points");
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    // The fuzz targets are shipped to nobody.
    let with_points = (manifest.split("\n[").skip(1))
        .filter(|part| !part.starts_with("profile.fuzz]"))
        .find(|part| part.contains("debug-assertions = true"));
    assert_eq!(with_points, None, "a profile turns crash points on");
}
