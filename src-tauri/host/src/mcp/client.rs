//! What this program answers when a server asks something of it.
#![expect(deprecated, reason = "servers of today's versions of the protocol know roots and logs")]

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, ErrorData, FormElicitationCapability, Implementation, ListRootsResult,
    LoggingMessageNotificationParam, ProgressNotificationParam, Root, RootsCapabilities,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{mpsc, oneshot};

use super::progress::SaidProgress;

/// What a server wants to know of the person while it works on a call.
pub(crate) struct ServerQuestion {
    /// In its words.
    pub(crate) message: String,
    /// The JSON Schema of what is to be answered.
    pub(crate) schema: Value,
    /// Where the answer goes; dropped for none.
    pub(crate) answer: oneshot::Sender<QuestionAnswer>,
}

/// What a person answers a server.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum QuestionAnswer {
    /// The form as it was filled in.
    Filled(Value),
    /// They do not want to say.
    Declined,
    /// They let it be.
    Cancelled,
}

/// What a server says while a call is under way.
pub(crate) enum Sign {
    /// It asks the person.
    Question(ServerQuestion),
    /// How far it is.
    Progress(SaidProgress),
}

/// This program as a server sees it.
#[derive(Clone)]
pub(super) struct Client {
    /// Who is told what the server says during a call.
    pub(super) signs: mpsc::Sender<Sign>,
    /// Whether a call is under way.
    pub(super) at_work: Arc<AtomicBool>,
    /// Whether its list of tools is another one since it was read.
    pub(super) tools_changed: Arc<AtomicBool>,
    /// Whether it works in a project.
    pub(super) in_project: bool,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        // Declared without a project too: servers list other tools to who does not know roots.
        capabilities.roots = Some(RootsCapabilities::default());
        let form = FormElicitationCapability::default();
        capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
        let us = Implementation::new("crewagent-runtime", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, us)
    }

    /// The project by its alias alone: where it lies is nobody's business.
    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let project = self.in_project.then(|| Root::new("file:///@project").with_name("@project"));
        Ok(ListRootsResult::new(project.into_iter().collect()))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(match self.ask(request).await {
            QuestionAnswer::Filled(value) => {
                ElicitResult::new(ElicitationAction::Accept).with_content(value)
            }
            QuestionAnswer::Declined => ElicitResult::new(ElicitationAction::Decline),
            QuestionAnswer::Cancelled => ElicitResult::new(ElicitationAction::Cancel),
        })
    }

    async fn on_progress(
        &self,
        said: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        // One that is not taken at once says little more than the one before it.
        if self.at_work.load(Ordering::Relaxed) {
            _ = self.signs.try_send(Sign::Progress(said.into()));
        }
    }

    async fn on_logging_message(
        &self,
        _: LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.store(true, Ordering::Relaxed);
    }
}

impl Client {
    /// Nobody is asked but in a call of theirs, and nobody is sent to an address.
    async fn ask(&self, request: ElicitRequestParams) -> QuestionAnswer {
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request
        else {
            return QuestionAnswer::Declined;
        };
        let Ok(schema) = serde_json::to_value(requested_schema) else {
            return QuestionAnswer::Declined;
        };
        if !self.at_work.load(Ordering::Relaxed) {
            return QuestionAnswer::Cancelled;
        }
        let (answer, answered) = oneshot::channel();
        let question = ServerQuestion { message, schema, answer };
        if self.signs.send(Sign::Question(question)).await.is_err() {
            return QuestionAnswer::Cancelled;
        }
        answered.await.unwrap_or(QuestionAnswer::Cancelled)
    }
}
