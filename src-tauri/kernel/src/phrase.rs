//! Words as data: which phrase, and what stands in it. A journal keeps these, and the shells say
//! them in the reader's language ([`crate::words::say`]).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;

/// One phrase about a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Phrase {
    /// Which.
    pub key: PhraseKey,
    /// What stands in its places, by name.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, string>"))]
    pub values: BTreeMap<String, String>,
}

impl Phrase {
    /// A phrase without places.
    pub fn plain(key: PhraseKey) -> Self {
        Self { key, values: BTreeMap::new() }
    }

    /// The same with `value` in the place `name`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.values.insert(name.to_owned(), value.to_string());
        self
    }
}

/// Makes the closed list of phrases.
macro_rules! phrases {
    ($($(#[doc = $doc:literal])+ $key:ident,)+) => {
        /// Which phrase. Its places are named in [`crate::words::phrase`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub enum PhraseKey { $($(#[doc = $doc])+ $key,)+ }

        impl PhraseKey {
            /// Every phrase there is.
            pub const ALL: &'static [Self] = &[$(Self::$key,)+];
        }
    };
}

phrases! {
    /// The runtime's own question about a call that waits.
    AllowChange,
    /// A file is made.
    NewFile,
    /// Lines come and go.
    Lines,
    /// A file is made that is no text.
    NewUnshown,
    /// A file is replaced and one of the two is no text, or too large.
    ReplacedUnshown,
    /// The diff beside it is cut.
    DiffCut,
    /// A move.
    Moves,
    /// A deletion of nothing but a folder.
    DeletesEmptyFolder,
    /// A deletion, with the names of all files.
    DeletesFiles,
    /// A deletion, with the names of some files.
    DeletesMoreFiles,
    /// The current node is another.
    NodeMoved,
    /// The current node is one for the first time.
    NodeEntered,
    /// The run is at its beginning again.
    NodeReset,
    /// Completed steps come or go.
    Steps,
    /// One artifact more or less.
    Artifact,
    /// Several artifacts more or less.
    Artifacts,
    /// Other artifacts, as many as before.
    ArtifactsChanged,
    /// One logged decision more or less.
    Decision,
    /// Several logged decisions more or less.
    Decisions,
    /// Other logged decisions, as many as before.
    DecisionsChanged,
    /// A member of the front matter has another value.
    MemberChanged,
    /// A member of the front matter is new.
    MemberSet,
    /// A member of the front matter is gone.
    MemberRemoved,
    /// The text below the front matter is another.
    TextChanged,
    /// Nothing that means something.
    LayoutOnly,
    /// Nothing at all.
    NoChange,
}
