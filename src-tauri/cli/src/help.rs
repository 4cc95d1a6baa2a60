//! The help of every command, from the catalogues of words (`templates/locales`): clap has words of
//! its own in English only, so that headings and notes are ours too.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use kernel::phrase::{Phrase, help as said};
use kernel::words::{Lang, say};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a catalogue says of a command.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Help {
    about: String,
    /// Arguments and options, by the names they have in [`crate::args`].
    #[serde(default)]
    args: BTreeMap<String, String>,
    /// What each value of an option means, where its name does not say so.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    commands: BTreeMap<String, Self>,
}

fn catalogue(lang: Lang) -> serde_json::Result<Help> {
    serde_json::from_str(match lang {
        Lang::En => include_str!("../../../templates/locales/en/help.json"),
        Lang::Zh => include_str!("../../../templates/locales/zh/help.json"),
    })
}

/// A command line with its help in a language. Without a catalogue, which a test excludes, it has
/// none.
pub(crate) fn in_language(command: Command, lang: Lang) -> Command {
    let words = HelpTexts { lang };
    let mut command = match catalogue(lang) {
        Ok(help) => words.described(command, &help),
        Err(_) => command,
    };
    // Clap adds `help` and `--help` now, and what they say is ours again.
    command.build();
    words.shaped(command)
}

struct HelpTexts {
    lang: Lang,
}

impl HelpTexts {
    fn say(&self, phrase: Phrase) -> String {
        say(&[phrase], self.lang)
    }

    fn described(&self, command: Command, help: &Help) -> Command {
        command.about(&help.about).mut_args(|arg| self.explained(arg, help)).mut_subcommands(
            |sub| match help.commands.get(sub.get_name()) {
                Some(help) => self.described(sub, help),
                None => sub,
            },
        )
    }

    /// An argument with what the catalogue says of it; behind it, as clap does, where its value comes
    /// from when it is not given, and what it may be.
    fn explained(&self, arg: Arg, help: &Help) -> Arg {
        let id = arg.get_id().to_string();
        let Some(text) = help.args.get(&id) else { return arg };
        // Clap lets nothing be hidden of what takes no value, and says nothing of it.
        if !arg.get_action().takes_values() {
            return arg.help(text).long_help(text);
        }
        let known = arg.get_possible_values();
        let names: Vec<&str> = known.iter().map(PossibleValue::get_name).collect();
        let values = Some(names.join(", ")).filter(|names| !names.is_empty());
        let values = values.map(|names| self.say(said::possible_values(names)));
        let origins = self.origins(&arg);
        let short: Vec<&String> = [text].into_iter().chain(&origins).chain(&values).collect();
        let meanings = help.values.get(&id).map(|meanings| self.listed(&names, meanings));
        let below = match &meanings {
            Some(_) => origins.join("\n"),
            None => {
                origins.iter().chain(&values).map(String::as_str).collect::<Vec<_>>().join("\n")
            }
        };
        let long = [Some(text.clone()), meanings.clone(), Some(below)].into_iter().flatten();
        let long: Vec<String> = long.filter(|part| !part.is_empty()).collect();
        arg.help(short.into_iter().map(String::as_str).collect::<Vec<_>>().join(" "))
            .long_help(long.join("\n\n"))
            .hide_env(true)
            .hide_default_value(true)
            .hide_possible_values(true)
    }

    /// Where a value comes from that is not given.
    fn origins(&self, arg: &Arg) -> Vec<String> {
        let env = arg.get_env().map(|name| {
            let value = std::env::var_os(name).unwrap_or_default();
            let set = format!("{}={}", name.to_string_lossy(), value.to_string_lossy());
            said::from_environment(set)
        });
        let default: Vec<_> =
            arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect();
        let default = Some(default.join(" ")).filter(|default| !default.is_empty());
        env.into_iter().chain(default.map(said::default_value)).map(|p| self.say(p)).collect()
    }

    /// Values and what they mean, below each other.
    fn listed(&self, names: &[&str], meanings: &BTreeMap<String, String>) -> String {
        let width = names.iter().map(|name| name.len() + 1).max().unwrap_or_default();
        let row = |name: &&str| {
            let means = meanings.get(*name).map(String::as_str).unwrap_or_default();
            format!("\n- {:<width$} {means}", format!("{name}:"))
        };
        let rows: String = names.iter().map(row).collect();
        self.say(said::values_heading()) + &rows
    }

