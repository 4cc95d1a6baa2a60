//! The tools as the model sees them and the kernel judges them: names, arguments,
//! effect class (spec 05). Each has a file of its own, which is the only place that knows its name. What
//! they do to a disk is the host's (`host/src/tools`).

pub mod ask_user;
mod built_in;
mod check;
pub mod delete;
mod facts;
pub mod glob;
mod lacking;
pub mod list;
pub mod mcp;
pub mod move_;
mod output;
mod parse;
pub mod patch;
pub mod put_back;
pub mod read;
mod received;
pub mod report;
pub mod rewind;
mod scope;
pub mod search;
mod sent_back;
pub mod skill_activate;
pub mod skill_read;
pub mod spawn;
mod state;
mod step;
pub mod todo_list;
pub mod todo_write;
pub mod write;

use serde_json::Value;
use std::sync::{Arc, LazyLock};

use crate::changed_files::CallFileChange;
use crate::chat::ToolSpec;
use crate::code::{ErrorCode, Failure};
use crate::facts::{Fact, FactKind};
use crate::path::AliasPath;
use crate::policy::ToolPolicy;
use crate::restore::{Began, Restored};
use crate::skill::LoadedSkill;
use crate::tokens::{CountedText, Tokenizer};
use built_in::BuiltIn;
use facts::restored;

pub use built_in::{AtPath, EffectClass, Offer, Tool, wire_name};
pub(crate) use facts::restored_file;
pub use lacking::lacks;
pub use output::{CallResult, FailedResult, Lost, RefusalDetails, done, failure_of, small_members};
pub(crate) use parse::takes;
pub use parse::{parse_call, unknown_mark};
pub use received::{LooseArgs, ReceivedCall, ReceivedCalls};
pub use scope::{out_of_scope, would_ask};
pub use sent_back::sent_back;
pub use state::{CallStack, CallingStep, StateOutput, StatePreview, StateUnchanged};
pub use step::{OfferedTools, StepAnswer, StepMove, StepNow};

/// A call of a built-in tool: its checked arguments, and the paths they name.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolInput {
    /// Lists a folder.
    List(list::Input),
    /// Reads a file.
    Read(read::Input),
    /// Finds texts.
    Search(search::Input),
    /// Finds files by their names.
    Glob(glob::Input),
    /// Writes a file.
    Write(write::Input),
    /// Changes part of a file.
    Patch(patch::Input),
    /// Moves a file or a folder.
    Move(move_::Input),
    /// Deletes a file or a folder.
    Delete(delete::Input),
    /// Asks the person.
    AskUser(ask_user::Input),
    /// Goes back to a node.
    Rewind(rewind::Input),
    /// Changes the todos.
    TodoWrite(todo_write::Input),
    /// Lists the todos.
    TodoList(todo_list::Input),
    /// Lets a sub-agent work.
    Spawn(spawn::Input),
    /// A sub-agent hands in its report.
    Report(report::Input),
    /// The person puts a file back.
    PutBack(put_back::Input),
    /// Activates a skill.
    SkillActivate(skill_activate::Input),
    /// Reads a file of a skill.
    SkillRead(skill_read::Input),
    /// Calls a tool of a server.
    Mcp(mcp::Input),
}

/// What a call said that was carried out on a disk, before it is JSON for a model.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutput {
    /// What a folder holds.
    List(list::Output),
    /// A file's text.
    Read(read::Output),
    /// Where a text stands.
    Search(search::Output),
    /// Files by their names.
    Glob(glob::Output),
    /// A file was written or patched, or would be.
    Write(write::Output),
    /// A file or a folder has another path.
    Move(move_::Output),
    /// A file or a folder is gone.
    Delete(delete::Output),
    /// Files are back; the state document follows.
    Rewind(Restored),
    /// The text of a skill came in.
    Skill(Box<LoadedSkill>),
    /// A file of a skill.
    SkillFile(skill_read::Output),
}

/// The text of a file that a result shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOfFile<'o> {
    /// The file.
    pub path: &'o AliasPath,
    /// How many lines all of it has.
    pub total_lines: u64,
}

