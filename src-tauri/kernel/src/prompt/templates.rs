//! The embedded templates and their rendering (spec 04 "Templates").

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use std::collections::BTreeMap;

use crate::bounds::TEMPLATE_STEPS;
use crate::code::{ErrorCode, Failure};
use crate::phrase::{Why, engine as said};
use crate::tool;

macro_rules! templates {
    ($($(#[$doc:meta])* $name:ident = $file:literal,)+) => {
        $($(#[$doc])* pub(super) const $name: &str = $file;)+

        /// Name and source of every template.
        pub(super) const ALL: &[(&str, &str)] = &[$((
            $file,
            include_str!(concat!("../../../../templates/prompts/", $file)),
        ),)+];
    };
}

templates! {
    /// System layer of a run.
    BASE_RULES = "system-base-rules.md",
    /// System layer of an agent or a plain chat.
    BASE_RULES_CHAT = "system-base-rules-chat.md",
    /// System layer of a run, for small models.
    BASE_RULES_STEP = "system-base-rules-step.md",
    /// System layer of a sub-agent.
    BASE_RULES_TASK = "system-base-rules-task.md",
    /// System layer: what is on, what is off, limits.
    TOOL_POLICY = "system-tool-policy.md",
    /// System layer: who speaks.
    PERSONA = "persona.md",
    /// System layer: the skills there are.
    SKILLS = "skills.md",
    /// System layer: the text of a skill at work.
    ACTIVE_SKILL = "active-skill.md",
    /// `RUN_DIRECTIVE`.
    RUN_DIRECTIVE = "run-directive.md",
    /// Its protocol while the workflow is under way.
    PROTOCOL = "run-directive-protocol.md",
    /// The same for small models.
    PROTOCOL_STEP = "run-directive-protocol-step.md",
    /// Its protocol after completion.
    PROTOCOL_POST_RUN = "run-directive-protocol-post-run.md",
    /// `NODE_BRIEF`.
    NODE_BRIEF = "node-brief.md",
    /// `DATA_CONTEXT`.
    DATA_CONTEXT = "data-context.md",
    /// `STATE_SUMMARY`.
    STATE_SUMMARY = "state-summary.md",
    /// `TODO_LIST`.
    TODO_LIST = "todo-list.md",
    /// `TASK_BRIEF`.
    TASK_BRIEF = "task-brief.md",
    /// `USER_INPUT`.
    USER_INPUT = "user-input.md",
    /// `CONTINUE_DIRECTIVE`.
    CONTINUE_DIRECTIVE = "continue-directive.md",
    /// `OUTPUT_CUT`.
    OUTPUT_CUT = "output-cut.md",
    /// `NEXT_ACTION`.
    NEXT_ACTION = "next-action.md",
    /// The request for a summary.
    CONVERSATION_SUMMARY = "conversation-summary.md",
}

/// The templates of `templates/prompts`, parsed and ready to be rendered.
#[derive(Debug)]
pub(super) struct Templates {
    env: Environment<'static>,
}

impl Templates {
    /// Parses all of them.
    pub(super) fn new() -> Result<Self, Failure> {
        let mut env = Environment::new();
        env.set_undefined_behavior(UndefinedBehavior::Strict);
        env.set_auto_escape_callback(|_| AutoEscape::None);
        env.set_syntax(syntax()?);
        env.set_fuel(Some(TEMPLATE_STEPS));
        env.add_global("tool", Value::from(tool_names()));
        for (name, source) in ALL {
            env.add_template(name, source).map_err(|e| broken(name, &e))?;
        }
        Ok(Self { env })
    }

    /// Renders one, without line breaks at its end. Fails only when its source names a variable
    /// that `values` does not have.
    pub(super) fn render(&self, name: &str, values: Value) -> Result<String, Failure> {
        let mut text = self.render_raw(name, values)?;
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }

    /// The same with every character: what a person wrote is never changed.
    pub(super) fn render_raw(&self, name: &str, values: Value) -> Result<String, Failure> {
        self.env
            .get_template(name)
            .and_then(|template| template.render(values))
            .map_err(|e| broken(name, &e))
    }

    /// The environment, for tests that look into the sources.
    #[cfg(test)]
    pub(super) fn env(&self) -> &Environment<'static> {
        &self.env
    }
}

/// A line that holds only a tag leaves no empty line behind.
fn syntax() -> Result<SyntaxConfig, Failure> {
    SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|e| broken("syntax", &e))
}

/// `tool.fs_read` in a template is the wire name of `fs.read`: one function names a tool in the
/// texts and in the request, so the two cannot differ.
fn tool_names() -> BTreeMap<String, String> {
    tool::BUILT_IN.iter().map(|t| (t.name.replace('.', "_"), tool::wire_name(t.name))).collect()
}

fn broken(name: &str, error: &minijinja::Error) -> Failure {
    Failure::new(ErrorCode::Internal, said::template_broken(name, Why::quoted(error)))
        .with_action(said::report_template())
}
