//! Words about something that is watched, one after the other.

use kernel::wire::Noticed;
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

use super::watch::{Changes, Observed, Watching};

/// Tells what `word` makes of each change, until nobody listens.
pub(super) async fn each(
    mut observed: Observed,
    sender: Sender<Noticed>,
    watching: Arc<Watching>,
    mut word: impl AsyncFnMut(Changes) -> Option<Noticed>,
) {
    let mut limited = observed.limited;
    loop {
        if limited
            && let Some(noticed) = watching.limited()
            && sender.send(noticed).await.is_err()
        {
            break;
        }
        let changes = tokio::select! {
            () = sender.closed() => break,
            changes = observed.next() => changes,
        };
        let Some(changes) = changes else { break };
        limited = changes.limited;
        if let Some(noticed) = word(changes).await
            && sender.send(noticed).await.is_err()
        {
            break;
        }
    }
    observed.stop().await;
}