impl ToolOutput {
    /// The result as a model reads it.
    pub fn to_result(&self) -> Value {
        match self {
            Self::List(output) => done(output),
            Self::Read(output) => done(output),
            Self::Search(output) => done(output),
            Self::Glob(output) => done(output),
            Self::Write(output) => done(output),
            Self::Move(output) => done(output),
            Self::Delete(output) => done(output),
            Self::Rewind(files) => done(files),
            Self::Skill(skill) => done(&skill_activate::Output::of(skill)),
            Self::SkillFile(output) => done(output),
        }
    }

    /// The skill whose text came in.
    pub fn into_skill(self) -> Option<Box<LoadedSkill>> {
        match self {
            Self::Skill(skill) => Some(skill),
            _ => None,
        }
    }

    /// The text that it shows of a file, all of what was asked for.
    pub fn shown_text(&self) -> Option<TextOfFile<'_>> {
        match self {
            Self::Read(read::Output { path, total_lines, content: Some(_), .. }) => {
                Some(TextOfFile { path, total_lines: *total_lines })
            }
            Self::List(_)
            | Self::Read(_)
            | Self::Search(_)
            | Self::Glob(_)
            | Self::Write(_)
            | Self::Move(_)
            | Self::Delete(_)
            | Self::Rewind(_)
            | Self::Skill(_)
            | Self::SkillFile(_) => None,
        }
    }
}

/// How a call makes a new text of the file that it names.
#[derive(Debug, Clone, Copy)]
pub enum Edit<'c> {
    /// It says all of it, or what to add.
    Write(&'c write::Args),
    /// It says what to change.
    Patch(&'c patch::Args),
}

impl<'c> Edit<'c> {
    /// Which version of the file it is meant to follow.
    pub fn if_match(self) -> Option<&'c str> {
        match self {
            Self::Write(args) => args.if_match_sha256.as_deref(),
            Self::Patch(args) => args.if_match_sha256.as_deref(),
        }
    }
}

/// The built-in tools, in the order they are offered.
pub const BUILT_IN: &[Tool] = &[
    list::TOOL,
    read::TOOL,
    search::TOOL,
    glob::TOOL,
    write::TOOL,
    patch::TOOL,
    move_::TOOL,
    delete::TOOL,
    ask_user::TOOL,
    rewind::TOOL,
    todo_write::TOOL,
    todo_list::TOOL,
    spawn::TOOL,
    report::TOOL,
    skill_activate::TOOL,
    skill_read::TOOL,
];

/// Reads the arguments of a call.
type ArgsReader = fn(Value) -> Result<ToolInput, Failure>;

/// How the arguments of each of [`BUILT_IN`] are read.
const READ: [ArgsReader; BUILT_IN.len()] = [
    |args| list::parse(args).map(ToolInput::List),
    |args| read::parse(args).map(ToolInput::Read),
    |args| search::parse(args).map(ToolInput::Search),
    |args| glob::parse(args).map(ToolInput::Glob),
    |args| write::parse(args).map(ToolInput::Write),
    |args| patch::parse(args).map(ToolInput::Patch),
    |args| move_::parse(args).map(ToolInput::Move),
    |args| delete::parse(args).map(ToolInput::Delete),
    |args| Ok(ToolInput::AskUser(ask_user::Input::of(args))),
    |args| rewind::parse(args).map(ToolInput::Rewind),
    |args| todo_write::parse(args).map(ToolInput::TodoWrite),
    |args| todo_list::parse(args).map(ToolInput::TodoList),
    |args| spawn::parse(args).map(ToolInput::Spawn),
    |args| report::parse(args).map(ToolInput::Report),
    |args| skill_activate::parse(args).map(ToolInput::SkillActivate),
    |args| skill_read::parse(args).map(ToolInput::SkillRead),
];

impl ToolInput {
    /// What the call's own tool says of it.
    fn built_in(&self) -> &dyn BuiltIn {
        match self {
            Self::List(input) => input,
            Self::Read(input) => input,
            Self::Search(input) => input,
            Self::Glob(input) => input,
            Self::Write(input) => input,
            Self::Patch(input) => input,
            Self::Move(input) => input,
            Self::Delete(input) => input,
            Self::AskUser(input) => input,
            Self::Rewind(input) => input,
            Self::TodoWrite(input) => input,
            Self::TodoList(input) => input,
            Self::Spawn(input) => input,
            Self::Report(input) => input,
            Self::PutBack(input) => input,
            Self::SkillActivate(input) => input,
            Self::SkillRead(input) => input,
            Self::Mcp(input) => input,
        }
    }

