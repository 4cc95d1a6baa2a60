//! Snapshots of a journal, as event sourcing calls them: the small part of the state after some
//! line, kept so that a long conversation is opened from its last snapshot and the lines after it
//! (spec 08). And pages: the items of the lines between two snapshots.
//!
//! A snapshot is derived. Losing one costs time and nothing else.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use crate::engine::Core;
use crate::event::Line;
use crate::ids::{ConversationId, MessageId};
use crate::package::Package;
use crate::snapshot;
use crate::view::View;
use crate::wire::{Frame, Item, Status};

/// The shape and meaning of a [`JournalSnapshot`]'s text; one of another format is not read but
/// made anew. The program's version is part of it, so that a mended `apply` holds for old
/// conversations too.
pub const FORMAT: &str = concat!("28/", env!("CARGO_PKG_VERSION"));

/// How many lines come between two snapshots at least.
pub const LINES: u64 = 256;

/// What follows from the lines so far and does not grow with them: where the conversation stands,
/// and what may still change on the screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JournalSnapshot {
    core: Core,
    view: View,
}

impl JournalSnapshot {
    /// Reads a snapshot of this [`FORMAT`]; `None` when it is none.
    pub fn read(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct StoredText {
            core: Core,
            view: View,
            document: Option<String>,
        }
        let StoredText { core, mut view, document } = serde_json::from_str(text).ok()?;
        view.document = document.map_or_else(|| accepted(&core), Arc::from);
        Some(Self { core, view })
    }

    /// The snapshot as text; see [`text`].
    pub fn text(&self) -> Option<String> {
        text(&self.core, &self.view)
    }

    /// Folds a line and returns what changed on the screen.
    pub fn apply(&mut self, line: &Line) -> Vec<Frame> {
        self.core.apply_line(line);
        self.view.project(line)
    }

    /// Where the next line begins.
    pub fn seq(&self) -> u64 {
        self.core.seq
    }

    /// The state of the engine.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// Whether a question can still be answered.
    pub fn asks(&self, question: &MessageId) -> bool {
        self.view.asks(question)
    }

    /// What an engine and a view go on from.
    pub fn into_parts(self) -> (Core, View) {
        (self.core, self.view)
    }

    /// Where the conversation stands. One without a run has no package.
    pub fn status(&self, conversation: &ConversationId, package: Option<&Package>) -> Status {
        snapshot::status_of(conversation, package, &self.core)
    }
}

/// The snapshot of an engine and what it shows, as text. `None` while an item will change: pages
/// end at snapshots, and an item must lie in one page with everything that becomes of it. A
/// question is the exception; its page is told the answer.
pub fn text(core: &Core, view: &View) -> Option<String> {
    #[derive(Serialize)]
    struct TextToStore<'a> {
        core: &'a Core,
        view: &'a View,
        /// What the next change is shown against, when it is not the accepted document.
        document: Option<&'a str>,
    }
    if view.may_change() || !core.queue.is_empty() || core.held.is_some() {
        return None;
    }
    let document = Some(&*view.document).filter(|text| **text != *accepted(core));
    serde_json::to_string(&TextToStore { core, view, document }).ok()
}

fn accepted(core: &Core) -> Arc<str> {
    core.doc.as_ref().map_or_else(Arc::default, |doc| Arc::clone(doc.text()))
}

/// The items a window holds that was sent the frames of a stretch of lines.
#[derive(Debug, Clone, Default)]
pub struct Page {
    from: u64,
    /// An item that has gone leaves its place empty.
    items: VecDeque<Option<Item>>,
    /// Places count from the first item that ever was, also when that was cut off.
    index: BTreeMap<MessageId, usize>,
    cut: usize,
}

impl Page {
    /// A page that begins at this sequence number.
    pub fn new(from: u64) -> Self {
        Self { from, ..Self::default() }
    }

    /// Takes the frames of the next line.
    pub fn take(&mut self, frames: Vec<Frame>) {
        for frame in frames {
            match frame {
                Frame::Upsert { item } => self.put(*item),
                Frame::Remove { id } => {
                    if let Some(place) = self.index.remove(&id) {
                        self.items[place - self.cut] = None;
                    }
                }
                // Lines have no others.
                Frame::Snapshot { .. } | Frame::Append { .. } | Frame::Status { .. } => {}
            }
        }
    }

