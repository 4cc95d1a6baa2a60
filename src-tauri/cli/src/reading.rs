//! Says how far a large package is read or installed.

use host::host::Host;
use kernel::command::Query;
use kernel::phrase::printed;
use kernel::wire::{Answer, ReadPackage};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use crate::output::Output;

/// Nobody is told of what takes no longer, and of the rest as often as that.
const PACE: Duration = Duration::from_secs(2);

/// Waits for what reads a package, and says now and then how far that is.
pub(crate) async fn told<T>(
    host: &Arc<Host>,
    of: &ReadPackage,
    out: &Output,
    work: impl Future<Output = T>,
) -> T {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(PACE), if !out.json => say(host, of, out).await,
        }
    }
}

async fn say(host: &Arc<Host>, of: &ReadPackage, out: &Output) {
    let reading = host.query(Query::PackageReading(of.clone())).await;
    if let Ok(Answer::PackageReading(Some(reading))) = reading {
        out.note(match (reading.of, reading.is_installing) {
            (Some(of), true) => printed::installing_files(reading.done, of),
            (Some(of), false) => printed::reading_files(reading.done, of),
            (None, _) => printed::reading_some_files(reading.done),
        });
    }
}
