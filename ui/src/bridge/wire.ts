// Generated from the kernel's wire types. Do not edit; make it again with
// UPDATE_WIRE=1 cargo test -p crewagent-tests --test it wire

/**
 * When work counts as done (spec 05 "Verification").
 */
export type AcceptanceSettings = {
/**
 * Whether a written file is read back and compared.
 */
verifyAfterWrite: VerifyAfterWrite,
/**
 * Whether a step may be completed without the files that it promises.
 */
outputs: OutputsPolicy, };

/**
 * An agent of a package.
 */
export type AgentId = string;

/**
 * An agent in a few fields.
 */
export type AgentSummary = {
/**
 * Its id.
 */
id: AgentId,
/**
 * Persona name.
 */
name: string,
/**
 * Persona title.
 */
title: string,
/**
 * An emoji or a short text.
 */
icon: string,
/**
 * Its menu, as a person sees it. None where the package was installed by an older program.
 */
menu: Array<MenuLine>, };

/**
 * A mount and a path below it: no `..`, no `.`, no backslash, no empty segment.
 *
 * ```
 * use kernel::path::{AliasPath, Mount, PathError};
 *
 * let path = AliasPath::parse("@project/./docs\\plan.md")?;
 * assert_eq!(path.to_string(), "@project/docs/plan.md");
 * assert_eq!((path.mount(), path.rel()), (Mount::Project, "docs/plan.md"));
 *
 * assert_eq!(AliasPath::parse("@project/../keys"), Err(PathError::Climbs));
 * assert_eq!(AliasPath::parse("/etc/passwd"), Err(PathError::Absolute));
 * # Ok::<(), PathError>(())
 * ```
 */
export type AliasPath = string;

/**
 * The answer to a query.
 */
export type Answer = { "type": "projects", "value": Array<ProjectView> } | { "type": "packages", "value": Array<PackageView> } | { "type": "package", "value": PackageReport } | { "type": "packageReading", "value": ReadingProgress | null } | { "type": "hooks", "value": Array<HookView> } | { "type": "servers", "value": Array<ServerView> } | { "type": "skills", "value": SkillList } | { "type": "serverFile", "value": ServerFile } | { "type": "runs", "value": Array<RunSummary> } | { "type": "snapshot", "value": RuntimeSnapshot } | { "type": "graph", "value": GraphView } | { "type": "revision", "value": RevisionState } | { "type": "todos", "value": TodoList } | { "type": "evidence", "value": EvidenceView } | { "type": "requests", "value": RequestList } | { "type": "request", "value": RequestView } | { "type": "opening", "value": Frame } | { "type": "items", "value": ItemPage } | { "type": "settings", "value": SettingsView } | { "type": "modelTest", "value": ModelTest } | { "type": "localModels", "value": Array<LocalServer> } | { "type": "doctor", "value": Array<DoctorRow> } | { "type": "conversations", "value": ConversationPage } | { "type": "search", "value": SearchPage } | { "type": "sizes", "value": StoreSizes } | { "type": "import", "value": ImportReport } | { "type": "drafts", "value": Array<Draft> } | { "type": "files", "value": Array<AliasPath> } | { "type": "folder", "value": FolderView } | { "type": "file", "value": FileView } | { "type": "rewindPreview", "value": RewindPreview } | { "type": "wholeChange", "value": WholeChange };

/**
 * How the window looks, and which language it speaks.
 */
export type Appearance = {
/**
 * Light, dark, or the system's.
 */
theme: Theme,
/**
 * zh, en, or the system's.
 */
language: Language,
/**
 * How large words are.
 */
textSize: TextSize,
/**
 * How much text and lines stand out.
 */
contrast: Contrast, };

/**
 * A person's answer about a change: of a completed run's state, or of a file of the project.
 * Absent members were not known: an unbound confirmation showed no change.
 */
export type Approval = {
/**
 * When it was given.
 */
at: Time,
/**
 * The change that was shown.
 */
changeId: ChangeId | null,
/**
 * True when the person confirmed, false when they cancelled.
 */
confirmed: boolean,
/**
 * Whether the dialog showed the exact change, so that only that one could be made.
 */
bound: boolean,
/**
 * Whether not all of the change was shown, and the person knew.
 */
unseen: boolean,
/**
 * Whether all of the change was opened, which was too long to be shown at once.
 */
whole: boolean,
/**
 * The tool that wanted to make it.
 */
tool: string | null,
/**
 * The file.
 */
path: AliasPath | null,
/**
 * One line for people, in English; see `parts`.
 */
summary: string | null,
/**
 * What it does, for a reader of any language. Empty in older journals.
 */
parts: Array<Phrase>,
/**
 * SHA-256 of the diff that was shown.
 */
diffSha256: string | null,
/**
 * The folder that was allowed for the run, when the person chose so.
 */
folder: AliasPath | null,
/**
 * The call that used it first.
 */
spentBy: CallId | null,
/**
 * Every call that ran on it, oldest first: several only for a folder.
 */
calls: Array<CallId>,
/**
 * When the person took it back.
 */
revokedAt: Time | null, };

/**
 * Which calls wait for the person before they run.
 */
export type ApprovalSettings = {
/**
 * Calls that change files of the project.
 */
writes: ApproveWrites, };

/**
 * Which calls that change files of the project wait for the person (setting `approval.writes`).
 */
export type ApproveWrites = "auto" | "ask-outside" | "ask";

/**
 * Who changed the state document, or wanted a skill to be at work.
 */
export type Author = "model" | "user" | "runtime";

/**
 * What a blocked todo waits for.
 */
export type BlockedReason = "internal_dependency" | "permission_wait" | "user_input_wait" | "external_resource_wait" | "unknown";

/**
 * What a call is about beyond its path, as far as it is known.
 */
export type CallDetails = {
/**
 * The words or the names it looks for; cut when they are long.
 */
looksFor?: string,
/**
 * How much of it was found.
 */
found?: number,
/**
 * Where it moves what is at its path.
 */
to?: AliasPath,
/**
 * It made a file that was not there.
 */
created?: boolean,
/**
 * It wrote what was there already.
 */
noop?: boolean,
/**
 * How many lines came and went.
 */
lines?: LineCount, };

/**
 * A model's own name for one of its tool calls, made unique within the conversation by the
 * kernel. Free text, since servers choose it; never used as a path.
 */
export type CallId = string;

/**
 * Where a call stands.
 */
export type CallState = "running" | "waiting" | "done" | "asked" | "refused" | "missing" | "handled" | "failed" | "inDoubt";

/**
 * The workflow that a run works on, when another one called it (format 1.2).
 */
export type CalledWorkflow = {
/**
 * The workflow.
 */
workflowId: WorkflowId,
/**
 * What it is called.
 */
title: string,
/**
 * The steps that wait for its end, the outermost first.
 */
callers: Array<WaitingStep>, };

/**
 * What a change means for what was there.
 */
export type ChangeEffect = "made" | "changed" | "moved" | "gone" | "back";

/**
 * A change of the state document that waits for the user (spec 06 "Confirmation").
 */
export type ChangeId = string;

/**
 * A pending change, as shown.
 */
export type ChangeView = {
/**
 * Its id.
 */
id: ChangeId,
/**
 * The tool.
 */
tool: string,
/**
 * The file.
 */
path: AliasPath,
/**
 * What it means for what was there.
 */
effect: ChangeEffect,
/**
 * For a rewind: the title of the step it goes back to.
 */
backTo?: string,
/**
 * One line in English, for who has no `parts`.
 */
summary: string,
/**
 * What it does, for a reader of any language. Empty in older journals.
 */
parts: Array<Phrase>,
/**
 * Unified diff.
 */
diff: string,
/**
 * Whether the run would not be complete any more.
 */
undoesCompletion: boolean,
/**
 * The files a rewind would bring back.
 */
files?: Array<FileChange>,
/**
 * The files it would leave as they are.
 */
conflicts?: Array<Conflict>,
/**
 * The call that waits for the person; absent when the model asks after a refusal.
 */
callId?: CallId, };

/**
 * One message of a request, in the OpenAI chat shape.
 */
export type ChatMessage = {
/**
 * The role of the speaker.
 */
role: Role,
/**
 * The text; empty for an assistant that only called tools.
 */
content: string,
/**
 * The calls of an assistant message.
 */
tool_calls?: Array<ToolCall>,
/**
 * On a tool message: the call it answers.
 */
tool_call_id?: CallId, };

/**
 * What a person asks for. Answered by a receipt or a failure; results arrive as frames.
 */
export type Command = { "type": "openProject",
/**
 * The folder, as the system's dialog gave it.
 */
path: string,
/**
 * Make the folder when it is missing.
 */
create: boolean, } | { "type": "openCopiedProject",
/**
 * The folder, as the system's dialog gave it.
 */
path: string,
/**
 * What it is.
 */
copied: Copied, } | { "type": "rebindProject",
/**
 * The project whose folder moved.
 */
projectId: ProjectId,
/**
 * The folder, as the system's dialog gave it.
 */
path: string,
/**
 * Make a folder that belongs to no project the one of this project.
 */
adopt: boolean, } | { "type": "forgetProject",
/**
 * The project to take out of the list.
 */
projectId: ProjectId, } | { "type": "trustHooks",
/**
 * The project.
 */
projectId: ProjectId,
/**
 * What was shown: [`HookView::sha256`](crate::wire::HookView) of each.
 */
hooks: Array<string>,
/**
 * Whether they are trusted from now on.
 */
trusted: boolean, } | { "type": "servers",
/**
 * What of it.
 */
command: ServerCommand, } | { "type": "installPackage",
/**
 * The file or folder, as the system's dialog gave it.
 */
path: string,
/**
 * The report's `contentHash` that the person has seen; without it whatever is there.
 */
contentHash: string | null, } | { "type": "removePackage",
/**
 * The package to remove.
 */
packageId: PackageId, } | { "type": "startRun",
/**
 * The project the run works in.
 */
projectId: ProjectId,
/**
 * The package to run.
 */
packageId: PackageId,
/**
 * Which workflow; may be absent when there is only one.
 */
workflowId: WorkflowId | null,
/**
 * Which agent; the first of the package when absent.
 */
agentId: AgentId | null,
/**
 * First words.
 */
input: string | null,
/**
 * Play the package's demo trace instead of asking the configured model.
 */
demo: boolean,
/**
 * The conversation that the run joins; one of its own when absent. `NOT_NOW` while a run of
 * it is not over.
 */
conversationId: ConversationId | null, } | { "type": "beginConversation",
/**
 * Its project.
 */
projectId: ProjectId,
/**
 * With whom: `agent` or `chat`.
 */
with: Mode,
/**
 * First words.
 */
input: string | null, } | { "type": "playDemo",
/**
 * Where; a fresh folder below the documents folder when absent.
 */
path: string | null,
/**
 * Bundled package name; `plan-a-project` when absent.
 */
package: string | null, } | { "type": "session",
/**
 * The conversation.
 */
conversationId: ConversationId,
/**
 * What is said to it.
 */
command: SessionCommand, } | { "type": "keepDraft",
/**
 * Where it is written.
 */
place: DraftPlace,
/**
 * In the window's own shape; `null` forgets it.
 */
value: unknown, } | { "type": "renameConversation",
/**
 * The conversation to rename.
 */
conversationId: ConversationId,
/**
 * The title; an empty one brings the generated title back.
 */
title: string, } | { "type": "deleteConversation",
/**
 * The conversation to delete.
 */
conversationId: ConversationId, } | { "type": "deleteProjectData",
/**
 * The project whose conversations are deleted.
 */
projectId: ProjectId, } | { "type": "openOutside",
/**
 * A conversation of the run.
 */
conversationId: ConversationId,
/**
 * The file or folder.
 */
path: AliasPath,
/**
 * Where it is opened.
 */
openIn: OpenIn, } | { "type": "announce",
/**
 * The conversation of the run.
 */
conversationId: ConversationId,
/**
 * In one line.
 */
title: string,
/**
 * What happened, or what is wanted.
 */
text: string, } | { "type": "exportConversation",
/**
 * The conversation to export.
 */
conversationId: ConversationId,
/**
 * The format of the file.
 */
format: ExportFormat,
/**
 * The file, as the system's dialog gave it; replaced when it is there.
 */
path: string,
/**
 * The language of the words between the messages of a Markdown file.
 */
language: Language, } | { "type": "exportRun",
/**
 * The run to export.
 */
runId: RunId,
/**
 * The file, as the system's dialog gave it.
 */
path: string,
/**
 * Replace a file that is there.
 */
replace: boolean, } | { "type": "recordRun",
/**
 * The run to record.
 */
runId: RunId,
/**
 * The file, as the system's dialog gave it.
 */
path: string,
/**
 * Replace a file that is there.
 */
replace: boolean, } | { "type": "saveDiagnostics",
/**
 * The file, as the system's dialog gave it.
 */
path: string,
/**
 * Replace a file that is there.
 */
replace: boolean, } | { "type": "configure",
/**
 * A part of [`Settings`](crate::settings::Settings).
 */
patch: unknown, } | { "type": "stopModelTest" } | { "type": "stopPackageReading" } & ReadPackage | { "type": "storeApiKey",
/**
 * The key. Never logged, never shown again.
 */
key: string, } | { "type": "importElectron",
/**
 * Its `runtime-store` folder or the one above, as the system's dialog gave it.
 */
path: string,
/**
 * Take over the API key too.
 */
withKeys: boolean, };

/**
 * What an unbound confirmation is worth (spec 06 "Confirmation").
 */
