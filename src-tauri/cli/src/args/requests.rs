//! `--requests [N]`

use std::num::ParseIntError;
use std::str::FromStr;

/// Which requests of a run are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichRequests {
    /// A line of each.
    All,
    /// The one with this number, whole.
    Numbered(u64),
}

impl FromStr for WhichRequests {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        if text == "all" { Ok(Self::All) } else { text.parse().map(Self::Numbered) }
    }
}
