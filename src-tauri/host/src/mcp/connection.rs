//! A server that is started or reached, until it is let go.

use kernel::bounds::{
    MCP_CALL_BYTES, MCP_MESSAGE_BYTES, MCP_OFFER_SECONDS, MCP_PAGES, MCP_QUESTIONS, MCP_TOOLS, size,
};
use kernel::code::{ErrorCode, Failure};
use kernel::mcp::{Launch, ListedTool, ServerName, ServerOffers, ToolHint};
use kernel::phrase::{general, servers as said};
use rmcp::ServiceExt as _;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
    ClientRequest, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    PaginatedRequestParams, RequestId, ServerResult, Tool,
};
use rmcp::service::{
    ClientInitializeError, PeerRequestOptions, RequestHandle, RoleClient, RunningService,
    ServiceError,
};
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::CancellationToken;

use super::accounts::Account;
use super::asker::Challenge;
use super::bounded::{Bounded, SeenOutput};
use super::client::{Client, QuestionAnswer, ServerQuestion, Sign};
use super::deadline::Deadline;
use super::failures::{
    ended, garbage, no_prompt, not_started, own_words, says_no, stopped, too_late,
};
use super::http::{self, HttpServer};
use super::place::{Patience, ServerPlace};
use super::progress::Pace;
use super::saying::Saying;
use super::traces::Traces;
use super::{offers, process};
use crate::process_group::Running;

/// Signs of a server that are kept for whoever waits for it.
const SIGNS: usize = 16;
/// How long a server may go on after its input was closed.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A server at work.
pub(super) struct Connection {
    name: ServerName,
    service: RunningService<RoleClient, Client>,
    process: Option<Running>,
    seen: Arc<SeenOutput>,
    signs: Mutex<mpsc::Receiver<Sign>>,
    at_work: Arc<AtomicBool>,
    tools_changed: Arc<AtomicBool>,
    patience: Patience,
    asked: Asked,
}

/// In whose name a server is asked.
struct Asked {
    may_sign_in: bool,
    account: Option<Account>,
}

impl Connection {
    /// Starts a server or reaches it, and greets it. What it leaves behind is in `traces`
    /// from the beginning.
    ///
    /// # Errors
    /// `E_MCP_NOT_STARTED`, `E_MCP_SIGN_IN`, `E_MCP_TIMEOUT`, `E_MCP_GARBAGE`, `E_MCP_FLOOD`; `ENGINE_ABORTED` when
    /// `cancel` ended it.
    pub(super) async fn open(
        name: &ServerName,
        launch: &Launch,
        account: Option<Account>,
        place: &ServerPlace,
        traces: Traces,
        cancel: &CancellationToken,
    ) -> Result<Self, Failure> {
        let seen = Arc::<SeenOutput>::default();
        let (sender, signs) = mpsc::channel(SIGNS);
        let (at_work, tools_changed) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let client = Client {
            signs: sender,
            at_work: Arc::clone(&at_work),
            tools_changed: Arc::clone(&tools_changed),
            in_project: place.project.is_some(),
        };
        let asked = Asked { may_sign_in: http::may_sign_in(launch), account };
        let mut process = None;
        let greeting = async {
            match launch {
                Launch::Command { command, args, env } => {
                    let mut running = process::start(name, command, args, env, place)?;
                    let streams = (running.stdout(), running.stdin());
                    running.stderr().into_iter().for_each(|errors| traces.log.read(errors));
                    process = Some(running);
                    let (Some(out), Some(input)) = streams else {
                        return Err(not_started(name, general::ended_early()));
                    };
                    let out = Bounded::new(out, Arc::clone(&seen));
                    let transport = AsyncRwTransport::new_client(out, input)
                        .with_max_line_length(MCP_MESSAGE_BYTES);
                    client.serve(transport).await.map_err(|e| refused(name, &e, true))
                }
                Launch::Url { url, headers } => {
                    let server = HttpServer::new(name, url, headers)?;
                    reach(name, server, client, &asked, traces.challenge, &seen).await
                }
            }
        };
        let greeted = tokio::select! {
            greeted = greeting => greeted,
            () = tokio::time::sleep(place.patience.start) => Err(too_late(name, place.patience.start)),
            () = cancel.cancelled() => Err(stopped()),
        };
        let service = greeted.map_err(|failure| seen_through(name, &seen, failure))?;
        let (name, patience, signs) = (name.clone(), place.patience, Mutex::new(signs));
        Ok(Self { name, service, process, seen, signs, at_work, tools_changed, patience, asked })
    }

