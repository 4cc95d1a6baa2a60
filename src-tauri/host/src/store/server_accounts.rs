//! Where the person is signed in at servers (spec 05 "MCP").

use kernel::code::Failure;
use kernel::mcp::{Server, ServerName};
use kernel::phrase::store;
use kernel::text::sha256_hex;
use rusqlite::{Connection, OptionalExtension as _};
use std::collections::BTreeMap;
use std::fs::File;
use std::time::Duration;

use super::delete::overwritten;
use super::servers::json;
use super::{RuntimeStore, lists, sqlite_error};
use crate::blocking::on_disk;
use crate::file_lock::lock_within;
use crate::private;

impl RuntimeStore {
    /// What lets this program ask the server of that name at that address in the person's name.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn server_account(
        &self,
        name: &ServerName,
        url: &str,
    ) -> Result<Option<String>, Failure> {
        let key = (name.to_string(), url.to_owned());
        self.read(move |db| {
            let sql = "SELECT account FROM server_accounts WHERE name = ?1 AND url = ?2";
            let found = db.query_row(sql, (&key.0, &key.1), |row| row.get(0)).optional();
            found.map_err(|e| sqlite_error::read_failed(store::the_servers(), &e))
        })
        .await
    }

    /// The addresses of the servers where the person is signed in.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn server_accounts(&self) -> Result<BTreeMap<ServerName, String>, Failure> {
        self.read(|db| {
            let sql = "SELECT name, url FROM server_accounts";
            let all = lists::all(db, "server accounts", sql, [], |row| {
                let name = ServerName::new(&row.get::<_, String>(0)?).ok();
                Ok(name.zip(Some(row.get::<_, String>(1)?)))
            })?;
            Ok(all.into_iter().collect())
        })
        .await
    }

    /// Keeps that with its address: whether the server is still reached in this way.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn keep_server_account(
        &self,
        server: &Server,
        url: String,
        account: String,
    ) -> Result<bool, Failure> {
        let (name, launch) = (server.name.to_string(), json(&server.launch));
        self.write(move |db| {
            let sql = "INSERT OR REPLACE INTO server_accounts (name, url, account)
                       SELECT name, ?3, ?4 FROM mcp_servers WHERE name = ?1 AND launch = ?2";
            Ok(changed(db, |db| db.execute(sql, (&name, &launch, &url, &account)))? == 1)
        })
        .await
    }

    /// Keeps it in place of what was read before, whatever its server is called now: whether that was
    /// still kept.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn renew_server_account(
        &self,
        before: String,
        account: String,
    ) -> Result<bool, Failure> {
        self.write(move |db| {
            let sql = "UPDATE server_accounts SET account = ?2 WHERE account = ?1";
            Ok(changed(db, |db| db.execute(sql, (&before, &account)))? == 1)
        })
        .await
    }

    /// Forgets it, as it was read.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn forget_account(&self, before: String) -> Result<(), Failure> {
        let sql = "DELETE FROM server_accounts WHERE account = ?1";
        self.write(move |db| changed(db, |db| db.execute(sql, [&before])).map(drop)).await
    }

    /// Forgets that of a server.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn forget_server_account(&self, name: &ServerName) -> Result<(), Failure> {
        let name = name.to_string();
        let sql = "DELETE FROM server_accounts WHERE name = ?1";
        self.write(move |db| changed(db, |db| db.execute(sql, [&name])).map(drop)).await
    }

    /// Keeps what the person was not allowed to do at a server, until they sign in again.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn server_account_wants(
        &self,
        name: &ServerName,
        scopes: String,
    ) -> Result<(), Failure> {
        let name = name.to_string();
        let sql = "UPDATE server_accounts SET wanted = ?2 WHERE name = ?1";
        self.write(move |db| changed(db, |db| db.execute(sql, (&name, &scopes))).map(drop)).await
    }

    /// What the person was not allowed to do there.
    ///
    /// # Errors
    /// `STORE_READ_FAILED`.
    pub(crate) async fn wanted_of_server(&self, name: &ServerName) -> Result<String, Failure> {
        let name = name.to_string();
        self.read(move |db| {
            let sql = "SELECT wanted FROM server_accounts WHERE name = ?1";
            let found = db.query_row(sql, [&name], |row| row.get::<_, Option<String>>(0));
            let found = found.optional().map(|found| found.flatten().unwrap_or_default());
            found.map_err(|e| sqlite_error::read_failed(store::the_servers(), &e))
        })
        .await
    }

    /// Lets one program at a time renew the tokens of an address: `None` when another takes too long.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED`.
    pub(crate) async fn lock_server_tokens(
        &self,
        url: &str,
        patience: Duration,
    ) -> Result<Option<File>, Failure> {
        let name = format!("server-{}.lock", &sha256_hex(url.as_bytes())[..16]);
        let path = self.root().join(name);
        on_disk(move || {
            let locked = || -> std::io::Result<Option<File>> {
                let file = private::file(&path)?;
                Ok(lock_within(&file, patience)?.then_some(file))
            };
            locked().map_err(|e| sqlite_error::folder_failed(&e))
        })
        .await
    }
}

fn changed(
    db: &Connection,
    change: impl FnOnce(&Connection) -> rusqlite::Result<usize>,
) -> Result<usize, Failure> {
    overwritten(db, change).map_err(|e| sqlite_error::write_failed(store::the_servers(), &e))
}
