//! Why an archive, or a folder in place of one, is not taken: the same reasons for packages and
//! exported runs, each told of what somebody chose.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Part, Phrase, exports, packages};
use kernel::text::ellipsis;
use serde_json::json;

/// What is repeated of a name, bytes.
const SHOWN: usize = 240;

/// See the module.
#[derive(Debug)]
pub(crate) enum PackageRefusal {
    /// `PACKAGE_READING_STOPPED`: whoever wanted it read does not want that any more.
    Stopped,
    /// `ARCHIVE_INVALID`: it cannot be unpacked.
    Invalid {
        /// The archive, or an entry of it.
        what: String,
        /// What is wrong with it.
        why: Part,
    },
    /// `ARCHIVE_UNSAFE`: an entry could harm, or be another file on another system.
    Unsafe {
        /// Its name.
        entry: String,
        /// What is wrong with it.
        why: Part,
    },
    /// `ARCHIVE_LIMIT`: it holds more than it may.
    OverLimit {
        /// The name of the limit.
        limit: &'static str,
        /// Its value, in the unit that the name says.
        max: u64,
        /// The entry that was over it, where one was.
        entry: Option<String>,
    },
}

impl PackageRefusal {
    pub(super) fn invalid(what: &str, why: Part) -> Self {
        Self::Invalid { what: what.to_owned(), why }
    }

    pub(super) fn of_entry(entry: &str, why: impl Into<Part>) -> Self {
        Self::Unsafe { entry: entry.to_owned(), why: why.into() }
    }

    pub(crate) fn over_limit(limit: &'static str, max: u64, entry: Option<&str>) -> Self {
        Self::OverLimit { limit, max, entry: entry.map(str::to_owned) }
    }

    /// As it is told of an exported run.
    pub(crate) fn of_exported_run(self) -> Failure {
        let message = match &self {
            Self::Invalid { what, why } => packages::not_unpacked(shown(what), why.clone()),
            Self::Unsafe { entry, why } => exports::run_entry_unsafe(shown(entry), why.clone()),
            Self::Stopped => packages::reading_stopped(),
            Self::OverLimit { limit, max, entry: None } => exports::run_over_limit(limit, max),
            Self::OverLimit { limit, max, entry: Some(entry) } => {
                exports::run_over_limit_at(limit, max, shown(entry))
            }
        };
        self.failure(message).with_action(exports::choose_exported())
    }

    /// As it is told of a package.
    fn of_package(self) -> Failure {
        let (message, action) = match &self {
            Self::Stopped => (packages::reading_stopped(), packages::import_once_more()),
            Self::Invalid { what, why } => {
                (packages::not_unpacked(shown(what), why.clone()), packages::must_be_zip())
            }
            Self::Unsafe { entry, why } => {
                (packages::entry_unsafe(shown(entry), why.clone()), packages::clean_package())
            }
            Self::OverLimit { limit, max, entry: None } => {
                (packages::over_limit(limit, max), packages::leave_data_out())
            }
            Self::OverLimit { limit, max, entry: Some(entry) } => {
                (packages::over_limit_at(limit, max, shown(entry)), packages::leave_data_out())
            }
        };
        self.failure(message).with_action(action)
    }

    fn failure(self, message: Phrase) -> Failure {
        let (code, details) = match self {
            Self::Stopped => return Failure::new(ErrorCode::PackageReadingStopped, message),
            Self::Invalid { what, why } => (
                ErrorCode::ArchiveInvalid,
                json!({ "entry": shown(&what), "reason": why.english() }),
            ),
            Self::Unsafe { entry, why } => (
                ErrorCode::ArchiveUnsafe,
                json!({ "entry": shown(&entry), "reason": why.english() }),
            ),
            Self::OverLimit { limit, max, entry } => {
                let entry = entry.as_deref().map(shown);
                (ErrorCode::ArchiveLimit, json!({ "limit": limit, "max": max, "entry": entry }))
            }
        };
        Failure::new(code, message).with_details(details)
    }
}

impl From<PackageRefusal> for Failure {
    fn from(refusal: PackageRefusal) -> Self {
        refusal.of_package()
    }
}

fn shown(name: &str) -> String {
    ellipsis(&name.escape_debug().to_string(), SHOWN)
}