    /// Whether it is at an end.
    pub(super) fn is_over(&self) -> bool {
        self.service.is_closed() || self.service.is_transport_closed()
    }

    /// Whether it is asked in the name of this one, or of nobody.
    pub(super) fn asks_as(&self, account: Option<&Account>) -> bool {
        Account::are_same(self.asked.account.as_ref(), account)
    }

    /// Whether its tools are others since they were read.
    pub(super) fn has_other_tools(&self) -> bool {
        self.tools_changed.load(Ordering::Relaxed)
    }

    /// The tools that it lists.
    ///
    /// # Errors
    /// As [`open`](Self::open), and `E_MCP_ENDED`.
    pub(super) async fn tools(
        &self,
        cancel: &CancellationToken,
    ) -> Result<Vec<ListedTool>, Failure> {
        self.tools_changed.store(false, Ordering::Relaxed);
        self.seen.begin();
        let listing = async {
            let (mut tools, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
            loop {
                let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
                let page =
                    self.service.list_tools(Some(params)).await.map_err(|e| self.failed(&e))?;
                tools.extend(page.tools.into_iter().map(listed));
                pages += 1;
                let same = page.next_cursor == cursor;
                match page.next_cursor {
                    // One too many is refused by whoever takes them over.
                    Some(next) if !same && pages < MCP_PAGES && tools.len() <= MCP_TOOLS => {
                        cursor = Some(next);
                    }
                    None => return Ok(tools),
                    Some(_) if tools.len() > MCP_TOOLS => return Ok(tools),
                    Some(_) => return Err(garbage(&self.name)),
                }
            }
        };
        let listed = tokio::select! {
            listed = listing => listed,
            () = tokio::time::sleep(self.patience.start) => {
                Err(too_late(&self.name, self.patience.start))
            }
            () = cancel.cancelled() => Err(stopped()),
        };
        listed.map_err(|failure| seen_through(&self.name, &self.seen, failure))
    }

    /// The prompts and resources that it lists, as far as it does in time.
    ///
    /// # Errors
    /// `E_MCP_ENDED` and `E_MCP_FLOOD` when it came to its end meanwhile.
    pub(super) async fn offers(&self, cancel: &CancellationToken) -> Result<ServerOffers, Failure> {
        self.seen.begin();
        let patience = self.patience.start.min(Duration::from_secs(MCP_OFFER_SECONDS));
        let listed = tokio::select! {
            listed = offers::listed(&self.name, &self.service, patience) => listed,
            () = cancel.cancelled() => return Err(stopped()),
        };
        if self.is_over() {
            return Err(seen_through(&self.name, &self.seen, ended(&self.name)));
        }
        Ok(listed)
    }

    /// Fetches a prompt.
    ///
    /// # Errors
    /// As [`tools`](Self::tools), and `MCP_PROMPT_ARGUMENTS` when the server wants to be told
    /// something else.
    pub(super) async fn prompt(
        &self,
        prompt: &str,
        arguments: Map<String, Value>,
        cancel: &CancellationToken,
    ) -> Result<GetPromptResult, Failure> {
        self.seen.begin();
        let params = GetPromptRequestParams::new(prompt).with_arguments(arguments);
        let got = tokio::select! {
            got = self.service.get_prompt_once(params) => got,
            () = tokio::time::sleep(self.patience.start) => {
                return Err(too_late(&self.name, self.patience.start));
            }
            () = cancel.cancelled() => return Err(stopped()),
        };
        let got = match got {
            Ok(GetPromptResponse::Complete(prompt)) => Ok(prompt),
            Ok(_) => Err(garbage(&self.name)),
            Err(ServiceError::McpError(error)) => Err(no_prompt(&self.name, &error)),
            Err(error) => Err(self.failed(&error)),
        };
        got.map_err(|failure| seen_through(&self.name, &self.seen, failure))
    }

    /// Calls a tool. `hear` is who hears what the server says meanwhile, and asks the person.
    ///
    /// # Errors
    /// As [`tools`](Self::tools), and `E_MCP_TOOL_FAILED` when the server refuses the call.
    pub(super) async fn call(
        &self,
        tool: &str,
        args: Map<String, Value>,
        hear: impl Fn(Saying),
        cancel: &CancellationToken,
    ) -> Result<CallToolResult, Failure> {
        // Whoever stopped while others were waited for has called nothing.
        if cancel.is_cancelled() {
            return Err(stopped());
        }
        self.seen.begin();
        let mut signs = self.signs.lock().await;
        while signs.try_recv().is_ok() {}
        self.at_work.store(true, Ordering::Relaxed);
        let done = self.calling(tool, args, hear, &mut signs, cancel).await;
        self.at_work.store(false, Ordering::Relaxed);
        done.map_err(|failure| seen_through(&self.name, &self.seen, failure))
    }

    async fn calling(
        &self,
        tool: &str,
        args: Map<String, Value>,
        hear: impl Fn(Saying),
        signs: &mut mpsc::Receiver<Sign>,
        cancel: &CancellationToken,
    ) -> Result<CallToolResult, Failure> {
        let handle = self.sent(tool, args).await?;
        let (id, peer) = (handle.id.clone(), handle.peer.clone());
        let mut pace = Pace::new(handle.progress_token.clone());
        let mut answering = std::pin::pin!(handle.await_response());
        let give_up = || async {
            let cancelled = peer.notify_cancelled(no_longer_waited_for(id.clone()));
            _ = tokio::time::timeout(LAST_WORDS, cancelled).await;
        };
        let mut deadline = Deadline::new(self.patience);
        let (mut questions, mut asked) = (0, None);
        loop {
            let waits = asked.is_some();
            tokio::select! {
                answer = &mut answering => return match answer {
                    Ok(ServerResult::CallToolResult(result)) => Ok(result),
                    Ok(_) => Err(garbage(&self.name)),
                    Err(e) => Err(self.failed(&e)),
                },
                sign = signs.recv() => match sign {
                    Some(Sign::Question(question)) if questions < MCP_QUESTIONS && !waits => {
                        questions += 1;
                        let (question, answered) = question.passed_on();
                        asked = Some(answered);
                        deadline.asked();
                        hear(Saying::Question(question));
                    }
                    Some(Sign::Question(question)) => {
                        _ = question.answer.send(QuestionAnswer::Cancelled);
                    }
                    Some(Sign::Progress(said)) => {
                        if pace.take(said) {
                            deadline.signed();
                        }
                    }
                    None => return Err(ended(&self.name)),
                },
                progress = pace.due() => hear(Saying::Progress(progress)),
                () = answer_passed(&mut asked) => {
                    asked = None;
                    deadline.answered();
                }
                () = tokio::time::sleep_until(deadline.at()), if !waits => {
                    give_up().await;
                    return Err(deadline.failure(&self.name));
                }
                () = cancel.cancelled() => {
                    give_up().await;
                    return Err(stopped());
                }
            }
        }
    }

    /// A call that is on its way.
    async fn sent(
        &self,
        tool: &str,
        args: Map<String, Value>,
    ) -> Result<RequestHandle<RoleClient>, Failure> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(args);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.service.send_cancellable_request(request, PeerRequestOptions::no_options());
        sent.await.map_err(|e| self.failed(&e))
    }

