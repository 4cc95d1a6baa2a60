//! The words of every error code, in both languages: what happened, what to do. Total over
//! [`ErrorCode`] at compile time: a code without words does not build.
//!
//! Deliberately not here: what a failure says about one case. That is [`crate::phrase`].

mod engine;
mod exports;
mod import;
mod models;
mod other;
mod packages;
mod projects;
mod tools;

pub use crate::phrase::{Lang, say};

use serde_json::json;
use std::fmt::Write as _;

use crate::code::ErrorCode;

/// The words of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What happened, a short sentence.
    pub title: &'static str,
    /// What to do, a short sentence.
    pub action: &'static str,
}

/// The words of a code in both languages.
#[derive(Debug, Clone, Copy)]
struct Entry {
    zh: Words,
    en: Words,
}

impl Entry {
    const fn new(
        zh_title: &'static str,
        zh_action: &'static str,
        en_title: &'static str,
        en_action: &'static str,
    ) -> Self {
        Self {
            zh: Words { title: zh_title, action: zh_action },
            en: Words { title: en_title, action: en_action },
        }
    }
}

/// The words of `code` in `lang`.
pub fn words(code: ErrorCode, lang: Lang) -> Words {
    let entry = entry(code);
    match lang {
        Lang::Zh => entry.zh,
        Lang::En => entry.en,
    }
}

/// The table for the UI, a TypeScript file beside the generated `wire.ts`: `codes[code][lang]`
/// has `title` and `action`. Written and compared by a test, never edited.
pub fn ui_words_table() -> String {
    let mut out = String::from(
        "// Generated from the kernel's words (src-tauri/kernel/src/words). Do not edit.\n\
         import type { ErrorCode } from \"./wire\";\n\n\
         export const codes = {\n",
    );
    for &code in ErrorCode::ALL {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "  {code}: {{");
        for (name, lang) in [("zh", Lang::Zh), ("en", Lang::En)] {
            let Words { title, action } = words(code, lang);
            let (title, action) = (json!(title), json!(action));
            let _ = writeln!(out, "    {name}: {{ title: {title}, action: {action} }},");
        }
        out.push_str("  },\n");
    }
    out.push_str(
        "} as const satisfies Record<ErrorCode, Record<\"zh\" | \"en\", { title: string; action: string }>>;\n",
    );
    out
}

/// A `match` without a wildcard. A macro, because the list is longer than a function may be.
macro_rules! entries {
    ($($code:ident => $entry:path,)+) => {
        const fn entry(code: ErrorCode) -> Entry {
            match code { $(ErrorCode::$code => $entry,)+ }
        }
    };
}