export type ConfirmationSettings = {
/**
 * Whether a confirmation asked before the change is known may be used.
 */
unbound: Unbound, };

/**
 * A file that does not go back.
 */
export type Conflict = {
/**
 * The file that stays as it is.
 */
path: AliasPath,
/**
 * Why it stays.
 */
reason: ConflictReason,
/**
 * More words, in English, with alias paths only.
 */
message?: string, };

/**
 * Why a file does not go back.
 */
export type ConflictReason = "changed" | "not_kept" | "not_allowed" | "failed";

/**
 * How full a model is, in a word.
 */
export type ContextStatus = "normal" | "warning" | "critical" | "compressing";

/**
 * How much of what the model reads the next request takes.
 */
export type ContextUsage = {
/**
 * How many tokens it has.
 */
used: number,
/**
 * Whether the numbers of tokens are estimates: nobody knows the model's tokenizer.
 */
estimated: boolean,
/**
 * How many the model reads; absent where nobody knows.
 */
budget?: number,
/**
 * How that is to be taken.
 */
status: ContextStatus,
/**
 * The steps ahead that it cannot read whole.
 */
tooLong?: Array<StepTooLong>, };

/**
 * How much text and lines stand out from what is behind them.
 */
export type Contrast = "system" | "normal" | "high";

/**
 * One journal: the messages and decisions of one conversation.
 */
export type ConversationId = string;

/**
 * A page of conversations, last active first.
 */
export type ConversationPage = {
/**
 * The conversations.
 */
conversations: Array<ConversationSummary>,
/**
 * Ask again with `after` = this; absent on the last page.
 */
next: string | null, };

/**
 * A run of a conversation.
 */
export type ConversationRun = {
/**
 * Its id.
 */
runId: RunId,
/**
 * Its package.
 */
packageId: PackageId,
/**
 * Its workflow.
 */
workflowId: WorkflowId,
/**
 * Where it stands.
 */
phase: Phase,
/**
 * Why it stands in that phase.
 */
reason: Reason | null,
/**
 * Since when it stands so.
 */
since: Time,
/**
 * The node that it is at; absent while it has not moved.
 */
nodeId?: NodeId,
/**
 * How many of its steps are done, and of how many; absent where that is not known.
 */
steps?: StepCount, };

/**
 * A conversation in a list.
 */
export type ConversationSummary = {
/**
 * Its id.
 */
conversationId: ConversationId,
/**
 * Its project.
 */
projectId: ProjectId,
/**
 * What it is called: the person's title, else the generated one.
 */
title: string,
/**
 * The workflow's name, or the first words said.
 */
generatedTitle: string,
/**
 * The person's title.
 */
customTitle: string | null,
/**
 * `run`, `agent` or `chat`.
 */
mode: string,
/**
 * The talk that it is, while no run is gone on with.
 */
talk?: TalkView,
/**
 * Its runs, newest first.
 */
runs: Array<ConversationRun>,
/**
 * Messages in it.
 */
messageCount: number,
/**
 * When it began.
 */
createdAt: Time,
/**
 * When something last happened in it.
 */
lastActiveAt: Time, };

/**
 * What a folder with another folder's project id is.
 */
export type Copied = "copy" | "moved";

/**
 * What models cost.
 */
export type CostSettings = {
/**
 * The name of the currency, `USD`.
 */
currency: string,
/**
 * What each model costs.
 */
prices: Array<ModelPrice>, };

/**
 * The judgement on a candidate final.
 */
export type Decision = {
/**
 * What becomes of the candidate.
 */
status: DecisionStatus,
/**
 * The reason for the status, as a stable word.
 */
stop_reason: StopReason,
/**
 * For people, in English; see `said`.
 */
user_summary: string,
/**
 * The same for a reader of any language. Absent in older journals.
 */
said?: Phrase,
/**
 * For the log and for programs: what was counted, in English.
 */
internal_summary?: string,
/**
 * What is missing, in the order of the obligations.
 */
missing_facts?: Array<MissingFact>,
/**
 * The calls that would prove it: never empty when the status is `continue`.
 */
required_next_actions?: Array<NextAction>,
/**
 * What is open, the first of them when there are many.
 */
obligations?: Array<Obligation>,
/**
 * How many obligations are not listed.
 */
not_listed?: number,
/**
 * What kind of work the turn was, by its facts: a label, on which nothing depends.
 */
task_kind?: TaskKind, };

/**
 * What becomes of a candidate final.
 */
export type DecisionStatus = "accepted" | "continue" | "blocked" | "incomplete" | "failed" | "unrecognised";

/**
 * One row of the doctor's report.
 */
export type DoctorRow = {
/**
 * What was looked at.
 */
check: string,
/**
 * Whether it is fine.
 */
ok: boolean,
/**
 * What was found, in English.
 */
found: string,
/**
 * What to do when it is not fine, in English.
 */
action: string | null,
/**
 * What `check` is called.
 */
name: Phrase,
/**
 * What `found` says.
 */
said: Phrase,
/**
 * What `action` says.
 */
advice: Phrase | null, };

/**
 * What a person has typed into a field and not sent, or where they were.
 */
export type Draft = {
/**
 * The field the draft was typed into, or the window.
 */
place: DraftPlace,
/**
 * What, in the window's own shape.
 */
value: unknown,
/**
 * When it was last changed.
 */
at: Time, };

/**
 * Where something is being written, or the window itself. There is one draft a place.
 */
export type DraftPlace = { "type": "composer",
/**
 * The conversation it is typed in.
 */
conversationId: ConversationId, } | { "type": "widget",
/**
 * The conversation that holds the question.
 */
conversationId: ConversationId,
/**
 * The message that carries the widget.
 */
messageId: MessageId, } | { "type": "newRun",
/**
 * The project the run would start in.
 */
projectId: ProjectId, } | { "type": "window" };

/**
 * What kind of thing a tool does to the world. Declared per tool, never guessed from rights.
 */
export type EffectClass = "read" | "write_project" | "write_state" | "session" | "external" | "delegate";

/**
 * What became of a file.
 */
export type EffectKind = "created" | "changed" | "deleted" | "moved";

/**
 * How far the program goes on by itself in one turn.
 */
export type EngineSettings = {
/**
 * Model requests in one user turn, at least 1.
 */
maxTurns: number,
/**
 * Whether the model goes on with the next step by itself. Otherwise it says what is done after
 * each, and waits.
 */
autopilot: boolean, };

/**
 * A stable error code. Serialised as its upper-case name.
 */
export type ErrorCode = "ARCHIVE_INVALID" | "ARCHIVE_LIMIT" | "ARCHIVE_UNSAFE" | "PACKAGE_INVALID" | "PACKAGE_NOT_FOUND" | "PACKAGE_IN_USE" | "PACKAGE_CHANGED" | "PACKAGE_READING_STOPPED" | "PACKAGE_ID_TAKEN" | "MANIFEST_INVALID" | "NOT_SUPPORTED_CLASSIC_WORKFLOW" | "WORKFLOW_REF_REQUIRED" | "WORKFLOW_REF_UNKNOWN" | "UNKNOWN_WORKFLOW" | "UNKNOWN_PROMPT_ID" | "DATA_LOAD_FAILED" | "WORKFLOW_REF_MISMATCH" | "WORKFLOW_FILE_NOT_FOUND" | "GRAPH_FILE_NOT_FOUND" | "STEP_FILE_NOT_FOUND" | "AGENT_NOT_FOUND" | "PROJECT_ROOT_INVALID" | "PROJECT_NOT_FOUND" | "PROJECT_COPIED" | "PROJECT_MISMATCH" | "PROJECT_FILE_INVALID" | "RUN_NOT_FOUND" | "CONVERSATION_NOT_FOUND" | "REQUEST_NOT_FOUND" | "RUN_BUSY" | "STATE_INIT_FAILED" | "STATE_FILE_NOT_FOUND" | "CURRENT_NODE_INVALID" | "STORE_OPEN_FAILED" | "STORE_BUSY" | "STORE_TOO_NEW" | "STORE_WRITE_FAILED" | "STORE_READ_FAILED" | "WATCH_LIMITED" | "EXPORT_UNSAFE" | "EXPORT_TOO_LARGE" | "EXPORT_EXISTS" | "CREWRUN_INVALID" | "CREWRUN_TOO_NEW" | "LLM_NOT_CONFIGURED" | "LLM_AUTH_FAILED" | "LLM_RATE_LIMITED" | "LLM_TIMEOUT" | "LLM_CONTEXT_TOO_LONG" | "LLM_MODEL_NOT_FOUND" | "LLM_HTTP_ERROR" | "LLM_BAD_RESPONSE" | "LLM_UNREACHABLE" | "LLM_OUTPUT_CUT" | "DEMO_OVER" | "DEMO_TRACE_MISMATCH" | "DEMO_TRACE_INVALID" | "ENGINE_ABORTED" | "ENGINE_MAX_TURNS_EXCEEDED" | "ENGINE_LOOP_DETECTED" | "ENGINE_PRECONDITION_FAILED" | "CONTEXT_STILL_TOO_LARGE" | "STATE_CHANGE_REQUIRES_CONFIRMATION" | "E_INTERRUPTED" | "NOT_NOW" | "USER_REFUSED" | "APPROVAL_NOT_FOUND" | "WIDGET_NOT_FOUND" | "WIDGET_ALREADY_SUBMITTED" | "WIDGET_VALUE_INVALID" | "WIDGET_TOO_SOON" | "TOOL_ARGS_INVALID_JSON" | "E_INVALID_ARGS" | "TOOL_NOT_AVAILABLE" | "TOOL_EXEC_FAILED" | "E_SANDBOX_VIOLATION" | "ENOENT" | "EEXIST" | "ENOTEMPTY" | "E_READ_LIMIT" | "E_WRITE_LIMIT" | "E_NOT_TEXT" | "E_SECRET_FILE" | "E_SELF_STARTING" | "E_PATCH_FAILED" | "E_UNKNOWN_MARK" | "E_PRECONDITION_FAILED" | "E_INVALID_FRONTMATTER" | "E_SCHEMA_VALIDATION" | "E_INVALID_TRANSITION" | "E_CONDITION_NOT_MET" | "E_NOT_AT_END" | "E_OUTPUTS_MISSING" | "E_HOOK_BLOCKED" | "E_HOOK_FAILED" | "MCP_SERVER_UNKNOWN" | "MCP_SERVER_INVALID" | "MCP_SERVER_CHANGED" | "MCP_FILE_INVALID" | "E_MCP_NOT_TRUSTED" | "E_MCP_NOT_STARTED" | "E_MCP_ENDED" | "E_MCP_TIMEOUT" | "E_MCP_FLOOD" | "E_MCP_GARBAGE" | "E_MCP_TOOL_FAILED" | "E_MCP_SIGN_IN" | "MCP_SIGN_IN_FAILED" | "MCP_PROMPT_UNKNOWN" | "MCP_PROMPT_ARGUMENTS" | "SKILL_NOT_FOUND" | "SKILL_INVALID" | "E_SKILL_TOOLS_NARROWED" | "E_SUBAGENT_FAILED" | "E_TODO_NOT_FOUND" | "E_TODO_CONFLICT" | "E_TODO_TRANSITION" | "E_ARTIFACT_UNKNOWN" | "REWIND_NOT_CONFIRMED" | "E_IO" | "IMPORT_SOURCE_INVALID" | "IMPORT_NOT_JSON" | "IMPORT_MALFORMED" | "IMPORT_ID_UNSAFE" | "IMPORT_DUPLICATE" | "IMPORT_TOO_LARGE" | "IMPORT_LINK" | "IMPORT_UNLISTED" | "IMPORT_CHANGED" | "IMPORT_READ_ONLY" | "IMPORT_NOT_SUPPORTED" | "IMPORT_KEY_LEFT" | "SETTING_INVALID" | "SETTING_IS_KEY" | "NOT_OPENED" | "BAD_REQUEST" | "E_INTERNAL";

/**
 * What a journal tells of a run's evidence beside the facts, the newest first.
 */
export type EvidenceView = {
/**
 * The newest judgements, [`LISTED_JUDGEMENTS`](crate::bounds::LISTED_JUDGEMENTS) at most.
 */
judgements: Array<JudgementRecord>,
/**
 * How many there are before them.
 */
earlierJudgements: number,
/**
 * The newest answers, [`LISTED_ANSWERS`](crate::bounds::LISTED_ANSWERS) at most.
 */
answers: Array<GivenAnswer>,
/**
 * How many there are before them.
 */
earlierAnswers: number, };

/**
 * How a conversation is written into a file.
 */
export type ExportFormat = "messages.json" | "md" | "jsonl";

/**
 * The kinds of facts (spec 06).
 */
export type FactKind = "file_read" | "file_written" | "file_noop" | "file_deleted" | "file_moved" | "file_listed" | "verification" | "file_foreign_change" | "command_executed" | "todo_created" | "todo_updated" | "todo_completed" | "todo_failed" | "subagent_started" | "subagent_completed" | "subagent_failed" | "todo_conflict" | "state_changed" | "user_confirmed" | "tool_error" | "unrecognised";

/**
 * A fact with its place in the journal.
 */