    /// A built command: what clap added to it, and its headings.
    fn shaped(&self, command: Command) -> Command {
        let template = self.template(&command);
        command
            .help_template(template)
            .mut_args(|arg| match arg.get_id().as_str() {
                "help" => arg
                    .help(self.say(said::print_help()))
                    .long_help(self.say(said::print_summary())),
                "version" => arg.help(self.say(said::print_version())),
                _ => arg,
            })
            .mut_subcommands(|sub| {
                let sub = if sub.get_name() == "help" {
                    sub.about(self.say(said::print_help_of_command()))
                } else {
                    sub
                };
                self.shaped(sub)
            })
    }

    /// Clap's own, with our headings.
    fn template(&self, command: &Command) -> String {
        let styles = command.get_styles();
        let heading = |phrase: Phrase| {
            let style = styles.get_header();
            format!("{}{}{}", style.render(), self.say(phrase), style.render_reset())
        };
        let mut template =
            format!("{{about-with-newline}}\n{} {{usage}}", heading(said::usage_heading()));
        let sections = [
            (command.has_subcommands(), said::commands_heading(), "subcommands"),
            (command.get_positionals().next().is_some(), said::arguments_heading(), "positionals"),
            (true, said::options_heading(), "options"),
        ];
        for (_, phrase, tag) in sections.into_iter().filter(|(is_there, ..)| *is_there) {
            template = format!("{template}\n\n{}\n{{{tag}}}", heading(phrase));
        }
        template
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory as _;

    /// What the catalogue and the command line do not have in common.
    fn differences(command: &Command, help: &Help, at: &str, found: &mut Vec<String>) {
        // A global option is explained where it stands.
        let args: Vec<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
        let missing = args.iter().filter(|arg| !help.args.contains_key(**arg));
        found.extend(missing.map(|arg| format!("{at}: {arg} has no help")));
        let unused = help.args.keys().filter(|arg| !args.contains(&arg.as_str()));
        found.extend(unused.map(|arg| format!("{at}: there is no {arg}")));
        for (arg, meanings) in &help.values {
            let of = command.get_arguments().find(|a| a.get_id().as_str() == arg);
            let known = of.map(Arg::get_possible_values).unwrap_or_default();
            let known: Vec<&str> = known.iter().map(PossibleValue::get_name).collect();
            let mut said: Vec<&str> = meanings.keys().map(String::as_str).collect();
            said.sort_by_key(|name| known.iter().position(|k| k == name));
            if said != known {
                found.push(format!("{at} {arg}: the values are {known:?}, not {said:?}"));
            }
        }
        let subs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let unused = help.commands.keys().filter(|name| !subs.contains(&name.as_str()));
        found.extend(unused.map(|name| format!("{at}: there is no command {name}")));
        for sub in command.get_subcommands() {
            let path = format!("{at} {}", sub.get_name());
            match help.commands.get(sub.get_name()) {
                Some(help) => differences(sub, help, &path, found),
                None => found.push(format!("{path} has no help")),
            }
        }
    }

    #[test]
    fn every_command_option_and_value_has_its_help_in_every_language_and_no_help_is_for_nothing() {
        for lang in Lang::ALL {
            let mut found = Vec::new();
            differences(&Cli::command(), &catalogue(lang).unwrap(), lang.tag(), &mut found);
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
    }

    /// Every page of help, short and long.
    fn pages(command: &mut Command, out: &mut Vec<String>) {
        out.push(command.render_help().to_string());
        out.push(command.render_long_help().to_string());
        command.get_subcommands_mut().for_each(|sub| pages(sub, out));
    }

    #[test]
    fn no_page_of_help_in_chinese_has_a_word_of_claps() {
        let mut all = Vec::new();
        pages(&mut in_language(Cli::command(), Lang::Zh), &mut all);
        assert!(all.len() > 80, "only {} pages", all.len());
        for page in all {
            for word in [
                "Usage:",
                "Options:",
                "Arguments:",
                "Commands:",
                "Print",
                "[env",
                "[default",
                "ossible values",
            ] {
                assert!(!page.contains(word), "{word}: {page}");
            }
        }
    }

    #[test]
    fn a_page_of_help_in_english_looks_like_claps() {
        let mut command = in_language(Cli::command(), Lang::En);
        let page = command.find_subcommand_mut("conversations").unwrap();
        let page = page.find_subcommand_mut("export").unwrap().render_help().to_string();
        for line in [
            "Write a conversation into a file or to stdout, without real paths and keys\n\nUsage: crewagent conversations export [OPTIONS] <ID>\n\nArguments:\n  <ID>  A conversation's id, or a run's\n\nOptions:\n",
            "The format of the file [default: md] [possible values: messages.json, md, jsonl]\n",
            "  -h, --help ",
        ] {
            assert!(page.contains(line), "{page}");
        }
    }
}