    fn edit(&self) -> Option<Edit<'_>> {
        match self {
            Self::Write(call) => Some(Edit::Write(&call.args)),
            Self::Patch(call) => Some(Edit::Patch(&call.args)),
            Self::List(_)
            | Self::Read(_)
            | Self::Search(_)
            | Self::Glob(_)
            | Self::Move(_)
            | Self::Delete(_)
            | Self::AskUser(_)
            | Self::Rewind(_)
            | Self::TodoWrite(_)
            | Self::TodoList(_)
            | Self::Spawn(_)
            | Self::Report(_)
            | Self::PutBack(_)
            | Self::SkillActivate(_)
            | Self::SkillRead(_)
            | Self::Mcp(_) => None,
        }
    }

    /// What the call does to the world: a change of the state document is
    /// [`EffectClass::WriteState`], whichever tool makes it; a dry run of a patch only reads.
    fn class(&self) -> EffectClass {
        let call = self.built_in();
        let declared = call.tool().class;
        if declared != EffectClass::WriteProject {
            return declared;
        }
        let state = AliasPath::state_document();
        if call.path().into_iter().chain(call.to()).any(|path| *path == state) {
            EffectClass::WriteState
        } else if call.is_dry_run() {
            EffectClass::Read
        } else {
            EffectClass::WriteProject
        }
    }
}

/// The built-in tool a model means by `name`, dotted or wire form.
pub fn find(name: &str) -> Option<&'static Tool> {
    named(name).map(|(tool, _)| tool)
}

/// The same, and how its arguments are read.
fn named(name: &str) -> Option<(&'static Tool, ArgsReader)> {
    let name = name.trim();
    BUILT_IN.iter().zip(READ).find(|(tool, _)| tool.is_called(name))
}

/// The tools on offer under `policy`, as a request carries them.
pub fn specs(policy: &ToolPolicy) -> Vec<Arc<ToolSpec>> {
    let all = BUILT_IN.iter().zip(SPECS.iter());
    let built_in = all.filter(|(tool, _)| tool.is_offered(policy)).map(|(_, spec)| spec);
    let of_servers = policy.server_tools().map(|(_, tool)| &tool.spec);
    built_in.chain(of_servers).map(Arc::clone).collect()
}

/// What the parameters of the tools on offer take of the model's context.
fn tokens(policy: &ToolPolicy, tokenizer: Tokenizer) -> u64 {
    let all = BUILT_IN.iter().zip(PARAMETERS.iter());
    let offered = all.filter(|(tool, _)| tool.is_offered(policy));
    let built_in: u64 = offered.map(|(_, parameters)| parameters.tokens(tokenizer)).sum();
    let of_servers = policy.server_tools().map(|(_, tool)| tool.tokens(tokenizer));
    built_in + of_servers.sum::<u64>()
}

/// The parameters of every built-in tool, to be counted once: they are as long as many messages.
static PARAMETERS: LazyLock<Vec<CountedText>> = LazyLock::new(|| {
    SPECS.iter().map(|spec| CountedText::new(spec.parameters.to_string())).collect()
});

/// Every built-in tool as a request carries it. Made once: a schema takes longer than the rest of
/// a request.
static SPECS: LazyLock<Vec<Arc<ToolSpec>>> = LazyLock::new(|| {
    let spec = |tool: &Tool| {
        let description = tool.description.to_owned();
        let parameters = (tool.schema)();
        Arc::new(ToolSpec { name: wire_name(tool.name), description, parameters })
    };
    BUILT_IN.iter().map(spec).collect()
});

/// A call whose tool exists and whose arguments fit its schema.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedCall {
    /// The tool and the arguments.
    pub input: ToolInput,
    /// What it does to the world, the path considered.
    pub class: EffectClass,
}

impl ParsedCall {
    /// What a rewind is to do; `None` for any other call.
    pub(crate) fn rewind(&self) -> Option<&rewind::Args> {
        let ToolInput::Rewind(call) = &self.input else { return None };
        Some(&call.args)
    }

