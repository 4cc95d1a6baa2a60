//! The closed list of error codes: what the UI, the CLI and the model act on (spec 02 "Errors").
//!
//! A code is added only when somebody acts on it. The words that go with a code, in both
//! languages, stand in one table, [`words`](crate::words), total over the codes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::phrase::{Lang, Part, Phrase, Why, general};

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// A stable error code. Serialised as its upper-case name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        pub enum ErrorCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        impl ErrorCode {
            /// Every code, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as it is written, `E_SANDBOX_VIOLATION`.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

codes! {
    // Packages and workflows (spec 03)
    /// Not a readable archive.
    ArchiveInvalid = "ARCHIVE_INVALID",
    /// An archive over a limit (spec 03 "Archive limits"); details name the limit.
    ArchiveLimit = "ARCHIVE_LIMIT",
    /// An archive entry that could land outside the package.
    ArchiveUnsafe = "ARCHIVE_UNSAFE",
    /// The package has findings of severity error; details carry them.
    PackageInvalid = "PACKAGE_INVALID",
    /// No installed package, file or folder of that name.
    PackageNotFound = "PACKAGE_NOT_FOUND",
    /// A run still uses the package.
    PackageInUse = "PACKAGE_IN_USE",
    /// It is not what the person was shown and agreed to.
    PackageChanged = "PACKAGE_CHANGED",
    /// Whoever wanted it read or installed stopped that.
    PackageReadingStopped = "PACKAGE_READING_STOPPED",
    /// Another package is installed under its id.
    PackageIdTaken = "PACKAGE_ID_TAKEN",
    /// The manifest cannot be read.
    ManifestInvalid = "MANIFEST_INVALID",
    /// A classic `workflow.yaml` or `.xml` package.
    NotSupportedClassicWorkflow = "NOT_SUPPORTED_CLASSIC_WORKFLOW",
    /// The package has several workflows and none was named.
    WorkflowRefRequired = "WORKFLOW_REF_REQUIRED",
    /// The package has no workflow of that id.
    WorkflowRefUnknown = "WORKFLOW_REF_UNKNOWN",
    /// A row of an agent's menu names a workflow that the package does not have.
    UnknownWorkflow = "UNKNOWN_WORKFLOW",
    /// A row of an agent's menu names a prompt that the agent does not have.
    UnknownPromptId = "UNKNOWN_PROMPT_ID",
    /// The file that goes along with a row of an agent's menu cannot be read.
    DataLoadFailed = "DATA_LOAD_FAILED",
    /// The only workflow has another id.
    WorkflowRefMismatch = "WORKFLOW_REF_MISMATCH",
    /// The package lost its workflow file.
    WorkflowFileNotFound = "WORKFLOW_FILE_NOT_FOUND",
    /// The package lost its graph file.
    GraphFileNotFound = "GRAPH_FILE_NOT_FOUND",
    /// A node's step file is missing.
    StepFileNotFound = "STEP_FILE_NOT_FOUND",
    /// The package has no agent of that id.
    AgentNotFound = "AGENT_NOT_FOUND",
    // Projects and runs
    /// The project folder does not exist, or is no folder.
    ProjectRootInvalid = "PROJECT_ROOT_INVALID",
    /// No project of that id.
    ProjectNotFound = "PROJECT_NOT_FOUND",
    /// Another folder that is still there has the same project id; details name the project.
    ProjectCopied = "PROJECT_COPIED",
    /// The folder belongs to another project than the one asked for, or to none; details say which.
    ProjectMismatch = "PROJECT_MISMATCH",
    /// `.crewagent.json` cannot be read.
    ProjectFileInvalid = "PROJECT_FILE_INVALID",
    /// No run of that id.
    RunNotFound = "RUN_NOT_FOUND",
    /// No conversation of that id.
    ConversationNotFound = "CONVERSATION_NOT_FOUND",
    /// The conversation has no request of that number.
    RequestNotFound = "REQUEST_NOT_FOUND",
    /// The run is being worked on, here or by another process.
    RunBusy = "RUN_BUSY",
    /// The run's state folder could not be made.
    StateInitFailed = "STATE_INIT_FAILED",
    /// `@state/workflow.md` is missing.
    StateFileNotFound = "STATE_FILE_NOT_FOUND",
    /// The current node is not in the graph.
    CurrentNodeInvalid = "CURRENT_NODE_INVALID",
    // Store
    /// The store cannot be opened.
    StoreOpenFailed = "STORE_OPEN_FAILED",
    /// Another program is making the store ready and has not come to an end.
    StoreBusy = "STORE_BUSY",
    /// The store was written by a newer program.
    StoreTooNew = "STORE_TOO_NEW",
    /// The store cannot be written: disk full, read only, an I/O error.
    StoreWriteFailed = "STORE_WRITE_FAILED",
    /// The store cannot be read.
    StoreReadFailed = "STORE_READ_FAILED",
    /// The system allows no more watches; changes on disk are looked for now and then.
    WatchLimited = "WATCH_LIMITED",
    // Exports of runs (spec 08 "Exports")
    /// An export would hold a key or a real path; details say where.
    ExportUnsafe = "EXPORT_UNSAFE",
    /// An export over a limit; details name it.
    ExportTooLarge = "EXPORT_TOO_LARGE",
    /// The file to export to is there already.
    ExportExists = "EXPORT_EXISTS",
    /// Not an exported run, or a damaged one.
    CrewrunInvalid = "CREWRUN_INVALID",
    /// A run exported by a newer program.
    CrewrunTooNew = "CREWRUN_TOO_NEW",
    // Models (spec 07)
    /// No model is configured.
    LlmNotConfigured = "LLM_NOT_CONFIGURED",
    /// 401 or 403.
    LlmAuthFailed = "LLM_AUTH_FAILED",
    /// 429.
    LlmRateLimited = "LLM_RATE_LIMITED",
    /// No connection, first byte or next byte in time.
    LlmTimeout = "LLM_TIMEOUT",
    /// The request is larger than the model's context.
    LlmContextTooLong = "LLM_CONTEXT_TOO_LONG",
    /// The server does not know the model.
    LlmModelNotFound = "LLM_MODEL_NOT_FOUND",
    /// Another HTTP error.
    LlmHttpError = "LLM_HTTP_ERROR",
    /// An answer that is not one.
    LlmBadResponse = "LLM_BAD_RESPONSE",
    /// Nobody answers at the address.
    LlmUnreachable = "LLM_UNREACHABLE",
    /// The answer was cut at the output limit.
    LlmOutputCut = "LLM_OUTPUT_CUT",
    /// The demo trace has been played to its end.
    DemoOver = "DEMO_OVER",
    /// The demo trace does not fit what was asked; details show both sides.
    DemoTraceMismatch = "DEMO_TRACE_MISMATCH",
    /// There is no demo trace, or it cannot be read.
    DemoTraceInvalid = "DEMO_TRACE_INVALID",
    // Engine (spec 06)
    /// The user pressed Stop.
    EngineAborted = "ENGINE_ABORTED",
    /// `engine.maxTurns` requests in one user turn.
    EngineMaxTurnsExceeded = "ENGINE_MAX_TURNS_EXCEEDED",
    /// Up to four calls were made again and again: three times failing, or five with one outcome.
    EngineLoopDetected = "ENGINE_LOOP_DETECTED",
    /// The turn cannot start: a missing agent or step file, a broken state document.
    EnginePreconditionFailed = "ENGINE_PRECONDITION_FAILED",
    /// The request does not fit the model's context.
    ContextStillTooLarge = "CONTEXT_STILL_TOO_LARGE",
    /// A change of a completed run that nobody confirmed.
    StateChangeRequiresConfirmation = "STATE_CHANGE_REQUIRES_CONFIRMATION",
    /// The runtime was closed or killed in the middle.
    Interrupted = "E_INTERRUPTED",
    /// The command does not fit the conversation's phase.
    NotNow = "NOT_NOW",
    /// The person did not allow the call.
    UserRefused = "USER_REFUSED",
    /// No approval of that id is in force.
    ApprovalNotFound = "APPROVAL_NOT_FOUND",
    // Widgets (spec 05 "Widgets")
    /// No such widget waits.
    WidgetNotFound = "WIDGET_NOT_FOUND",
    /// It was answered before.
    WidgetAlreadySubmitted = "WIDGET_ALREADY_SUBMITTED",
    /// The value does not fit the widget.
    WidgetValueInvalid = "WIDGET_VALUE_INVALID",
    /// What it authorises cannot have been read; details say how long it was shown.
    WidgetTooSoon = "WIDGET_TOO_SOON",
    // Tools (spec 05), as the model reads them
    /// The arguments are not JSON.
    ToolArgsInvalidJson = "TOOL_ARGS_INVALID_JSON",
    /// The arguments do not fit the tool's schema.
    InvalidArgs = "E_INVALID_ARGS",
    /// No such tool, or switched off by policy.
    ToolNotAvailable = "TOOL_NOT_AVAILABLE",
    /// The tool failed.
    ToolExecFailed = "TOOL_EXEC_FAILED",
    /// The path is outside what the tool may touch.
    SandboxViolation = "E_SANDBOX_VIOLATION",
    /// No such file or folder.
    NotFound = "ENOENT",
    /// Something is there already.
    AlreadyExists = "EEXIST",
    /// A folder that is not empty.
    NotEmpty = "ENOTEMPTY",
    /// More than may be read.
    ReadLimit = "E_READ_LIMIT",
    /// More than may be written.
    WriteLimit = "E_WRITE_LIMIT",
    /// Not UTF-8 text.
    NotText = "E_NOT_TEXT",
    /// A file of secrets.
    SecretFile = "E_SECRET_FILE",
    /// A folder whose move would bring files that nobody was shown to where other programs start
    /// them.
    SelfStarting = "E_SELF_STARTING",
    /// A patch that does not fit the file.
    PatchFailed = "E_PATCH_FAILED",
    /// Content with a mark that stands for no folder; details name it.
    UnknownMark = "E_UNKNOWN_MARK",
    /// `ifMatchSha256` differs, or the file changed in between.
    PreconditionFailed = "E_PRECONDITION_FAILED",
    /// Front matter that cannot be parsed.
    InvalidFrontmatter = "E_INVALID_FRONTMATTER",
    /// A document that breaks its schema.
    SchemaValidation = "E_SCHEMA_VALIDATION",
    /// A move the graph does not have.
    InvalidTransition = "E_INVALID_TRANSITION",
    /// A move whose condition does not hold.
    ConditionNotMet = "E_CONDITION_NOT_MET",
    /// `workflowStatus: complete` before the run is at its end; details list what is open.
    NotAtEnd = "E_NOT_AT_END",
    /// A step completed without a file that it promises; details say how to prove it.
    OutputsMissing = "E_OUTPUTS_MISSING",
    /// A hook of the person did not let the call pass.
    HookBlocked = "E_HOOK_BLOCKED",
    /// The command of a hook did not start, or did not end in time.
    HookFailed = "E_HOOK_FAILED",
    // Servers of the Model Context Protocol (spec 05 "MCP")
    /// No server of that name is set up.
    McpServerUnknown = "MCP_SERVER_UNKNOWN",
    /// A server does not fit what can be set up, or its name is taken.
    McpServerInvalid = "MCP_SERVER_INVALID",
    /// A server is not what the person was shown.
    McpServerChanged = "MCP_SERVER_CHANGED",
    /// The file of another client holds no list of servers.
    McpFileInvalid = "MCP_FILE_INVALID",
    /// The person does not trust the server in this project, or not as it is now.
    McpNotTrusted = "E_MCP_NOT_TRUSTED",
    /// A server could not be started or reached.
    McpNotStarted = "E_MCP_NOT_STARTED",
    /// A server came to an end during a call.
    McpEnded = "E_MCP_ENDED",
    /// A server did not answer in time.
    McpTimeout = "E_MCP_TIMEOUT",
    /// A server said more than is taken.
    McpFlood = "E_MCP_FLOOD",
    /// A server answered something that is no answer.
    McpGarbage = "E_MCP_GARBAGE",
    /// A tool of a server failed, by its own account.
    McpToolFailed = "E_MCP_TOOL_FAILED",
    /// A server has to be told who asks it: the person signs in there first.
    McpSignIn = "E_MCP_SIGN_IN",
    /// The person could not sign in at a server.
    McpSignInFailed = "MCP_SIGN_IN_FAILED",
    /// No server that the person trusts has a prompt of that name.
    McpPromptUnknown = "MCP_PROMPT_UNKNOWN",
    /// A prompt of a server was not told what it needs, or too much.
    McpPromptArguments = "MCP_PROMPT_ARGUMENTS",
    // Skills (spec 05 "Skills")
    /// No skill of that name can be used, or it is not at work.
    SkillNotFound = "SKILL_NOT_FOUND",
    /// A skill that cannot be read or is none.
    SkillInvalid = "SKILL_INVALID",
    /// A tool that the skill at work does not name.
    SkillToolsNarrowed = "E_SKILL_TOOLS_NARROWED",
    /// A sub-agent ended without a report; details say how.
    SubagentFailed = "E_SUBAGENT_FAILED",
    /// No todo of that id.
    TodoNotFound = "E_TODO_NOT_FOUND",
    /// A todo that has changed since the caller looked at it.
    TodoConflict = "E_TODO_CONFLICT",
    /// A status that cannot follow, or not yet.
    TodoTransition = "E_TODO_TRANSITION",
    /// An artifact that is no file of the project.
    ArtifactUnknown = "E_ARTIFACT_UNKNOWN",
    /// `workflow.rewind` without `confirmed`.
    RewindNotConfirmed = "REWIND_NOT_CONFIRMED",
    /// A disk error inside a tool.
    Io = "E_IO",
    // Import of an older store (spec 08)
    /// The folder is no Electron runtime's store.
    ImportSourceInvalid = "IMPORT_SOURCE_INVALID",
    /// A file that is not JSON, or ends in the middle.
    ImportNotJson = "IMPORT_NOT_JSON",
    /// An entry of another shape than it should have.
    ImportMalformed = "IMPORT_MALFORMED",
    /// An id that cannot name a file.
    ImportIdUnsafe = "IMPORT_ID_UNSAFE",
    /// An id that was there before.
    ImportDuplicate = "IMPORT_DUPLICATE",
    /// A file that is too large to be taken over.
    ImportTooLarge = "IMPORT_TOO_LARGE",
    /// A link, or another thing that is no plain file.
    ImportLink = "IMPORT_LINK",
    /// Found on disk, but not in the index it should be in.
    ImportUnlisted = "IMPORT_UNLISTED",
    /// Taken over with a small repair.
    ImportChanged = "IMPORT_CHANGED",
    /// Can be read, but not continued.
    ImportReadOnly = "IMPORT_READ_ONLY",
    /// A setting or a file that has no counterpart here.
    ImportNotSupported = "IMPORT_NOT_SUPPORTED",
    /// An API key that was left where it is.
    ImportKeyLeft = "IMPORT_KEY_LEFT",
    // Everything else
    /// A setting with a value it cannot have; details name the field.
    SettingInvalid = "SETTING_INVALID",
    /// A setting that is named like a key: keys are stored apart, and nothing was written.
    SettingIsKey = "SETTING_IS_KEY",
    /// A file that no other program opened, or might have run.
    NotOpened = "NOT_OPENED",
    /// A malformed request to the program itself.
    BadRequest = "BAD_REQUEST",
    /// A bug.
    Internal = "E_INTERNAL",
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A phrase in `lang`; its English text, as what it is, when there is no phrase to say.
pub(crate) fn said_in(lang: Lang, said: Option<&Phrase>, english: &str) -> String {
    if lang == Lang::En || english.is_empty() {
        return english.to_owned();
    }
    let quoted = || general::in_its_words(Why::quoted(english)).say(lang);
    said.and_then(|phrase| phrase.say(lang)).or_else(quoted).unwrap_or_else(|| english.to_owned())
}

/// What went wrong, to what, and what to do: the value every boundary carries. Texts name alias
/// paths only. The English texts are for the log, the model and programs; a person reads what
/// [`message_in`](Self::message_in) and [`action_in`](Self::action_in) say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{code}: {message}")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Failure {
    /// What the reader acts on.
    pub code: ErrorCode,
    /// What happened, and to what, in English.
    pub message: String,
    /// Facts for programs: findings, allowed values, hashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional, type = "unknown"))]
    pub details: Option<Value>,
    /// What to do about it in English, when it is more specific than the code's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub action: Option<String>,
    /// What `message` says, as data. Absent in what only a model reads, and in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub said: Option<Box<Phrase>>,
    /// What `action` says, as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub advice: Option<Box<Phrase>>,
}