export type FactRecord = {
/**
 * The event's sequence number.
 */
seq: number,
/**
 * When it was found out.
 */
at: Time,
/**
 * Model requests that were answered by then.
 */
turn: number,
/**
 * The call it comes from.
 */
callId: CallId | null,
/**
 * The tool of that call, by the name that its end has in the journal. Absent where the call is
 * another agent's, or the person's.
 */
tool?: string,
/**
 * The run it is about.
 */
runId: RunId | null,
/**
 * The helpers through which it came, the outermost first; empty for the run's own agent.
 */
agentPath: Array<string>,
/**
 * What kind of thing.
 */
kind: FactKind,
/**
 * To which file.
 */
path?: AliasPath,
/**
 * The file itself, where links lead from `path` to it. Absent when there are none.
 */
resolved?: AliasPath,
/**
 * The file's hash afterwards.
 */
sha256?: string,
/**
 * An error code, for `tool_error`; `passed` or `failed`, for `verification` and
 * `command_executed`; `restored`, for `file_written` by a rewind.
 */
outcome?: string,
/**
 * What a verification stands for: `workspace` or `artifact:<project-relative path>`.
 */
scope?: string,
/**
 * Where a moved file is now.
 */
to?: AliasPath,
/**
 * What a check looked at, for `verification`. Absent in older journals.
 */
check?: FileCheck,
/**
 * The texts a failed check looked for; of a short write that nobody checked, its content.
 */
expected?: Array<string>,
/**
 * Which hook of the person, for what its command found.
 */
hook?: string,
/**
 * Which todo, for the facts about todos.
 */
todo?: string, };

/**
 * Calls that failed in a row in the same way.
 */
export type FailedCalls = {
/**
 * The error code of each.
 */
code: string,
/**
 * How many there were.
 */
times: number, };

/**
 * The result of a call that was refused or failed.
 */
export type FailedResult = {
/**
 * What it came to.
 */
error: Failure, };

/**
 * What went wrong, to what, and what to do: the value every boundary carries. Texts name alias
 * paths only. The English texts are for the log, the model and programs; a person reads what
 * [`message_in`](Self::message_in) and [`action_in`](Self::action_in) say.
 */
export type Failure = {
/**
 * What the reader acts on.
 */
code: ErrorCode,
/**
 * What happened, and to what, in English.
 */
message: string,
/**
 * Facts for programs: findings, allowed values, hashes.
 */
details?: unknown,
/**
 * What to do about it in English, when it is more specific than the code's own words.
 */
action?: string,
/**
 * What `message` says, as data. Absent in what only a model reads, and in older journals.
 */
said?: Phrase,
/**
 * What `action` says, as data.
 */
advice?: Phrase, };

/**
 * One file of a rewind, before and after.
 */
export type FileChange = {
/**
 * The file as it stands now.
 */
path: AliasPath,
/**
 * SHA-256 before; absent when there is no such file.
 */
preHash?: string,
/**
 * SHA-256 after; absent when it is gone then.
 */
postHash?: string,
/**
 * What someone else made of it is replaced or removed.
 */
replacesOthers?: boolean, };

/**
 * What a check of a file looked at.
 */
export type FileCheck = "existence" | "content" | "readback" | "unrecognised";

/**
 * What is, or was, at a path.
 */
export type FileContent = { "kind": "text",
/**
 * Its beginning, at most [`VIEWED_BYTES`](crate::bounds::VIEWED_BYTES).
 */
text: string,
/**
 * How long all of it is, in bytes.
 */
bytes: number,
/**
 * Whether it goes on.
 */
cut: boolean, } | { "kind": "not_text",
/**
 * How long it is, in bytes.
 */
bytes: number, } | { "kind": "nothing" } | { "kind": "folder" } | { "kind": "refused" } | { "kind": "not_kept" };

/**
 * What became of a file since before the run, whoever did it.
 */
export type FileDifference = {
/**
 * What the run did to it in all.
 */
effect: FileEffect,
/**
 * What was there before the run.
 */
before: FileContent,
/**
 * Unified diff from then until now, nothing of it left out; absent where one of the two is no
 * text or not known, and where it is too long to be read.
 */
diff?: string, };

/**
 * What a run did to a file in all.
 */
export type FileEffect = {
/**
 * Which, where it is now, or where it was.
 */
path: AliasPath,
/**
 * What became of it.
 */
kind: EffectKind,
/**
 * Where it was before the run; with [`EffectKind::Moved`] only.
 */
from?: AliasPath,
/**
 * SHA-256 before the run.
 */
sha256Before?: string,
/**
 * SHA-256 of what the run left there.
 */
sha256?: string,
/**
 * How many lines came and went, where that is known.
 */
lines?: LineCount,
/**
 * Someone else changed it since.
 */
foreign?: boolean,
/**
 * A check since the run's last change says that it is as the run left it.
 */
verified?: boolean, };

/**
 * The same for a person to see: without the preview.
 */
export type FileGiven = {
/**
 * Where it lies.
 */
path: AliasPath,
/**
 * Its size when it was read.
 */
bytes: number,
/**
 * Whether the model was shown its beginning only.
 */
cut?: boolean,
/**
 * Why the model was shown nothing of it.
 */
withheld?: Withheld, };

/**
 * A file as it is now and, where the run changed it, as it was before.
 */
export type FileView = {
/**
 * Where it lies, or lay.
 */
path: AliasPath,
/**
 * What is there now.
 */
now: FileContent,
/**
 * SHA-256 of it; absent where there is no file, or where it was not read whole.
 */
sha256?: string,
/**
 * Whether it is there and a program of the system may open it.
 */
isDocument: boolean,
/**
 * What the run did to it.
 */
change?: FileDifference, };

/**
 * One thing found in a package (spec 03 "PackageReport").
 */
export type Finding = {
/**
 * Whether it blocks an install, warns or only tells.
 */
severity: Severity,
/**
 * Which file, relative to the package root; empty for the package as a whole.
 */
file: string,
/**
 * A stable code: `schema`, `frontmatter`, `missing-file`, `duplicate-node`, …
 */
kind: string,
/**
 * What is wrong, in English.
 */
message: string,
/**
 * What `message` says, as data.
 */
said?: Phrase,
/**
 * JSON pointer into the file.
 */
instancePath?: string,
/**
 * JSON pointer into the schema.
 */
schemaPath?: string,
/**
 * What to do, in English.
 */
hint?: string,
/**
 * What `hint` says, as data.
 */
advice?: Phrase, };

/**
 * A file or folder in a folder.
 */
export type FolderEntry = {
/**
 * Where it lies.
 */
path: AliasPath,
/**
 * Whether it is a folder.
 */
isFolder: boolean, };

/**
 * What lies right in a folder, but hidden and private files.
 */
export type FolderView = {
/**
 * The folders by name, then the files by name; at most
 * [`LISTED_ENTRIES`](crate::bounds::LISTED_ENTRIES).
 */
entries: Array<FolderEntry>,
/**
 * How many more there are.
 */
more: number, };

/**
 * A server in the file of another client.
 */
export type FoundServer = {
/**
 * What it is called.
 */
name: ServerName,
/**
 * How it is started or reached.
 */
launch: ShownLaunch,
/**
 * Whether a server of this name is set up already.
 */
taken: boolean, };

/**
 * What a watcher is sent. `Snapshot` first, then increments.
 */
export type Frame = { "type": "snapshot",
/**
 * The items of the last page in order.
 */
items: Array<Item>,
/**
 * Where the page before it ends: what `items` is asked with. `None` when there is none.
 */
earlier: number | null,
/**
 * Where the conversation stands.
 */
status: Status, } | { "type": "upsert",
/**
 * The item.
 */
item: Item, } | { "type": "append",
/**
 * The message's item.
 */
id: MessageId,
/**
 * More text.
 */
text: string,
/**
 * More reasoning.
 */
thinking: string, } | { "type": "status",
/**
 * All of it.
 */
status: Status, } | { "type": "remove",
/**
 * The item to remove.
 */
id: MessageId, };

/**
 * What the person answered to a question of the model, or of the runtime.
 */
export type GivenAnswer = {
/**
 * The sequence number of the event that asked.
 */
seq: number,
/**
 * When it was answered.
 */
at: Time,
/**
 * The item of the question in the conversation.
 */
item: MessageId,
/**
 * What was asked.
 */
widget: Widget,
/**
 * The change that it was about, without its diff.
 */
change?: ChangeView,
/**
 * The answer.
 */
answer: unknown, };

/**
 * A folder the person allowed for the run: one tool, on files directly in it.
 */
export type Grant = {
/**
 * Its key: the change in whose dialog it was given.
 */
changeId: ChangeId,
/**
 * The tool, by canonical name.
 */
tool: string,
/**
 * The folder.
 */
folder: AliasPath,
/**
 * When it was given.
 */
at: Time, };

/**
 * A way from one step to another.
 */
export type GraphEdge = {
/**
 * Where it starts.
 */
from: NodeId,
/**
 * Where it leads.
 */
to: NodeId,
/**
 * What choosing it means.
 */
label: string,
/**
 * Whether it is the way when no condition of another one holds.
 */
isDefault?: boolean,
/**
 * When it is the way, in words.
 */
condition?: string, };

/**
 * A step of a workflow.
 */
export type GraphNode = {
/**
 * Its id.
 */
id: NodeId,
/**
 * Its title, or its id when it has none.
 */
title: string,
/**
 * Its kind.
 */
type: NodeType,
/**
 * For people.
 */
description?: string,
/**
 * Who does it; the run's agent when absent.
 */
agentId?: AgentId,
/**
 * The workflow that is run in its place; absent for a step of its own.
 */
calls?: WorkflowId,
/**
 * The file that says what is done in it; absent when its name cannot be one.
 */
file?: AliasPath,
/**
 * What it reads.
 */
inputs: Array<string>,
/**
 * What it promises: files of the project, but also words.
 */
outputs: Array<string>, };

/**
 * The graph of a workflow, which is the same for all of its runs.
 */
export type GraphView = {
/**
 * Where a run begins.
 */
entry: NodeId,
/**
 * In the order of the progress list.
 */
nodes: Array<GraphNode>,
/**
 * In the order of the package.
 */
edges: Array<GraphEdge>, };

/**
 * Where in a run a hook is run.
 */
export type HookPoint = "before_tool_call" | "after_tool_result" | "before_completion_decision" | "accept_gate" | "run_start" | "run_end" | "node_entered";

/**
 * What a hook came to.
 */
export type HookStatus = "passed" | "blocked" | "warned" | "unanswered" | "unrecognised";

/**
 * A command of a project.
 */
export type HookView = {
/**
 * Its name within the project.
 */
name: string,
/**
 * Where it is run.
 */
at: HookPoint,
/**
 * What the system's shell is given.
 */
command: string,
/**
 * After how many seconds it is ended.
 */
timeoutS: number,
/**
 * The calls that it is run for, by the names that a model calls their tools; all when empty.
 */
tools: Array<string>,
/**
 * What is trusted: the hash of everything above.
 */
sha256: string,
/**
 * Whether the person trusts it, so that it is run.
 */
trusted: boolean, };

/**
 * One thing of the old store.
 */
export type ImportEntry = {
/**
 * What it is.
 */
kind: ImportKind,
/**
 * Its id in the old store; a setting's dotted name.
 */
id?: string,
/**
 * Its id here, where it is another.
 */
newId?: string,
/**
 * Where it stands, relative to the old store.
 */
file: string,
/**
 * What became of it.
 */
outcome: ImportOutcome,
/**
 * Why, or with which limit.
 */
code?: ErrorCode,
/**
 * The same in words, with the particulars.
 */
reason?: string,
/**
 * What `reason` says, as data.
 */
said?: Phrase,
/**
 * How many messages a conversation has.
 */
messages?: number,
/**
 * Facts for programs: a package's findings.
 */
details?: unknown, };

/**
 * What an entry is about.
 */
export type ImportKind = "package" | "project" | "run" | "conversation" | "message" | "file" | "setting" | "key";

/**
 * What became of it.
 */
export type ImportOutcome = "imported" | "already" | "skipped" | "failed";

/**
 * Everything that was found, in the order it was looked at.
 */
export type ImportReport = {
/**
 * True when nothing was written.
 */
dryRun: boolean,
/**
 * The entries counted.
 */
totals: ImportTotals,
/**
 * One by one.
 */
entries: Array<ImportEntry>, };

/**
 * How many entries came to what.
 */
export type ImportTotals = {
/**
 * [`ImportOutcome::Imported`].
 */
imported: number,
/**
 * [`ImportOutcome::Already`].
 */
already: number,
/**
 * [`ImportOutcome::Skipped`].
 */
skipped: number,
/**
 * [`ImportOutcome::Failed`].
 */
failed: number, };

/**
 * One thing in a conversation.
 */
export type Item = {
/**
 * Its key; for messages and widgets the message id.
 */
id: MessageId,
/**
 * Its place: the sequence number of the event it came with.
 */
seq: number,
/**
 * When it happened.
 */
at: Time,
/**
 * What it is.
 */
body: ItemBody, };

/**
 * The kinds of items.
 */
