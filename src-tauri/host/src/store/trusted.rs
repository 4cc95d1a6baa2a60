//! Which hooks of a project the person trusts (spec 06 "Hooks").

use kernel::code::Failure;
use kernel::ids::ProjectId;
use kernel::phrase::store;
use kernel::time::Time;
use std::collections::BTreeSet;

use super::{RuntimeStore, lists, sqlite_error};

impl RuntimeStore {
    /// Trusts these hooks of a project, by their hashes, or trusts them no more.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the store cannot be written.
    pub async fn trust_hooks(
        &self,
        project: &ProjectId,
        hooks: Vec<String>,
        trusted: bool,
        at: Time,
    ) -> Result<(), Failure> {
        let project = project.clone();
        self.write(move |db| {
            let keep = |sha256: &String| {
                if trusted {
                    let sql = "INSERT OR IGNORE INTO trusted_hooks (project_id, sha256, at) VALUES (?1, ?2, ?3)";
                    db.execute(sql, (project.as_str(), sha256, at.millis()))
                } else {
                    let sql = "DELETE FROM trusted_hooks WHERE project_id = ?1 AND sha256 = ?2";
                    db.execute(sql, (project.as_str(), sha256))
                }
            };
            let failed = |e| sqlite_error::write_failed(store::the_trusted_hooks(), &e);
            hooks.iter().try_for_each(|sha256| keep(sha256).map(drop)).map_err(failed)
        })
        .await
    }

    /// The hashes of the hooks of a project that the person trusts.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when the store cannot be read.
    pub async fn trusted_hooks(&self, project: &ProjectId) -> Result<BTreeSet<String>, Failure> {
        let project = project.clone();
        self.read(move |db| {
            let sql = "SELECT sha256 FROM trusted_hooks WHERE project_id = ?1";
            let all = lists::all(db, "trusted_hooks", sql, [project.as_str()], |row| {
                Ok(Some(row.get::<_, String>(0)?))
            })?;
            Ok(all.into_iter().collect())
        })
        .await
    }
}
