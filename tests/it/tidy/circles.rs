//! Law J: no circles. A file uses no file that uses it, directly or through others, and so it is
//! with the modules inside one module or folder, each taken with all that is below it.
//!
//! What a path leads to is found by following it through renamed crates, imports and re-exports to
//! the file that defines the item. `mod`, a `pub use` and the name of a module on the way are no
//! use of anything. A parent and its child are two files like any others: a parent either leads to
//! its children and uses them, or holds what they share. Methods that a type has in other files are
//! found where they are called on `self`, or by the type's name.

use super::imports::Imports;
use super::none;

#[test]
fn no_file_and_no_module_uses_one_that_uses_it() {
    let mut found = Vec::new();
    for imports in [Imports::of_rust(), Imports::of_the_page()] {
        for circle in imports.circles() {
            found.push(format!(
                "a circle of {}\n      {}",
                circle.iter().cloned().collect::<Vec<_>>().join(", "),
                imports.inside(&circle).join("\n      ")
            ));
        }
    }
    none("law J: imports go downwards, in no circle", &found);
}

/// A file that the resolver does not reach would be free to use anything.
#[test]
fn every_source_file_is_looked_at() {
    let places = Imports::of_rust().places;
    let missed: Vec<String> = super::rust()
        .into_iter()
        .map(|source| source.path)
        .filter(|path| path.starts_with("src-tauri/") && !path.ends_with("/build.rs"))
        .filter(|path| !places.contains_key(path))
        .collect();
    none("each file below src-tauri is a module of a crate", &missed);
}
