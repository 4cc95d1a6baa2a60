//! Servers of the Model Context Protocol (spec 05 "MCP"): what is set up, which of them a person
//! trusts where, and calling their tools.
//!
//! A server is started or reached when a call needs it, never before, and belongs to one
//! conversation: it ends with it, or when nobody has called it for a while. Which tools it offers is
//! known from the last time it listed them; when it lists others, nothing of it is called before the
//! person has seen them.

mod accounts;
mod asker;
mod bounded;
mod callback;
mod client;
mod connection;
mod conversation;
mod deadline;
mod event_stream;
mod failures;
mod http;
mod kept_account;
mod oauth_http;
mod offers;
mod place;
mod private_network;
mod process;
mod progress;
mod result;
mod saying;
mod sign_in;
mod signing_in;
mod traces;

use kernel::bounds::{MCP_SIGN_IN_REQUEST_SECONDS, SETTINGS_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::command::{SeenServer, SignInPage};
use kernel::ids::ProjectId;
use kernel::mcp::{
    ClientFile, ListedTool, Server, ServerDraft, ServerName, ServerOffers, ServerTools, offered,
    read_client_file,
};
use kernel::phrase::servers as said;
use kernel::wire::{
    FoundServer, LeftOutServer, ServerFile, ServerState, ServerToolView, ServerTrust, ServerView,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use crate::blocking::on_disk;
use crate::clock::Clock;
use crate::logs;
use crate::plain_file;
use crate::real_path::RealPath;
use crate::store::{RuntimeStore, ServerRow};
use accounts::{Account, Accounts};
use connection::Connection;
use failures::not_started;
use kept_account::StoredAccount;
use place::ServerPlace;
use sign_in::SignInPlace;
use signing_in::SigningIn;
use traces::Traces;

pub(crate) use client::{QuestionAnswer, ServerQuestion};
pub(crate) use conversation::ServerClients;
pub use place::Patience;
pub(crate) use progress::CallProgress;
pub(crate) use saying::Saying;

/// What this program knows of a server beside what is kept of it.
#[derive(Debug, Clone, Default)]
struct Known {
    state: ServerState,
    problem: Option<Failure>,
    traces: Traces,
    /// Ends a test that is going on.
    test: Option<CancellationToken>,
}

/// The servers that are set up.
pub(crate) struct Servers {
    store: RuntimeStore,
    clock: Arc<dyn Clock>,
    patience: Patience,
    known: Mutex<BTreeMap<ServerName, Known>>,
    /// Ends the calls of prompts that are under way.
    prompts: Mutex<CancellationToken>,
    accounts: Accounts,
    signing_in: SigningIn,
}

impl Servers {
    pub(crate) fn new(store: RuntimeStore, clock: Arc<dyn Clock>, patience: Patience) -> Self {
        let (known, prompts) = (Mutex::default(), Mutex::default());
        let accounts = Accounts::new(store.clone());
        let signing_in = SigningIn::default();
        Self { store, clock, patience, known, prompts, accounts, signing_in }
    }

    /// The servers as people see them; which of them are trusted in a project.
    pub(crate) async fn list(
        &self,
        project: Option<&ProjectId>,
    ) -> Result<Vec<ServerView>, Failure> {
        let trusted = match project {
            Some(project) => self.store.trusted_servers(project).await?,
            None => BTreeMap::new(),
        };
        let mut offers = self.store.server_offers().await?;
        let accounts = self.store.server_accounts().await?;
        let view = |row: &ServerRow| {
            let name = &row.server.name;
            let url = accounts.get(name).filter(|_| http::may_sign_in(&row.server.launch));
            let signed_in = url.is_some_and(|url| row.server.launch.url() == Some(url));
            let offers = offers.remove(name).unwrap_or_default();
            ServerView { signed_in, ..self.view(row, trusted.get(name), offers) }
        };
        Ok(self.store.servers().await?.iter().map(view).collect())
    }

    fn view(&self, row: &ServerRow, trusted: Option<&String>, offers: ServerOffers) -> ServerView {
        let name = &row.server.name;
        let known = self.known().get(name).cloned().unwrap_or_default();
        let sha256 = row.sha256();
        let log = known.traces.log.text();
        // What cleans texts takes memory, and most servers were not started yet.
        let log = if log.is_empty() { log } else { logs::cleaned(&log) };
        let trust = match trusted {
            None => ServerTrust::None,
            Some(seen) if Some(seen) == sha256.as_ref() => ServerTrust::Trusted,
            Some(_) => ServerTrust::Changed,
        };
        ServerView {
            name: name.clone(),
            launch: row.server.launch.shown(),
            enabled: row.server.enabled,
            signed_in: false,
            state: known.state,
            tools: row.tools.as_ref().map(|it| it.tools.iter().map(ServerToolView::from).collect()),
            prompts: offers.prompts,
            resources: offers.resources,
            listed_at: row.listed_at,
            sha256,
            trust,
            problem: known.problem.map(cleaned),
            log,
        }
    }

    /// What a conversation of a project may be offered: what is trusted there and may be used.
    pub(crate) async fn offered(&self, project: &ProjectId) -> Result<Arc<[ServerTools]>, Failure> {
        let trusted = self.store.trusted_servers(project).await?;
        if trusted.is_empty() {
            return Ok(Arc::default());
        }
        let rows = self.store.servers().await?;
        let may = |row: &ServerRow| {
            let seen = trusted.get(&row.server.name);
            row.server.enabled && seen.is_some() && row.sha256().as_ref() == seen
        };
        Ok(rows.into_iter().filter(may).filter_map(|row| row.tools).collect())
    }

    /// Sets a server up, or changes one.
    pub(crate) async fn save(
        &self,
        draft: ServerDraft,
        replaces: Option<ServerName>,
    ) -> Result<(), Failure> {
        let before = match &replaces {
            Some(name) => Some(self.store.server(name).await?.server),
            None => None,
        };
        let launch = draft.launch.after(before.as_ref().map(|server| &server.launch));
        let unfit = |why| Failure::new(ErrorCode::McpServerInvalid, why);
        let launch = launch.checked().map_err(unfit)?;
        let enabled = before.is_none_or(|server| server.enabled);
        let server = Server { name: draft.name, launch, enabled };
        self.store.save_server(server, replaces.clone()).await?;
        if let Some(name) = replaces {
            self.signing_in.stop(&name);
            self.known().remove(&name);
        }
        Ok(())
    }

    /// Forgets a server.
    pub(crate) async fn remove(&self, name: &ServerName) -> Result<(), Failure> {
        self.store.remove_server(name).await?;
        self.signing_in.stop(name);
        self.known().remove(name);
        Ok(())
    }

    /// Lets a server be used, or no more.
    pub(crate) async fn switch(&self, name: &ServerName, enabled: bool) -> Result<(), Failure> {
        self.store.switch_server(name, enabled).await
    }

    /// Trusts servers in a project, or trusts them no more.
    pub(crate) async fn trust(
        &self,
        project: &ProjectId,
        seen: Vec<SeenServer>,
        trusted: bool,
    ) -> Result<(), Failure> {
        let seen = seen.into_iter().map(|seen| (seen.name, seen.sha256)).collect();
        self.store.trust_servers(project, seen, trusted, self.clock.now()).await
    }

    /// Starts a server, keeps what it lists, and ends it.
    pub(crate) async fn test(
        &self,
        name: &ServerName,
        project: Option<RealPath>,
    ) -> Result<(), Failure> {
        let row = self.store.server(name).await?;
        let cancel = CancellationToken::new();
        self.known().entry(name.clone()).or_default().test = Some(cancel.clone());
        let place = ServerPlace { project, patience: self.patience };
        let opened = self.open(&row.server, &place, &cancel).await;
        let listed = match opened {
            Ok((connection, _)) => {
                let offers = connection.offers(&cancel).await;
                connection.close().await;
                self.tested(&row.server, offers).await
            }
            Err(failure) => Err(failure),
        };
        self.known().entry(name.clone()).or_default().test = None;
        listed
    }

    /// Keeps what a server offers beside its tools.
    async fn tested(
        &self,
        server: &Server,
        offers: Result<ServerOffers, Failure>,
    ) -> Result<(), Failure> {
        let stopped = |failure: &Failure| failure.code == ErrorCode::EngineAborted;
        let problem = offers.as_ref().err().filter(|failure| !stopped(failure)).cloned();
        let state = problem.as_ref().map_or(ServerState::Idle, |_| ServerState::Failed);
        self.know(&server.name, state, problem);
        self.store.server_offers_listed(server, offers?).await
    }

    /// What a call of a prompt is cancelled by: somebody is in a hurry.
    pub(crate) fn prompting(&self) -> CancellationToken {
        let prompts = self.prompts.lock().unwrap_or_else(PoisonError::into_inner);
        prompts.child_token()
    }

    /// Ends a test that is going on.
    pub(crate) fn stop_test(&self, name: &ServerName) {
        if let Some(test) = self.known().get(name).and_then(|known| known.test.as_ref()) {
            test.cancel();
        }
    }

    /// Ends every test that is going on, and waits for no prompt and for nobody who signs in.
    pub(crate) fn stop_tests(&self) {
        let mut prompts = self.prompts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *prompts).cancel();
        drop(prompts);
        self.signing_in.stop_all();
        let known = self.known();
        known.values().filter_map(|known| known.test.as_ref()).for_each(CancellationToken::cancel);
    }

    /// Asks for the page where the person signs in at a server.
    pub(crate) async fn sign_in(&self, name: &ServerName) -> Result<SignInPage, Failure> {
        let server = self.store.server(name).await?.server;
        if server.launch.url().is_some() && !http::may_sign_in(&server.launch) {
            return Err(sign_in::failed(name, said::signed_in_by_a_key(name)));
        }
        let challenge = self.known().get(name).and_then(|known| known.traces.challenge.text());
        let scopes = self.scopes(&server).await?;
        let place = SignInPlace { server, challenge, scopes };
        self.signing_in.begin(self.store.clone(), place).await
    }

    /// What the person may do at a server where they are signed in, and what they wanted to do beside.
    async fn scopes(&self, server: &Server) -> Result<Vec<String>, Failure> {
        let Some(url) = server.launch.url() else { return Ok(Vec::new()) };
        let account = self.store.server_account(&server.name, url).await?;
        let account = account.and_then(|text| StoredAccount::read(&server.name, &text));
        let Some(account) = account else { return Ok(Vec::new()) };
        let wanted = self.store.wanted_of_server(&server.name).await?;
        let wanted = wanted.split_whitespace().map(str::to_owned);
        Ok(account.credentials.granted_scopes.into_iter().chain(wanted).collect())
    }

    /// Waits until the person is back from that page.
    pub(crate) async fn signed_in(&self, name: &ServerName) -> Result<(), Failure> {
        self.signing_in.done(name).await?;
        self.know(name, ServerState::Idle, None);
        Ok(())
    }

    /// Waits no more for a person who signs in.
    pub(crate) fn stop_sign_in(&self, name: &ServerName) {
        self.signing_in.stop(name);
    }

    /// Forgets that the person is signed in at a server.
    pub(crate) async fn sign_out(&self, name: &ServerName) -> Result<(), Failure> {
        self.signing_in.stop(name);
        self.accounts.sign_out(name).await
    }

    /// Waits a while until nothing is under way that would be lost with the end of the program.
    pub(crate) async fn rest(&self) {
        let patience = Duration::from_secs(MCP_SIGN_IN_REQUEST_SECONDS);
        _ = tokio::time::timeout(patience, self.accounts.rest()).await;
    }

    /// Starts a server or reaches it, and keeps what it lists.
    async fn open(
        &self,
        server: &Server,
        place: &ServerPlace,
        cancel: &CancellationToken,
    ) -> Result<(Connection, ServerTools), Failure> {
        let Server { name, launch, .. } = server;
        let traces = Traces::default();
        {
            let mut known = self.known();
            let known = known.entry(name.clone()).or_default();
            (known.state, known.problem, known.traces) =
                (ServerState::Starting, None, traces.clone());
        }
        let opening = async {
            let account = self.account(server).await?;
            let connection = Connection::open(name, launch, account, place, traces, cancel).await?;
            match self.relist(server, &connection, cancel).await {
                Ok(tools) => Ok((connection, tools)),
                Err(failure) => {
                    connection.close().await;
                    let ended = failure.code == ErrorCode::McpEnded;
                    Err(if ended {
                        not_started(name, said::server_ended_at_once())
                    } else {
                        failure
                    })
                }
            }
        };
        let opened = opening.await;
        match &opened {
            Ok(_) => self.know(name, ServerState::Running, None),
            Err(failure) if failure.code == ErrorCode::EngineAborted => {
                self.know(name, ServerState::Idle, None);
            }
            Err(failure) => self.know(name, ServerState::Failed, Some(failure.clone())),
        }
        opened
    }

    /// Who asks a server in the person's name, where they are signed in there and set no key of theirs.
    async fn account(&self, server: &Server) -> Result<Option<Account>, Failure> {
        match server.launch.url().filter(|_| http::may_sign_in(&server.launch)) {
            Some(url) => self.accounts.at(&server.name, url).await,
            None => Ok(None),
        }
    }

    /// What a server lists now; it is kept.
    async fn relist(
        &self,
        server: &Server,
        connection: &Connection,
        cancel: &CancellationToken,
    ) -> Result<ServerTools, Failure> {
        let mut listed = connection.tools(cancel).await?;
        listed.iter_mut().for_each(hide_places_and_keys);
        let unfit = |why| Failure::new(ErrorCode::McpGarbage, said::unfit_tools(&server.name, why));
        let tools = offered(&server.name, listed).map_err(unfit)?;
        self.store.server_listed(&server.launch, tools.clone(), self.clock.now()).await?;
        Ok(tools)
    }

    fn know(&self, name: &ServerName, state: ServerState, problem: Option<Failure>) {
        let mut known = self.known();
        let known = known.entry(name.clone()).or_default();
        (known.state, known.problem) = (state, problem);
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<ServerName, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the file of another client says of servers.
    pub(crate) async fn file(&self, path: PathBuf) -> Result<ServerFile, Failure> {
        let ClientFile { servers, left_out } = read_file(path).await?;
        let known = self.store.servers().await?;
        let taken = |name: &ServerName| known.iter().any(|row| row.server.name == *name);
        let found = |server: Server| FoundServer {
            taken: taken(&server.name),
            launch: server.launch.shown(),
            name: server.name,
        };
        let left_out = left_out.into_iter().map(|(name, why)| LeftOutServer { name, why });
        let servers = servers.into_iter().map(found).collect();
        Ok(ServerFile { servers, left_out: left_out.collect() })
    }

    /// Sets servers of such a file up whose names are free.
    pub(crate) async fn import(
        &self,
        path: PathBuf,
        names: Vec<ServerName>,
    ) -> Result<(), Failure> {
        let file = read_file(path).await?;
        for name in names {
            let found = file.servers.iter().find(|server| server.name == name).cloned();
            let server = found.ok_or_else(|| {
                Failure::new(ErrorCode::McpServerUnknown, said::no_such_server_in_file(&name))
            })?;
            match self.store.save_server(server, None).await {
                Err(failure) if failure.code == ErrorCode::McpServerInvalid => {
                    // Its name is taken: what is set up stays as it is.
                    self.store.server(&name).await.map_err(|_| failure)?;
                }
                other => other?,
            }
        }
        Ok(())
    }
}

/// A failure whose words may repeat what a server says.
fn cleaned(mut failure: Failure) -> Failure {
    failure.map_texts(&logs::cleaned);
    failure
}

/// What a server says of its tools goes to models and into journals: without the places of this
/// machine, and without its keys.
fn hide_places_and_keys(tool: &mut ListedTool) {
    for text in [&mut tool.title, &mut tool.description].into_iter().flatten() {
        *text = logs::cleaned(text);
    }
    logs::clean(&mut tool.schema);
}

async fn read_file(path: PathBuf) -> Result<ClientFile, Failure> {
    let text = on_disk(move || {
        let read = plain_file::read_to_string(&path, SETTINGS_BYTES);
        read.map_err(|e| crate::failure::io(ErrorCode::McpFileInvalid, said::the_server_file(), &e))
    });
    read_client_file(&text.await?).map_err(|why| Failure::new(ErrorCode::McpFileInvalid, why))
}
