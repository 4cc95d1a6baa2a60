//! A command line that is none, in words.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use kernel::phrase::{Phrase, Why, terminal};
use kernel::words::Lang;

/// What is wrong with it. What no phrase fits says clap.
pub(crate) fn said(error: &clap::Error) -> Phrase {
    use ContextKind as C;
    let get = |kind| error.get(kind).map(shown);
    let phrase = match error.kind() {
        ErrorKind::InvalidSubcommand => get(C::InvalidSubcommand).map(terminal::no_command),
        ErrorKind::UnknownArgument => get(C::InvalidArg).map(terminal::no_option),
        ErrorKind::MissingRequiredArgument => get(C::InvalidArg).map(terminal::missing_arguments),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            get(C::ValidSubcommand).map(terminal::missing_command)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = get(C::InvalidArg).zip(get(C::InvalidValue));
            value.map(|(name, value)| match get(C::ValidValue).filter(|known| !known.is_empty()) {
                _ if value.is_empty() => terminal::value_missing(name),
                Some(known) => terminal::wrong_value_of(name, value, known),
                None => terminal::wrong_value(name, value),
            })
        }
        ErrorKind::ArgumentConflict => match (get(C::InvalidArg), get(C::PriorArg)) {
            (Some(name), Some(other)) if name == other => Some(terminal::given_twice(name)),
            (Some(name), Some(other)) => Some(terminal::not_together(name, other)),
            _ => None,
        },
        _ => None,
    };
    phrase.unwrap_or_else(|| {
        let words = error.to_string();
        let first = words.lines().next().unwrap_or_default();
        terminal::wrong_command_line(Why::quoted(first.trim_start_matches("error: ")))
    })
}

fn shown(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(list) => list.join(", "),
        other => other.to_string(),
    }
}

/// The language of a command line that is not read yet.
pub(crate) fn language(given: &[String]) -> Lang {
    let env = std::env::var("CREWAGENT_LANG").ok();
    let pair = given.windows(2).rev().find(|pair| pair[0] == "--lang").map(|pair| pair[1].clone());
    let joined = given.iter().rev().find_map(|arg| arg.strip_prefix("--lang=").map(str::to_owned));
    let known = |tag: String| Lang::of_tag(&tag);
    joined.or(pair).and_then(known).or_else(|| env.and_then(known)).unwrap_or(Lang::En)
}