export type ItemBody = { "type": "message",
/**
 * Whether the person or the model spoke.
 */
by: Speaker,
/**
 * Plain text of a person, Markdown of a model.
 */
text: string,
/**
 * The model's reasoning.
 */
thinking?: string,
/**
 * Still being written.
 */
streaming: boolean,
/**
 * Stopped or cut before its end.
 */
cut: boolean,
/**
 * The agent that speaks.
 */
agent?: string,
/**
 * The files that a person gave along by mentioning them.
 */
files?: Array<FileGiven>, } | { "type": "call",
/**
 * The call.
 */
callId: CallId,
/**
 * Canonical tool name.
 */
tool: string,
/**
 * The path it names.
 */
path?: AliasPath,
/**
 * What it does to the world.
 */
class: EffectClass,
/**
 * The arguments, as the model wrote them.
 */
args: unknown,
/**
 * Where it stands.
 */
state: CallState,
/**
 * What it is about beyond its path.
 */
details?: CallDetails,
/**
 * The result, once there is one.
 */
result?: unknown,
/**
 * How long the call took, in milliseconds.
 */
durationMs: number,
/**
 * The runtime's diff, for changes of the state document.
 */
diff?: string,
/**
 * Whether the model wrote it as text, where it was found.
 */
repaired?: boolean, } | { "type": "step",
/**
 * The step.
 */
node: NodeId,
/**
 * Whether the step before it is completed; it may have been left before that.
 */
afterCompleted: boolean,
/**
 * Whether the step before it waits for the workflow that this one is of.
 */
isCalled?: boolean,
/**
 * What it is called, where it is of a workflow that another one called.
 */
title?: string, } | { "type": "question",
/**
 * The payload.
 */
widget: Widget,
/**
 * The change a confirmation is bound to.
 */
change?: ChangeView,
/**
 * True for a state-change confirmation without a known change: the dialog says so.
 */
unbound: boolean,
/**
 * The value submitted; absent while it waits.
 */
answer?: unknown,
/**
 * The files that the answer's words mention.
 */
files?: Array<FileGiven>,
/**
 * True when it needs no answer any more: the call it was about was closed unrun.
 */
closed: boolean, } | { "type": "decision",
/**
 * The judgement.
 */
decision: Decision,
/**
 * The text that was not accepted; absent when it stands as a message of its own.
 */
rejected?: string,
/**
 * Whether the person let it stand all the same.
 */
overruled: boolean, } | { "type": "hook",
/**
 * Its name.
 */
name: string,
/**
 * Where the run was.
 */
point: HookPoint,
/**
 * What it came to.
 */
status: HookStatus,
/**
 * What it wrote.
 */
output?: string,
/**
 * Why it came to no end of its own.
 */
failure?: Failure,
/**
 * How long it took, milliseconds.
 */
durationMs: number,
/**
 * The tool of the call it was run for.
 */
tool?: string, } | { "type": "notice",
/**
 * What the notice is about.
 */
kind: NoticeKind,
/**
 * The failure behind it.
 */
failure?: Failure,
/**
 * What it says beyond its kind.
 */
parts?: Array<Phrase>,
/**
 * Whether Retry / Continue makes sense here.
 */
canResume: boolean, };

/**
 * A page of a conversation's items.
 */
export type ItemPage = {
/**
 * The items in order.
 */
items: Array<Item>,
/**
 * Where the page before this one ends: what `items` is asked with. `None` when there is none.
 */
earlier: number | null, };

/**
 * What the runtime judged of words that the model would have ended a turn with.
 */
export type JudgementRecord = {
/**
 * The event's sequence number.
 */
seq: number,
/**
 * When it was made.
 */
at: Time,
/**
 * The item that shows it in the conversation; of words that were accepted, their message.
 */
item?: MessageId,
/**
 * The judgement.
 */
decision: Decision,
/**
 * Whether the person let the words stand all the same.
 */
overruled?: boolean, };

/**
 * A model that answered before, and what was set for it.
 */
export type KnownModel = {
/**
 * Its preset.
 */
provider: string,
/**
 * Where it answers.
 */
baseUrl: string,
/**
 * Its name there.
 */
model: string,
/**
 * Its context in tokens, where the person set it.
 */
contextTokens: number | null,
/**
 * Which tools it is offered.
 */
tools: ToolOffer, };

/**
 * A language of the interface.
 */
export type Language = "system" | "zh" | "en";

/**
 * How a server is started or reached. A value that is `null` stays what it is: what may be a key is
 * never shown.
 */
export type LaunchDraft = { "kind": "command",
/**
 * The program.
 */
command: string,
/**
 * Its arguments.
 */
args: Array<string>,
/**
 * What is added to its environment.
 */
env: { [key in string]: ServerValue | null }, } | { "kind": "url",
/**
 * Its address.
 */
url: string,
/**
 * What each request carries besides.
 */
headers: { [key in string]: ServerValue | null }, };

/**
 * Messages of a conversation that are not in a request.
 */
export type LeftOut = {
/**
 * So many went when the conversation was made shorter: a summary may stand for them.
 */
byShortening: number,
/**
 * So many are of steps before, which the model is not told of.
 */
ofEarlierSteps: number, };

/**
 * A server in the file of another client that cannot be set up.
 */
export type LeftOutServer = {
/**
 * What the file calls it.
 */
name: string,
/**
 * Why it cannot be set up here.
 */
why: Phrase, };

/**
 * How many lines came and went.
 */
export type LineCount = {
/**
 * Lines that came.
 */
added: number,
/**
 * Lines that went.
 */
removed: number, };

/**
 * A place on this machine where a model server may listen.
 */
export type LocalServer = {
/**
 * Its preset.
 */
provider: string,
/**
 * For people.
 */
title: string,
/**
 * What to set as `model.baseUrl`. Always a loopback address.
 */
baseUrl: string,
/**
 * What was found there.
 */
state: LocalState,
/**
 * Its models, at most 200.
 */
models: Array<string>, };

/**
 * What was found where a model server may listen.
 */
export type LocalState = "found" | "other" | "nothing";

/**
 * Where a log line comes from.
 */
export type LogKind = "log" | "tool";

/**
 * How grave a log line is, the gravest first.
 */
export type LogLevel = "error" | "warn" | "info" | "debug" | "trace";

/**
 * One line of the log.
 */
export type LogRow = {
/**
 * When it was logged.
 */
at: Time,
/**
 * How grave the line is.
 */
level: LogLevel,
/**
 * The program's own words, or a tool call of the audit log.
 */
kind: LogKind,
/**
 * The module that speaks, or the tool.
 */
source: string,
/**
 * One line.
 */
message: string,
/**
 * What belongs to it, by name. Alias paths only.
 */
fields: Record<string, unknown>, };

/**
 * The manifest in a few fields.
 */
export type ManifestSummary = {
/**
 * Package name.
 */
name: string,
/**
 * The package's version (semantic versioning).
 */
version: string,
/**
 * For people.
 */
description: string | null,
/**
 * For people.
 */
author: string | null, };

/**
 * A row of a menu as a person sees it.
 */
export type MenuLine = {
/**
 * Its number, from 1.
 */
number: number,
/**
 * What to type; absent where only the description says it.
 */
trigger?: string,
/**
 * What it does, in words.
 */
description: string, };

/**
 * One message of a conversation, a UUIDv7.
 */
export type MessageId = string;

/**
 * What a message of a request is (spec 04 "Layers").
 */
export type MessageSource = "base_rules" | "tool_policy" | "skills" | "persona" | "active_skill" | "run_directive" | "node_brief" | "data_context" | "state_summary" | "todo_list" | "task_brief" | "user_input" | "reply" | "result" | "shortened_result" | "missing_result" | "summary" | "put_back" | "next_action" | "continue_directive" | "output_cut" | "summary_request";

/**
 * A fact that is not there yet.
 */
export type MissingFact = {
/**
 * What kind of fact it would be.
 */
kind: MissingKind,
/**
 * Of what: an alias path or an id.
 */
target: string,
/**
 * The texts that a file is to hold, when they are known.
 */
expected?: Array<string>,
/**
 * The step that promises the file.
 */
node?: NodeId,
/**
 * What the check wrote that did not pass; the end of it when it is long.
 */
output?: string,
/**
 * How it failed in this turn.
 */
failed?: FailedCalls, };

/**
 * What kind of fact is missing.
 */
export type MissingKind = "verification_passed" | "file_exists" | "todo_terminal" | "subagent_completed" | "report_taken" | "user_confirmed" | "command_passed" | "command_answered" | "unrecognised";

/**
 * With whom the person talks (spec 01 "Modes"). Another one keeps the conversation as it is, and
 * changes what the model is told before it.
 */
export type Mode = { "mode": "run" } | { "mode": "agent",
/**
 * The package.
 */
packageId: PackageId,
/**
 * The agent.
 */
agentId: AgentId, } | { "mode": "chat" };

/**
 * What a model costs.
 */
export type ModelPrice = {
/**
 * How the model's name begins: `gpt-4.1` holds for `gpt-4.1-2026-04-14`, too, unless that has a
 * price of its own.
 */
model: string,
/**
 * A million tokens of requests.
 */
input: number,
/**
 * A million tokens of answers.
 */
output: number, };

/**
 * The server that is asked, which speaks the protocol of OpenAI, and the model there.
 */
export type ModelSettings = {
/**
 * Preset name: `openai`, `ollama`, `lmstudio`, `llamacpp`, `deepseek`, … or `custom`.
 */
provider: string,
/**
 * Up to and without `/chat/completions`; empty means not configured.
 */
baseUrl: string,
/**
 * The model's name at the endpoint.
 */
model: string,
/**
 * Its context in tokens. Where it is not set the server is asked, and may not know.
 */
contextTokens: number | null,
/**
 * Which tools the model is offered.
 */
tools: ToolOffer,
/**
 * Seconds to connect.
 */
connectTimeoutS: number,
/**
 * Seconds to the first byte.
 */
firstByteTimeoutS: number,
/**
 * Seconds between bytes.
 */
idleTimeoutS: number,
/**
 * Extra request headers.
 */
headers: { [key in string]: string }, };

/**
 * What a real connection test found.
 */
export type ModelTest = {
/**
 * Whether it answers a chat.
 */
answers: boolean,
/**
 * Whether it called the probe tool.
 */
callsTools: boolean,
/**
 * Whether it did a second thing after the first, with what the first gave.
 */
followsPlans: boolean,
/**
 * Whether it can run workflows, by all of this.
 */
fit: WorkflowFit,
/**
 * Models the endpoint lists, at most 200.
 */
models: Array<string>,
/**
 * Context in tokens, where the server tells.
 */
contextTokens: number | null,
/**
 * How long the chat took, milliseconds.
 */
latencyMs: number,
/**
 * What went wrong.
 */
failure: Failure | null, };

/**
 * Tokens that one model took.
 */
export type ModelUsage = {
/**
 * Its name, as in [`Reply::model`]; `None` where nobody knows.
 */
model: string | null,
/**
 * Tokens of its requests and answers.
 */
usage: Usage, };

/**
 * How many places of a conversation a page leaves out.
 */
export type MoreHits = {
/**
 * Of this one.
 */
conversationId: ConversationId,
/**
 * So many messages.
 */
count: number,
/**
 * There are still more: not all were counted.
 */
atLeast: boolean, };

/**
 * A call to make, checked against its tool before it is told.
 */
export type NextAction = {
/**
 * The tool, as a model calls it: `fs_read`.
 */
tool: string,
/**
 * Its arguments, ready to be sent.
 */
args: unknown, };

/**
 * A node of a graph.
 */
export type NodeId = string;

/**
 * What kind of thing a node is. `merge` runs as a plain step, and so does `subworkflow` when it
 * names no workflow.
 */
export type NodeType = "step" | "decision" | "merge" | "end" | "subworkflow";

/**
 * What a notice is about.
 */
export type NoticeKind = "started" | "task_started" | "completed" | "model_error" | "demo_over" | "model_switched" | "stopped" | "interrupted" | "limit" | "state_adopted" | "state_rejected" | "store_error" | "imported" | "unchanged" | "order_kept" | "ended" | "foreign_change" | "put_back" | "not_put_back" | "went_back" | "not_went_back" | "compacted" | "agent_chosen" | "chat_chosen" | "run_chosen" | "skill_began" | "skill_ended";

/**
 * Something passing, for whoever watches.
 */
export type Noticed = { "type": "files",
/**
 * The project whose files changed.
 */
projectId: ProjectId,
/**
 * Which, at most [`Noticed::MAX_PATHS`].
 */
paths: Array<AliasPath>,
/**
 * There were more, or it is not known which: read everything again.
 */
more: boolean, } | { "type": "settings",
/**
 * `SETTING_INVALID` per field whose old value was kept.
 */
problems: Array<Failure>, } | { "type": "runs" } | { "type": "opened",
/**
 * The file, as the system gave it.
 */
path: string, } | { "type": "folder",
/**
 * The folder, as the system gave it.
 */
path: string, } | { "type": "shown",
/**
 * The project it belongs to.
 */
projectId: ProjectId,
/**
 * Where that was last, a real path: it may have to be opened first.
 */
location: string,
/**
 * The conversation.
 */
conversationId: ConversationId, } | { "type": "shownPackage",
/**
 * The package.
 */
packageId: PackageId, } | { "type": "notShown",
/**
 * What is not there: `CONVERSATION_NOT_FOUND`, `PACKAGE_NOT_FOUND`.
 */
failure: Failure, } | { "type": "package",
/**
 * As it was named.
 */
path: string, } | { "type": "log",
/**
 * Oldest first.
 */
rows: Array<LogRow>,
/**
 * How many older ones were left out because nobody took them in time.
 */
dropped: number, } | { "type": "limited",
/**
 * Why, and what to do.
 */
failure: Failure, };

/**
 * Something that has to be so before a final answer is accepted.
 */
