//! Servers of the Model Context Protocol, and which of them a person trusts (spec 05 "MCP").

use kernel::code::{ErrorCode, Failure};
use kernel::ids::ProjectId;
use kernel::mcp::{Launch, Server, ServerName, ServerOffers, ServerTools, fingerprint, is_full};
use kernel::phrase::{servers as said, store};
use kernel::time::Time;
use rusqlite::{Connection, OptionalExtension as _, Row};
use std::collections::BTreeMap;

use super::delete::overwritten;
use super::{RuntimeStore, lists, sqlite_error};
use crate::keys::in_header;
use crate::logs;

/// A server, with what it listed last.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ServerRow {
    /// As the person set it up.
    pub(crate) server: Server,
    /// Its tools; `None` while it never listed them.
    pub(crate) tools: Option<ServerTools>,
    /// When it listed them.
    pub(crate) listed_at: Option<Time>,
}

impl ServerRow {
    /// What a person trusts of it; `None` while nobody knows its tools.
    pub(crate) fn sha256(&self) -> Option<String> {
        Some(fingerprint(&self.server.launch.shown(), self.tools.as_ref()?))
    }
}

impl RuntimeStore {
    /// The servers that are set up, by name. What may be a key is known as one from then on.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn servers(&self) -> Result<Vec<ServerRow>, Failure> {
        self.read(|db| {
            let sql =
                "SELECT name, launch, enabled, tools, listed_at FROM mcp_servers ORDER BY name";
            lists::all(db, "servers", sql, [], row)
        })
        .await
    }

    /// One of them.
    ///
    /// # Errors
    /// `MCP_SERVER_UNKNOWN`, `STORE_READ_FAILED`.
    pub(crate) async fn server(&self, name: &ServerName) -> Result<ServerRow, Failure> {
        let wanted = name.clone();
        let found = self.read(move |db| {
            let sql =
                "SELECT name, launch, enabled, tools, listed_at FROM mcp_servers WHERE name = ?1";
            Ok(lists::all(db, "servers", sql, [wanted.as_str()], row)?.pop())
        });
        found.await?.ok_or_else(|| unknown(name))
    }

    /// Sets a server up, in place of another where `replaces` names one. What it listed is forgotten
    /// when it is started or reached in another way.
    ///
    /// # Errors
    /// `MCP_SERVER_INVALID` when another has its name, `MCP_SERVER_UNKNOWN` for what is to be
    /// replaced, `STORE_WRITE_FAILED`.
    pub(crate) async fn save_server(
        &self,
        server: Server,
        replaces: Option<ServerName>,
    ) -> Result<(), Failure> {
        self.write(move |db| save(db, &server, replaces.as_ref())).await
    }

    /// Forgets a server, and the trust in it.
    ///
    /// # Errors
    /// `MCP_SERVER_UNKNOWN`, `STORE_WRITE_FAILED`.
    pub(crate) async fn remove_server(&self, name: &ServerName) -> Result<(), Failure> {
        let name = name.clone();
        self.write(move |db| {
            // Where the person is signed in goes with it.
            let sql = "DELETE FROM mcp_servers WHERE name = ?1";
            changed(&name, overwritten(db, |db| db.execute(sql, [name.as_str()])))
        })
        .await
    }

    /// Lets a server be used, or no more.
    ///
    /// # Errors
    /// As [`remove_server`](Self::remove_server).
    pub(crate) async fn switch_server(
        &self,
        name: &ServerName,
        enabled: bool,
    ) -> Result<(), Failure> {
        let name = name.clone();
        self.write(move |db| {
            let sql = "UPDATE mcp_servers SET enabled = ?2 WHERE name = ?1";
            changed(&name, db.execute(sql, (name.as_str(), enabled)))
        })
        .await
    }

    /// Keeps what a server lists, when it is still started or reached in this way.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn server_listed(
        &self,
        launch: &Launch,
        tools: ServerTools,
        at: Time,
    ) -> Result<(), Failure> {
        let launch = json(launch);
        self.write(move |db| {
            let sql =
                "UPDATE mcp_servers SET tools = ?3, listed_at = ?4 WHERE name = ?1 AND launch = ?2";
            let row = (tools.server.as_str(), &launch, json(&tools), at.millis());
            db.execute(sql, row).map(drop).map_err(|e| failed(&e))
        })
        .await
    }

    /// Keeps what a server offers beside its tools, when it is still started or reached in this way.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn server_offers_listed(
        &self,
        server: &Server,
        offers: ServerOffers,
    ) -> Result<(), Failure> {
        let (name, launch) = (server.name.clone(), json(&server.launch));
        self.write(move |db| {
            let sql = "UPDATE mcp_servers SET offers = ?3 WHERE name = ?1 AND launch = ?2";
            let row = (name.as_str(), &launch, json(&offers));
            db.execute(sql, row).map(drop).map_err(|e| failed(&e))
        })
        .await
    }

    /// What each server offered last beside its tools.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn server_offers(
        &self,
    ) -> Result<BTreeMap<ServerName, ServerOffers>, Failure> {
        self.read(|db| {
            let sql = "SELECT name, offers FROM mcp_servers WHERE offers IS NOT NULL";
            let all = lists::all(db, "offers of servers", sql, [], |row| {
                let name = ServerName::new(&row.get::<_, String>(0)?).ok();
                Ok(name.zip(serde_json::from_str(&row.get::<_, String>(1)?).ok()))
            })?;
            Ok(all.into_iter().collect())
        })
        .await
    }

    /// What the person trusts in a project, by the hash of what they saw.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn trusted_servers(
        &self,
        project: &ProjectId,
    ) -> Result<BTreeMap<ServerName, String>, Failure> {
        let project = project.clone();
        self.read(move |db| {
            let sql = "SELECT name, sha256 FROM trusted_servers WHERE project_id = ?1";
            let all = lists::all(db, "trusted servers", sql, [project.as_str()], |row| {
                let name = ServerName::new(&row.get::<_, String>(0)?).ok();
                Ok(name.zip(Some(row.get::<_, String>(1)?)))
            })?;
            Ok(all.into_iter().collect())
        })
        .await
    }

    /// Trusts servers in a project as they were seen, or trusts them no more.
    ///
    /// # Errors
    /// `MCP_SERVER_CHANGED` when one to trust is no longer what was seen, `STORE_WRITE_FAILED`.
    pub(crate) async fn trust_servers(
        &self,
        project: &ProjectId,
        seen: Vec<(ServerName, String)>,
        trusted: bool,
        at: Time,
    ) -> Result<(), Failure> {
        let project = project.clone();
        self.write(move |db| {
            seen.iter().try_for_each(|(name, sha256)| {
                if !trusted {
                    let sql = "DELETE FROM trusted_servers WHERE project_id = ?1 AND name = ?2";
                    let gone = db.execute(sql, (project.as_str(), name.as_str()));
                    return gone.map(drop).map_err(|e| failed(&e));
                }
                // In the same transaction: what is trusted is what was shown.
                let now = find(db, name)?.ok_or_else(|| unknown(name))?.sha256();
                if now.as_ref() != Some(sha256) {
                    return Err(not_as_shown(name));
                }
                let sql = "INSERT OR REPLACE INTO trusted_servers (project_id, name, sha256, at) VALUES (?1, ?2, ?3, ?4)";
                let row = (project.as_str(), name.as_str(), sha256, at.millis());
                db.execute(sql, row).map(drop).map_err(|e| failed(&e))
            })
        })
        .await
    }
}

