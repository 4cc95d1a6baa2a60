//! Rebuilds the crate when a bundled package or a starter gains or loses a file: `include_dir!` alone only
//! notices changes inside files.

fn main() {
    println!("cargo:rerun-if-changed=../../templates/packages");
    println!("cargo:rerun-if-changed=../../templates/starters");
    println!("cargo:rerun-if-changed=build.rs");
}
