//! What the desktop is asked to tell the person.

use kernel::bounds::{ANNOUNCED_TEXT_CHARS, ANNOUNCED_TITLE_CHARS};
use kernel::ids::ConversationId;
use kernel::visible::{visible, visible_line};

/// That a run waits or has ended, in words that a desktop may show: bounded, and with signs in place
/// of what cannot be seen. They are text and no markup.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Announcement {
    /// Which a click shows.
    pub conversation_id: ConversationId,
    /// In one line.
    pub title: String,
    /// What happened, or what is wanted.
    pub text: String,
}

impl Announcement {
    /// What the host announces for a window.
    pub fn new(conversation_id: ConversationId, title: &str, text: &str) -> Self {
        // Cut before and after: signs may be longer than what they stand for.
        let title = visible_line(&cut(title, ANNOUNCED_TITLE_CHARS));
        let text = visible(&cut(text, ANNOUNCED_TEXT_CHARS));
        Self {
            conversation_id,
            title: cut(&title, ANNOUNCED_TITLE_CHARS),
            text: cut(&text, ANNOUNCED_TEXT_CHARS),
        }
    }
}

/// As many characters as may be shown; the last one says that there were more.
fn cut(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_is_bounded_and_hides_nothing() {
        let id: ConversationId = "run-1".parse().unwrap();
        let plain = Announcement::new(id.clone(), "A garden", "Ripe?\nOr not?");
        assert_eq!((plain.title.as_str(), plain.text.as_str()), ("A garden", "Ripe?\nOr not?"));

        let long = Announcement::new(id.clone(), &"长".repeat(201), &"\u{1b}".repeat(501));
        assert_eq!(long.title.chars().count(), ANNOUNCED_TITLE_CHARS);
        assert_eq!(long.text.chars().count(), ANNOUNCED_TEXT_CHARS);
        assert!(long.title.ends_with('…') && long.text.ends_with('…'));
        assert!(!long.text.chars().any(char::is_control));

        let hostile = Announcement::new(id, "a\nb\u{202e}c", "d\u{7}e");
        assert!(!hostile.title.contains(['\n', '\u{202e}']) && !hostile.text.contains('\u{7}'));
        assert!(hostile.title.contains('a') && hostile.text.contains('e'));
    }
}
