//! Rebuilds the crate when a bundled package gains or loses a file: `include_dir!` alone only
//! notices changes inside files.

#[expect(clippy::print_stdout, reason = "a build script talks to cargo on stdout")]
fn main() {
    println!("cargo:rerun-if-changed=../../templates/packages");
    println!("cargo:rerun-if-changed=build.rs");
}
