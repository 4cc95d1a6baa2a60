//! A request on its way to the model: it leaves without real paths, and its hash is journaled.
//!
//! A conversation is sent whole with every turn. What was part of the last request is known by
//! then, so that a turn costs what is new in it and not what was said before.

pub(crate) mod shown;

use kernel::chat::{ChatMessage, ChatRequest, RequestMessages, Role, ToolSpec};
use kernel::code::Failure;
use kernel::context::{CompactionDraft, ProtocolCheck, repaired};
use kernel::prompt::{PromptComposer, SummaryRequest};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::sync::Arc;

use crate::redact::{Marks, Private};

/// After so many messages the state of the hash is kept: it is as long as a short message.
const STRIDE: usize = 8;

/// What is known of the last request of a conversation.
#[derive(Default)]
pub(crate) struct LastRequest {
    messages: RequestMessages,
    /// The state of the hash before its first message, and after every [`STRIDE`] more.
    states: Vec<Sha256>,
    /// As JSON.
    tools: LastTools<Vec<u8>>,
    protocol: ProtocolCheck,
}

/// What was made of the tools of the last request. They are as long as many messages, and the same
/// for all requests of an agent.
#[derive(Debug)]
pub(crate) struct LastTools<T> {
    tools: Vec<Arc<ToolSpec>>,
    made: Option<T>,
}

impl<T> Default for LastTools<T> {
    fn default() -> Self {
        Self { tools: Vec::new(), made: None }
    }
}

impl<T> LastTools<T> {
    /// What `make` makes of these tools, made anew only when they are others.
    pub(crate) fn of(
        &mut self,
        tools: &[Arc<ToolSpec>],
        make: impl FnOnce(&[Arc<ToolSpec>]) -> T,
    ) -> &T {
        let mut both = tools.iter().zip(&self.tools);
        if tools.len() != self.tools.len() || !both.all(|(new, old)| Arc::ptr_eq(new, old)) {
            self.tools = tools.to_vec();
            self.made = None;
        }
        self.made.get_or_insert_with(|| make(tools))
    }
}

impl LastRequest {
    /// No server is sent what it would refuse (spec 04 "Context builder"): what breaks the protocol
    /// is repaired, and counted. It is 0 unless the engine has a bug.
    pub(crate) fn repair(&mut self, request: &mut ChatRequest) -> usize {
        if self.protocol.accepts(&request.messages) {
            return 0;
        }
        let (fitting, changes) = repaired(&request.messages);
        request.messages = fitting.into_iter().collect();
        changes
    }

    /// The last line of defence (spec 04 "Paths"): known real roots in a request are replaced by
    /// marks, so that what a model makes of them is turned back. True when there was one: only a
    /// person's own words may hold one.
    ///
    /// A message that left as it is at the same place of the last request is not looked at again.
    pub(crate) fn redact(&self, marks: &Marks, request: &mut ChatRequest) -> bool {
        let same = self.messages.same_beginning(&request.messages);
        let mut last = self.messages.iter().skip(same);
        let changed = request.messages.iter().enumerate().skip(same).filter_map(|(at, message)| {
            if last.next() == Some(message) {
                return None;
            }
            Some((at, without_roots(marks, message)?))
        });
        let changed: Vec<(usize, ChatMessage)> = changed.collect();
        let found = !changed.is_empty();
        for (at, clean) in changed {
            request.messages.set(at, Arc::new(clean));
        }
        found
    }

    /// How much of a request is yet to be hashed: bytes of its messages' texts.
    pub(crate) fn unhashed(&self, request: &ChatRequest) -> usize {
        let bytes = |message: &Arc<ChatMessage>| {
            let calls = message.tool_calls.iter().map(|call| call.arguments.len());
            message.content.len() + calls.sum::<usize>()
        };
        let same = self.messages.same_beginning(&request.messages);
        request.messages.iter().skip(same).map(bytes).sum()
    }