export type Obligation = { "kind": "unverified_write",
/**
 * The file.
 */
path: AliasPath, } | { "kind": "failed_verification",
/**
 * The file.
 */
path: AliasPath, } | { "kind": "open_todo",
/**
 * The todo.
 */
id: string,
/**
 * The version of it that is open.
 */
revision: number, } | { "kind": "failed_required_todo",
/**
 * The todo.
 */
id: string, } | { "kind": "missing_output",
/**
 * The step.
 */
node: NodeId,
/**
 * The file.
 */
path: AliasPath, } | { "kind": "failed_gate",
/**
 * The hook.
 */
hook: string,
/**
 * SHA-256 of what it wrote: another complaint is another obligation.
 */
outputSha256: string, } | { "kind": "unanswered_gate",
/**
 * The hook.
 */
hook: string, } | { "kind": "failed_subagent",
/**
 * The call that asked for it.
 */
callId: CallId, } | { "kind": "missing_report" } | { "kind": "post_completion_pending",
/**
 * The change.
 */
changeId: ChangeId, } | { "kind": "unrecognised" };

/**
 * A skill that may be used: what a model is told of it before.
 */
export type OfferedSkill = {
/**
 * Its name.
 */
name: SkillName,
/**
 * What it is for and when to use it, on one line.
 */
description: string,
/**
 * Whether the model is not told of it: only the person activates it.
 */
byPersonOnly?: boolean,
/**
 * The agents of the package that import it; it is there for all when there are none.
 */
onlyFor?: Array<AgentId>,
/**
 * Whether scripts belong to it. They are never run.
 */
hasScripts?: boolean,
/**
 * The folder of skills, or what the folder lies in.
 */
root: SkillRoot,
/**
 * The skill's own folder, relative to the package and `/`-separated, where an agent names it.
 * It is the skill's name below the folder of skills when absent.
 */
folder?: string, };

/**
 * Where a file is opened.
 */
export type OpenIn = "program" | "folder";

/**
 * What becomes of a step that is completed without a file it promises (spec 03 "The guard").
 */
export type OutputsPolicy = "enforce" | "warn" | "off";

/**
 * An installed package: `<slug>-<version>-<32 hex>` (spec 03).
 */
export type PackageId = string;

/**
 * What is said about a package before it is installed (spec 03, CLI `package inspect`).
 */
export type PackageReport = {
/**
 * The id it would get; absent when the manifest could not be read.
 */
packageId: PackageId | null,
/**
 * Name, version and description; absent when the manifest could not be read.
 */
manifest: ManifestSummary | null,
/**
 * What can be run.
 */
workflows: Array<WorkflowSummary>,
/**
 * Who runs it.
 */
agents: Array<AgentSummary>,
/**
 * The permission sheet, one row an agent.
 */
permissions: Array<PermissionRow>,
/**
 * The sheet in words, as the settings are now; empty where nobody knows them.
 */
sheet: Array<PermissionLine>,
/**
 * Its skills, by their names. None where the package was installed by an older program.
 */
skills?: Array<OfferedSkill>,
/**
 * Everything found, errors first.
 */
findings: Array<Finding>,
/**
 * SHA-256 of the content.
 */
contentHash: string,
/**
 * How many files.
 */
fileCount: number,
/**
 * Bytes in all.
 */
totalBytes: number,
/**
 * The difference to the package of the same name that was installed last, if there is one.
 */
upgrade?: UpgradeDiff, };

/**
 * A package in the list.
 */
export type PackageView = {
/**
 * Its id.
 */
packageId: PackageId,
/**
 * Its name.
 */
name: string,
/**
 * The package's version (semantic versioning).
 */
version: string,
/**
 * For people.
 */
description: string | null,
/**
 * What can be run.
 */
workflows: Array<WorkflowSummary>,
/**
 * Who runs it.
 */
agents: Array<AgentSummary>,
/**
 * When it was installed.
 */
installedAt: Time,
/**
 * Whether it carries a demo trace.
 */
hasDemo: boolean, };

/**
 * What a line of the permission sheet is about.
 */
export type PermissionKind = "files" | "limit" | "tools" | "network";

/**
 * One line of the permission sheet.
 */
export type PermissionLine = {
/**
 * The agent the row is about.
 */
agentId: AgentId,
/**
 * What it is about.
 */
about: PermissionKind,
/**
 * The package says so, and nothing holds it to that.
 */
declared: boolean,
/**
 * The words.
 */
says: Phrase, };

/**
 * What one agent asks for: the permission sheet's row.
 */
export type PermissionRow = {
/**
 * The agent these permissions belong to.
 */
agentId: AgentId,
/**
 * File tools on.
 */
fsEnabled: boolean,
/**
 * Its own read limit in bytes, if it sets one.
 */
maxReadBytes: number | null,
/**
 * Its own write limit in bytes, if it sets one.
 */
maxWriteBytes: number | null,
/**
 * MCP tools on.
 */
mcpEnabled: boolean,
/**
 * The servers it names; `None` means all configured ones.
 */
mcpServers: Array<string> | null,
/**
 * The package says it needs the network.
 */
network: boolean,
/**
 * Folders its steps declare as outputs, project-relative.
 */
outputFolders: Array<string>, };

/**
 * Where a run stands (spec 03 "Phases").
 */
export type Phase = "idle" | "running" | "waiting-user" | "completed" | "failed";

/**
 * A sentence or a part of one as data: said in either language, kept in journals by its key.
 */
export type Phrase = {
/**
 * Which. A newer program may have written one that this program does not know.
 */
key: string,
/**
 * What stands in its places, by name.
 */
values: Record<string, string | Phrase | Phrase[]>, };

/**
 * `progress` of a snapshot.
 */
export type Progress = {
/**
 * In execution order.
 */
steps: Array<StepView>,
/**
 * The ways that led to where the run is, without those that a rewind took back.
 */
ways: Array<TakenWay>,
/**
 * The workflow that both are of, when another one called it.
 */
called?: CalledWorkflow, };

/**
 * A project folder the user opened.
 */
export type ProjectId = string;

/**
 * What the data of one project takes in the store. Files of the project itself do not count.
 */
export type ProjectSize = {
/**
 * The project these figures are about.
 */
projectId: ProjectId,
/**
 * Its name; empty when only its data is left.
 */
name: string,
/**
 * How many conversations.
 */
conversations: number,
/**
 * How many messages.
 */
messages: number,
/**
 * Bytes of journals and messages in the database, without its own overhead.
 */
rowBytes: number,
/**
 * Bytes of state documents, logs, kept tool results and checkpoints.
 */
fileBytes: number,
/**
 * Bytes of checkpoints, which are part of `fileBytes`.
 */
checkpointBytes: number, };

/**
 * A project in the recent list.
 */
export type ProjectView = {
/**
 * Its id.
 */
projectId: ProjectId,
/**
 * Its name.
 */
name: string,
/**
 * The folder, for the person who opened it. The only real path on the wire; never in a
 * frame, a snapshot, a log or an export.
 */
location: string,
/**
 * False when the folder is gone: offer to re-bind.
 */
exists: boolean,
/**
 * When it was last opened.
 */
lastOpenedAt: Time,
/**
 * How many runs it has.
 */
runCount: number, };

/**
 * What a prompt is told.
 */
export type PromptArgument = {
/**
 * What it is called.
 */
name: string,
/**
 * What it is, as the server says.
 */
description: string,
/**
 * Whether the prompt cannot do without.
 */
required: boolean, };

/**
 * A provider of models that settings can name.
 */
export type ProviderView = {
/**
 * As settings name it.
 */
name: string,
/**
 * Where it answers; absent where every customer has an address of their own.
 */
baseUrl?: string, };

/**
 * What can be asked of the host without changing anything; each is answered with an `Answer`.
 */
export type Query = { "type": "projects" } | { "type": "hooks",
/**
 * The project asked about.
 */
projectId: ProjectId, } | { "type": "servers",
/**
 * In which project they are trusted; in none when absent.
 */
projectId: ProjectId | null, } | { "type": "skills",
/**
 * The project, if any.
 */
projectId: ProjectId | null,
/**
 * The package, if any.
 */
packageId: PackageId | null, } | { "type": "serverFile",
/**
 * The file.
 */
path: string, } | { "type": "packages" } | { "type": "inspectPackage",
/**
 * The file or folder.
 */
path: string, } | { "type": "packageReading" } & ReadPackage | { "type": "package",
/**
 * The package asked about.
 */
packageId: PackageId, } | { "type": "runs",
/**
 * The project whose runs are listed.
 */
projectId: ProjectId, } | { "type": "snapshot",
/**
 * Of what.
 */
conversationId: ConversationId, } | { "type": "graph",
/**
 * The installed package.
 */
packageId: PackageId,
/**
 * Which of its workflows.
 */
workflowId: WorkflowId, } | { "type": "revision",
/**
 * Of which run.
 */
conversationId: ConversationId,
/**
 * The sequence number of the event that accepted it, as the snapshot lists it.
 */
seq: number, } | { "type": "todos",
/**
 * Of what.
 */
conversationId: ConversationId, } | { "type": "evidence",
/**
 * Of which run.
 */
conversationId: ConversationId, } | { "type": "requests",
/**
 * Of what.
 */
conversationId: ConversationId, } | { "type": "request",
/**
 * Of what.
 */
conversationId: ConversationId,
/**
 * Its number in the list.
 */
number: number, } | { "type": "opening",
/**
 * Of what.
 */
conversationId: ConversationId, } | { "type": "items",
/**
 * Of what.
 */
conversationId: ConversationId,
/**
 * `earlier` of the page that was read before.
 */
before: number, } | { "type": "files",
/**
 * In what they write.
 */
conversationId: ConversationId,
/**
 * What the path holds, whatever its case.
 */
matching: string, } | { "type": "folder",
/**
 * Of which run.
 */
conversationId: ConversationId,
/**
 * Where the folder lies.
 */
path: AliasPath, } | { "type": "file",
/**
 * Of which run.
 */
conversationId: ConversationId,
/**
 * Where it lies, or lay.
 */
path: AliasPath, } | { "type": "rewindPreview",
/**
 * Of which run.
 */
conversationId: ConversationId,
/**
 * The step.
 */
nodeId: NodeId,
/**
 * Whether files stay as they are.
 */
keepFiles?: boolean,
/**
 * Files that somebody else changed and that go back all the same; at most
 * [`OVERWRITTEN_FILES`](crate::bounds::OVERWRITTEN_FILES).
 */
overwrite?: Array<AliasPath>,
/**
 * Whether the last rewind is undone: the step is where the run stood before it.
 */
undo?: boolean, } | { "type": "wholeChange",
/**
 * Of what.
 */
conversationId: ConversationId,
/**
 * The change that waits for the person.
 */
changeId: ChangeId, } | { "type": "settings" } | { "type": "inspectElectron",
/**
 * Its `runtime-store` folder or the one above.
 */
path: string,
/**
 * As if the API key were taken over too.
 */
withKeys: boolean, } | { "type": "testModel" } | { "type": "localModels" } | { "type": "doctor" } | { "type": "conversations",
/**
 * Whose; of every project when absent.
 */
projectId: ProjectId | null,
/**
 * How many; 50 when absent, 500 at most.
 */
limit: number | null,
/**
 * The `next` of the page before.
 */
after: string | null, } | { "type": "activeConversations" } | { "type": "search" } & SearchQuery | { "type": "sizes" } | { "type": "drafts" };

/**
 * Which reading of a package is meant: of two alike the one that began last.
 */
export type ReadPackage = {
/**
 * The file or folder, as it was given.
 */
path: string,
/**
 * Whether it is installed, and not only looked at.
 */
installs: boolean, };

/**
 * How far the reading of a package is.
 */
export type ReadingProgress = {
/**
 * Files that were read, or written by now.
 */
done: number,
/**
 * How many there are, where that is known.
 */
of?: number,
/**
 * Whether they are being written.
 */
isInstalling: boolean, };

/**
 * Why a turn ended where it did.
 */
export type Reason = "answered" | "widget" | "completed" | "ended_early" | "stopped" | "interrupted" | "failed" | "limit" | "not_accepted" | "went_back";

/**
 * What a command came to.
 */
export type Receipt = {
/**
 * The project opened or made.
 */
projectId?: ProjectId,
/**
 * The package installed.
 */
packageId?: PackageId,
/**
 * The run started.
 */
runId?: RunId,
/**
 * The conversation to watch.
 */
conversationId?: ConversationId,
/**
 * What became of words that an agent's menu may know.
 */
routed?: Routed,
/**
 * Where the person signs in at a server.
 */
signIn?: SignInPage,
/**
 * What became of each thing of an imported store.
 */
import?: ImportReport, };

/**
 * What came of a request.
 */
export type RequestEnd = { "type": "replied",
/**
 * How many calls it made.
 */
calls: number, } | { "type": "not_accepted" } | { "type": "too_long",
/**
 * In its words.
 */
failure: Failure, } | { "type": "failed",
/**
 * What went wrong.
 */
failure: Failure, };

/**
 * The requests of a conversation, the oldest first.
 */
export type RequestList = {
/**
 * The newest of them.
 */
requests: Array<RequestRow>,
/**
 * How many there are before those.
 */
earlier: number, };

/**
 * One message of a request.
 */
export type RequestMessage = {
/**
 * What it is.
 */
source: MessageSource,
/**
 * How many tokens it has; see [`RequestView::estimated`].
 */
tokens: number,
/**
 * Whether the request before did not have it.
 */
isNew: boolean,
/**
 * As it was sent.
 */
message: ChatMessage, };

/**
 * What a request asks for.
 */
export type RequestPurpose = "reply" | "summary";

/**
 * One request of a conversation.
 */
