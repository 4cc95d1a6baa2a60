//! How much of what others wrote is taken: packages, models, servers, projects.
//!
//! Whoever reads foreign data asks here before a library sees it and before anything is made of
//! it. Sizes are the bytes and entries one takes; [`Fuel`] is for work whose size cannot be told
//! beforehand. What is over a bound is refused in words, never cut in silence.

mod weight;

use std::fmt;

pub use weight::json_weight;

/// Steps that are left of a piece of work. Each step takes about as long as a short comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fuel(Option<u64>);

/// There was more to do than there was fuel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes too many steps")]
pub struct Exhausted;

impl Fuel {
    /// So many steps.
    pub const fn new(steps: u64) -> Self {
        Self(Some(steps))
    }

    /// Takes `steps`. When there are not so many left, there are none from then on.
    pub const fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        let Some(left) = self.0 else { return Err(Exhausted) };
        self.0 = left.checked_sub(steps as u64);
        if self.0.is_none() { Err(Exhausted) } else { Ok(()) }
    }

    /// Whether more was wanted than there was.
    pub const fn is_exhausted(&self) -> bool {
        self.0.is_none()
    }
}

/// Bytes of a glob, and of a line of an ignore file: people's are short.
pub const GLOB_BYTES: usize = 1000;
/// Alternatives `{a,b}` in a glob. They are matched, and freed, by functions that call themselves
/// for each level.
pub const GLOB_ALTERNATIVES: usize = 20;
/// Globs of one search.
pub const GLOBS: usize = 100;
/// Bytes of an ignore file.
pub const RULES_BYTES: u64 = 256 * 1024;
/// Rules of an ignore file.
pub const RULES: usize = 10_000;
/// Ignore files that hold at once, their bytes, and their rules: a compiled rule takes
/// far more memory than its text.
pub const RULE_FILES_HELD: usize = 200;
/// See [`RULE_FILES_HELD`].
pub const RULES_BYTES_HELD: u64 = 1024 * 1024;
/// See [`RULE_FILES_HELD`].
pub const RULES_HELD: usize = 20_000;
/// Rules that one call compiles, in folders one beside the other: some seconds of work.
pub const RULES_READ: u64 = 50_000;

/// A bound in bytes as people read it: `8 MiB`.
pub fn size(bytes: usize) -> String {
    crate::text::bytes(bytes as u64).replace(".0 ", " ")
}

/// Why a glob is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnfitGlob {
    /// Longer than [`GLOB_BYTES`].
    TooLong,
    /// More than [`GLOB_ALTERNATIVES`].
    TooManyAlternatives,
}

impl fmt::Display for UnfitGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "more than {GLOB_BYTES} bytes"),
            Self::TooManyAlternatives => write!(f, "more than {GLOB_ALTERNATIVES} `{{`"),
        }
    }
}

impl std::error::Error for UnfitGlob {}

/// Whether a library may see a glob.
pub fn check_glob(glob: &str) -> Result<(), UnfitGlob> {
    if glob.len() > GLOB_BYTES {
        return Err(UnfitGlob::TooLong);
    }
    if glob.matches('{').count() > GLOB_ALTERNATIVES {
        return Err(UnfitGlob::TooManyAlternatives);
    }
    Ok(())
}

/// Hunks of one diff.
pub const HUNKS: usize = 1000;
/// Comparisons of lines that looking for the places of a diff may take: far more than any diff
/// needs that says where it belongs, and well under a second.
pub const FIT_STEPS: u64 = 20_000_000;
/// Places that are counted where a hunk fits at several.
pub const PLACES: usize = 100;

/// Bytes of a diff that is opened whole: a window holds all of it at once.
pub const WHOLE_BYTES: usize = 8 * 1024 * 1024;
/// Lines of a diff that is opened whole.
pub const WHOLE_LINES: usize = 400_000;

/// Calls of one reply.
pub const CALLS_PER_REPLY: usize = 64;
/// Calls of a run that are at work at once: each may hold a whole file.
pub const CALLS_AT_ONCE: usize = 4;
/// How often the program may end while it works on a call. The first time it may have been
/// anything; a call that was there twice is taken for the cause.
pub const CALL_INTERRUPTIONS: u8 = 2;
/// Bytes of the arguments of a call.
pub const ARGUMENT_BYTES: usize = 1024 * 1024;
/// Bytes of the names and arguments of all calls of a reply.
pub const ARGUMENTS_IN_ALL: usize = 4 * 1024 * 1024;
/// Bytes of the text of a reply, and of what was thought for it: more than any model says at once.
pub const REPLY_BYTES: usize = 1024 * 1024;
/// Bytes of the name that a model gives itself.
pub const MODEL_NAME_BYTES: usize = 200;
/// What came with calls and is sent again with them, of how many calls, and its bytes: reasoning,
/// signatures.
pub const ECHOES: usize = 200;
/// See [`ECHOES`].
pub const ECHO_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of the conversation that a request may hold: more than any model reads. With every reply
/// it grows, and it lies in memory several times while it is sent.
pub const REQUEST_BYTES: usize = 8 * 1024 * 1024;
/// Bytes of arguments that are parsed to find out whether a call is whole, where a server tells
/// neither its number nor its id.
pub const REPARSED_BYTES: u64 = 16 * 1024 * 1024;
/// Texts of `expect_contains`, and bytes of one: all are looked for in every piece of a file.
pub const TOKENS: usize = 50;
/// See [`TOKENS`].
pub const TOKEN_BYTES: usize = 4096;
/// Operations of one patch.
pub const PATCH_OPERATIONS: usize = 50;

