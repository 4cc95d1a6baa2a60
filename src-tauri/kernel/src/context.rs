//! The request a model is sent: system layers, history, anchor, active loop (spec 04 "Context
//! builder"). Pure. Raw words are stored; their shells are put round them here.

mod build;
mod compact;
mod compaction;
mod groups;
mod history;
mod protocol;
mod source;
mod summary;
#[cfg(test)]
mod tests;
mod usage;

pub use build::{AnchorAt, PlacedMessages, RequestParts, build, place};
pub use compact::{Budget, CompactionDraft, CompactionJob, SummaryBy};
pub use compaction::{Compacted, Compaction, CompactionStatus, ContextSize, SeenPart, Stage};
pub use history::{History, HistoryEntry, LeftOut, PlacedEntry, Seen, SeenEntry, UserInput};
pub use protocol::{ProtocolCheck, protocol_errors, repaired};
pub use source::{MessageSource, SourcedMessage};
pub use summary::{SUMMARY_HEADER, SUMMARY_HEADINGS};
pub use usage::{ContextStatus, ContextUsage, StepTooLong};