fn save(db: &Connection, server: &Server, replaces: Option<&ServerName>) -> Result<(), Failure> {
    let taken = replaces != Some(&server.name) && find(db, &server.name)?.is_some();
    if taken {
        let said = said::server_exists(&server.name);
        return Err(Failure::new(ErrorCode::McpServerInvalid, said));
    }
    let (name, launch) = (server.name.as_str(), json(&server.launch));
    let Some(replaced) = replaces else {
        let count = "SELECT count(*) FROM mcp_servers";
        let servers: i64 = db.query_row(count, [], |row| row.get(0)).map_err(|e| failed(&e))?;
        if is_full(usize::try_from(servers).unwrap_or(usize::MAX)) {
            let said = said::too_many_servers(kernel::bounds::MCP_SERVERS);
            return Err(Failure::new(ErrorCode::McpServerInvalid, said));
        }
        let sql = "INSERT INTO mcp_servers (name, launch, enabled) VALUES (?1, ?2, ?3)";
        return db.execute(sql, (name, launch, server.enabled)).map(drop).map_err(|e| failed(&e));
    };
    // Under another name, and in another way, it is another server: what it listed has other names.
    let sql = "UPDATE mcp_servers SET name = ?2, launch = ?3, enabled = ?4,
                      tools = CASE WHEN launch = ?3 AND name = ?2 THEN tools END,
                      offers = CASE WHEN launch = ?3 AND name = ?2 THEN offers END,
                      listed_at = CASE WHEN launch = ?3 AND name = ?2 THEN listed_at END
               WHERE name = ?1";
    let rows = db.execute(sql, (replaced.as_str(), name, launch, server.enabled));
    changed(replaced, rows)?;
    // Nor is the person signed in at another address.
    let sql = "DELETE FROM server_accounts WHERE name = ?1 AND url <> ?2";
    let url = server.launch.url().unwrap_or_default();
    overwritten(db, |db| db.execute(sql, (name, url))).map(drop).map_err(|e| failed(&e))
}

