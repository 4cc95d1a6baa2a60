//! Time as a value. The kernel does not know what time it is; it is told.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// An instant, in milliseconds since 1970-01-01T00:00:00Z. Written as RFC 3339 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct Time(i64);

impl Time {
    /// From milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(t) => write!(f, "{t:.3}"),
            Err(_) => f.write_str("1970-01-01T00:00:00.000Z"),
        }
    }
}

impl std::str::FromStr for Time {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let t: jiff::Timestamp = text.parse().map_err(|e: jiff::Error| e.to_string())?;
        Ok(Self(t.as_millisecond()))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_written_as_rfc_3339_with_milliseconds_and_read_back() {
        let t = Time::from_millis(1_763_769_600_123);
        assert_eq!(t.to_string(), "2025-11-22T00:00:00.123Z");
        assert_eq!(t.to_string().parse(), Ok(t));
    }
}