    /// Lets it go: it is told so, and ended with everything that it has started if it stays.
    pub(super) async fn close(mut self) {
        _ = self.service.close_with_timeout(LAST_WORDS).await;
        if let Some(mut process) = self.process.take() {
            _ = tokio::time::timeout(LAST_WORDS, process.wait()).await;
            process.end();
            _ = tokio::time::timeout(LAST_WORDS, process.wait()).await;
        }
    }

    fn failed(&self, error: &ServiceError) -> Failure {
        match error {
            ServiceError::McpError(error) => says_no(&self.name, error),
            ServiceError::UnexpectedResponse => garbage(&self.name),
            ServiceError::Timeout { timeout } => too_late(&self.name, *timeout),
            ServiceError::TransportSend(error) if self.process.is_none() => {
                let sign_in =
                    http::sign_in_first(&self.name, error).filter(|_| self.asked.may_sign_in);
                sign_in.unwrap_or_else(|| http::failed_in_call(&self.name, error))
            }
            _ => ended(&self.name),
        }
    }
}

/// Greets a server that is reached over HTTP, as servers are today or as the first ones were.
async fn reach(
    name: &ServerName,
    server: HttpServer,
    client: Client,
    asked: &Asked,
    challenge: Challenge,
    seen: &Arc<SeenOutput>,
) -> Result<RunningService<RoleClient, Client>, Failure> {
    let transport = server.streamable(asked.account.clone(), challenge);
    let error = match client.clone().serve(transport).await {
        Ok(served) => return Ok(served),
        Err(error) => error,
    };
    if let ClientInitializeError::TransportError { error, .. } = &error
        && asked.may_sign_in
        && let Some(first) = http::sign_in_first(name, error)
    {
        return Err(first);
    }
    match server.event_stream(&error, Arc::clone(seen)).await {
        Some(older) => client.serve(older).await.map_err(|e| refused(name, &e, false)),
        None => Err(refused(name, &error, false)),
    }
}

