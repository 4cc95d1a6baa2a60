//! The servers that one conversation has started or reached.

use futures_util::future::join_all;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Permit;
use kernel::ids::ProjectId;
use kernel::mcp::{Launch, Server, ServerName, ServerTools};
use kernel::phrase::servers as said;
use kernel::wire::ServerState;
use rmcp::model::GetPromptResult;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::accounts::Account;
use super::connection::Connection;
use super::failures::{stopped, too_late};
use super::place::ServerPlace;
use super::saying::Saying;
use super::{Servers, offers, result};
use crate::real_path::RealPath;
use crate::store::ServerRow;
use crate::tools::ToolHost;
use crate::tools::outside::arguments;
use crate::tools::refused::not_offered;

/// How long a server is kept that nobody calls.
const KEPT: Duration = Duration::from_mins(5);
/// How long a prompt waits for a server that is just being let go.
const WAIT: Duration = Duration::from_secs(3);
/// How long a server is left alone that could not be started; twice as long each time, up to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The servers of a conversation. Clones are the same ones.
#[derive(Clone)]
pub(crate) struct ServerClients(Arc<Inner>);

struct Inner {
    servers: Arc<Servers>,
    project: ProjectId,
    place: ServerPlace,
    open: Mutex<Open>,
    /// Ends the prompts that are being fetched.
    prompting: std::sync::Mutex<CancellationToken>,
}

#[derive(Default)]
struct Open {
    slots: BTreeMap<ServerName, Slot>,
    /// Lets them go when nobody calls them.
    idle: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Slot {
    working: Option<Working>,
    failed: Option<FailedStart>,
}

/// A server that could not be started.
struct FailedStart {
    failure: Failure,
    /// How that was tried, and in whose name.
    launch: Launch,
    account: Option<Account>,
    /// How often in a row.
    times: u32,
    /// Until when it is left alone.
    until: Instant,
}

/// A server at work, and what it was when it was started.
struct Working {
    connection: Connection,
    server: Server,
    tools: ServerTools,
}

/// A call of a server's tool.
struct ServerCall<'c> {
    name: &'c ServerName,
    tool: &'c str,
    permit: &'c Permit,
    tools: &'c ToolHost,
}

/// A prompt that a person calls.
struct PromptCall<'c> {
    name: &'c ServerName,
    prompt: &'c str,
    arguments: Map<String, Value>,
    tools: &'c ToolHost,
}

impl ServerCall<'_> {
    /// What the server is given. Real paths go to programs of this machine and to nobody else.
    fn arguments(&self, server: &Server) -> Result<Map<String, Value>, Failure> {
        match server.launch {
            Launch::Command { .. } => self.tools.real_arguments(self.permit),
            Launch::Url { .. } => Ok(arguments(self.permit.args())),
        }
    }
}

impl ServerClients {
    /// None is started yet.
    pub(crate) fn new(servers: Arc<Servers>, project: ProjectId, root: RealPath) -> Self {
        let place = ServerPlace { project: Some(root), patience: servers.patience };
        let (open, prompting) = (Mutex::default(), std::sync::Mutex::new(servers.prompting()));
        Self(Arc::new(Inner { servers, project, place, open, prompting }))
    }

    /// Calls the tool that a permit is for, and starts its server first when it must.
    ///
    /// # Errors
    /// `E_MCP_NOT_TRUSTED` when the person does not trust the server as it is, and those of starting
    /// and calling.
    pub(crate) async fn call(
        &self,
        permit: &Permit,
        tools: &ToolHost,
        hear: impl Fn(Saying),
        cancel: &CancellationToken,
    ) -> Result<Value, Failure> {
        let Some((name, tool)) = permit.server_tool() else {
            return Err(not_offered(permit));
        };
        let mut open = tokio::select! {
            open = self.0.open.lock() => open,
            () = cancel.cancelled() => return Err(stopped()),
        };
        let call = ServerCall { name, tool: &tool.name, permit, tools };
        let answered = self.0.answer(&mut open, &call, hear, cancel).await;
        self.stay_a_while(&mut open);
        answered
    }

