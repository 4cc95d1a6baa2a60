//! Names of things, one type each, so that a run id can never stand where a call id belongs.
//!
//! Made by the host (`Ids`) or derived here from a conversation and a sequence number; parsed at
//! the edge by [`FromStr`](std::str::FromStr) and never wrong afterwards.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

use crate::bounds::{AUTHOR_ID_BYTES, FILE_ID_BYTES};
use crate::phrase::{Phrase, misfits};
use crate::time::Time;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.says().english())]
pub struct IdError {
    kind: IdKind,
    text: String,
    reason: IdFault,
}

/// What would have had the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdKind {
    Package,
    Workflow,
    Agent,
    Node,
    Project,
    Run,
    Conversation,
    Message,
    Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdFault {
    Empty,
    TooLong,
    Start,
    Characters,
}

impl IdError {
    /// The same in the reader's language.
    pub fn says(&self) -> Phrase {
        let kind = match self.kind {
            IdKind::Package => misfits::id_of_package(),
            IdKind::Workflow => misfits::id_of_workflow(),
            IdKind::Agent => misfits::id_of_agent(),
            IdKind::Node => misfits::id_of_node(),
            IdKind::Project => misfits::id_of_project(),
            IdKind::Run => misfits::id_of_run(),
            IdKind::Conversation => misfits::id_of_conversation(),
            IdKind::Message => misfits::id_of_message(),
            IdKind::Change => misfits::id_of_change(),
        };
        let why = match self.reason {
            IdFault::Empty => misfits::id_empty(),
            IdFault::TooLong => misfits::id_too_long(),
            IdFault::Start => misfits::id_start(),
            IdFault::Characters => misfits::id_characters(),
        };
        misfits::no_id(&self.text, kind, why)
    }
}

/// The characters every id may hold: those of package identifiers (spec 03 "Package
/// format").
fn check(kind: IdKind, text: &str, max: usize) -> Result<(), IdError> {
    let fail = |reason| Err(IdError { kind, text: text.chars().take(80).collect(), reason });
    if text.is_empty() {
        return fail(IdFault::Empty);
    }
    if text.len() > max {
        return fail(IdFault::TooLong);
    }
    if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return fail(IdFault::Start);
    }
    if !text.chars().all(|c| c.is_ascii_alphanumeric() || "._:-".contains(c)) {
        return fail(IdFault::Characters);
    }
    Ok(())
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $kind:expr) => {
        id!($(#[$doc])* $name, $kind, FILE_ID_BYTES);
    };
    ($(#[$doc:meta])* $name:ident, $kind:expr, $max:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
        pub struct $name(String);

        impl $name {
            /// Parses the text of an id.
            ///
            /// # Errors
            /// [`IdError`] when it is empty, too long, or holds characters that no id may hold.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                check($kind, &text, $max)?;
                Ok(Self(text))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;
            fn try_from(text: String) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

id!(
    /// An installed package: `<slug>-<version>-<32 hex>` (spec 03).
    PackageId,
    IdKind::Package
);
id!(
    /// A workflow of a package.
    WorkflowId,
    IdKind::Workflow,
    AUTHOR_ID_BYTES
);
id!(
    /// An agent of a package.
    AgentId,
    IdKind::Agent,
    AUTHOR_ID_BYTES
);
id!(
    /// A node of a graph.
    NodeId,
    IdKind::Node,
    AUTHOR_ID_BYTES
);
id!(
    /// A project folder the user opened.
    ProjectId,
    IdKind::Project
);
id!(
    /// One execution of a workflow.
    RunId,
    IdKind::Run
);
id!(
    /// One journal: the messages and decisions of one conversation.
    ConversationId,
    IdKind::Conversation
);
id!(
    /// One message of a conversation, a UUIDv7.
    MessageId,
    IdKind::Message
);
id!(
    /// A change of the state document that waits for the user (spec 06 "Confirmation").
    ChangeId,
    IdKind::Change
);

impl ConversationId {
    /// The conversation a run opens for itself: `run-<runId>` (spec 03 "Run creation").
    pub fn of_run(run: &RunId) -> Self {
        Self(format!("run-{run}"))
    }
}

/// A model's own name for one of its tool calls, made unique within the conversation by the
/// kernel. Free text, since servers choose it; never used as a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct CallId(String);

impl CallId {
    /// Wraps a server's call id; characters that are not `[A-Za-z0-9_-]` become `_`, an empty id
    /// stays empty (the engine numbers it).
    pub fn new(text: &str) -> Self {
        Self(
            text.chars()
                .take(80)
                .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
                .collect(),
        )
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when the server sent none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A UUIDv7 that is a function of its arguments: 48 bits of `at` in milliseconds, the rest from
/// SHA-256 of (conversation, key). The kernel draws no random numbers, yet its messages carry the
/// ids of spec 08, and a replayed journal makes the same ones.
pub fn derived_uuid(conversation: &ConversationId, at: Time, key: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(conversation.as_str());
    hash.update([0]);
    hash.update(key);
    let digest = hash.finalize();
    let mut bytes = [0_u8; 16];
    bytes[..6].copy_from_slice(&at.millis().max(0).to_be_bytes()[2..]);
    bytes[6..].copy_from_slice(&digest[..10]);
    bytes[6] = (bytes[6] & 0x0f) | 0x70;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = crate::text::hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_refuses_what_could_be_a_path() {
        for bad in ["", "../x", "a/b", "a b", ".hidden", "ü", "a\0"] {
            assert!(RunId::new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(NodeId::new("step-01.a:b_c").map(String::from), Ok("step-01.a:b_c".into()));
    }

    #[test]
    fn an_id_of_a_package_may_be_longer_than_one_that_names_a_folder() {
        let text = "a:".repeat(128);
        assert_eq!(NodeId::new(&*text).unwrap().as_str(), text);
        assert!(AgentId::new(&*text).is_ok() && WorkflowId::new(&*text).is_ok());
        assert!(NodeId::new(format!("{text}a")).is_err());
        assert!(RunId::new(&*text).is_err() && PackageId::new(&text[..201]).is_err());
    }

    #[test]
    fn a_derived_uuid_is_a_version_7_uuid_and_depends_on_every_argument() {
        let c = ConversationId::new("run-1").unwrap();
        let a = derived_uuid(&c, Time::from_millis(1_700_000_000_000), "k1");
        assert_eq!(a.len(), 36);
        assert_eq!(&a[14..15], "7");
        assert!(a.starts_with("018bcfe5-6800"));
        assert_ne!(a, derived_uuid(&c, Time::from_millis(1_700_000_000_000), "k2"));
        assert_eq!(a, derived_uuid(&c, Time::from_millis(1_700_000_000_000), "k1"));
    }
}
