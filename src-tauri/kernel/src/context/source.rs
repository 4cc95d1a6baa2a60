//! What the messages of a request are.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::chat::ChatMessage;
use crate::phrase::{Phrase, requests as said};

/// What a message of a request is (spec 04 "Layers").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum MessageSource {
    /// The rules that every conversation has.
    BaseRules,
    /// What the speaker may use.
    ToolPolicy,
    /// The skills there are.
    Skills,
    /// The agent that speaks.
    Persona,
    /// The text of a skill at work.
    ActiveSkill,
    /// `RUN_DIRECTIVE`.
    RunDirective,
    /// `NODE_BRIEF`.
    NodeBrief,
    /// `DATA_CONTEXT`.
    DataContext,
    /// `STATE_SUMMARY`.
    StateSummary,
    /// `TODO_LIST`.
    TodoList,
    /// `TASK_BRIEF`: what a sub-agent is to do.
    TaskBrief,
    /// The person's words in their shell.
    UserInput,
    /// Something the model said or called before.
    Reply,
    /// What came of a call.
    Result,
    /// What came of a call, with something of it left out.
    ShortenedResult,
    /// Stands for the result of a call that never came.
    MissingResult,
    /// What the runtime says in the place of older messages.
    Summary,
    /// `FILES_PUT_BACK` and `WENT_BACK`: that the person put files back to what they were before the
    /// run, or took the run back to a step.
    PutBack,
    /// What is to be done next, in one sentence.
    NextAction,
    /// `CONTINUE_DIRECTIVE`: why the model's last words were not accepted.
    ContinueDirective,
    /// `OUTPUT_CUT`: that the model's last words were cut, and that it is to go on.
    OutputCut,
    /// Older messages, to be summed up.
    SummaryRequest,
}

impl MessageSource {
    /// In words.
    pub fn said(self) -> Phrase {
        match self {
            Self::BaseRules => said::source_base_rules(),
            Self::ToolPolicy => said::source_tool_policy(),
            Self::Skills => said::source_skills(),
            Self::Persona => said::source_persona(),
            Self::ActiveSkill => said::source_active_skill(),
            Self::RunDirective => said::source_run_directive(),
            Self::NodeBrief => said::source_node_brief(),
            Self::DataContext => said::source_data_context(),
            Self::StateSummary => said::source_state_summary(),
            Self::TodoList => said::source_todo_list(),
            Self::TaskBrief => said::source_task_brief(),
            Self::UserInput => said::source_user_input(),
            Self::Reply => said::source_reply(),
            Self::Result => said::source_result(),
            Self::ShortenedResult => said::source_shortened_result(),
            Self::MissingResult => said::source_missing_result(),
            Self::Summary => said::source_summary(),
            Self::PutBack => said::source_put_back(),
            Self::NextAction => said::source_next_action(),
            Self::ContinueDirective => said::source_continue_directive(),
            Self::OutputCut => said::source_output_cut(),
            Self::SummaryRequest => said::source_summary_request(),
        }
    }
}

/// A message of a request, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcedMessage {
    /// What it is.
    pub source: MessageSource,
    /// The index of the conversation's message that it is; for a summary that of the first it stands
    /// for. `None` for what the runtime adds.
    pub at: Option<usize>,
    /// As it is sent.
    pub message: Arc<ChatMessage>,
}

impl SourcedMessage {
    /// What the runtime adds.
    pub fn layer(source: MessageSource, message: ChatMessage) -> Self {
        Self { source, at: None, message: Arc::new(message) }
    }

    pub(super) fn of(source: MessageSource, at: usize, message: Arc<ChatMessage>) -> Self {
        Self { source, at: Some(at), message }
    }
}