    fn put(&mut self, item: Item) {
        if let Some(&place) = self.index.get(&item.id) {
            self.items[place - self.cut] = Some(item);
        } else if item.seq >= self.from {
            self.index.insert(item.id.clone(), self.cut + self.items.len());
            self.items.push_back(Some(item));
        }
    }

    /// Lets the page begin later.
    pub fn cut(&mut self, from: u64) {
        self.from = from;
        let kept = |item: &Option<Item>| item.as_ref().is_some_and(|item| item.seq >= from);
        while let Some(item) = self.items.pop_front_if(|item| !kept(item)) {
            self.cut += 1;
            if let Some(item) = item {
                self.index.remove(&item.id);
            }
        }
    }

    /// The items in order.
    pub fn into_items(self) -> Vec<Item> {
        self.items.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{CallState, ItemBody};
    use serde_json::{Value, json};

    fn line(seq: u64, events: &Value) -> Line {
        let line = json!({ "v": 1, "seq": seq, "at": "2026-01-01T00:00:00Z", "turn": 0,
                           "events": events });
        serde_json::from_value(line).unwrap()
    }

    fn said(seq: u64) -> Line {
        let data = json!({ "messageId": format!("m{seq}"), "text": "words", "forNodeId": null });
        line(seq, &json!([{ "event": "user_said", "data": data }]))
    }

    #[test]
    fn the_format_number_changes_when_the_content_of_a_snapshot_does() {
        let text: Value =
            serde_json::from_str(&JournalSnapshot::default().text().unwrap()).unwrap();
        let keys = |part: &str| text[part].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let number = FORMAT.split('/').next();
        // Change this list, and the number, whenever what a snapshot holds changes.
        assert_eq!(
            (number, keys("core").join(" "), keys("view").join(" ")),
            (
                Some("28"),
                "seq requests workplace mode run aside task task_ended subagents doc mirrored rejected mirror_blocked nesting before_rewind entered said walked files found node phase \
                 reason activity turn_requests turn_state_bytes turn_subagents by_person queue confirm approvals widgets intent requests_before \
                 thinking_since todos directive rejections cut_replies told hooks hooks_counted held gates gated_at asking compaction_due compacted_for summaries_failed summary_pause refused taken_at_most over ended skills usage usage_by_model locked loops settings"
                    .to_owned(),
                "questions aside talks change unshown node completed running unchanged goes_on".to_owned()
            )
        );
    }

    #[test]
    fn a_snapshot_with_a_part_missing_is_not_read() {
        let text: Value =
            serde_json::from_str(&JournalSnapshot::default().text().unwrap()).unwrap();
        assert!(JournalSnapshot::read(&text.to_string()).is_some());
        for part in ["core", "view"] {
            let mut without = text.clone();
            without[part].as_object_mut().unwrap().remove("loops");
            without[part].as_object_mut().unwrap().remove("questions");
            assert!(JournalSnapshot::read(&without.to_string()).is_none(), "{part}");
        }
    }

    #[test]
    fn a_page_that_begins_later_forgets_what_was_before() {
        let (mut snapshot, mut page) = (JournalSnapshot::default(), Page::new(0));
        for seq in 1..10 {
            page.take(snapshot.apply(&said(seq)));
        }
        page.cut(7);
        // An item that was cut off may still change; it does not come back.
        let old = JournalSnapshot::default().apply(&said(3));
        page.take(old);
        page.take(vec![Frame::Remove { id: MessageId::new("m8").unwrap() }]);
        page.take(snapshot.apply(&said(10)));
        let seqs: Vec<u64> = page.into_items().iter().map(|item| item.seq).collect();
        assert_eq!(seqs, [7, 9, 10]);
    }

    fn imported(seq: u64, messages: &[Value]) -> Line {
        let events = messages.iter().enumerate().map(|(n, message)| {
            let mut data = json!({
                "messageId": format!("m{seq}-{n}"), "role": "assistant", "content": null,
                "createdAt": "2026-01-01T00:00:00Z", "partType": "content", "mode": "chat",
                "includeInContext": true,
            });
            for (name, value) in message.as_object().unwrap() {
                data[name] = value.clone();
            }
            json!({ "event": "message_imported", "data": data })
        });
        line(seq, &events.collect())
    }

    fn imported_calls(ids: &[&str]) -> Value {
        let call = |id: &&str| json!({ "id": id, "name": "fs_read", "arguments": "{\"path\":\"@project/a\"}" });
        json!({ "partType": "tool_start", "toolCalls": ids.iter().map(call).collect::<Vec<_>>() })
    }

    fn imported_result(id: &str) -> Value {
        json!({ "role": "tool", "partType": "tool_result", "toolCallId": id, "toolName": "fs.read",
                "content": "{\"ok\":true,\"content\":\"words\"}" })
    }

    fn imported_words(role: &str) -> Value {
        json!({ "role": role, "content": "words" })
    }

    /// The items of all pages, where a page ends at every place at which one may.
    fn in_pages(lines: &[Line]) -> Vec<Item> {
        let (mut snapshot, mut items) = (JournalSnapshot::default(), Vec::new());
        let mut page = Page::new(0);
        for line in lines {
            page.take(snapshot.apply(line));
            if snapshot.text().is_some() {
                let next = Page::new(snapshot.seq());
                items.extend(std::mem::replace(&mut page, next).into_items());
                snapshot = JournalSnapshot::read(&snapshot.text().unwrap()).unwrap();
            }
        }
        items.extend(page.into_items());
        items
    }

    #[test]
    fn an_imported_call_and_its_result_lie_in_one_page() {
        let lines = [
            imported(1, &[imported_words("user"), imported_calls(&["c1", "c2"])]),
            imported(3, &[imported_result("c1")]),
            // What else a model says meanwhile changes nothing.
            imported(4, &[imported_words("assistant")]),
            imported(5, &[imported_result("c2"), imported_words("assistant")]),
            imported(7, &[imported_words("user")]),
        ];
        let items = in_pages(&lines);
        let calls: Vec<&Item> =
            items.iter().filter(|item| item.id.as_str().starts_with("call-")).collect();
        assert_eq!(calls.len(), 2, "{calls:#?}");
        for item in calls {
            let ItemBody::Call { state, args, result, .. } = &item.body else { panic!() };
            assert_eq!((item.seq, *state), (2, CallState::Done));
            assert_eq!(args, &json!({ "path": "@project/a" }), "as it was called");
            assert_eq!(result.as_ref().unwrap()["content"], "words");
        }
    }

    #[test]
    fn an_imported_call_without_a_result_keeps_nothing_from_being_folded_for_long() {
        let mut snapshot = JournalSnapshot::default();
        snapshot.apply(&imported(1, &[imported_calls(&["c1"])]));
        assert_eq!(snapshot.text(), None, "its result may come");
        snapshot.apply(&imported(2, &[imported_words("user")]));
        assert!(snapshot.text().is_some(), "it does not come any more");

        let mut snapshot = JournalSnapshot::default();
        snapshot.apply(&imported(1, &[imported_calls(&["c1"])]));
        snapshot.apply(&said(2));
        assert!(snapshot.text().is_some(), "nothing is imported any more");
    }

    #[test]
    fn no_snapshot_is_taken_while_a_call_has_no_result() {
        let mut snapshot = JournalSnapshot::default();
        let call = json!({ "id": "c1", "name": "fs_read", "arguments": "{}" });
        let usage = json!({ "promptTokens": 1, "completionTokens": 1, "estimated": false });
        let reply = json!({ "text": "", "calls": [call], "finish": "stop", "usage": usage });
        let replied = json!({ "messageId": "r1", "request": 1, "requestSha256": "",
                              "reply": reply, "durationMs": 1 });
        snapshot.apply(&line(1, &json!([{ "event": "model_replied", "data": replied }])));
        assert_eq!(snapshot.text(), None);
        let ended = json!({ "callId": "c1", "messageId": "t1", "tool": "fs.read", "ok": true,
                            "result": { "ok": true }, "fullOutput": null, "durationMs": 1,
                            "facts": [] });
        snapshot.apply(&line(2, &json!([{ "event": "call_ended", "data": ended }])));
        assert!(snapshot.text().is_some());
    }
}