export type RequestRow = {
/**
 * The how many-th of the conversation it is, from 1.
 */
number: number,
/**
 * The sequence number of the line that says what came of it.
 */
seq: number,
/**
 * When it came to its end.
 */
at: Time,
/**
 * What it asks for.
 */
purpose: RequestPurpose,
/**
 * What came of it.
 */
end: RequestEnd,
/**
 * The model's own name for itself, when it told.
 */
model?: string,
/**
 * Tokens of the request and the answer, when there was one.
 */
usage?: Usage,
/**
 * How long the answer took, milliseconds.
 */
durationMs?: number,
/**
 * How long it took until the answer began, milliseconds, where it came in pieces.
 */
firstTokenMs?: number,
/**
 * Whether the model wrote its calls as text, and they were found there.
 */
repaired?: boolean, };

/**
 * One tool on offer in a request.
 */
export type RequestTool = {
/**
 * How many tokens it has; see [`RequestView::estimated`].
 */
tokens: number,
/**
 * Whether the request before did not offer it like this.
 */
isNew: boolean,
/**
 * As the model is told of it.
 */
tool: ToolSpec, };

/**
 * A request as the model saw it.
 */
export type RequestView = {
/**
 * Which, and what came of it.
 */
row: RequestRow,
/**
 * SHA-256 of what is shown.
 */
sha256: string,
/**
 * Whether that is the hash of what was sent. `None` where the journal has none: no answer came,
 * or only a summary was asked for.
 */
isAsSent: boolean | null,
/**
 * The request it is compared with, when there is one before.
 */
before?: number,
/**
 * Its messages, in order.
 */
messages: Array<RequestMessage>,
/**
 * Messages that the request before had and this one has not.
 */
gone: Array<RequestMessage>,
/**
 * The tools on offer.
 */
tools: Array<RequestTool>,
/**
 * Names of the tools that the request before offered and this one does not.
 */
goneTools: Array<string>,
/**
 * Messages of the conversation that are not in it.
 */
leftOut: LeftOut,
/**
 * How the conversation was made shorter last, in words. Empty when it is whole.
 */
shortened: Array<Phrase>,
/**
 * Whether the server was told to have a tool called.
 */
mustCall: boolean,
/**
 * How long the answer may be, in tokens; `None` when the server was not told.
 */
maxTokens: number | null,
/**
 * Whether the numbers of tokens are estimates: nobody knows the model's tokenizer.
 */
estimated: boolean, };

/**
 * What the host made of a rewind's files: the result of the call before the state document is
 * rewound.
 */
export type Restored = {
/**
 * The files that are back.
 */
restored: Array<RestoredFile>,
/**
 * Those that are not, each with its reason.
 */
conflicts: Array<Conflict>, };

/**
 * A file that is back as it was.
 */
export type RestoredFile = {
/**
 * The file that was brought back.
 */
path: AliasPath,
/**
 * Its SHA-256; absent when it is gone, as it was.
 */
sha256?: string,
/**
 * True when it is gone.
 */
removed?: boolean, };

/**
 * A request that will be tried again.
 */
export type RetryView = {
/**
 * What went wrong.
 */
failure: Failure,
/**
 * Which try comes next.
 */
attempt: number,
/**
 * Milliseconds until then, when it was announced.
 */
inMs: number, };

/**
 * Where a run stood when a version of its state document had been accepted.
 */
export type RevisionState = {
/**
 * The sequence number of the event that accepted it.
 */
seq: number,
/**
 * When that was.
 */
at: Time,
/**
 * Who made it.
 */
by: Author,
/**
 * How far the run was.
 */
progress: Progress,
/**
 * The whole document.
 */
text: string, };

/**
 * An accepted version of the state document.
 */
export type RevisionView = {
/**
 * The event's sequence number.
 */
seq: number,
/**
 * When the revision was accepted.
 */
at: Time,
/**
 * SHA-256 of the text.
 */
sha256: string,
/**
 * Who made it.
 */
by: Author,
/**
 * Through which call.
 */
callId: CallId | null,
/**
 * Where the run stood then; absent where its first document says nothing that can be known.
 */
nodeId?: NodeId,
/**
 * What that step is called, where it is of a workflow that another one called.
 */
title?: string, };

/**
 * What would become of a run that the person takes back to a step.
 */
export type RewindPreview = {
/**
 * The step.
 */
nodeId: NodeId,
/**
 * Its title.
 */
title: string,
/**
 * The steps that were completed, or are at work, and are to be done again, in the order of the
 * graph.
 */
steps: Array<NodeId>,
/**
 * The files that go back; the first
 * [`FILES_GONE_BACK`](crate::bounds::FILES_GONE_BACK) by their paths.
 */
files: Array<FileChange>,
/**
 * The files that stay as they are, each with its reason; as many at most.
 */
conflicts: Array<Conflict>,
/**
 * How many files and conflicts there are beside; `seen` stands for them, too.
 */
more?: number,
/**
 * Whether the run would not be complete any more.
 */
undoesCompletion: boolean,
/**
 * SHA-256 of all that this depends on: what the command that does it is to say.
 */
seen: string, };

/**
 * The run being taken back to a step by the person: files are on their way.
 */
export type RewindUnderWay = {
/**
 * Why, in the person's words.
 */
reason?: string,
/**
 * The step.
 */
nodeId: NodeId,
/**
 * Whether files stay as they are.
 */
keepFiles?: boolean,
/**
 * Files that somebody else changed and that go back all the same; at most
 * [`OVERWRITTEN_FILES`](crate::bounds::OVERWRITTEN_FILES).
 */
overwrite?: Array<AliasPath>,
/**
 * Whether the last rewind is undone: the step is where the run stood before it.
 */
undo?: boolean, };

/**
 * Who speaks in a request.
 */
export type Role = "system" | "user" | "assistant" | "tool";

/**
 * What became of words that an agent's menu, or the program, may know.
 */
export type Routed = { "kind": "menu",
/**
 * Its rows.
 */
items: Array<MenuLine>, } | { "kind": "choice",
/**
 * The rows that may be meant.
 */
items: Array<MenuLine>, } | { "kind": "said" } | { "kind": "started" } | { "kind": "resumed",
/**
 * Sequence number of the first event of that conversation that came of it.
 */
fromSeq: number,
/**
 * Whether the run goes on by them; otherwise it waits for the person as it did.
 */
goesOn: boolean, } | { "kind": "stopped" } | { "kind": "dismissed" };

/**
 * See [`Event::RunEnded`](super::Event::RunEnded).
 */
export type RunEnded = {
/**
 * Why, in the person's words.
 */
reason?: string, };

/**
 * One execution of a workflow.
 */
export type RunId = string;

/**
 * A run in a list.
 */
export type RunSummary = {
/**
 * Its id.
 */
runId: RunId,
/**
 * Its conversation.
 */
conversationId: ConversationId,
/**
 * Its project.
 */
projectId: ProjectId,
/**
 * Its package.
 */
packageId: PackageId,
/**
 * Its workflow.
 */
workflowId: WorkflowId,
/**
 * For people: the workflow's name.
 */
title: string,
/**
 * Where it stands.
 */
phase: Phase,
/**
 * Why the run stands in that phase.
 */
reason: Reason | null,
/**
 * The node that it is at; absent while it has not moved.
 */
nodeId?: NodeId,
/**
 * How many of its steps are done, and of how many; absent where that is not known.
 */
steps?: StepCount,
/**
 * When it began.
 */
createdAt: Time,
/**
 * When something last happened.
 */
updatedAt: Time, };

/**
 * The run in a few fields.
 */
export type RunView = {
/**
 * Its id.
 */
runId: RunId,
/**
 * Its conversation.
 */
conversationId: ConversationId,
/**
 * Its package.
 */
packageId: PackageId,
/**
 * Its workflow.
 */
workflowId: WorkflowId,
/**
 * Who speaks now.
 */
activeAgentId: AgentId,
/**
 * Where it stands.
 */
phase: Phase,
/**
 * Why the conversation stands in that phase.
 */
reason: Reason | null,
/**
 * Whether the package's demo trace plays the model, until the person chooses their own.
 */
demo: boolean,
/**
 * That the person ended it before its end, and why.
 */
ended?: RunEnded, };

/**
 * `runtime.snapshot.get` (spec 06, spec 11): the state of the journal at `seq`.
 */
export type RuntimeSnapshot = {
/**
 * Sequence number of the last event folded.
 */
seq: number,
/**
 * The run.
 */
run: RunView,
/**
 * `normal` or `post-completion`.
 */
profile: string,
/**
 * The state document.
 */
state: StateView,
/**
 * The graph's nodes with their status.
 */
progress: Progress,
/**
 * The last rewind, while it can be undone.
 */
undo?: UndoableRewind,
/**
 * The rewind of the person that is not at its end yet.
 */
goingBack?: RewindUnderWay,
/**
 * The todos of the run.
 */
todos: TodoList,
/**
 * The sub-agents that work, or worked lately.
 */
subagents: Array<SubagentView>,
/**
 * The newest facts in order, [`FACTS_IN_SNAPSHOT`](crate::bounds::FACTS_IN_SNAPSHOT) at most.
 */
facts: Array<FactRecord>,
/**
 * How many there are before them.
 */
earlierFacts: number,
/**
 * What would be missing if the turn ended now.
 */
obligations: Array<Obligation>,
/**
 * The last judgement.
 */
decision: Decision | null,
/**
 * The message that the model's last words would have been, which were not accepted: the person
 * may let them stand.
 */
rejected: MessageId | null,
/**
 * The widget the run waits for; the first of them when one reply asked several things.
 */
widget: WaitingWidget | null,
/**
 * Every widget that can be answered, oldest first, also those the person passed over.
 */
widgets: Array<WaitingWidget>,
/**
 * The folders the person allowed for this run.
 */
grants: Array<Grant>,
/**
 * Tokens so far.
 */
usage: Usage,
/**
 * The same by model.
 */
usageByModel?: Array<ModelUsage>,
/**
 * How much of what the model reads the next request takes; absent when it cannot be built.
 */
context?: ContextUsage,
/**
 * Confirmations given and used, oldest first: "who approved what".
 */
approvals: Array<Approval>,
/**
 * Accepted versions of the state document, oldest first.
 */
revisions: Array<RevisionView>,
/**
 * What the run changed in the project, file by file.
 */
changes: Array<FileEffect>, };

/**
 * A message that was found.
 */
export type SearchHit = {
/**
 * Its place among all hits; larger comes first.
 */
id: number,
/**
 * Its conversation.
 */
conversationId: ConversationId,
/**
 * Its project.
 */
projectId: ProjectId,
/**
 * What the conversation is called.
 */
title: string,
/**
 * The message.
 */
messageId: MessageId,
/**
 * The item of the conversation that shows it.
 */
itemId: string,
/**
 * The message's sequence number, for reading the messages round it.
 */
seq: number,
/**
 * `user`, `assistant` or `tool`.
 */
role: string,
/**
 * The tool, when its result was found.
 */
toolName: string | null,
/**
 * When it was written.
 */
createdAt: Time,
/**
 * One line round the first place, cut into what was found and what stands beside it.
 */
snippet: Array<SnippetPart>, };

/**
 * A page of what a search found: newest conversation first, and within one what the person and the
 * model said before results of tools, the newest first.
 */
export type SearchPage = {
/**
 * Conversations whose title holds the words, last active first; on the first page only.
 */
titles: Array<ConversationSummary>,
/**
 * Messages that hold the words.
 */
hits: Array<SearchHit>,
/**
 * How many more hold them, by conversation: beyond its share, or read like one of its hits. They
 * are on no other page; a search in the conversation alone has all of them.
 */
more: Array<MoreHits>,
/**
 * There are more: ask again with `before` = this.
 */
next: number | null,
/**
 * Lines of the journals whose messages are not searched yet: more than none only for a
 * while after an update of the program or a large import.
 */
unindexed: number, };

/**
 * What a search looks for, and where.
 */
export type SearchQuery = {
/**
 * A person's words. Each piece between spaces must be there, in any order; the letters of a
 * piece in this order. Quotes and operators are text: there is no syntax.
 */
text: string,
/**
 * Only in this project.
 */
projectId: ProjectId | null,
/**
 * Only in this conversation.
 */
conversationId: ConversationId | null,
/**
 * How many messages; 30 when absent, 200 at most.
 */
limit: number | null,
/**
 * How many messages of one conversation at most; of those that read alike, one then.
 */
perConversation: number | null,
/**
 * The `next` of the page before.
 */
before: number | null, };

/**
 * A server as a person saw it.
 */
export type SeenServer = {
/**
 * What it is called.
 */
name: ServerName,
/**
 * [`ServerView::sha256`](crate::wire::ServerView) of what was shown.
 */
sha256: string, };

/**
 * What a person does with servers.
 */
export type ServerCommand = { "type": "save",
/**
 * The server.
 */
server: ServerDraft,
/**
 * The server that it replaces; a new one when absent.
 */
replaces: ServerName | null, } | { "type": "import",
/**
 * The file, as the system's dialog gave it.
 */
path: string,
/**
 * Which of them.
 */
names: Array<ServerName>, } | { "type": "remove",
/**
 * The server to remove.
 */
name: ServerName, } | { "type": "switch",
/**
 * The server to switch.
 */
name: ServerName,
/**
 * Whether it may be used.
 */
enabled: boolean, } | { "type": "test",
/**
 * The server to test.
 */
name: ServerName,
/**
 * In whose folder it is started; in none when absent.
 */
projectId: ProjectId | null, } | { "type": "stopTest",
/**
 * Of which server.
 */
name: ServerName, } | { "type": "signIn",
/**
 * The server to sign in at.
 */
name: ServerName, } | { "type": "waitForSignIn",
/**
 * The server to sign in at.
 */
name: ServerName, } | { "type": "stopSignIn",
/**
 * At which server.
 */
name: ServerName, } | { "type": "signOut",
/**
 * The server where nobody is signed in from then on.
 */
name: ServerName, } | { "type": "trust",
/**
 * The project.
 */
projectId: ProjectId,
/**
 * What was shown.
 */
servers: Array<SeenServer>,
/**
 * Whether they are trusted from now on.
 */
trusted: boolean, };

