//! `RealPath`: a path on this machine, which cannot be printed (spec 04 "Paths"). It has no
//! `Display` and no `Serialize`; `Debug` shows the alias it was given.

use std::fmt;
use std::path::{Path, PathBuf};

/// A real path with the name it may be shown under.
#[derive(Clone, PartialEq, Eq)]
pub struct RealPath {
    path: PathBuf,
    shown_as: &'static str,
}

impl RealPath {
    /// Wraps a path; `shown_as` is what errors and logs say instead, e.g. `@project`.
    pub fn new(path: impl Into<PathBuf>, shown_as: &'static str) -> Self {
        Self { path: path.into(), shown_as }
    }

    /// For opening things. Never for messages.
    pub fn as_path(&self) -> &Path {
        &self.path
    }

    /// What it may be called in a message.
    pub fn shown_as(&self) -> &'static str {
        self.shown_as
    }

    /// A path below it, shown under the same name.
    #[must_use]
    pub fn join(&self, rel: impl AsRef<Path>) -> Self {
        Self { path: self.path.join(rel), shown_as: self.shown_as }
    }
}

impl fmt::Debug for RealPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown_as)
    }
}