    /// A call of these arguments.
    pub(crate) fn of(input: ToolInput) -> Self {
        let class = input.class();
        Self { input, class }
    }

    /// The tool that is called; of a server's tool, what is said of all of them.
    pub fn tool(&self) -> &'static Tool {
        self.input.built_in().tool()
    }

    /// The canonical name of the tool; of a server's tool, the name that models call it by.
    pub fn name(&self) -> &str {
        self.input.built_in().name()
    }

    /// Whether the tool is on offer under `policy`.
    pub fn is_offered(&self, policy: &ToolPolicy) -> bool {
        self.input.built_in().is_offered(policy)
    }

    /// Whether the person is asked before the call begins, wherever it acts.
    pub fn asks_first(&self, policy: &ToolPolicy) -> bool {
        self.input.built_in().asks_first(policy)
    }

    /// The arguments as JSON, normalised: flat patches nested, aliases renamed, paths without
    /// marks. What confirmations, hashes and changes that wait are made of.
    pub fn args(&self) -> Value {
        self.input.built_in().args()
    }

    /// The path it names, when it names one; of a move, where from.
    pub fn path(&self) -> Option<&AliasPath> {
        self.input.built_in().path()
    }

    /// Where a move moves to.
    pub fn to(&self) -> Option<&AliasPath> {
        self.input.built_in().to()
    }

    /// Every path it names: what it may touch.
    pub fn paths(&self) -> impl Iterator<Item = &AliasPath> {
        self.path().into_iter().chain(self.to())
    }

    /// The pattern that it finds files by.
    pub fn pattern(&self) -> Option<&str> {
        self.input.built_in().pattern()
    }

    /// The words or the names of files it looks for, when it looks for some.
    pub fn looks_for(&self) -> Option<&str> {
        self.input.built_in().looks_for()
    }

    /// What it does to files, by what was journaled when it began.
    pub(crate) fn changes(&self, began: &Began) -> Vec<CallFileChange> {
        self.input.built_in().changes(began)
    }

    /// How it makes a new text of the file that it names, when it does.
    pub fn edit(&self) -> Option<Edit<'_>> {
        self.input.edit()
    }

    /// Whether it only asks what would change.
    pub fn is_dry_run(&self) -> bool {
        self.input.built_in().is_dry_run()
    }

    /// Whether a path of it may be a folder that is taken with everything in it.
    pub fn takes_folders(&self) -> bool {
        self.input.built_in().takes_folders()
    }
}

/// The facts of a result; `parsed` is `None` when the call fitted no tool.
pub(crate) fn facts_of(parsed: Option<&ParsedCall>, result: &CallResult) -> Vec<Fact> {
    if !result.ok {
        let outcome = result.code().map(str::to_owned);
        let path = parsed.and_then(ParsedCall::path).cloned();
        let mut facts = vec![Fact { path, outcome, ..Fact::new(FactKind::ToolError) }];
        if result.code() == Some(ErrorCode::TodoConflict.as_str()) {
            let todo = result.details().todo.clone();
            facts.push(Fact { todo, ..Fact::new(FactKind::TodoConflict) });
        }
        // Files that are back stay back, also when the state document could not follow.
        if let Some(ToolInput::Rewind(_)) = parsed.map(|parsed| &parsed.input) {
            facts.extend(restored(result));
        }
        return facts;
    }
    parsed.map(|parsed| happened(parsed, result)).unwrap_or_default()
}

fn happened(parsed: &ParsedCall, result: &CallResult) -> Vec<Fact> {
    if parsed.is_dry_run() {
        return Vec::new();
    }
    if parsed.class != EffectClass::WriteState {
        return parsed.input.built_in().facts(result);
    }
    let (path, to) = (parsed.path().cloned(), parsed.to().cloned());
    let sha256 = result.sha256_after.clone();
    let changed = Fact { path, sha256, to, ..Fact::new(FactKind::StateChanged) };
    // A tool for files that changes the document proves nothing else.
    let of_document = parsed.tool().class == EffectClass::WriteState;
    let back = if of_document { parsed.input.built_in().facts(result) } else { Vec::new() };
    Some(changed).filter(|_| !result.noop_write).into_iter().chain(back).collect()
}

#[cfg(test)]
mod tests;
