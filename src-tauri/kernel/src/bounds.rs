//! How much of what others wrote is taken: packages, models, servers, projects.
//!
//! Whoever reads foreign data asks here before a library sees it and before anything is made of
//! it. Sizes are the bytes and entries one takes; [`Fuel`] is for work whose size cannot be told
//! beforehand. What is over a bound is refused in words; what is cut for a reader says so.

mod desktop;
mod fuel;
mod models;
mod servers;
mod skills;
mod weight;

use std::fmt;

pub use desktop::*;
pub use fuel::{Exhausted, Fuel};
pub use models::*;
pub use servers::*;
pub use skills::*;
pub use weight::json_weight;

// Globs, ignore files, walks.

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
pub fn size(bytes: u64) -> String {
    crate::text::bytes(bytes).replace(".0 ", " ")
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
///
/// # Errors
/// [`UnfitGlob`] when it is too long or has too many alternatives.
pub fn check_glob(glob: &str) -> Result<(), UnfitGlob> {
    if glob.len() > GLOB_BYTES {
        return Err(UnfitGlob::TooLong);
    }
    if glob.matches('{').count() > GLOB_ALTERNATIVES {
        return Err(UnfitGlob::TooManyAlternatives);
    }
    Ok(())
}

/// Entries of folders whose names a walk holds at once: those of a folder, and of the folders above.
pub const ENTRIES_HELD: usize = 100_000;
/// Entries that one call looks at below a folder.
pub const ENTRIES_SEEN: usize = 1_000_000;

// Hooks.

/// Hooks of a project.
pub const HOOKS: usize = 16;
/// Bytes of a hook's name.
pub const HOOK_NAME_BYTES: usize = 64;
/// Bytes of a hook's command.
pub const HOOK_COMMAND_BYTES: usize = 4096;
/// Seconds that a hook may take at most.
pub const HOOK_SECONDS: u32 = 3600;
/// Hooks at work at once, in all runs.
pub const HOOKS_AT_ONCE: usize = 8;
/// Bytes that are kept of what a hook writes: the last ones.
pub const HOOK_OUTPUT_BYTES: usize = 4096;

// Diffs.

/// Hunks of one diff.
pub const HUNKS: usize = 1000;
/// Comparisons of lines that looking for the places of a diff may take: far more than any diff
/// needs that says where it belongs, and well under a second.
pub const FIT_STEPS: u64 = 20_000_000;
/// Places that are counted where a hunk fits at several.
pub const PLACES: usize = 100;

/// Bytes that are shown of a file that a person opens.
pub const VIEWED_BYTES: usize = 1024 * 1024;
/// Bytes of a diff that is opened whole: a window holds all of it at once.
pub const WHOLE_BYTES: usize = 8 * 1024 * 1024;
/// Lines of a diff that is opened whole.
pub const WHOLE_LINES: usize = 400_000;

// Replies and requests.

/// Calls of one reply.
pub const CALLS_PER_REPLY: usize = 64;
/// Calls of a run that are at work at once: each may hold a whole file.
pub const CALLS_AT_ONCE: usize = 4;
/// How often the program may end while it works on a call. The first time it may have been
/// anything; a call that was there twice is taken for the cause.
pub const CALL_INTERRUPTIONS: u8 = 2;
/// Bytes of the arguments of a call.
pub const ARGUMENT_BYTES: usize = 1024 * 1024;
/// Bytes of the name of a call.
pub const CALL_NAME_BYTES: usize = 1000;
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
/// Bytes of what a person says at once. One that a request cannot hold would end the conversation.
pub const INPUT_BYTES: usize = 1024 * 1024;
/// Places in a person's words where a file may be mentioned that are looked up on the disk.
pub const MENTIONS: usize = 50;
/// Files that are given along with a person's words.
pub const GIVEN_FILES: usize = 5;
/// Bytes that a model is shown of such a file: summaries are pasted, files are read.
pub const PREVIEW_BYTES: usize = 2_000;
/// Files that are offered to a person who writes a mention, and entries of a project that they are
/// looked for among.
pub const OFFERED_FILES: usize = 20;
/// Files that somebody else changed and that a person wants back all the same.
pub const OVERWRITTEN_FILES: usize = 1000;
/// Files that going back is said to bring back, and as many that it is said to leave.
pub const FILES_GONE_BACK: usize = 1000;
/// Entries of a folder that a person is shown.
pub const LISTED_ENTRIES: usize = 1000;
/// See [`OFFERED_FILES`].
pub const OFFERED_FROM: usize = 20_000;
/// Bytes of arguments that are parsed to find out whether a call is whole, where a server tells
/// neither its number nor its id.
pub const REPARSED_BYTES: u64 = 16 * 1024 * 1024;
/// Texts of `expect_contains`, and bytes of one: all are looked for in every piece of a file.
pub const TOKENS: usize = 50;
/// See [`TOKENS`].
pub const TOKEN_BYTES: usize = 4096;
/// Bytes of a text that is short enough to be looked for whole: what a write says that nobody checked.
pub const KNOWN_TEXT_BYTES: usize = 256;
/// Bytes of the files of a run that are hashed again before its last words are judged.
pub const REREAD_BYTES: u64 = 256 * 1024 * 1024;
/// Todos of a run.
pub const TODOS: usize = 500;
/// Todos of one call, bytes of a text of one, entries of one of its lists.
pub const TODO_ITEMS: usize = 64;
/// See [`TODO_ITEMS`].
pub const TODO_TEXT_BYTES: usize = 1024;
/// Sub-agents that work for one conversation at once.
pub const SUBAGENTS_AT_ONCE: usize = 4;
/// Sub-agents that a model may ask for before the person speaks again.
pub const SUBAGENTS_PER_TURN: u32 = 16;
/// Requests of a sub-agent to its model, and how many when nobody says.
pub const SUBAGENT_STEPS: u32 = 50;
/// See [`SUBAGENT_STEPS`].
pub const SUBAGENT_STEPS_DEFAULT: u32 = 20;
/// Seconds that a sub-agent may work, and how many when nobody says.
pub const SUBAGENT_SECONDS: u32 = 3600;
/// See [`SUBAGENT_SECONDS`].
pub const SUBAGENT_SECONDS_DEFAULT: u32 = 600;
/// Bytes of what a sub-agent is told to do.
pub const SUBAGENT_PROMPT_BYTES: usize = 64 * 1024;
/// Tools that a sub-agent's are narrowed to.
pub const SUBAGENT_TOOLS: usize = 64;
/// Files that a sub-agent changed of which its call tells a model.
pub const SUBAGENT_CHANGED: usize = 50;
/// Paths that a sub-agent's are narrowed to.
pub const SUBAGENT_PATHS: usize = 64;
/// Bytes of the texts of a sub-agent's report.
pub const REPORT_BYTES: usize = 32 * 1024;
/// Entries of each list of it.
pub const REPORT_ENTRIES: usize = 100;
/// Names of tools and blocks that are read off a step file.
pub const STEP_NAMES: usize = 200;
/// Steps that a person is told do not fit in what the model reads.
pub const STEPS_TOO_LONG: usize = 20;
/// Variables that a step is said to set.
pub const STEP_VARIABLES: usize = 50;
/// Operations of one patch.
pub const PATCH_OPERATIONS: usize = 50;

// Pages.

/// Messages of a page of a conversation, as they are stored: one page is one document.
pub const MESSAGES_PER_PAGE: u32 = 1_000;

// Forms.

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

// Front matters, the settings, the state document.

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
/// Names in a settings file that are no settings, of those that are told.
pub const SETTINGS_STRANGERS: usize = 20;
/// Bytes of the state document: what is accepted can always be read back.
pub const STATE_BYTES: u64 = 1024 * 1024;
/// Bytes of all the versions of the state document that calls make in one turn of the user.
pub const STATE_VERSIONS_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes that operations may make of the state document on their way: the last one has to shorten
/// it again.
pub const STATE_GROWN_BYTES: usize = 2 * 1024 * 1024;

/// Facts that a snapshot of a run holds: the newest ones.
pub const FACTS_IN_SNAPSHOT: usize = 1000;

// Packages and exports.

/// Bytes of a file of a package that is parsed: manifest, agents, graph, `workflow.md`, step file.
pub const PARSED_BYTES: u64 = 1024 * 1024;
/// Bytes that are parsed of one package, a file as often as it is named.
pub const PARSED_IN_ALL: u64 = 16 * 1024 * 1024;
/// Memory that the values of all JSON files of a package take, a file as often as it is named. See
/// [`json_weight`].
pub const PARSED_WEIGHT: u64 = 32 * 1024 * 1024;
/// Bytes of a demo trace: people's are some kilobytes.
pub const TRACE_BYTES: u64 = 1024 * 1024;
/// Demo traces of a package that are read when it is checked.
pub const TRACES: usize = 100;
/// Workflows, and agents, of a package.
pub const WORKFLOWS: usize = 200;
/// See [`WORKFLOWS`].
pub const AGENTS: usize = 200;
/// Nodes of a graph.
pub const NODES: usize = 10_000;
/// Workflows of a run that are under way at once, each called by a step of the one before.
pub const NESTED_WORKFLOWS: usize = 8;
/// Edges of a graph.
pub const EDGES: usize = 20_000;
/// Values of a document up to which everything that breaks its schema is told.
pub const SCHEMA_VALUES: usize = 10_000;
/// Findings of a report, and errors after which no more are looked for: nobody reads them, and a
/// hostile package could make millions.
pub const FINDINGS: usize = 500;

/// Steps of a workflow whose names stand in its summary.
pub const SUMMARY_STEPS: usize = 200;

/// Folders that the permission sheet of a package names, those of each agent counted by themselves.
pub const OUTPUT_FOLDERS: usize = 10_000;

/// Memory that the values of an exported journal take, and of the list of its entries. See
/// [`json_weight`].
pub const JOURNAL_WEIGHT: u64 = 64 * 1024 * 1024;

// Conditions.

/// Values and operators of a condition.
pub const CONDITION_PARTS: usize = 200;
/// Operators and lists within each other.
pub const CONDITION_DEPTH: usize = 16;
/// Bytes of a text in a condition.
pub const CONDITION_TEXT: usize = 4096;
/// Words of the person that conditions of a step may ask for, the newest of them.
pub const SAID_IN_STEP: usize = 32;
/// Bytes of words that can be a choice.
pub const SAID_WORDS_BYTES: usize = 120;
/// Values that judging all conditions of one node may look at.
pub const CONDITION_STEPS: u64 = 5_000_000;

/// Names that are looked up to say which conditions ask for variables that nothing sets.
pub const CONDITION_LOOKUPS: u64 = 2_000_000;

// Archives.

/// What an archive or a folder may hold at most (spec 03 "Archive limits"). Counted on what is
/// actually read, not on what headers say.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveLimits {
    /// Files and folders.
    pub entries: usize,
    /// Bytes of all files together.
    pub total_bytes: u64,
    /// Bytes of one file.
    pub entry_bytes: u64,
    /// Unpacked bytes for one packed byte, for entries over `ratio_from` bytes.
    pub ratio: u64,
    /// Entries up to this size may be packed as well as they like.
    pub ratio_from: u64,
    /// The same for all entries together, from [`UNPACKED_FREELY`] on.
    pub total_ratio: u64,
    /// Bytes of one path.
    pub path_bytes: usize,
    /// Folders one in the other.
    pub depth: usize,
}