    /// Fetches a prompt of a server, and starts the server first when it must.
    ///
    /// # Errors
    /// As [`call`](Self::call); `NOT_NOW` while another server of the conversation is at work.
    pub(crate) async fn prompt(
        &self,
        name: &ServerName,
        prompt: &str,
        arguments: Map<String, Value>,
        tools: &ToolHost,
    ) -> Result<String, Failure> {
        let cancel = self.0.prompting();
        let open = tokio::time::timeout(WAIT, self.0.open.lock()).await;
        let mut open = open.map_err(|_| at_work())?;
        let patience = self.0.place.patience.call;
        let told = {
            let asked = PromptCall { name, prompt, arguments, tools };
            let mut asking = std::pin::pin!(self.0.prompt(&mut open, asked, &cancel));
            tokio::select! {
                told = &mut asking => told,
                () = tokio::time::sleep(patience) => {
                    cancel.cancel();
                    _ = asking.await;
                    Err(too_late(name, patience))
                }
            }
        };
        self.stay_a_while(&mut open);
        // A prompt that cannot be used is no fault of the server's way of working.
        offers::told(name, told?)
    }

    /// What the person trusts now in the project.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn offered(&self) -> Result<BTreeMap<ProjectId, Arc<[ServerTools]>>, Failure> {
        let project = self.0.project.clone();
        let offered = self.0.servers.offered(&project).await?;
        Ok([(project, offered)].into())
    }

    /// Waits for no prompt any more.
    pub(crate) fn stop_prompt(&self) {
        self.0.prompting.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    /// Lets all of them go.
    pub(crate) async fn close(&self) {
        self.stop_prompt();
        let mut open = self.0.open.lock().await;
        if let Some(idle) = open.idle.take() {
            idle.abort();
        }
        self.0.let_go(&mut open).await;
    }

    /// They go when nobody has called one of them for a while.
    fn stay_a_while(&self, open: &mut Open) {
        if let Some(before) = open.idle.take() {
            before.abort();
        }
        let inner = Arc::downgrade(&self.0);
        open.idle = Some(tokio::spawn(async move {
            tokio::time::sleep(KEPT).await;
            if let Some(inner) = inner.upgrade() {
                let mut open = inner.open.lock().await;
                open.idle = None;
                inner.let_go(&mut open).await;
            }
        }));
    }
}

impl Inner {
    async fn answer(
        &self,
        open: &mut Open,
        call: &ServerCall<'_>,
        hear: impl Fn(Saying),
        cancel: &CancellationToken,
    ) -> Result<Value, Failure> {
        let name = call.name;
        let row = self.trusted(name, None).await?;
        let args = call.arguments(&row.server)?;
        let slot = open.slots.entry(name.clone()).or_default();
        let working = self.ready(slot, row, cancel).await?;
        let called = working.connection.call(call.tool, args, hear, cancel).await;
        match called {
            Ok(answer) => result::read(name, answer),
            Err(failure) => Err(self.went_wrong(slot, name, failure).await),
        }
    }

    async fn prompt(
        &self,
        open: &mut Open,
        asked: PromptCall<'_>,
        cancel: &CancellationToken,
    ) -> Result<GetPromptResult, Failure> {
        let PromptCall { name, prompt, mut arguments, tools } = asked;
        let row = self.trusted(name, None).await?;
        if matches!(row.server.launch, Launch::Command { .. }) {
            arguments = tools.real_values(arguments)?;
        }
        let slot = open.slots.entry(name.clone()).or_default();
        let working = self.ready(slot, row, cancel).await?;
        match working.connection.prompt(prompt, arguments, cancel).await {
            Ok(prompt) => Ok(prompt),
            Err(failure) => Err(self.went_wrong(slot, name, failure).await),
        }
    }

    /// What ends a prompt that is fetched from now on: whoever is in a hurry, and the end of the
    /// conversation.
    fn prompting(&self) -> CancellationToken {
        let mut prompting = self.prompting.lock().unwrap_or_else(PoisonError::into_inner);
        if prompting.is_cancelled() {
            *prompting = self.servers.prompting();
        }
        prompting.child_token()
    }

