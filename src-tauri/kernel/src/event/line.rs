//! A line of the journal: one decision, with what it was decided on.

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::sync::Arc;

use super::{Cause, Event, cause};
use crate::limits::Limits;
use crate::time::Time;

/// The journal format this program writes.
pub const FORMAT: u16 = 1;

/// One decision, whole or not at all: one row of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Line {
    /// Format version.
    pub v: u16,
    /// Sequence number of the first event; each further event counts one more.
    pub seq: u64,
    /// When it was decided.
    pub at: Time,
    /// How many model requests the conversation had made by then.
    pub turn: u64,
    /// Which input decided it; absent in lines of older programs and in imported ones.
    #[serde(default, deserialize_with = "cause::known", skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The settings it was decided under, when they are not those of the lines before.
    #[serde(default, deserialize_with = "cause::known", skip_serializing_if = "Option::is_none")]
    pub settings: Option<Box<Limits>>,
    /// What happened, in order. Never empty.
    #[serde(deserialize_with = "few")]
    pub events: Vec<Event>,
}

impl Line {
    pub(crate) fn new(seq: u64, at: Time, turn: u64, events: Vec<Event>) -> Self {
        Self { v: FORMAT, seq, at, turn, cause: None, settings: None, events }
    }

    /// The same line with what it was decided on.
    pub(crate) fn decided(self, cause: Cause, settings: Option<&Limits>) -> Self {
        Self { cause: Some(cause), settings: settings.cloned().map(Box::new), ..self }
    }

    /// The sequence number of the next line's first event.
    pub fn next_seq(&self) -> u64 {
        self.seq + self.events.len() as u64
    }

    /// Each event with its own sequence number.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Event)> {
        (self.seq..).zip(&self.events)
    }
}

/// A line to be shared of one that stays where it is.
impl From<&Line> for Arc<Line> {
    fn from(line: &Line) -> Self {
        Self::new(line.clone())
    }
}

/// Reads the events of a line. Most lines have one: a list that is made for four, as lists are that
/// do not know how long they get, would hold a kilobyte of nothing for each line of a journal that
/// is being read.
fn few<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Event>, D::Error> {
    struct Events;

    impl<'de> Visitor<'de> for Events {
        type Value = Vec<Event>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of events")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Event>, A::Error> {
            let mut events = Vec::with_capacity(1);
            while let Some(event) = list.next_element()? {
                events.push(event);
            }
            Ok(events)
        }
    }

    from.deserialize_seq(Events)
}
