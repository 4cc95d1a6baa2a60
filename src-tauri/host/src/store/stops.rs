//! Asking whoever works on a conversation to stop (spec 11 `stop`). The question is a mark on the
//! lease, which the holder looks at: it reaches no later work, and dies with a dead process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::code::Failure;
use kernel::ids::ConversationId;
use kernel::phrase::store;
use rusqlite::{OptionalExtension, params};

use super::leases::{LOOK, LeaseRow, busy, row};
use super::{RuntimeStore, sqlite_error};

/// Work that was asked to stop.
#[derive(Debug)]
pub struct StopRequest {
    conversation: ConversationId,
    token: String,
}

impl RuntimeStore {
    /// Asks whoever works on a conversation to stop. `None` when nobody does, also when the process
    /// that did is dead.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn ask_to_stop(
        &self,
        conversation: &ConversationId,
    ) -> Result<Option<StopRequest>, Failure> {
        let id = conversation.clone();
        let (instance, held) = (Arc::clone(&self.inner.instance), Arc::clone(&self.inner.held));
        let token = self.write(move |db| {
            let failed =
                |e: rusqlite::Error| sqlite_error::write_failed(store::the_wish_to_stop(), &e);
            let sql = "SELECT * FROM leases WHERE conversation = ?1";
            let found = db.query_row(sql, [id.as_str()], row).optional().map_err(failed)?;
            let Some(lease) = found.filter(|lease| lease.is_alive(&instance, &held)) else {
                return Ok(None);
            };
            let sql = "UPDATE leases SET stop_asked = 1 WHERE token = ?1";
            db.execute(sql, params![lease.token]).map_err(failed)?;
            Ok(Some(lease.token))
        });
        let token = token.await?;
        Ok(token.map(|token| StopRequest { conversation: conversation.clone(), token }))
    }

    /// Whether somebody works on a conversation, here or in another program.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub(crate) async fn is_worked_on(
        &self,
        conversation: &ConversationId,
    ) -> Result<bool, Failure> {
        let id = conversation.clone();
        let (instance, held) = (Arc::clone(&self.inner.instance), Arc::clone(&self.inner.held));
        self.read(move |db| {
            let sql = "SELECT * FROM leases WHERE conversation = ?1";
            let found = db.query_row(sql, [id.as_str()], row).optional();
            let found = found.map_err(|e| sqlite_error::read_failed(store::the_lease(), &e))?;
            Ok(found.is_some_and(|lease| lease.is_alive(&instance, &held)))
        })
        .await
    }

    /// Waits until the work that was asked to stop has ended, or its process has.
    ///
    /// # Errors
    /// `RUN_BUSY` when it still goes on after `patience`. `STORE_READ_FAILED` when the store cannot
    /// be read.
    pub async fn has_stopped(
        &self,
        asked: &StopRequest,
        patience: Duration,
    ) -> Result<(), Failure> {
        let until = Instant::now() + patience;
        while let Some(lease) = self.at_work(asked).await? {
            if Instant::now() >= until {
                let failure = busy(&asked.conversation, &lease).retold(store::not_stopped_yet);
                return Err(failure.with_action(store::wait_or_end_it()));
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    async fn at_work(&self, asked: &StopRequest) -> Result<Option<LeaseRow>, Failure> {
        let token = asked.token.clone();
        let (instance, held) = (Arc::clone(&self.inner.instance), Arc::clone(&self.inner.held));
        self.read(move |db| {
            let sql = "SELECT * FROM leases WHERE token = ?1";
            let found = db.query_row(sql, [token], row).optional();
            let found = found.map_err(|e| sqlite_error::read_failed(store::the_lease(), &e))?;
            Ok(found.filter(|lease| lease.is_alive(&instance, &held)))
        })
        .await
    }

    /// Whether the holder of a lease is asked to stop. While it works, its lock file stays: one that
    /// somebody deletes is put back.
    pub(super) async fn stop_is_asked(&self, token: &str) -> Result<bool, Failure> {
        let (token, instance) = (token.to_owned(), Arc::clone(&self.inner.instance));
        self.read(move |db| {
            // The next look tries again.
            let _ = instance.keep_file();
            let sql = "SELECT stop_asked FROM leases WHERE token = ?1";
            let asked = db.prepare_cached(sql).and_then(|mut asked| {
                asked.query_row([token], |row| row.get::<_, bool>(0)).optional()
            });
            asked
                .map(Option::unwrap_or_default)
                .map_err(|e| sqlite_error::read_failed(store::the_lease(), &e))
        })
        .await
    }
}
