//! Ctrl-C: once stops the turn cleanly, twice ends the process (spec 11).

use std::future::{Future, poll_fn};
use std::task::Poll;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::exit::Exit;

/// The first Ctrl-C. The second one ends the process at once, whatever it waits for: what was
/// shown is on disk, and the operating system takes the lease back.
pub(crate) struct Interrupts {
    pressed: UnboundedReceiver<()>,
}

impl Interrupts {
    /// From now on Ctrl-C is ours: when this returns it is listened to.
    pub(crate) async fn listen() -> Self {
        let (sender, pressed) = unbounded_channel();
        let mut first = Box::pin(tokio::signal::ctrl_c());
        // It begins to listen when it is polled first.
        let early = poll_fn(|cx| Poll::Ready(first.as_mut().poll(cx))).await;
        tokio::spawn(async move {
            let heard = match early {
                Poll::Ready(heard) => heard,
                Poll::Pending => first.await,
            };
            if heard.is_err() {
                tracing::warn!("Ctrl-C cannot be waited for");
                return;
            }
            _ = sender.send(());
            if tokio::signal::ctrl_c().await.is_ok() {
                host::hooks::end_all();
                std::process::exit(Exit::Interrupted as i32);
            }
        });
        #[cfg(unix)]
        end_when_told();
        Self { pressed }
    }

    /// Returns when it is pressed; told once.
    pub(crate) async fn pressed(&mut self) {
        if self.pressed.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

/// A program that is told to end takes the commands of the person with it; what was shown is on disk.
#[cfg(unix)]
fn end_when_told() {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::terminate(), SignalKind::hangup()] {
        let Ok(mut told) = signal(kind) else { continue };
        tokio::spawn(async move {
            if told.recv().await.is_some() {
                host::hooks::end_all();
                std::process::exit(128 + kind.as_raw_value());
            }
        });
    }
}
