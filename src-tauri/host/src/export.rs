//! A conversation as a file (spec 08 "Exports"): the older runtime's `messages.json`, Markdown for
//! people, JSON lines for programs. No real path and no key is in it (spec 04 "Paths").
//!
//! Read and written page by page: a conversation of a million messages needs no more memory than
//! one of a thousand.

mod markdown;

use std::io::{self, Write};

use kernel::code::{ErrorCode, Failure};
use kernel::command::ExportFormat;
use kernel::phrase::exports;
use kernel::prompt::redact_paths;
use kernel::settings::Language;
use kernel::wire::{ConversationSummary, MessageRow};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::keys::without_keys;
use crate::redact::Redactor;
use crate::secrets::Secret;
use crate::store::RuntimeStore;
use markdown::Markdown;

/// Messages read at a time.
const PAGE: u32 = 200;

/// What the older runtime's messages do not have.
const NEWER: [&str; 6] = ["seq", "thinking", "turn", "tokens", "usage", "files"];

/// How a conversation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportForm {
    /// The kind of file.
    pub format: ExportFormat,
    /// The language of a Markdown file's own words. The system's means English.
    pub language: Language,
}

/// Takes real paths and keys out of what is written.
#[derive(Debug, Clone)]
pub struct Cleaner {
    redactor: Redactor,
    keys: Vec<Secret>,
}

impl Cleaner {
    /// Knows these roots and keys.
    pub fn new(redactor: Redactor, keys: impl IntoIterator<Item = Secret>) -> Self {
        Self { redactor, keys: keys.into_iter().collect() }
    }

    /// Known roots become their aliases, other absolute paths `[path]`, the keys and what looks
    /// like one `[key]`: a conversation may hold a key that nobody knows any more.
    pub(crate) fn clean(&self, mut value: Value) -> Value {
        self.redactor.redact_value(&mut value);
        scrub(&self.keys, &mut value);
        redact_paths(&value)
    }
}

fn scrub(keys: &[Secret], value: &mut Value) {
    match value {
        Value::String(text) => {
            let clean = keys.iter().fold(std::mem::take(text), |text, key| key.scrub(&text));
            *text = without_keys(&clean).into_owned();
        }
        Value::Array(items) => items.iter_mut().for_each(|item| scrub(keys, item)),
        Value::Object(map) => map.values_mut().for_each(|item| scrub(keys, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A message with the fields that the older runtime has (spec 08 "Messages"), and no others:
/// `content` is null for a message that only calls tools.
pub fn older(mut message: Value) -> Value {
    if let Some(map) = message.as_object_mut() {
        map.retain(|field, _| !NEWER.contains(&field.as_str()));
        if map.contains_key("tool_calls") && map["content"] == "" {
            map["content"] = Value::Null;
        }
    }
    message
}

/// Writes a conversation as it stands now; what is said meanwhile is not in it.
///
/// # Errors
/// `STORE_WRITE_FAILED` when `out` does not take it, `STORE_READ_FAILED` when a page cannot be
/// read: what was written until then is not whole.
pub async fn export<W: Write + Send + 'static>(
    store: &RuntimeStore,
    conversation: &ConversationSummary,
    form: ExportForm,
    cleaner: Cleaner,
    out: W,
) -> Result<W, Failure> {
    let id = &conversation.conversation_id;
    let newest = store.messages(id, None, 1).await?.messages.pop().map(|m| m.seq);
    // Two pages on their way, one being written.
    let (pages, written) = mpsc::channel::<Vec<MessageRow>>(2);
    let writer = ExportWriter::new(conversation.clone(), form, cleaner, out);
    let writing = tokio::task::spawn_blocking(move || writer.run(written));
    let mut after = None;
    while let Some(until) = newest {
        let page = store.messages_from(id, after, until, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.seq);
        // A writer that is gone has its reason ready.
        if pages.send(page).await.is_err() {
            break;
        }
    }
    drop(pages);
    let ended = |_| Failure::new(ErrorCode::Internal, exports::export_ended());
    writing.await.map_err(ended)?.map_err(|e| {
        crate::failure::io(ErrorCode::StoreWriteFailed, exports::the_export(), &e)
            .with_action(exports::free_or_elsewhere())
    })
}

struct ExportWriter<W> {
    form: ExportFormat,
    cleaner: Cleaner,
    markdown: Markdown,
    conversation: ConversationSummary,
    out: W,
}

impl<W: Write> ExportWriter<W> {
    fn new(conversation: ConversationSummary, form: ExportForm, cleaner: Cleaner, out: W) -> Self {
        let markdown = Markdown::new(form.language);
        Self { form: form.format, cleaner, markdown, conversation, out }
    }

    fn run(mut self, mut pages: mpsc::Receiver<Vec<MessageRow>>) -> io::Result<W> {
        self.begin()?;
        let mut first = true;
        while let Some(page) = pages.blocking_recv() {
            for message in page {
                self.message(&message, first)?;
                first = false;
            }
        }
        if self.form == ExportFormat::Messages {
            self.out.write_all(b"\n]\n")?;
        }
        self.out.flush()?;
        Ok(self.out)
    }

    fn begin(&mut self) -> io::Result<()> {
        match self.form {
            ExportFormat::Messages => self.out.write_all(b"["),
            ExportFormat::Lines => Ok(()),
            ExportFormat::Markdown => {
                let known = serde_json::to_value(&self.conversation).unwrap_or_default();
                let head = self.markdown.head(&self.cleaner.clean(known));
                self.out.write_all(head.as_bytes())
            }
        }
    }

    fn message(&mut self, message: &MessageRow, first: bool) -> io::Result<()> {
        let value = self.cleaner.clean(serde_json::to_value(message).unwrap_or_default());
        match self.form {
            ExportFormat::Messages => {
                let comma = if first { "\n" } else { ",\n" };
                write!(self.out, "{comma}{}", older(value))
            }
            ExportFormat::Lines => writeln!(self.out, "{value}"),
            ExportFormat::Markdown => self.out.write_all(self.markdown.message(&value).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests;