    /// SHA-256 of a request as JSON, in lower-case hex: what a replay compares. The request is
    /// the last one from now on.
    pub(crate) fn hash(&mut self, request: &ChatRequest) -> String {
        let same = self.messages.same_beginning(&request.messages);
        self.messages = request.messages.clone();
        self.states.truncate(same / STRIDE + 1);
        if self.states.is_empty() {
            self.states.push(Sha256::new_with_prefix(br#"{"messages":["#));
        }
        let known = self.states.len() - 1;
        let mut hash = self.states[known].clone();
        let mut json = Vec::new();
        for (at, message) in request.messages.iter().enumerate().skip(known * STRIDE) {
            if at > 0 {
                hash.update(b",");
            }
            json.clear();
            // Texts and names alone: there is nothing in a message that JSON cannot say.
            _ = serde_json::to_writer(&mut json, message);
            hash.update(&json);
            if (at + 1) % STRIDE == 0 {
                self.states.push(hash.clone());
            }
        }
        hash.update(br#"],"tools":"#);
        hash.update(self.tools.of(&request.tools, tools_json));
        hash.update(b"}");
        format!("{:x}", hash.finalize())
    }
}

/// Names, texts and schemas: there is nothing in tools that JSON cannot say.
fn tools_json(tools: &[Arc<ToolSpec>]) -> Vec<u8> {
    serde_json::to_vec(tools).unwrap_or_default()
}

/// SHA-256 of a request as JSON, in lower-case hex: what a replay compares.
pub fn request_hash(request: &ChatRequest) -> String {
    LastRequest::default().hash(request)
}

/// Hides the real folders of this machine in a request, as in one that leaves. True when there was
/// one.
pub fn hide_folders(private: &Private, request: &mut ChatRequest) -> bool {
    LastRequest::default().redact(&private.marks, request)
}

/// The request for a summary of older messages; `None` where nothing has to be summed up. The messages
/// that go are material, and leave like any others: without real paths.
///
/// # Errors
/// What rendering fails with: a bug in a template.
pub(crate) fn summary_request(
    composer: &PromptComposer,
    marks: &Marks,
    draft: &CompactionDraft,
) -> Result<Option<ChatRequest>, Failure> {
    let Some((transcript, most)) = draft.to_sum_up() else { return Ok(None) };
    let max_tokens = u32::try_from(most).unwrap_or(u32::MAX);
    let text = composer.summary_request(&SummaryRequest { transcript, max_tokens })?;
    let mut request = ChatRequest::new([ChatMessage::user(text)], Vec::new());
    LastRequest::default().redact(marks, &mut request);
    Ok(Some(request))
}

/// The message with marks for the real roots in it; `None` when there is none.
fn without_roots(marks: &Marks, message: &ChatMessage) -> Option<ChatMessage> {
    let content = hidden(marks, &message.content, message.role == Role::Tool);
    let calls = message.tool_calls.iter();
    let arguments: Vec<Option<String>> =
        calls.map(|call| hidden(marks, &call.arguments, true)).collect();
    if content.is_none() && arguments.iter().all(Option::is_none) {
        return None;
    }
    let mut clean = message.clone();
    if let Some(content) = content {
        clean.content = content;
    }
    for (call, arguments) in clean.tool_calls.iter_mut().zip(arguments) {
        if let Some(arguments) = arguments {
            call.arguments = arguments;
        }
    }
    Some(clean)
}

fn hidden(marks: &Marks, text: &str, is_json: bool) -> Option<String> {
    let Cow::Owned(clean) = marks.hidden(text) else { return None };
    let in_json = is_json.then(|| hidden_in_json(marks, text)).flatten();
    Some(in_json.unwrap_or(clean))
}

/// In JSON a name is written with escapes; its mark stands for the name without them.
fn hidden_in_json(marks: &Marks, text: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    marks.hide_in(&mut value);
    Some(value.to_string()).filter(|clean| matches!(marks.hidden(clean), Cow::Borrowed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::chat::ToolCall;
    use kernel::context::protocol_errors;
    use kernel::ids::CallId;
    use kernel::mark::Folder;
    use proptest::prelude::*;
    use serde_json::json;

    fn ada() -> Marks {
        Marks::new(vec![(r"C:\Users\Ada".into(), Folder::Home)])
    }

    fn request(messages: Vec<ChatMessage>) -> ChatRequest {
        let tool = ToolSpec {
            name: "fs_read".into(),
            description: "Reads \"a\" file.".into(),
            parameters: json!({ "type": "object" }),
        };
        ChatRequest::new(messages, vec![Arc::new(tool)])
    }

    #[test]
    fn a_name_in_arguments_leaves_as_the_mark_of_what_it_means() {
        let mut reply = ChatMessage::assistant(r"in C:\Users\Ada\x".to_owned());
        let arguments = json!({ "content": r"dir = C:\Users\Ada\x" }).to_string();
        let (id, name) = (CallId::new("c1"), "fs_write".to_owned());
        reply.tool_calls = vec![ToolCall { id, name, arguments }];
        let mut request = request(vec![reply]);
        assert!(LastRequest::default().redact(&ada(), &mut request));
        let message = request.messages.last().unwrap();
        assert_eq!(message.content, r"in ⟦folder:home⟧\x");
        let sent: Value = serde_json::from_str(&message.tool_calls[0].arguments).unwrap();
        assert_eq!(sent["content"], r"dir = ⟦folder:home⟧\x");
        assert!(!LastRequest::default().redact(&ada(), &mut request));
    }

    #[test]
    fn a_request_that_no_server_takes_is_repaired_and_the_next_one_is_checked_again() {
        let mut asked = ChatMessage::assistant(String::new());
        let (id, name) = (CallId::new("c1"), "fs_read".to_owned());
        asked.tool_calls = vec![ToolCall { id, name, arguments: "{}".to_owned() }];
        let result = ChatMessage::tool(CallId::new("c1"), "{}");
        let mut sent = LastRequest::default();
        let good = vec![asked.clone(), result.clone(), ChatMessage::user("go on")];
        let mut request = request(good.clone());
        assert_eq!(sent.repair(&mut request), 0);
        for bad in [vec![asked.clone()], vec![result], [good.clone(), vec![asked]].concat()] {
            let mut request = super::tests::request(bad);
            assert!(sent.repair(&mut request) > 0, "{request:?}");
            assert_eq!(protocol_errors(&request.messages), Vec::<String>::new());
        }
        assert_eq!(sent.repair(&mut super::tests::request(good)), 0);
    }

    #[test]
    fn a_name_is_replaced_in_every_request_that_holds_it() {
        let said = || ChatMessage::user(r"look into C:\Users\Ada");
        let mut sent = LastRequest::default();
        for more in 0..3 {
            let mut messages = vec![said()];
            messages.resize(1 + more, ChatMessage::user("go on"));
            messages.push(said());
            let mut request = request(messages);
            assert!(sent.redact(&ada(), &mut request), "{more}");
            assert!(!json!(request).to_string().contains("Ada"), "{more}");
            sent.hash(&request);
        }
    }

    /// A conversation that grows, and whose directive in the middle changes now and then.
    fn requests() -> impl Strategy<Value = Vec<ChatRequest>> {
        let turn = (0..80_usize, any::<Option<u8>>(), "\\PC{0,9}");
        prop::collection::vec(turn, 1..6).prop_map(|turns| {
            let mut messages = vec![ChatMessage::system("s")];
            let mut requests = Vec::new();
            for (more, changed, text) in turns {
                if let Some(changed) = changed {
                    let at = usize::from(changed) % messages.len();
                    messages[at] = ChatMessage::user(text.clone());
                }
                messages.extend((0..more).map(|n| ChatMessage::user(format!("{text} {n}"))));
                requests.push(request(messages.clone()));
            }
            requests
        })
    }

    proptest! {
        #[test]
        fn a_request_has_the_hash_of_its_json_whatever_was_sent_before(all in requests()) {
            let mut sent = LastRequest::default();
            for request in all {
                let json = serde_json::to_vec(&request).unwrap();
                prop_assert_eq!(sent.hash(&request), kernel::text::sha256_hex(&json));
            }
        }
    }
}
