//! The messages of a request.

use std::fmt;
use std::iter::{Chain, FlatMap};
use std::slice::Iter;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::message::ChatMessage;

/// Messages that several requests share.
pub type MessageStretch = Arc<[Arc<ChatMessage>]>;

type Flat<'a> = FlatMap<
    Iter<'a, MessageStretch>,
    Iter<'a, Arc<ChatMessage>>,
    fn(&'a MessageStretch) -> Iter<'a, Arc<ChatMessage>>,
>;

/// Messages in order, of which whole stretches can be shared with other requests: a conversation is
/// sent whole with every turn, and a request of a long one costs what is new in it.
#[derive(Clone, Default)]
pub struct RequestMessages {
    stretches: Vec<MessageStretch>,
    /// What comes after them.
    last: Vec<Arc<ChatMessage>>,
}

impl RequestMessages {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.stretches.iter().map(|stretch| stretch.len()).sum::<usize>() + self.last.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// All of them in order.
    pub fn iter(&self) -> Chain<Flat<'_>, Iter<'_, Arc<ChatMessage>>> {
        self.since_stretch(0)
    }

    /// The one at this place.
    pub fn get(&self, at: usize) -> Option<&Arc<ChatMessage>> {
        let mut before = 0;
        for stretch in &self.stretches {
            if let Some(message) = stretch.get(at - before) {
                return Some(message);
            }
            before += stretch.len();
        }
        self.last.get(at - before)
    }

    /// The last one.
    pub fn last(&self) -> Option<&Arc<ChatMessage>> {
        self.iter().next_back()
    }

    /// Adds one.
    pub fn push(&mut self, message: Arc<ChatMessage>) {
        self.last.push(message);
    }

    /// Adds messages that stay shared with whoever holds them.
    pub fn share(&mut self, stretch: MessageStretch) {
        if !self.last.is_empty() {
            self.stretches.push(std::mem::take(&mut self.last).into());
        }
        self.stretches.push(stretch);
    }

    /// Puts another message in the place of one; nothing where there is none.
    pub fn set(&mut self, at: usize, message: Arc<ChatMessage>) {
        let mut before = 0;
        for stretch in &mut self.stretches {
            if at - before < stretch.len() {
                Arc::make_mut(stretch)[at - before] = message;
                return;
            }
            before += stretch.len();
        }
        if let Some(old) = self.last.get_mut(at - before) {
            *old = message;
        }
    }

    /// How many messages both begin with.
    pub fn same_beginning(&self, other: &Self) -> usize {
        let both = self.stretches.iter().zip(&other.stretches);
        // The layers of the runtime are made anew each time, and mostly the same.
        let shared = both.take_while(|(old, new)| Arc::ptr_eq(old, new) || old == new);
        let (stretches, messages) =
            shared.fold((0, 0), |(n, messages), (one, _)| (n + 1, messages + one.len()));
        let both = self.since_stretch(stretches).zip(other.since_stretch(stretches));
        messages + both.take_while(|(old, new)| old == new).count()
    }

    fn since_stretch(&self, n: usize) -> Chain<Flat<'_>, Iter<'_, Arc<ChatMessage>>> {
        let each: fn(&MessageStretch) -> Iter<'_, Arc<ChatMessage>> = |stretch| stretch.iter();
        self.stretches[n..].iter().flat_map(each).chain(&self.last)
    }
}

impl fmt::Debug for RequestMessages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// However they are shared.
impl PartialEq for RequestMessages {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<'a> IntoIterator for &'a RequestMessages {
    type Item = &'a Arc<ChatMessage>;
    type IntoIter = Chain<Flat<'a>, Iter<'a, Arc<ChatMessage>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Arc<ChatMessage>> for RequestMessages {
    fn from_iter<I: IntoIterator<Item = Arc<ChatMessage>>>(messages: I) -> Self {
        Self { stretches: Vec::new(), last: messages.into_iter().collect() }
    }
}

impl Extend<Arc<ChatMessage>> for RequestMessages {
    fn extend<I: IntoIterator<Item = Arc<ChatMessage>>>(&mut self, messages: I) {
        self.last.extend(messages);
    }
}

impl Serialize for RequestMessages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for RequestMessages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let last = Vec::deserialize(deserializer)?;
        Ok(Self { stretches: Vec::new(), last })
    }
}

#[cfg(test)]
mod tests;
