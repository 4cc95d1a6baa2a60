//! Behaviour across crates, one binary.

mod wire;