/// Of a package: the limits of spec 03.
pub const PACKAGE_LIMITS: ArchiveLimits = ArchiveLimits {
    entries: 10_000,
    total_bytes: 512 * 1024 * 1024,
    entry_bytes: 64 * 1024 * 1024,
    ratio: 200,
    ratio_from: 64 * 1024,
    total_ratio: 50,
    path_bytes: 240,
    depth: 32,
};
/// Of an exported run, when it is written and when it is read. Journals repeat themselves, so they
/// pack far better than a package may: what counts is what comes out.
pub const EXPORT_LIMITS: ArchiveLimits = ArchiveLimits {
    entries: 25_000,
    total_bytes: 512 * 1024 * 1024,
    entry_bytes: 256 * 1024 * 1024,
    ratio: 1_100,
    ratio_from: 1024 * 1024,
    // A journal says the same thing often.
    total_ratio: 1_100,
    path_bytes: 260,
    depth: 40,
};
/// What an archive may unpack to however small it is: people's packages are far smaller.
pub const UNPACKED_FREELY: u64 = 64 * 1024 * 1024;
/// What one entry of an archive's list may take: its header, the longest name, some extra fields.
pub const ARCHIVE_ENTRY_BYTES: u64 = 400;
/// What is read besides: the end of an archive, where the list is looked for.
pub const ARCHIVE_END_BYTES: u64 = 512 * 1024;

