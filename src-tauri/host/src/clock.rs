//! The clock and the source of ids: two of the six things that are not functions.

use kernel::time::Time;
use std::time::{SystemTime, UNIX_EPOCH};

/// What time it is.
pub trait Clock: Send + Sync {
    /// The current time.
    fn now(&self) -> Time;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Where new ids come from.
pub trait Ids: Send + Sync {
    /// A new UUIDv7 as text.
    fn uuid(&self) -> String;
}

/// New UUIDv7s, of the time and of chance.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl Ids for RandomIds {
    fn uuid(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }
}
