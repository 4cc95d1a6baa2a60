//! Behaviour across crates, one binary.

mod tidy;