/**
 * A server that is to be set up, or changed.
 */
export type ServerDraft = {
/**
 * What it is called.
 */
name: ServerName,
/**
 * How it is started or reached.
 */
launch: LaunchDraft, };

/**
 * What the file of another client says of servers.
 */
export type ServerFile = {
/**
 * Those that can be set up.
 */
servers: Array<FoundServer>,
/**
 * Those that cannot, and why.
 */
leftOut: Array<LeftOutServer>, };

/**
 * What the person calls a server, and what packages name it by.
 */
export type ServerName = string;

/**
 * How far a server is with a call, as it says itself.
 */
export type ServerProgress = {
/**
 * The call.
 */
callId: CallId,
/**
 * How much of it is done, of 100; absent where the server does not say how much there is.
 */
percent?: number,
/**
 * What it does, in its words.
 */
message?: string, };

/**
 * A text of a server that a person can say in place of their own.
 */
export type ServerPrompt = {
/**
 * The server's name for it.
 */
name: string,
/**
 * What a person calls it, behind a `/`.
 */
called: string,
/**
 * Its name for people.
 */
title?: string,
/**
 * What it is for, as the server says.
 */
description: string,
/**
 * What it has to be told.
 */
arguments: Array<PromptArgument>, };

/**
 * Something that a server can show.
 */
export type ServerResource = {
/**
 * Its address, which means something to the server.
 */
uri: string,
/**
 * Its name.
 */
name: string,
/**
 * What it is, as the server says.
 */
description: string,
/**
 * Its kind, such as `text/plain`.
 */
mimeType?: string, };

/**
 * What a server does at present.
 */
export type ServerState = "idle" | "starting" | "running" | "failed";

/**
 * A tool of a server, as people see it.
 */
export type ServerToolView = {
/**
 * The server's name for it.
 */
name: string,
/**
 * Its name for people.
 */
title?: string,
/**
 * What it does, as the server says.
 */
description: string,
/**
 * What it does to the world, as the server says.
 */
hint: ToolHint,
/**
 * What models call it.
 */
called: string,
/**
 * The JSON Schema of its arguments, as models are told it.
 */
parameters: unknown, };

/**
 * Whether a person trusts a server in a project.
 */
export type ServerTrust = "none" | "changed" | "trusted";

/**
 * A value of a server's environment, or of a header: it may be a key. `Debug` hides it.
 */
export type ServerValue = string;

/**
 * A server that is set up.
 */
export type ServerView = {
/**
 * What it is called.
 */
name: ServerName,
/**
 * How it is started or reached; of what may be a key the name alone.
 */
launch: ShownLaunch,
/**
 * Whether it may be used at all.
 */
enabled: boolean,
/**
 * Whether the person is signed in there.
 */
signedIn: boolean,
/**
 * What it does at present, as far as this program knows.
 */
state: ServerState,
/**
 * The tools that it listed last; absent while it never did.
 */
tools?: Array<ServerToolView>,
/**
 * The prompts that it listed last.
 */
prompts: Array<ServerPrompt>,
/**
 * The resources that it listed last.
 */
resources: Array<ServerResource>,
/**
 * When it listed them.
 */
listedAt?: Time,
/**
 * What is trusted: the hash of how it is started or reached, and of its tools. Absent while
 * nobody knows its tools.
 */
sha256?: string,
/**
 * Whether the person trusts it in the project that was asked about.
 */
trust: ServerTrust,
/**
 * What went wrong the last time.
 */
problem?: Failure,
/**
 * The last of what it wrote to its standard error.
 */
log?: string, };

/**
 * What a person says to one conversation. Its task answers when it is durable.
 */
export type SessionCommand = { "type": "say",
/**
 * The words.
 */
text: string, } | { "type": "answer",
/**
 * The message that carries the widget.
 */
messageId: MessageId,
/**
 * The value, by widget type.
 */
value: unknown,
/**
 * How many milliseconds the person saw the question, where a window showed it: what
 * authorises something is refused when nobody can have read it. A window has to say it.
 */
shownMs: number | null, } | { "type": "revokeApproval",
/**
 * The approval, by the change in whose dialog it was given.
 */
changeId: ChangeId, } | { "type": "putBack",
/**
 * The file, where it is now.
 */
path: AliasPath,
/**
 * SHA-256 of what they saw there; absent when they saw that it is gone.
 */
sha256: string | null, } | { "type": "rewind",
/**
 * Why, in the person's words.
 */
reason: string | null,
/**
 * What they saw: [`RewindPreview::seen`](crate::wire::RewindPreview::seen).
 */
seen: string,
/**
 * The step.
 */
nodeId: NodeId,
/**
 * Whether files stay as they are.
 */
keepFiles?: boolean,
/**
 * Files that somebody else changed and that go back all the same; at most
 * [`OVERWRITTEN_FILES`](crate::bounds::OVERWRITTEN_FILES).
 */
overwrite?: Array<AliasPath>,
/**
 * Whether the last rewind is undone: the step is where the run stood before it.
 */
undo?: boolean, } | { "type": "talk",
/**
 * With whom.
 */
with: Mode, } | { "type": "activateSkill",
/**
 * The skill.
 */
name: SkillName, } | { "type": "endSkill",
/**
 * The skill.
 */
name: SkillName, } | { "type": "stop" } | { "type": "resume" } | { "type": "useModel" } | { "type": "acceptAnyway",
/**
 * The message that the words would have been.
 */
messageId: MessageId, } | { "type": "compact",
/**
 * Whether as much as can be is to go.
 */
hard: boolean, } | { "type": "startAfresh" } | { "type": "endRun",
/**
 * Why, in the person's words.
 */
reason: string | null, };

/**
 * Everything the user can set.
 */
export type Settings = {
/**
 * How it looks.
 */
appearance: Appearance,
/**
 * The endpoint and the model that answer.
 */
model: ModelSettings,
/**
 * File tools and limits.
 */
tools: SystemTools,
/**
 * The loop.
 */
engine: EngineSettings,
/**
 * What a person's confirmation is worth.
 */
confirmation: ConfirmationSettings,
/**
 * When work counts as done.
 */
acceptance: AcceptanceSettings,
/**
 * Which calls wait for the person.
 */
approval: ApprovalSettings,
/**
 * What models cost.
 */
costs: CostSettings, };

/**
 * Settings as the settings page shows them.
 */
export type SettingsView = {
/**
 * The values.
 */
settings: Settings,
/**
 * Whether there is a key for the server of the settings.
 */
hasApiKey: boolean,
/**
 * Where: `keychain`, `file`, `environment`, `elsewhere` (kept for another server) or `none`.
 */
apiKeyIn: string,
/**
 * Fields an environment variable overrides, by name.
 */
overridden: Array<string>,
/**
 * What is wrong with the settings file; each says what holds instead.
 */
problems: Array<Failure>,
/**
 * Where that file is, for a person to correct it.
 */
file: string,
/**
 * The providers to choose from, in the order a person is shown them.
 */
providers: Array<ProviderView>,
/**
 * What to know before the key is sent where the settings say.
 */
caution?: Phrase,
/**
 * What the last test found, while the address, the model and the key are those it asked.
 */
tested?: ModelTest,
/**
 * The models that answered before, the last to answer first.
 */
known: Array<KnownModel>, };

/**
 * How bad a finding is. Only errors block an install.
 */
export type Severity = "info" | "warning" | "error";

/**
 * How a server is started or reached, as a person is shown it: of what may be a key the name alone.
 */
export type ShownLaunch = { "kind": "command",
/**
 * The program.
 */
command: string,
/**
 * Its arguments.
 */
args: Array<string>,
/**
 * The names of what is added to its environment.
 */
env: Array<string>, } | { "kind": "url",
/**
 * Its address.
 */
url: string,
/**
 * The names of what each request carries.
 */
headers: Array<string>, };

/**
 * A page where a person signs in.
 */
export type SignInPage = {
/**
 * Its address, for the person's browser.
 */
url: string,
/**
 * Whose page it is.
 */
host: string, };

/**
 * A skill at work.
 */
export type SkillAtWork = {
/**
 * Its name.
 */
name: SkillName,
/**
 * Where it lies, as people read it.
 */
place: string,
/**
 * The names of the tools that are left while it is at work; all when absent.
 */
allowed?: Array<string>,
/**
 * What of it does not work here.
 */
lacks: Array<Phrase>, };

/**
 * The skills there are in one place of work.
 */
export type SkillList = {
/**
 * Whether the settings have them on.
 */
enabled: boolean,
/**
 * Those that can be used, by their names.
 */
skills: Array<SkillView>,
/**
 * Folders that are no skill that can be used.
 */
unusable: Array<UnusableSkill>, };

/**
 * The name of a skill, which is also the name of its folder: small letters, digits and single
 * hyphens between them.
 */
export type SkillName = string;

/**
 * Why a folder is no skill that can be used.
 */
export type SkillProblem = {
/**
 * What is wrong.
 */
said: Phrase,
/**
 * What to do.
 */
advice: Phrase, };

/**
 * A folder of skills. Of two skills with one name the one in the folder that comes first here is
 * the one that counts: a package knows its own, and the project is nearer to the work than the
 * person's home folder.
 */
export type SkillRoot = "package" | "project-crewagent" | "project-agents" | "project-claude" | "home-crewagent" | "home-agents" | "home-claude";

/**
 * A skill that can be used.
 */
export type SkillView = {
/**
 * Where it lies, as people read it: `@project/.agents/skills/pdf`.
 */
place: string,
/**
 * What is wrong with it all the same.
 */
warning?: SkillProblem,
/**
 * Its name.
 */
name: SkillName,
/**
 * What it is for and when to use it, on one line.
 */
description: string,
/**
 * Whether the model is not told of it: only the person activates it.
 */
byPersonOnly?: boolean,
/**
 * The agents of the package that import it; it is there for all when there are none.
 */
onlyFor?: Array<AgentId>,
/**
 * Whether scripts belong to it. They are never run.
 */
hasScripts?: boolean,
/**
 * The folder of skills, or what the folder lies in.
 */
root: SkillRoot,
/**
 * The skill's own folder, relative to the package and `/`-separated, where an agent names it.
 * It is the skill's name below the folder of skills when absent.
 */
folder?: string, };

/**
 * A piece of a snippet, plain text.
 */
export type SnippetPart = {
/**
 * The text.
 */
text: string,
/**
 * Whether it is what was looked for.
 */
hit: boolean, };

/**
 * Whether words are the person's or the model's.
 */
export type Speaker = "user" | "assistant";

/**
 * What will become of an edit of `@state/workflow.md` when the run goes on (spec 03 "Run state").
 */
export type StateEdit = {
/**
 * Why it will be put aside; taken over when absent.
 */
refused?: Failure, };

/**
 * `state` of a snapshot.
 */
export type StateView = {
/**
 * The effective current node.
 */
currentNodeId: NodeId,
/**
 * In order.
 */
stepsCompleted: Array<NodeId>,
/**
 * As in the document.
 */
variables: Record<string, unknown>,
/**
 * As in the document.
 */
decisionLog: unknown[],
/**
 * Project-relative.
 */
artifacts: Array<string>,
/**
 * Those of them that this run found and did not make.
 */
found?: Array<string>,
/**
 * SHA-256 of the document.
 */
sha256: string, };

/**
 * Where a conversation stands.
 */
export type Status = {
/**
 * Sequence number of the last event.
 */
seq: number,
/**
 * Its run: the newest.
 */
run: RunView | null,
/**
 * With whom the person talks, while that is no run.
 */
talk?: TalkView,
/**
 * The graph's nodes with their status, in execution order.
 */
steps: Array<StepView>,
/**
 * The workflow that they are of, when another one called it.
 */
called?: CalledWorkflow,
/**
 * The last rewind, while it can be undone.
 */
undo?: UndoableRewind,
/**
 * The widget that waits; the first of them when one reply asked several things.
 */
waitingWidget: MessageId | null,
/**
 * All that wait, in the order they were asked.
 */
waitingWidgets: Array<MessageId>,
/**
 * The folders the person allowed for this run.
 */
grants: Array<Grant>,
/**
 * Tokens so far.
 */
usage: Usage,
/**
 * The same by model.
 */
usageByModel?: Array<ModelUsage>,
/**
 * How many todos there are.
 */
todos: TodoSummary,
/**
 * The hooks that the run waits for.
 */
waitsFor?: Array<string>,
/**
 * The sub-agents that work, or worked lately.
 */
subagents?: Array<SubagentView>,
/**
 * How far the server is that is called; absent while none says so.
 */
server?: ServerProgress,
/**
 * The skills at work, in the order in which they began.
 */
skills?: Array<SkillAtWork>,
/**
 * How much of what the model reads the next request takes; absent where nobody works on the
 * conversation.
 */
context?: ContextUsage,
/**
 * A request is being tried again.
 */
retry: RetryView | null,
/**
 * A person's edit of the state document that waits for the next turn.
 */
stateEdit?: StateEdit, };

/**
 * How many steps of a run are done, and of how many: those that are not needed are not counted.
 */