// Projects: names, folders, files.

/// Bytes of a path below a folder, as the strictest of the systems has it.
pub const PATH_BYTES: usize = 4096;
/// Bytes of one name in it.
pub const SEGMENT_BYTES: usize = 255;
/// Bytes of an id that becomes part of a file's name.
pub const FILE_ID_BYTES: usize = 200;
/// Bytes of an id that a package's author gives, as the format has it.
pub const AUTHOR_ID_BYTES: usize = 256;
/// Bytes of `.crewagent.json`: it has a few hundred.
pub const PROJECT_FILE_BYTES: u64 = 1024 * 1024;
/// Links that are followed, as many as Linux follows before it calls it a loop.
pub const LINKS: usize = 40;
/// Folders one in the other that a walk goes into: each of them is held open.
pub const WALK_DEPTH: u32 = 64;
/// The same of a list.
pub const LIST_DEPTH: u32 = 5;
/// Entries of a folder that one call deletes or moves, and folders in it one in the other.
pub const TREE_ENTRIES: usize = 1000;
/// See [`TREE_ENTRIES`].
pub const TREE_DEPTH: usize = 64;
/// Matches of one search, and lines that are shown before and behind each.
pub const MATCHES: u32 = 1000;
/// See [`MATCHES`].
pub const MATCH_CONTEXT: u32 = 20;
/// Bytes of a pattern with the real names in it.
pub const SOUGHT_BYTES: u64 = 64 * 1024;
/// Memory that a regular expression may take: enough for honest ones.
pub const REGEX_BYTES: usize = 1024 * 1024;
/// Bytes of the longest line that a search holds; a file with a longer one is skipped.
pub const SEARCHED_LINE_BYTES: usize = 16 * 1024 * 1024;
/// Lines of a file in which the nearest to a hunk that does not fit is looked for.
pub const COMPARED_LINES: usize = 20_000;
/// Changed lines a side above which all from the first to the last change counts as replaced: the
/// exact answer would take time that grows with the square.
pub const EXACT_LINES: usize = 2000;
/// Folders that get a watch. A tree with more of them is watched down to where the number ends.
pub const WATCHED_FOLDERS: usize = 5_000;
/// The same where each of them has to be looked at again and again.
pub const POLLED_FOLDERS: usize = 2_000;
/// Bytes of a file that is read to find out whether the program wrote it.
pub const OWN_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Bytes of a file that is kept as it was before a call changed it.
pub const KEPT_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes that all kept files of one run may take on the disk.
pub const KEPT_RUN_BYTES: u64 = 1024 * 1024 * 1024;
/// Bytes of a changed file whose lines are counted.
pub const COMPARED_FILE_BYTES: u64 = 1024 * 1024;
/// The same of all files of one list.
pub const COMPARED_BYTES: u64 = 32 * 1024 * 1024;
/// Bytes of a line that is looked through at once for what was expected in a file.
pub const VERIFIED_LINE_BYTES: usize = 1024 * 1024;
/// Bytes of text that are held meanwhile because they may be the name of a folder.
pub const VERIFIED_TEXT_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of a file of a run that is put into an export.
pub const EXPORTED_FILE_BYTES: u64 = 64 * 1024 * 1024;

