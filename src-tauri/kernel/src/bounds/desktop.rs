//! How much the window and the desktop around it take from each other.

/// Characters of the title of an announcement, and of its text.
pub const ANNOUNCED_TITLE_CHARS: usize = 200;
/// See [`ANNOUNCED_TITLE_CHARS`].
pub const ANNOUNCED_TEXT_CHARS: usize = 500;
/// Conversations of which the desktop shows an announcement that a newer one replaces.
pub const ANNOUNCED_CONVERSATIONS: usize = 100;
/// Announcements that wait for the desktop; beyond it none is taken.
pub const ANNOUNCEMENTS_WAITING: usize = 16;
/// Files, folders and links that one start of the program takes.
pub const OPENED_ARGUMENTS: usize = 32;
/// Bytes of a link that is taken.
pub const LINK_BYTES: usize = 1000;
/// Things opened outside the window that wait for it; beyond it the oldest go.
pub const OPENED_WAITING: usize = 100;
/// Characters of the title that a page gives its window.
pub const WINDOW_TITLE_CHARS: usize = 200;
/// Conversations at work, or waiting for the person, of which a window is told.
pub const ACTIVE_CONVERSATIONS: u32 = 200;

/// Judgements of a run that a window is told: the newest ones.
pub const LISTED_JUDGEMENTS: usize = 50;
/// Answers of the person to questions of a run that a window is told: the newest ones.
pub const LISTED_ANSWERS: usize = 100;
/// Bytes of JSON of a question, and of an answer, in that list: of a larger one the beginning.
pub const LISTED_BYTES: usize = 8 * 1024;
/// Values of such a long answer, and of a list within it.
pub const LISTED_VALUES: usize = 20;