export type StepCount = {
/**
 * Those that are done.
 */
done: number,
/**
 * Those that are done, the current one, and those that the run may still come to.
 */
total: number, };

/**
 * A node and what it is called.
 */
export type StepName = {
/**
 * The node.
 */
id: NodeId,
/**
 * Its title, else its id.
 */
title: string, };

/**
 * Completed takes precedence over current.
 */
export type StepStatus = "completed" | "current" | "pending" | "skipped";

/**
 * A step whose file is longer than what is left beside what every request holds.
 */
export type StepTooLong = {
/**
 * The step.
 */
nodeId: NodeId,
/**
 * How many tokens its file has.
 */
tokens: number,
/**
 * How many are left for it.
 */
room: number, };

/**
 * One row of the progress list.
 */
export type StepView = {
/**
 * The node.
 */
id: NodeId,
/**
 * Its title.
 */
title: string,
/**
 * Its kind.
 */
type: NodeType,
/**
 * Where it stands.
 */
status: StepStatus, };

/**
 * Why a candidate final was judged so.
 */
export type StopReason = "accepted" | "pending_todo" | "unverified_write" | "failed_verification" | "missing_output" | "subagent_open" | "no_progress_after_final_intercept" | "continue_budget_exhausted" | "required_todo_failed" | "repeated_failure" | "missing_report" | "failed_gate" | "needs_user" | "internal_error" | "unrecognised";

/**
 * What the store takes on the disk, in bytes.
 */
export type StoreSizes = {
/**
 * The database with its log: rows of all projects, and free space in it.
 */
databaseBytes: number,
/**
 * Installed packages.
 */
packageBytes: number,
/**
 * The program's log files.
 */
logBytes: number,
/**
 * By project, largest first. A project forgotten in the list has a name too.
 */
projects: Array<ProjectSize>, };

/**
 * A sub-agent that works, or worked, for a conversation.
 */
export type SubagentView = {
/**
 * The call that asked for it.
 */
callId: CallId,
/**
 * Its own conversation.
 */
conversationId: ConversationId,
/**
 * The agent that works on the task.
 */
agentId: AgentId,
/**
 * The kind of work.
 */
taskType: TaskType,
/**
 * How it ended; absent while it works.
 */
end?: TaskEnd,
/**
 * What a verification said.
 */
verdict?: Verdict,
/**
 * Why it handed in no report.
 */
failure?: Failure,
/**
 * How often its model answered so far.
 */
steps: number,
/**
 * The tool it called last, while it works.
 */
doing?: string, };

/**
 * The system's own switches and limits (settings `tools`).
 */
export type SystemTools = {
/**
 * File tools on.
 */
fsEnabled: boolean,
/**
 * Largest read, bytes.
 */
maxReadBytes: number,
/**
 * Largest write, bytes.
 */
maxWriteBytes: number,
/**
 * Whether `.env` files and keys may be read.
 */
allowSecretFiles: boolean,
/**
 * Tools of servers on. Programs that did not know this setting had none.
 */
mcpEnabled: boolean,
/**
 * Skills on.
 */
skillsEnabled: boolean, };

/**
 * A way that a run went and did not take back; in lists in the order in which they were gone last.
 */
export type TakenWay = {
/**
 * The step it left.
 */
from: NodeId,
/**
 * The step it came to.
 */
to: NodeId,
/**
 * Why, where the decision log says so.
 */
reason?: string, };

/**
 * A talk outside of a run: with whom, and whose move it is.
 */
export type TalkView = {
/**
 * With whom the person talks.
 */
with: Mode,
/**
 * Where the conversation stands.
 */
phase: Phase,
/**
 * Why it stands in that phase.
 */
reason: Reason | null, };

/**
 * How a sub-agent's work ended.
 */
export type TaskEnd = "completed" | "stopped" | "timed_out" | "max_steps" | "no_report" | "failed" | "unrecognised";

/**
 * What kind of work a turn was, by its facts.
 */
export type TaskKind = "chat_answer" | "todo_state" | "workspace_write" | "subagent" | "read_only" | "mixed" | "unrecognised";

/**
 * What kind of work a sub-agent does. It says which tools it needs and what it has to hand in.
 */
export type TaskType = "review" | "edit" | "verify";

/**
 * How large the words of the window are.
 */
export type TextSize = "small" | "normal" | "large" | "larger";

/**
 * The colours of the window.
 */
export type Theme = "system" | "light" | "dark";

/**
 * An instant, in milliseconds since 1970-01-01T00:00:00Z. Written as RFC 3339 in UTC.
 */
export type Time = string;

/**
 * Something to be done.
 */
export type Todo = {
/**
 * Its name within the run.
 */
id: string,
/**
 * What is to be done.
 */
content: string,
/**
 * How far it is.
 */
status: TodoStatus,
/**
 * Whether the run is not done without it.
 */
required: boolean,
/**
 * Todos that have to be completed first.
 */
dependencies?: Array<string>,
/**
 * Files that came of it, as the model says.
 */
artifacts?: Array<string>,
/**
 * What a blocked one waits for.
 */
blockedReason?: BlockedReason,
/**
 * Why one failed or was canceled.
 */
failureReason?: string,
/**
 * Counts its versions from 1.
 */
revision: number, };

/**
 * `session.todos.list`: the todos of a run, the oldest first.
 */
export type TodoList = {
/**
 * Sequence number of the last event folded.
 */
seq: number,
/**
 * The todos.
 */
items: Array<Todo>,
/**
 * How many there are.
 */
summary: TodoSummary, };

/**
 * How far a todo is.
 */
export type TodoStatus = "pending" | "in_progress" | "blocked" | "completed" | "failed" | "canceled";

/**
 * How many todos there are.
 */
export type TodoSummary = {
/**
 * In all.
 */
total: number,
/**
 * Those that are required and not canceled.
 */
required: number,
/**
 * Those of them that are completed.
 */
completed: number,
/**
 * Those of them that failed.
 */
failed: number,
/**
 * Those of them that have not come to an end.
 */
open: number,
/**
 * How many changes there were so far: another number says that a todo is other than before.
 */
changes: number, };

/**
 * One call a model made. The arguments stay the text the model wrote: the kernel parses them
 * once and answers invalid JSON with a result the model can repair from.
 */
export type ToolCall = {
/**
 * The model's id for the call, unique in the conversation.
 */
id: CallId,
/**
 * The tool's name as written: dotted (`fs.read`) or wire form (`fs_read`).
 */
name: string,
/**
 * The arguments as text.
 */
arguments: string, };

/**
 * What a server says a tool of its does to the world. It need not be true.
 */
export type ToolHint = "unsaid" | "reads" | "adds" | "destroys";

/**
 * The tools of the runtime itself.
 */
export type ToolName = "fs.list" | "fs.read" | "fs.search" | "fs.glob" | "fs.write" | "fs.apply_patch" | "fs.move" | "fs.delete" | "ui.ask_user" | "workflow.rewind" | "todo.write" | "todo.list" | "agent.spawn" | "agent.report" | "skill.activate" | "skill.read";

/**
 * Which tools a model is offered.
 */
export type ToolOffer = "all" | "step";

/**
 * A tool as a model is told of it.
 */
export type ToolSpec = {
/**
 * Wire name, `[A-Za-z0-9_-]{1,64}`.
 */
name: string,
/**
 * What it does, for the model.
 */
description: string,
/**
 * JSON Schema of the arguments.
 */
parameters: unknown, };

/**
 * Whether a confirmation counts that is bound to no change, because none was known when it was
 * asked.
 */
export type Unbound = "allow" | "refuse";

/**
 * A rewind that can be undone: nothing came of it yet.
 */
export type UndoableRewind = {
/**
 * The step where the run stood before it.
 */
nodeId: NodeId,
/**
 * Its title.
 */
title: string, };

/**
 * A folder that is no skill that can be used.
 */
export type UnusableSkill = {
/**
 * Where it lies, as people read it.
 */
place: string,
/**
 * Why it cannot be used.
 */
problem: SkillProblem, };

/**
 * What an upgrade would change.
 */
export type UpgradeDiff = {
/**
 * The installed package compared with. It stays installed.
 */
from: PackageId,
/**
 * Its version; absent in what an older program wrote.
 */
fromVersion?: string,
/**
 * Files only in the new one.
 */
added: Array<string>,
/**
 * Files only in the old one.
 */
removed: Array<string>,
/**
 * Files in both that differ.
 */
changed: Array<string>,
/**
 * Permissions that got wider, in English.
 */
widened: Array<string>,
/**
 * What each of `widened` says, as data.
 */
widenedSaid: Array<Phrase>, };

/**
 * Tokens of one request, as the provider counts them, or estimated.
 */
export type Usage = {
/**
 * Tokens of the request.
 */
promptTokens: number,
/**
 * Tokens of the answer.
 */
completionTokens: number,
/**
 * True when the provider told nothing and the counts are ours.
 */
estimated: boolean, };

/**
 * Whether what a sub-agent looked at is as it should be.
 */
export type Verdict = "passed" | "failed";

/**
 * When a written file is read back.
 */
export type VerifyAfterWrite = "auto" | "explicit";

/**
 * A step that waits for the end of the workflow that it called.
 */
export type WaitingStep = {
/**
 * Its workflow.
 */
workflowId: WorkflowId,
/**
 * What that is called.
 */
workflow: string,
/**
 * The step.
 */
nodeId: NodeId,
/**
 * What it is called.
 */
title: string,
/**
 * How far its workflow is.
 */
steps: StepCount,
/**
 * Whether a rewind to a step with this id means this one, and none of a workflow further in.
 */
isMeant: boolean, };

/**
 * A widget that waits.
 */
export type WaitingWidget = {
/**
 * What `answer` names.
 */
messageId: MessageId,
/**
 * The payload.
 */
widget: Widget,
/**
 * The change it is bound to.
 */
change: ChangeView | null, };

/**
 * What is watched (`watch(target, channel)`, spec 09 "IPC contract").
 */
export type WatchTarget = { "type": "conversation",
/**
 * The conversation to watch.
 */
conversationId: ConversationId, } | { "type": "project",
/**
 * The project whose files are watched.
 */
projectId: ProjectId, } | { "type": "app" } | { "type": "package",
/**
 * The file or folder, as the system's dialog gave it.
 */
path: string, } | { "type": "log",
/**
 * Whose tool calls; none when absent.
 */
conversationId: ConversationId | null, } | { "type": "nothing" };

/**
 * All of a change that waits for the person.
 */
export type WholeChange = {
/**
 * The change that was opened.
 */
changeId: ChangeId,
/**
 * Unified diff; nothing of it is left out.
 */
diff: string,
/**
 * What a yes says to name it: `{confirmed: true, whole}`, after all of it was shown.
 */
whole: string, };

/**
 * A checked widget payload.
 */
export type Widget = {
/**
 * The model's id for it.
 */
widgetId: string,
/**
 * Which of the six.
 */
type: WidgetKind,
/**
 * The question, in the model's words.
 */
message: string,
/**
 * `form`: a JSON Schema object of string, number, integer, boolean and enum properties.
 */
schema?: unknown,
/**
 * `selection`: what to choose from.
 */
options?: Array<WidgetOption>,
/**
 * `selection`: whether several may be chosen.
 */
multi?: boolean,
/**
 * `plan_review`: the plan, Markdown.
 */
planContent?: string,
/**
 * `feedback`: what to comment on.
 */
items?: Array<WidgetItem>,
/**
 * `action_selection`: what to choose from.
 */
actions?: Array<WidgetAction>,
/**
 * `confirmation` of a state change: the pending change it means.
 */
changeId?: string,
/**
 * The runtime's own question about a call: the folder that can be allowed for the run.
 */
grant?: WidgetGrant,
/**
 * `confirmation` of a change that is not shown whole: a yes has to say that it knows.
 */
cut?: boolean, };

/**
 * One action of an action selection.
 */
export type WidgetAction = {
/**
 * What is submitted.
 */
id: string,
/**
 * What is shown.
 */
label: string,
/**
 * More words.
 */
description?: string, };

/**
 * What the wider choice of an approval covers: one tool, on files directly in one folder.
 */
export type WidgetGrant = {
/**
 * The tool, by canonical name.
 */
tool: string,
/**
 * The folder.
 */
folder: AliasPath, };

/**
 * One item of a feedback widget.
 */
export type WidgetItem = {
/**
 * What is submitted.
 */
id: string,
/**
 * What is shown.
 */
content: string, };

/**
 * Which of the six.
 */
export type WidgetKind = "form" | "selection" | "confirmation" | "plan_review" | "feedback" | "action_selection";

/**
 * One option of a selection.
 */
export type WidgetOption = {
/**
 * What is submitted.
 */
value: string,
/**
 * What is shown.
 */
label: string,
/**
 * More words.
 */
description?: string, };

/**
 * Why nothing is shown of something that words mention and that is there.
 */
export type Withheld = "folder" | "not_text" | "refused" | "too_many";

/**
 * Whether a model can run workflows.
 */
export type WorkflowFit = "all" | "step" | "no";

/**
 * A workflow of a package.
 */
export type WorkflowId = string;

/**
 * A workflow in a few fields.
 */
export type WorkflowSummary = {
/**
 * Its id.
 */
id: WorkflowId,
/**
 * For people.
 */
displayName: string,
/**
 * For people.
 */
description: string | null,
/**
 * Nodes in the graph.
 */
nodeCount: number,
/**
 * What the first of them are called, [`SUMMARY_STEPS`](crate::bounds::SUMMARY_STEPS) at most.
 * None where the package was installed by an older program.
 */
steps: Array<StepName>, };
