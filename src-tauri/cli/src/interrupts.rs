//! Ctrl-C: once stops the turn cleanly, twice ends the process (spec 11).

use host::host::Host;
use kernel::code::Failure;
use kernel::command::{Command, Receipt};
use std::pin::pin;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::exit::Exit;

/// The first Ctrl-C. The second one ends the process at once, whatever it waits for: what was
/// shown is on disk, and the operating system takes the lease back.
pub(crate) struct Interrupts {
    pressed: UnboundedReceiver<()>,
    /// It was pressed while a command was taken in, which is stopped when it is.
    is_due: bool,
}

impl Interrupts {
    /// From now on Ctrl-C is ours, and no press of it is missed: the second may follow the first at
    /// once.
    pub(crate) fn listen() -> Self {
        let (sender, pressed) = unbounded_channel();
        match presses() {
            Ok(mut presses) => {
                tokio::spawn(async move {
                    if presses.recv().await.is_some() {
                        _ = sender.send(());
                    }
                    if presses.recv().await.is_some() {
                        host::process_group::end_all();
                        std::process::exit(Exit::Interrupted as i32);
                    }
                });
            }
            Err(e) => tracing::warn!(error = %e, "Ctrl-C cannot be waited for"),
        }
        #[cfg(unix)]
        end_when_told();
        Self { pressed, is_due: false }
    }

    /// Submits a command, and hurries when it is pressed: the words are kept first, and stopped then.
    pub(crate) async fn submit(
        &mut self,
        host: &Host,
        command: Command,
    ) -> Result<Receipt, Failure> {
        let mut submitting = pin!(host.submit(command));
        tokio::select! {
            done = &mut submitting => return done,
            () = self.pressed() => {}
        }
        self.is_due = true;
        host.hurry();
        submitting.await
    }

    /// Returns when it is pressed; told once.
    pub(crate) async fn pressed(&mut self) {
        if std::mem::take(&mut self.is_due) {
            return;
        }
        if self.pressed.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
fn presses() -> std::io::Result<tokio::signal::unix::Signal> {
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())
}

#[cfg(windows)]
fn presses() -> std::io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}

/// A program that is told to end takes the commands of the person with it; what was shown is on disk.
#[cfg(unix)]
fn end_when_told() {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::terminate(), SignalKind::hangup()] {
        let Ok(mut told) = signal(kind) else { continue };
        tokio::spawn(async move {
            if told.recv().await.is_some() {
                host::process_group::end_all();
                std::process::exit(128 + kind.as_raw_value());
            }
        });
    }
}
