//! Exported runs (spec 08): a `.crewrun` file holds a run's journal and everything the journal was
//! decided on, so that it can be decided again elsewhere, without a model, and compared.
//!
//! A `.crewrun` file is a ZIP archive:
//!
//! | entry | what |
//! |---|---|
//! | `crewrun.json` | [`Header`]: format, run, program, settings, and a hash of every other entry |
//! | `journal.jsonl` | the lines as they are stored, one a line |
//! | `package/…` | the pinned package, whole |
//! | `state/revisions/…` | accepted versions of the state document, by sequence number |
//! | `state/put-aside/…` | refused edits of it, by hash |
//! | `preimages/…` | files as they were before the run changed them, by hash; may be absent |
//! | `facts.json` `decisions.json` `artifacts.json` `audit.jsonl` | for people and other programs |
//!
//! The same run gives the same bytes. Nothing in it names a folder of this machine or holds a key:
//! [`Leaks`] looks through all of it before it is written.

mod archive;
mod contents;
mod effects;
mod format;
mod leaks;
mod replay;
mod replayer;
mod report;
mod rewinds;
mod scratch;

pub use archive::{Recording, pack, read, save};
pub use contents::{Contents, written_files};
pub use format::{Artifact, EntryFacts, Environment, Header, ModelName, RunFacts};
pub use leaks::Leaks;
pub use replay::{replay, replay_file};
pub use report::{FromRecord, ReplayDifference, Report};

pub use crate::requests::{hide_folders, request_hash};