/// Fields of a form: nobody fills in more at once.
pub const FORM_FIELDS: usize = 100;
/// Options, actions or items of a question, and values of a field that is chosen.
pub const CHOICES: usize = 200;
/// Bytes of the pattern of a field.
pub const PATTERN_BYTES: usize = 1000;
/// Patterns of a form.
pub const PATTERNS: usize = 20;
/// Bytes that a pattern may take once it is compiled. Few characters can stand for very many.
pub const PATTERN_COMPILED_BYTES: usize = 1024 * 1024;

/// Bytes of a front matter, before a parser sees it.
pub const MATTER_BYTES: usize = 1024 * 1024;
/// Brackets that may be open at once in a front matter. The parser refuses 128 itself, but needs
/// quadratic time to find out; this is wide enough for brackets in texts and comments.
pub const MATTER_BRACKETS: usize = 1000;
/// Values of a YAML document, and bytes of its texts, with its aliases written out.
pub const YAML_VALUES: u64 = 100_000;
/// See [`YAML_VALUES`].
pub const YAML_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes that are read again to change keys of a front matter, all of it for each key.
pub const MATTER_EDIT_BYTES: usize = 16 * 1024 * 1024;
/// Entries of a list or map in a front matter that are changed one by one, times the entries that
/// it has: the library needs that many steps, and long ones. With more, it is written anew.
pub const MATTER_EDIT_STEPS: usize = 2500;
/// Bytes of the settings, and of the file that holds a key.
pub const SETTINGS_BYTES: u64 = 1024 * 1024;
/// Bytes of the state document: what is accepted can always be read back.
pub const STATE_BYTES: u64 = 1024 * 1024;
/// Bytes of all the versions of the state document that calls make in one turn of the user.
pub const STATE_VERSIONS_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes that operations may make of the state document on their way: the last one has to shorten
/// it again.
pub const STATE_GROWN_BYTES: usize = 2 * 1024 * 1024;

/// Bytes of a file of a package that is parsed: manifest, agents, graph, `workflow.md`, step file.
pub const PARSED_BYTES: u64 = 1024 * 1024;
/// Bytes that are parsed of one package, a file as often as it is named.
pub const PARSED_IN_ALL: u64 = 16 * 1024 * 1024;
/// Memory that the values of all JSON files of a package take, a file as often as it is named. See
/// [`json_weight`].
pub const PARSED_WEIGHT: u64 = 32 * 1024 * 1024;
/// Workflows, and agents, of a package.
pub const WORKFLOWS: usize = 200;
/// See [`WORKFLOWS`].
pub const AGENTS: usize = 200;
/// Nodes of a graph.
pub const NODES: usize = 10_000;
/// Edges of a graph.
pub const EDGES: usize = 20_000;
/// Values of a document up to which everything that breaks its schema is told.
pub const SCHEMA_VALUES: usize = 10_000;
/// Findings of a report, and errors after which no more are looked for: nobody reads them, and a
/// hostile package could make millions.
pub const FINDINGS: usize = 500;

/// Folders that the permission sheet of a package names, those of each agent counted by themselves.
pub const OUTPUT_FOLDERS: usize = 10_000;

/// Memory that the values of an exported journal take, and of the list of its entries. See
/// [`json_weight`].
pub const JOURNAL_WEIGHT: u64 = 64 * 1024 * 1024;

/// Values and operators of a condition.
pub const CONDITION_PARTS: usize = 200;
/// Operators and lists within each other.
pub const CONDITION_DEPTH: usize = 16;
/// Bytes of a text in a condition.
pub const CONDITION_TEXT: usize = 4096;
/// Values that judging all conditions of one node may look at.
pub const CONDITION_STEPS: u64 = 5_000_000;

/// Names in a settings file that are no settings, of those that are told.
pub const SETTINGS_STRANGERS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_is_spent_to_the_last_step_and_never_comes_back() {
        let mut fuel = Fuel::new(3);
        assert_eq!(fuel.spend(3), Ok(()));
        assert_eq!(fuel.spend(0), Ok(()));
        assert!(!fuel.is_exhausted(), "as much was wanted as there was");
        assert_eq!(fuel.spend(1), Err(Exhausted));
        assert!(fuel.is_exhausted());
        let mut fuel = Fuel::new(3);
        assert_eq!(fuel.spend(4), Err(Exhausted));
        assert_eq!(fuel.spend(1), Err(Exhausted), "what was too much left nothing");
    }

    #[test]
    fn a_glob_is_taken_up_to_its_bounds() {
        assert_eq!(check_glob(&"a".repeat(GLOB_BYTES)), Ok(()));
        assert_eq!(check_glob(&"a".repeat(GLOB_BYTES + 1)), Err(UnfitGlob::TooLong));
        assert_eq!(check_glob(&"{a}".repeat(GLOB_ALTERNATIVES)), Ok(()));
        let many = "{a}".repeat(GLOB_ALTERNATIVES + 1);
        assert_eq!(check_glob(&many), Err(UnfitGlob::TooManyAlternatives));
        assert_eq!(UnfitGlob::TooManyAlternatives.to_string(), "more than 20 `{`");
    }
}