entries! {
    ArchiveInvalid => packages::ARCHIVE_INVALID,
    ArchiveLimit => packages::ARCHIVE_LIMIT,
    ArchiveUnsafe => packages::ARCHIVE_UNSAFE,
    PackageInvalid => packages::PACKAGE_INVALID,
    PackageNotFound => packages::PACKAGE_NOT_FOUND,
    PackageInUse => packages::PACKAGE_IN_USE,
    PackageChanged => packages::PACKAGE_CHANGED,
    PackageIdTaken => packages::PACKAGE_ID_TAKEN,
    ManifestInvalid => packages::MANIFEST_INVALID,
    NotSupportedClassicWorkflow => packages::NOT_SUPPORTED_CLASSIC_WORKFLOW,
    WorkflowRefRequired => packages::WORKFLOW_REF_REQUIRED,
    WorkflowRefUnknown => packages::WORKFLOW_REF_UNKNOWN,
    WorkflowRefMismatch => packages::WORKFLOW_REF_MISMATCH,
    WorkflowFileNotFound => packages::WORKFLOW_FILE_NOT_FOUND,
    GraphFileNotFound => packages::GRAPH_FILE_NOT_FOUND,
    StepFileNotFound => packages::STEP_FILE_NOT_FOUND,
    AgentNotFound => packages::AGENT_NOT_FOUND,
    ProjectRootInvalid => projects::PROJECT_ROOT_INVALID,
    ProjectNotFound => projects::PROJECT_NOT_FOUND,
    ProjectCopied => projects::PROJECT_COPIED,
    ProjectMismatch => projects::PROJECT_MISMATCH,
    ProjectFileInvalid => projects::PROJECT_FILE_INVALID,
    RunNotFound => projects::RUN_NOT_FOUND,
    ConversationNotFound => projects::CONVERSATION_NOT_FOUND,
    RunBusy => projects::RUN_BUSY,
    StateInitFailed => projects::STATE_INIT_FAILED,
    StateFileNotFound => projects::STATE_FILE_NOT_FOUND,
    CurrentNodeInvalid => projects::CURRENT_NODE_INVALID,
    StoreOpenFailed => projects::STORE_OPEN_FAILED,
    StoreBusy => projects::STORE_BUSY,
    StoreTooNew => projects::STORE_TOO_NEW,
    StoreWriteFailed => projects::STORE_WRITE_FAILED,
    StoreReadFailed => projects::STORE_READ_FAILED,
    WatchLimited => projects::WATCH_LIMITED,
    ExportUnsafe => exports::EXPORT_UNSAFE,
    ExportTooLarge => exports::EXPORT_TOO_LARGE,
    ExportExists => exports::EXPORT_EXISTS,
    CrewrunInvalid => exports::CREWRUN_INVALID,
    CrewrunTooNew => exports::CREWRUN_TOO_NEW,
    LlmNotConfigured => models::LLM_NOT_CONFIGURED,
    LlmAuthFailed => models::LLM_AUTH_FAILED,
    LlmRateLimited => models::LLM_RATE_LIMITED,
    LlmTimeout => models::LLM_TIMEOUT,
    LlmContextTooLong => models::LLM_CONTEXT_TOO_LONG,
    LlmModelNotFound => models::LLM_MODEL_NOT_FOUND,
    LlmHttpError => models::LLM_HTTP_ERROR,
    LlmBadResponse => models::LLM_BAD_RESPONSE,
    LlmUnreachable => models::LLM_UNREACHABLE,
    LlmOutputCut => models::LLM_OUTPUT_CUT,
    DemoOver => models::DEMO_OVER,
    DemoTraceMismatch => models::DEMO_TRACE_MISMATCH,
    EngineAborted => engine::ENGINE_ABORTED,
    EngineMaxTurnsExceeded => engine::ENGINE_MAX_TURNS_EXCEEDED,
    EngineLoopDetected => engine::ENGINE_LOOP_DETECTED,
    EnginePreconditionFailed => engine::ENGINE_PRECONDITION_FAILED,
    ContextStillTooLarge => engine::CONTEXT_STILL_TOO_LARGE,
    StateChangeRequiresConfirmation => engine::STATE_CHANGE_REQUIRES_CONFIRMATION,
    Interrupted => engine::INTERRUPTED,
    NotNow => engine::NOT_NOW,
    UserRefused => engine::USER_REFUSED,
    ApprovalNotFound => engine::APPROVAL_NOT_FOUND,
    WidgetNotFound => engine::WIDGET_NOT_FOUND,
    WidgetAlreadySubmitted => engine::WIDGET_ALREADY_SUBMITTED,
    WidgetValueInvalid => engine::WIDGET_VALUE_INVALID,
    WidgetTooSoon => engine::WIDGET_TOO_SOON,
    ToolArgsInvalidJson => tools::TOOL_ARGS_INVALID_JSON,
    InvalidArgs => tools::INVALID_ARGS,
    ToolNotAvailable => tools::TOOL_NOT_AVAILABLE,
    ToolExecFailed => tools::TOOL_EXEC_FAILED,
    SandboxViolation => tools::SANDBOX_VIOLATION,
    NotFound => tools::NOT_FOUND,
    AlreadyExists => tools::ALREADY_EXISTS,
    NotEmpty => tools::NOT_EMPTY,
    ReadLimit => tools::READ_LIMIT,
    WriteLimit => tools::WRITE_LIMIT,
    NotText => tools::NOT_TEXT,
    SecretFile => tools::SECRET_FILE,
    SelfStarting => tools::SELF_STARTING,
    PatchFailed => tools::PATCH_FAILED,
    UnknownMark => tools::UNKNOWN_MARK,
    PreconditionFailed => tools::PRECONDITION_FAILED,
    InvalidFrontmatter => tools::INVALID_FRONTMATTER,
    SchemaValidation => tools::SCHEMA_VALIDATION,
    InvalidTransition => tools::INVALID_TRANSITION,
    ConditionNotMet => tools::CONDITION_NOT_MET,
    NotAtEnd => tools::NOT_AT_END,
    ArtifactUnknown => tools::ARTIFACT_UNKNOWN,
    RewindNotConfirmed => tools::REWIND_NOT_CONFIRMED,
    Io => tools::IO,
    ImportSourceInvalid => import::SOURCE_INVALID,
    ImportNotJson => import::NOT_JSON,
    ImportMalformed => import::MALFORMED,
    ImportIdUnsafe => import::ID_UNSAFE,
    ImportDuplicate => import::DUPLICATE,
    ImportTooLarge => import::TOO_LARGE,
    ImportLink => import::LINK,
    ImportUnlisted => import::UNLISTED,
    ImportChanged => import::CHANGED,
    ImportReadOnly => import::READ_ONLY,
    ImportNotSupported => import::NOT_SUPPORTED,
    ImportKeyLeft => import::KEY_LEFT,
    SettingInvalid => other::SETTING_INVALID,
    SettingIsKey => other::SETTING_IS_KEY,
    BadRequest => other::BAD_REQUEST,
    Internal => other::INTERNAL,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn each() -> impl Iterator<Item = (ErrorCode, Lang, Words)> {
        ErrorCode::ALL
            .iter()
            .flat_map(|&c| [Lang::Zh, Lang::En].map(|lang| (c, lang, words(c, lang))))
    }

    #[test]
    fn every_code_says_in_whole_sentences_what_happened_and_what_to_do() {
        for (code, lang, words) in each() {
            for text in [words.title, words.action] {
                let end = if lang == Lang::Zh { '。' } else { '.' };
                assert!(text.ends_with(end), "{code}: {text}");
                assert!(text.trim() == text && text.chars().count() > 4, "{code}: {text}");
            }
        }
    }

    #[test]
    fn each_language_is_itself() {
        for (code, lang, words) in each() {
            for text in [words.title, words.action] {
                let chinese = text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
                assert_eq!(chinese, lang == Lang::Zh, "{code}: {text}");
                assert!(lang == Lang::Zh || text.is_ascii(), "{code}: {text}");
            }
        }
    }

    #[test]
    fn no_words_hold_a_path_or_a_placeholder() {
        for (code, _, words) in each() {
            for text in [words.title, words.action] {
                assert!(
                    !text.contains(['/', '\\', '{', '}', '@', '<', '>', '%']),
                    "{code}: {text}"
                );
            }
        }
    }

    #[test]
    fn no_two_codes_have_the_same_title() {
        for lang in [Lang::Zh, Lang::En] {
            let titles: BTreeSet<&str> =
                ErrorCode::ALL.iter().map(|&c| words(c, lang).title).collect();
            assert_eq!(titles.len(), ErrorCode::ALL.len());
        }
    }

    #[test]
    fn the_ui_table_has_every_code_once_in_both_languages() {
        let table = ui_words_table();
        for code in ErrorCode::ALL {
            assert_eq!(table.matches(&format!("\n  {code}: {{\n")).count(), 1, "{code}");
        }
        assert_eq!(table.matches("    zh: { title: \"").count(), ErrorCode::ALL.len());
        assert_eq!(table.matches("    en: { title: \"").count(), ErrorCode::ALL.len());
        assert!(table.contains(concat!(
            "  ENGINE_ABORTED: {\n",
            "    zh: { title: \"已按你的要求停止。\", action: \"需要时可以继续，之前的内容都还在。\" },\n",
            "    en: { title: \"Stopped, as you asked.\", action: \"Continue when you like. Nothing was lost.\" },\n",
            "  },\n",
        )));
        assert!(table.starts_with("// Generated"));
        assert!(table.ends_with("}>>;\n"));
    }
}
