//! The three commands (spec 09 "IPC contract"). Each checks its arguments and asks the host.

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::wire::{Answer, Command, Frame, Query, Receipt};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;
use tauri::ipc::Channel;
use tauri::{Runtime, State, Webview};

use crate::door::Door;
use crate::frames::Watches;

/// `submit({command})`: a wish. Its results arrive as frames.
#[tauri::command]
pub(crate) async fn submit(
    door: State<'_, Door>,
    command: Asked<Command>,
) -> Result<Receipt, Failure> {
    let command = command.0?;
    door.host().await?.submit(command).await
}

/// `query({query})`: a read.
#[tauri::command]
pub(crate) async fn query(door: State<'_, Door>, query: Asked<Query>) -> Result<Answer, Failure> {
    let query = query.0?;
    door.host().await?.query(query).await
}

/// `watch({target, channel})`: the frames of a conversation, `Whole` first, in batches. A window
/// watches one conversation at a time: the newest watch ends the one before.
#[tauri::command]
pub(crate) async fn watch<R: Runtime>(
    webview: Webview<R>,
    door: State<'_, Door>,
    watches: State<'_, Watches>,
    target: Asked<ConversationId>,
    channel: Channel<Vec<Frame>>,
) -> Result<(), Failure> {
    let ticket = watches.ticket(webview.label());
    let frames = door.host().await?.watch(&target.0?).await?;
    watches.begin(webview.label(), ticket, frames, move |batch| channel.send(batch).is_ok());
    Ok(())
}

/// An argument as it was parsed. A window gets a [`Failure`] for a malformed one, as for
/// everything else that goes wrong, and not Tauri's sentence.
pub(crate) struct Asked<T>(pub(crate) Result<T, Failure>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Asked<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As an option, because an absent argument is malformed too.
        let value = Option::<Value>::deserialize(deserializer)?.unwrap_or(Value::Null);
        Ok(Self(serde_json::from_value(value).map_err(|error| malformed(&error))))
    }
}

fn malformed(error: &serde_json::Error) -> Failure {
    Failure::new(
        ErrorCode::BadRequest,
        format!("the window asked for something malformed: {error}"),
    )
    .with_action("Reload the window (Ctrl+R). If it happens again, please report it.")
}