    /// The server at work, as the person trusts it now.
    async fn ready<'s>(
        &self,
        slot: &'s mut Slot,
        row: ServerRow,
        cancel: &CancellationToken,
    ) -> Result<&'s mut Working, Failure> {
        let ServerRow { server, tools, .. } = row;
        let name = server.name.clone();
        let account = self.servers.account(&server).await?;
        // The person may have trusted it anew as it is when it is started now.
        let is_another = |it: &Working| {
            let as_trusted = it.server.launch == server.launch && tools.as_ref() == Some(&it.tools);
            it.connection.is_over() || !as_trusted || !it.connection.asks_as(account.as_ref())
        };
        if slot.working.as_ref().is_some_and(is_another)
            && let Some(before) = slot.working.take()
        {
            before.connection.close().await;
        }
        if slot.working.is_none() {
            slot.working = Some(self.start(slot, server, account, cancel).await?);
        }
        if let Some(working) = &mut slot.working
            && working.connection.has_other_tools()
        {
            match self.servers.relist(&working.server, &working.connection, cancel).await {
                Ok(tools) => working.tools = tools,
                Err(failure) => {
                    // What it offers now is not known: it is started anew, and looked at, or not called.
                    self.gave_up(slot, &name, &failure).await;
                    return Err(failure);
                }
            }
        }
        let Some(working) = &mut slot.working else { return Err(not_trusted(&name)) };
        // What it lists now is what the person saw.
        self.trusted(&name, Some(&working.tools)).await?;
        Ok(working)
    }

    /// A server that does not answer as it should is let go. One that says no is well; one that was
    /// stopped goes on.
    async fn went_wrong(&self, slot: &mut Slot, name: &ServerName, failure: Failure) -> Failure {
        let is_well =
            [ErrorCode::McpToolFailed, ErrorCode::McpPromptArguments, ErrorCode::EngineAborted];
        let is_over = slot.working.as_ref().is_some_and(|it| it.connection.is_over());
        if is_over || !is_well.contains(&failure.code) {
            self.gave_up(slot, name, &failure).await;
        }
        failure
    }

    /// A server that came to its end in a call, or that was ended for what it did.
    async fn gave_up(&self, slot: &mut Slot, name: &ServerName, failure: &Failure) {
        if let Some(working) = slot.working.take() {
            working.connection.close().await;
        }
        self.servers.know(name, ServerState::Failed, Some(failure.clone()));
    }

    /// A server that the person trusts in the project, as it is set up now; with these tools, where
    /// some are known.
    async fn trusted(
        &self,
        name: &ServerName,
        tools: Option<&ServerTools>,
    ) -> Result<ServerRow, Failure> {
        let store = &self.servers.store;
        let row = store.server(name).await.map_err(|failure| match failure.code {
            ErrorCode::McpServerUnknown => not_trusted(name),
            _ => failure,
        })?;
        let trusted = store.trusted_servers(&self.project).await?;
        let is_known = tools.is_none_or(|tools| row.tools.as_ref() == Some(tools));
        let is_trusted = trusted.contains_key(name) && trusted.get(name) == row.sha256().as_ref();
        if !row.server.enabled {
            let message = said::server_switched_off(name);
            return Err(Failure::new(ErrorCode::McpNotTrusted, message));
        }
        if is_trusted && is_known { Ok(row) } else { Err(not_trusted(name)) }
    }

    /// Starts a server, unless it has just failed.
    async fn start(
        &self,
        slot: &mut Slot,
        server: Server,
        account: Option<Account>,
        cancel: &CancellationToken,
    ) -> Result<Working, Failure> {
        slot.failed = slot.failed.take().filter(|failed| {
            let is_same = Account::are_same(failed.account.as_ref(), account.as_ref());
            failed.launch == server.launch && is_same
        });
        if let Some(FailedStart { failure, until, .. }) = &slot.failed
            && Instant::now() < *until
        {
            return Err(failure.clone());
        }
        match self.servers.open(&server, &self.place, cancel).await {
            Ok((connection, tools)) => {
                slot.failed = None;
                Ok(Working { connection, server, tools })
            }
            Err(failure) if failure.code == ErrorCode::EngineAborted => Err(failure),
            Err(failure) => {
                let times = slot.failed.as_ref().map_or(0, |failed| failed.times) + 1;
                let pause = FIRST_PAUSE.saturating_mul(1 << times.min(10)).min(LONGEST_PAUSE);
                let (launch, until) = (server.launch, Instant::now() + pause);
                let said = failure.clone();
                slot.failed = Some(FailedStart { failure: said, launch, account, times, until });
                Err(failure)
            }
        }
    }

    async fn let_go(&self, open: &mut Open) {
        let closing = std::mem::take(&mut open.slots).into_iter().map(async |(name, slot)| {
            if let Some(working) = slot.working {
                working.connection.close().await;
                self.servers.know(&name, ServerState::Idle, None);
            }
        });
        join_all(closing).await;
    }
}

/// A prompt does not wait for a call, which may take an hour.
fn at_work() -> Failure {
    Failure::new(ErrorCode::NotNow, said::servers_at_work()).with_action(said::when_it_is_done())
}

fn not_trusted(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpNotTrusted, said::server_not_trusted(name))
}
