//! Packages and exported runs that mean harm, made here: what a program that opens them must get
//! over in little memory and time. The same bytes every time; the tests judge memory and words, the
//! benchmark judges time.

mod floods;
mod parts;
mod shapes;

use std::path::{Path, PathBuf};

pub use parts::Parts;

/// One hostile package.
pub struct Hostile {
    /// What is hostile about it.
    pub name: &'static str,
    /// Bytes of its largest file.
    pub largest: u64,
    /// Writes it below a folder and says where.
    pub make: Box<dyn Fn(&Path) -> PathBuf>,
}

/// All of them. `mebibytes` is how much the large ones unpack to: hashing takes its time in a
/// program that was not optimised.
pub fn packages(mebibytes: usize) -> Vec<Hostile> {
    let mut all = shapes::all(mebibytes);
    all.extend(floods::all());
    all
}

fn hostile(name: &'static str, make: impl Fn(&Path) -> PathBuf + 'static) -> Hostile {
    Hostile { name, largest: 0, make: Box::new(make) }
}

fn large(name: &'static str, largest: u64, make: impl Fn(&Path) -> PathBuf + 'static) -> Hostile {
    Hostile { name, largest, make: Box::new(make) }
}