impl Failure {
    /// A failure that a person can meet.
    pub fn new(code: ErrorCode, message: Phrase) -> Self {
        let english = message.english();
        Self { said: Some(Box::new(message)), ..Self::for_model(code, english) }
    }

    /// A failure that the model alone reads, as the result of a call: English. Of its result a
    /// person is shown the words of the code.
    pub fn for_model(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, details: None, action: None, said: None, advice: None }
    }

    /// The same with facts.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// The same with the members of `more` beside its own facts.
    #[must_use]
    pub fn with_more_details(mut self, more: Option<Value>) -> Self {
        match (&mut self.details, more) {
            (Some(Value::Object(known)), Some(Value::Object(more))) => known.extend(more),
            (known @ None, more) => *known = more,
            _ => {}
        }
        self
    }

    /// The same with an action for a person.
    #[must_use]
    pub fn with_action(mut self, action: Phrase) -> Self {
        self.action = Some(action.english());
        self.advice = Some(Box::new(action));
        self
    }

    /// The same with an action for the model alone. A person is told that of the code.
    #[must_use]
    pub fn with_action_for_model(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self.advice = None;
        self
    }

    /// The same, its message within another phrase.
    #[must_use]
    pub fn retold(mut self, within: impl FnOnce(Part) -> Phrase) -> Self {
        let told = within(self.to_part());
        self.message = told.english();
        self.said = self.said.map(|_| Box::new(told));
        self
    }

    /// What happened, to stand within another phrase.
    pub fn to_part(&self) -> Part {
        match &self.said {
            Some(phrase) => Part::Said((**phrase).clone()),
            None => Part::Text(self.message.clone()),
        }
    }

    /// What happened, in `lang`; English as what it is where nothing else is known.
    pub fn message_in(&self, lang: Lang) -> String {
        said_in(lang, self.said.as_deref(), &self.message)
    }

    /// What to do, in `lang`, when it is more specific than the code's own words.
    pub fn action_in(&self, lang: Lang) -> Option<String> {
        if lang == Lang::En {
            return self.action.clone();
        }
        self.advice.as_ref().and_then(|phrase| phrase.say(lang))
    }

    /// Changes every text a reader meets, as redaction does.
    pub fn map_texts(&mut self, change: &impl Fn(&str) -> String) {
        self.message = change(&self.message);
        self.action = self.action.as_deref().map(change);
        for phrase in [&mut self.said, &mut self.advice].into_iter().flatten() {
            phrase.map_texts(change);
        }
    }

    /// `{ok:false, error:{…}}`, the shape of every failed tool result (spec 05). In English alone:
    /// the model reads it.
    pub fn to_tool_result(&self) -> Value {
        let error = Self { said: None, advice: None, ..self.clone() };
        serde_json::json!({ "ok": false, "error": error })
    }
}