fn no_longer_waited_for(call: RequestId) -> CancelledNotificationParam {
    let reason = "nobody waits for it any longer".to_owned();
    CancelledNotificationParam::new(Some(call), Some(reason))
}

/// An answer that is on its way from the person to the server.
type Passing = tokio::task::JoinHandle<()>;

impl ServerQuestion {
    /// The same question, and what ends when it is answered.
    fn passed_on(self) -> (Self, Passing) {
        let Self { message, schema, answer } = self;
        let (sender, answered) = tokio::sync::oneshot::channel();
        let passing = tokio::spawn(async move {
            _ = answer.send(answered.await.unwrap_or(QuestionAnswer::Cancelled));
        });
        (Self { message, schema, answer: sender }, passing)
    }
}

async fn answer_passed(passing: &mut Option<Passing>) {
    match passing {
        Some(passing) => _ = passing.await,
        None => std::future::pending().await,
    }
}

fn listed(tool: Tool) -> ListedTool {
    let hints = tool.annotations.as_ref();
    let hint = ToolHint::of(
        hints.and_then(|hints| hints.read_only_hint),
        hints.and_then(|hints| hints.destructive_hint),
    );
    ListedTool {
        name: tool.name.into_owned(),
        title: tool.title.or_else(|| hints.and_then(|hints| hints.title.clone())),
        description: tool.description.map(std::borrow::Cow::into_owned),
        schema: Value::Object(Arc::unwrap_or_clone(tool.input_schema)),
        hint,
    }
}

/// What was seen of its output tells more than that it has ended.
fn seen_through(name: &ServerName, seen: &SeenOutput, failure: Failure) -> Failure {
    if failure.code == ErrorCode::EngineAborted {
        return failure;
    }
    if seen.flooded() && seen.only_stray() {
        return garbage(name);
    }
    if seen.flooded() {
        let (one, all) = (size(MCP_MESSAGE_BYTES as u64), size(MCP_CALL_BYTES as u64));
        return Failure::new(ErrorCode::McpFlood, said::server_floods(name, one, all));
    }
    if failure.code == ErrorCode::McpTimeout && seen.only_stray() {
        return garbage(name);
    }
    failure
}

fn refused(name: &ServerName, error: &ClientInitializeError, is_program: bool) -> Failure {
    use ClientInitializeError as E;
    match error {
        E::JsonRpcError(error) => not_started(name, said::server_says(own_words(&error.message))),
        E::TransportError { .. } if is_program => not_started(name, said::server_ended_at_once()),
        E::ConnectionClosed(_) => not_started(name, said::server_ended_at_once()),
        E::TransportError { error, .. } => http::failed(name, error),
        E::NoCompatibleProtocolVersion { .. } => not_started(name, said::server_protocol()),
        _ => garbage(name),
    }
}