// What a person hands over.

/// Bytes of a file of answers.
pub const ANSWERS_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of a key on the standard input.
pub const KEY_BYTES: u64 = 64 * 1024;
/// Bytes of a draft, as JSON.
pub const DRAFT_BYTES: usize = 256 * 1024;
/// Drafts that are kept; beyond it the oldest go.
pub const DRAFTS: u32 = 100;
/// Phrases and terms of a question to the history.
pub const QUESTION_TERMS: usize = 32;
/// Rows of a menu that are asked about at once.
pub const MENU_CHOICES: usize = 20;
/// Bytes of a file that an item of a menu follows, or that goes along with it.
pub const SCRIPT_BYTES: u64 = 128 * 1024;
/// Steps of the template engine for one part of a prompt: far above any, far below a hang.
pub const TEMPLATE_STEPS: u64 = 200_000;

// Names of private folders in texts.

/// How often one code may stand in a mark: a root has no more units.
pub const MARK_UNITS: usize = 10_000;
/// How often a percent sign may be encoded itself. A mark of a few letters must not stand for a
/// book: what is spelt beyond this is marked and cannot be written back.
pub const MARK_DEPTH: usize = 8;
/// Separators that a root takes along before its first name; more of them are text before it.
pub const ROOT_SEPARATORS: usize = 16;
/// Places of one root that are read in two ways.
pub const ROOT_FORKS: usize = 64;

// The store of an Electron runtime.

/// Bytes of an index, of a state document, of the settings.
pub const ELECTRON_SMALL_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of a log, of a tool result that has its own file.
pub const ELECTRON_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Bytes of the messages of one conversation.
pub const ELECTRON_MESSAGES_BYTES: u64 = 512 * 1024 * 1024;
/// Names in one folder.
pub const ELECTRON_NAMES: usize = 100_000;
/// Folders below `logs/`, one in the other.
pub const ELECTRON_DEPTH: u32 = 4;
/// Bytes of an id that is taken over: it becomes a file's name with something before and behind it.
pub const IMPORTED_ID_BYTES: usize = 120;
/// Problems of one file that are told; more of them are counted.
pub const IMPORT_PROBLEMS: usize = 1000;

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
    fn a_bound_is_told_as_people_read_it() {
        assert_eq!([size(20), size(8 << 20), size(2560)], ["20 B", "8 MiB", "2.5 KiB"]);
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
