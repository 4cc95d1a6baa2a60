//! What is said where the program was started from, before there is a window.

use kernel::phrase::{Lang, Phrase, terminal};
use std::ffi::OsString;
use std::io::Write;

/// The environment variable that names the language, as for the command line.
const LANGUAGE_VARIABLE: &str = "CREWAGENT_LANG";

/// What the system says of its language, the most particular first.
const SYSTEM_LANGUAGE: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// Whether the arguments of a start ask how the program is called.
pub(crate) fn asks_for_help(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut options = arguments.into_iter().skip(1).take_while(|argument| argument != "--");
    options.any(|argument| argument == "--help" || argument == "-h")
}

/// Says how the program is called; the variable names the store.
pub(crate) fn help(store_variable: &str) {
    say(&mut std::io::stdout(), &[terminal::window_usage(store_variable)]);
}

/// Says that there is no display to open a window on.
pub(crate) fn no_display() {
    say(&mut std::io::stderr(), &[terminal::no_display(), terminal::start_with_a_display()]);
}

/// Each on a line of its own. Nobody may be listening, and that is no error.
fn say(to: &mut impl Write, phrases: &[Phrase]) {
    let lang = language(|name| std::env::var(name).ok());
    for words in phrases.iter().filter_map(|phrase| phrase.say(lang)) {
        _ = writeln!(to, "{words}");
    }
}

/// The first language that is named; English where there is no catalogue for it.
fn language(variable: impl Fn(&str) -> Option<String>) -> Lang {
    let mut named = [LANGUAGE_VARIABLE].into_iter().chain(SYSTEM_LANGUAGE).filter_map(variable);
    let named = named.find(|name| !name.is_empty()).unwrap_or_default();
    let tag = named.split(['_', '-', '.', '@']).next().unwrap_or_default();
    Lang::of_tag(tag).unwrap_or(Lang::En)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_asked_for_by_an_option_and_by_no_file() {
        let asks = |given: &[&str]| asks_for_help(given.iter().map(OsString::from));
        assert!(asks(&["program", "--demo", "--help"]) && asks(&["program", "-h"]));
        assert!(!asks(&["--help"]) && !asks(&["program", "--", "--help"]));
    }

    #[test]
    fn the_language_is_the_one_named_first() {
        let of = |set: &[(&str, &str)]| {
            language(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        assert_eq!(of(&[]), Lang::En);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8")]), Lang::Zh);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C.UTF-8")]), Lang::En);
        assert_eq!(of(&[("LANG", "zh_CN.UTF-8"), ("LC_ALL", "")]), Lang::Zh);
        assert_eq!(of(&[("LANG", "de_DE"), ("CREWAGENT_LANG", "zh")]), Lang::Zh);
    }
}