fn find(db: &Connection, name: &ServerName) -> Result<Option<ServerRow>, Failure> {
    let sql = "SELECT name, launch, enabled, tools, listed_at FROM mcp_servers WHERE name = ?1";
    let found = db.query_row(sql, [name.as_str()], row).optional();
    found.map(Option::flatten).map_err(|e| failed(&e))
}

fn row(row: &Row<'_>) -> Result<Option<ServerRow>, rusqlite::Error> {
    let name = ServerName::new(&row.get::<_, String>(0)?).ok();
    let launch: Option<Launch> = serde_json::from_str(&row.get::<_, String>(1)?).ok();
    let Some((name, launch)) = name.zip(launch) else { return Ok(None) };
    let keys = launch.values().iter().flat_map(|(name, value)| in_header(name, value.reveal()));
    keys.for_each(logs::hide_secret);
    launch.values().values().for_each(|value| logs::hide_secret(value.reveal()));
    let tools: Option<String> = row.get(3)?;
    let listed_at: Option<i64> = row.get(4)?;
    Ok(Some(ServerRow {
        server: Server { name, launch, enabled: row.get(2)? },
        tools: tools.and_then(|tools| serde_json::from_str(&tools).ok()),
        listed_at: listed_at.map(Time::from_millis),
    }))
}

pub(super) fn json(value: &impl serde::Serialize) -> String {
    // Launches and tools are texts, lists and maps with texts for keys, which all have a JSON form.
    serde_json::to_string(value).unwrap_or_default()
}

fn changed(name: &ServerName, rows: Result<usize, rusqlite::Error>) -> Result<(), Failure> {
    match rows {
        Ok(0) => Err(unknown(name)),
        Ok(_) => Ok(()),
        Err(e) => Err(failed(&e)),
    }
}

fn failed(error: &rusqlite::Error) -> Failure {
    sqlite_error::write_failed(store::the_servers(), error)
}

pub(crate) fn unknown(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpServerUnknown, said::no_server_named(name))
}

fn not_as_shown(name: &ServerName) -> Failure {
    Failure::new(ErrorCode::McpServerChanged, said::server_not_as_shown(name))
}
