//! The three commands (spec 09 "IPC contract"). Each checks its arguments and asks the host.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Why, general};
use kernel::wire::{Answer, Command, Frame, Noticed, Query, Receipt, SessionCommand, WatchTarget};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;
use std::str::FromStr as _;
use tauri::ipc::JavaScriptChannelId;
use tauri::{Runtime, State, Webview};

use crate::frames::{WatchKind, Watches};
use crate::host_handle::HostHandle;

/// `submit({command})`: what a person asks for. Its results arrive as frames.
#[tauri::command]
pub(crate) async fn submit(
    handle: State<'_, HostHandle>,
    command: ParsedArg<Command>,
) -> Result<Receipt, Failure> {
    let command = of_a_window(command.0?)?;
    handle.host().await?.submit(command).await
}

/// A window shows what it asks about, and has to say for how long: a page that leaves it out could
/// authorise what nobody has seen.
fn of_a_window(command: Command) -> Result<Command, Failure> {
    match command {
        Command::Session { command: SessionCommand::Answer { shown_ms: None, .. }, .. } => {
            Err(malformed(general::argument_missing("shownMs").into()))
        }
        command => Ok(command),
    }
}

/// `query({query})`: a read.
#[tauri::command]
pub(crate) async fn query(
    handle: State<'_, HostHandle>,
    query: ParsedArg<Query>,
) -> Result<Answer, Failure> {
    let query = query.0?;
    handle.host().await?.query(query).await
}

/// `watch({target, channel})`: the frames of a conversation, `Snapshot` first, or the words about
/// something else ([`Noticed`]), in batches. A window watches one thing of each kind at a time: the
/// newest watch ends the one before. The target `nothing` ends what went to the channel.
#[tauri::command]
pub(crate) async fn watch<R: Runtime>(
    webview: Webview<R>,
    handle: State<'_, HostHandle>,
    watches: State<'_, Watches>,
    target: ParsedArg<WatchTarget>,
    channel: ParsedArg<String>,
) -> Result<(), Failure> {
    let (target, named) = (target.0?, channel.0?);
    let channel = JavaScriptChannelId::from_str(&named).map_err(|e| malformed(Why::quoted(e)))?;
    let window = webview.label().to_owned();
    let Some(kind) = WatchKind::of(&target) else {
        watches.end(&window, &named);
        return Ok(());
    };
    let ticket = watches.ticket(&window, kind, &named);
    let host = handle.host().await?;
    if let WatchTarget::Conversation { conversation_id } = &target {
        let frames = host.watch(conversation_id).await?;
        let channel = channel.channel_on::<R, Vec<Frame>>(webview);
        watches.begin(&window, kind, ticket, frames, move |batch| channel.send(batch).is_ok());
    } else {
        let words = host.notice(target).await?;
        let channel = channel.channel_on::<R, Vec<Noticed>>(webview);
        watches.begin(&window, kind, ticket, words, move |batch| channel.send(batch).is_ok());
    }
    Ok(())
}

/// An argument as it was parsed. A window gets a [`Failure`] for a malformed one, as for
/// everything else that goes wrong, and not Tauri's sentence.
pub(crate) struct ParsedArg<T>(pub(crate) Result<T, Failure>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for ParsedArg<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As an option, because an absent argument is malformed too.
        let value = Option::<Value>::deserialize(deserializer)?.unwrap_or(Value::Null);
        Ok(Self(serde_json::from_value(value).map_err(|e| malformed(Why::quoted(e)))))
    }
}

fn malformed(why: Why) -> Failure {
    Failure::new(ErrorCode::BadRequest, general::window_malformed(why))
        .with_action(general::reload_window())
}
