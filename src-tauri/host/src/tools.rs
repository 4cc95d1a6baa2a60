//! `ToolHost`: what the file tools do to a disk (spec 05).
//!
//! Three folders are opened once, as handles, and every path is resolved below them; a tool runs
//! only with a [`Permit`] (law H). A mutating call is prepared (what would change, nothing touched),
//! then performed if the file is still what it was, and settled after a crash by comparing hashes;
//! what it would overwrite or remove is kept in [`Checkpoints`]. It blocks: call it from such a thread.
//! Deliberately not here: what may be called when (the kernel), writes of the state document
//! (the kernel computes them; [`ToolHost::mirror`] only puts the result on disk).

mod access;
mod audit;
mod checkpoints;
mod delete;
pub(crate) mod effects;
mod find;
mod given;
mod glob;
mod in_the_way;
mod list;
mod many;
pub(crate) mod mounts;
pub(crate) mod outside;
mod patch;
mod preview;
mod read;
pub(crate) mod refused;
mod relocate;
mod repository;
mod restore;
mod results;
mod rewind_preview;
pub(crate) mod rules;
mod script;
mod search;
mod secrets;
mod skill_calls;
mod skills;
mod spill;
mod state_file;
mod stream;
mod tree;
mod verify;
mod viewing;
mod walk;
mod whole;
mod write;

use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Began, Called, ForeignChange, KnownFile, Mirror, Permit, Preview, Settled};
use kernel::ids::CallId;
use kernel::path::AliasPath;
use kernel::policy::ToolPolicy;
use kernel::tool::{AtPath, EffectClass, ToolInput, ToolOutput, move_};
use kernel::words::{Lang, say};
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::crash::{Point, point};
use crate::failure::io_words;
use crate::known_keys;
use crate::redact::Private;
use crate::skills::SkillPlaces;
use access::Access;
use mounts::Mounts;
use preview::ShownChange;
use refused::{check_offered, not_here, not_journaled};

pub(crate) use audit::Logged;
pub use audit::{AuditEntry, AuditLine};
pub use checkpoints::Checkpoints;
pub use mounts::MountRoots;
pub use state_file::StateText;

/// The file tools of one run. `Send + Sync`: share it in an `Arc`.
#[derive(Debug)]
pub struct ToolHost {
    mounts: Mounts,
    checkpoints: Checkpoints,
    private: Private,
    skills: SkillPlaces,
}

impl ToolHost {
    /// Opens the three folders, and the checkpoints beside the state folder.
    ///
    /// # Errors
    /// `PROJECT_ROOT_INVALID` when the project folder is gone, `PACKAGE_NOT_FOUND` or
    /// `STATE_INIT_FAILED` for the other two.
    pub fn open(roots: MountRoots, private: Private) -> Result<Self, Failure> {
        let state = roots.state.as_path();
        let checkpoints = Checkpoints::open(state.parent().unwrap_or(state))?;
        let skills = SkillPlaces::default();
        Ok(Self { mounts: Mounts::open(roots)?, checkpoints, private, skills })
    }

    /// The same, with the checkpoints in this folder: where the conversation began.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn keeping_in(self, folder: &Path) -> Result<Self, Failure> {
        Ok(Self { checkpoints: Checkpoints::open(folder)?, ..self })
    }

    /// The files that calls of this run replaced or removed.
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    /// What a mutating call would change: SHA-256 of the file before and after. Changes nothing
    /// in the project; the bytes that would be lost are kept in the checkpoints first. Every
    /// refusal (sandbox, limits, a patch that does not fit, `ifMatchSha256`) comes from here,
    /// before the call is journaled as begun.
    ///
    /// # Errors
    /// The refusal that the call's result becomes.
    pub fn prepare(&self, permit: &Permit) -> Result<Began, Failure> {
        self.prepare_until(permit, &CancellationToken::new())
    }

    /// The same, and it ends when it is cancelled: the files may be long.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), and `ENGINE_ABORTED` when it is cancelled.
    pub fn prepare_until(
        &self,
        permit: &Permit,
        cancel: &CancellationToken,
    ) -> Result<Began, Failure> {
        let mut access = self.access(permit).until(cancel);
        if permit.brings_files_back() {
            let began = restore::prepare(&mut access, permit, &self.checkpoints);
            let began = began.map_err(|failure| self.redacted(failure))?;
            return Ok(results::without_real_paths(&self.private, began));
        }
        plan(&mut access, permit)
            .and_then(|plan| plan.began(&mut access, Some(&self.checkpoints)))
            .map_err(|failure| self.redacted(failure))
    }

    /// The same for a person who is to allow the call: the hashes, and what would change.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    pub fn preview(&self, permit: &Permit) -> Result<Preview, Failure> {
        self.preview_until(permit, &CancellationToken::new())
    }

    /// The same, and it ends when it is cancelled.
    ///
    /// # Errors
    /// As [`prepare_until`](Self::prepare_until).
    pub fn preview_until(
        &self,
        permit: &Permit,
        cancel: &CancellationToken,
    ) -> Result<Preview, Failure> {
        let shown = || {
            let mut access = self.access(permit).until(cancel);
            let plan = plan(&mut access, permit)?;
            let began = plan.began(&mut access, None)?;
            let ShownChange { parts, diff, cut } = plan.shown(&mut access, &began)?;
            let diff = known_keys::without_known(&diff).into_owned();
            Ok(Preview { began, summary: say(&parts, Lang::En), parts, diff, cut })
        };
        shown().map_err(|failure| self.redacted(failure))
    }

    /// Which of the files that a change of the state document lists are not there, or not for the
    /// model to see. A folder is no file.
    pub fn missing(&self, permit: &Permit) -> Vec<AliasPath> {
        let mut access = self.access(permit);
        let claims = permit.claims().iter();
        claims.filter(|path| access.open_file(path).is_err()).cloned().collect()
    }

    /// Which of these files somebody else has changed or taken away. One that cannot be read counts
    /// as taken away, and so does one of more than [`REREAD_BYTES`](kernel::bounds::REREAD_BYTES).
    /// No more is read in all; files after that are passed over.
    pub fn changed_by_others(
        &self,
        files: &[KnownFile],
        policy: &ToolPolicy,
        cancel: &CancellationToken,
    ) -> Vec<ForeignChange> {
        let mut access = Access::new(&self.mounts, &self.private.marks, policy).until(cancel);
        verify::changed_by_others(&mut access, files)
    }

    /// Runs a call. A mutating one refuses with `E_PRECONDITION_FAILED` when the file is not at
    /// the journaled hash any more. Never fails: a failure is a result the model reads.
    pub fn perform(&self, permit: &Permit, cancel: &CancellationToken) -> Called {
        let started = Instant::now();
        let output = self.run(permit, cancel).map_err(|failure| self.redacted(failure));
        let result = match &output {
            Ok(output) => output.to_result(),
            Err(failure) => failure.to_tool_result(),
        };
        let shown = output.as_ref().ok().and_then(ToolOutput::shown_text);
        let place = (&self.private, &self.mounts.state);
        let called = results::called(place, permit, result, shown, started);
        Called { skill: output.ok().and_then(ToolOutput::into_skill), ..called }
    }

    /// Finds out whether a call in doubt happened, by the hash of the file now (spec 05 "Effects
    /// journal"). A path that leads elsewhere now counts as someone else's change; a call that
    /// changes no file, and one whose file the disk does not show, cannot be settled.
    pub fn settle(&self, permit: &Permit, began: &Began) -> Settled {
        let brings_back = permit.brings_files_back();
        if permit.class() != EffectClass::WriteProject && !brings_back {
            return Settled::Unknown;
        }
        let mut access = self.access(permit);
        if let Some(path) = permit.path() {
            write::sweep(&mut access, path);
        }
        let settled = if brings_back {
            Ok(restore::settle(&mut access, permit, began, &self.checkpoints))
        } else {
            settle(&mut access, permit, began)
        };
        match settled {
            Ok(Settled::Happened(mut result)) => {
                self.private.marks.hide_in(&mut result);
                Settled::Happened(result)
            }
            Ok(other) => other,
            Err(failure) if failure.code == ErrorCode::Io => Settled::Unknown,
            Err(_) => Settled::Foreign(None),
        }
    }

    /// The state document on disk, as the engine knows it: with marks. `None` when there is none.
    ///
    /// # Errors
    /// `E_READ_LIMIT` over 1 MiB, `E_NOT_TEXT` when it is not UTF-8, `E_SANDBOX_VIOLATION` when it
    /// is no plain file.
    pub fn read_state(&self) -> Result<Option<StateText>, Failure> {
        let text = state_file::read(&self.mounts.state)?;
        Ok(text.map(|text| StateText::of(&self.private.marks, &text)))
    }

    /// A text of the state document as the file has it: with real names in place of marks, where
    /// these are not too long.
    pub(crate) fn on_disk<'t>(&self, text: &'t str) -> Cow<'t, str> {
        state_file::on_disk(&self.private.marks, text)
    }

    /// Brings the state document on disk up to `mirror`. Nothing to do when it is there already;
    /// the edit that was refused is kept aside first, as `workflow.md.rejected-<n>`. Any other
    /// file in its place stays, and its hash is returned.
    ///
    /// # Errors
    /// `STORE_WRITE_FAILED` when the disk refuses.
    pub fn mirror(&self, mirror: &Mirror) -> Result<Option<String>, Failure> {
        state_file::mirror(&self.mounts.state, &self.private.marks, mirror)
    }

    /// Appends one line to `@state/logs/execution.jsonl` (spec 08) and returns it. Never fails the
    /// caller: a line that cannot be written is reported in the program's own log.
    pub fn audit(&self, entry: &AuditEntry) -> Option<AuditLine> {
        let line = audit::append(&self.mounts.state, &self.private.redactor, entry)
            .inspect_err(|failure| {
                tracing::warn!(code = %failure.code, "the audit line could not be written: {}", failure.message);
            })
            .ok();
        point(Point::AfterAudit);
        line
    }

    /// [`audit`](Self::audit) for each entry, in order.
    pub fn audit_all(&self, entries: &[AuditEntry]) {
        for entry in entries {
            _ = self.audit(entry);
        }
    }

    /// Which calls the end of the audit log names. A log that cannot be read is reported in the
    /// program's own log.
    pub(crate) fn logged(&self) -> Option<Logged> {
        let read = audit::logged(&self.mounts.state);
        let words = |e| tracing::warn!("the audit log cannot be read: {}", io_words(&e));
        read.map_err(words).ok()
    }

    fn run(&self, permit: &Permit, cancel: &CancellationToken) -> Result<ToolOutput, Failure> {
        check_offered(permit)?;
        let mut access = self.access(permit);
        match permit.input() {
            ToolInput::List(AtPath { args, path }) => {
                list::run(&mut access, path, args, cancel).map(ToolOutput::List)
            }
            ToolInput::Read(AtPath { args, path }) => {
                read::run(&mut access, path, args, cancel).map(ToolOutput::Read)
            }
            ToolInput::Search(AtPath { args, path }) => {
                search::run(&mut access, path, args, cancel).map(ToolOutput::Search)
            }
            ToolInput::Glob(AtPath { args, path }) => {
                glob::run(&mut access, path, args, cancel).map(ToolOutput::Glob)
            }
            ToolInput::Patch(call) if permit.class() == EffectClass::Read => {
                let check = write::WriteCheck::default();
                let plan = write::plan_patch(&mut access, &call.path, &call.args, check)?;
                Ok(ToolOutput::Write(plan.preview(&call.path, access.lens(&call.path))))
            }
            ToolInput::Write(_)
            | ToolInput::Patch(_)
            | ToolInput::Move(_)
            | ToolInput::Delete(_) => {
                let began = permit.began().ok_or_else(not_journaled)?;
                let plan = plan(&mut access, permit)?;
                plan.commit(&mut access, permit.call_id(), began)
            }
            ToolInput::Rewind(_) | ToolInput::PutBack(_) => {
                let began = permit.began().ok_or_else(not_journaled)?;
                let files = restore::perform(&mut access, permit, began, &self.checkpoints);
                Ok(ToolOutput::Rewind(files))
            }
            ToolInput::SkillActivate(call) => {
                skill_calls::activate((&self.skills, &self.private), permit, call)
            }
            ToolInput::SkillRead(call) => {
                skill_calls::read((&self.skills, &self.private), &mut access, permit, call)
            }
            ToolInput::AskUser(_)
            | ToolInput::TodoWrite(_)
            | ToolInput::TodoList(_)
            | ToolInput::Spawn(_)
            | ToolInput::Report(_)
            | ToolInput::Mcp(_) => Err(not_here(permit.tool_name())),
        }
    }

    /// A text of somebody else as people and models may be shown it.
    pub fn shown(&self, text: &str) -> String {
        results::shown(&self.private, text)
    }

    /// The same of a value.
    pub(crate) fn shown_value(&self, value: Value) -> Value {
        results::shown_value(&self.private, value)
    }

    pub(crate) fn redacted(&self, failure: Failure) -> Failure {
        results::redacted(&self.private, failure)
    }

    fn access<'h>(&'h self, permit: &'h Permit) -> Access<'h> {
        Access::new(&self.mounts, &self.private.marks, permit.policy())
    }
}

/// What a mutating call would do, and where.
enum MutationPlan<'p> {
    Write(write::WritePlan, &'p AliasPath),
    Move(Box<relocate::MovePlan>, &'p move_::Input),
    Delete(delete::DeletePlan, &'p AliasPath),
}

impl<'p> MutationPlan<'p> {
    /// What it changes; of a move, where from.
    fn path(&self) -> &'p AliasPath {
        match self {
            Self::Write(_, path) | Self::Delete(_, path) => path,
            Self::Move(_, call) => &call.from,
        }
    }

    fn began(
        &self,
        access: &mut Access<'_>,
        checkpoints: Option<&Checkpoints>,
    ) -> Result<Began, Failure> {
        match self {
            Self::Write(plan, path) => plan.began(path, checkpoints),
            Self::Move(plan, _) => plan.began(access, checkpoints),
            Self::Delete(plan, _) => plan.began(access, checkpoints),
        }
    }

    /// What a person is shown of it: what it does, and a diff where there is one.
    fn shown(&self, access: &mut Access<'_>, began: &Began) -> Result<ShownChange, Failure> {
        match self {
            Self::Write(plan, path) => Ok(plan.shown(path, access.lens(path))),
            Self::Move(plan, call) => plan.shown(access, &call.from, &call.to),
            Self::Delete(_, path) => Ok(preview::deletion(path, &began.pre_images)),
        }
    }

    /// Does it, if everything is still as it was journaled.
    fn commit(
        self,
        access: &mut Access<'_>,
        call_id: &CallId,
        began: &Began,
    ) -> Result<ToolOutput, Failure> {
        match self {
            Self::Write(plan, path) => {
                plan.require(path, began)?;
                write::commit(access, plan, path, began).map(ToolOutput::Write)
            }
            Self::Move(plan, call) => {
                plan.commit(access, &call.from, &call.to, began).map(ToolOutput::Move)
            }
            Self::Delete(plan, path) => {
                let aside = delete::aside_name(call_id.as_str(), path, began);
                plan.commit(access, path, began, &aside).map(ToolOutput::Delete)
            }
        }
    }
}

fn plan<'p>(access: &mut Access<'_>, permit: &'p Permit) -> Result<MutationPlan<'p>, Failure> {
    check_offered(permit)?;
    if permit.class() != EffectClass::WriteProject {
        return Err(not_here(permit.tool_name()));
    }
    let usual = permit.verify_after_write();
    match permit.input() {
        ToolInput::Write(AtPath { args, path }) => {
            let plan =
                write::plan_write(access, path, args, write::WriteCheck::of_write(args, usual))?;
            Ok(MutationPlan::Write(plan, path))
        }
        ToolInput::Patch(AtPath { args, path }) => {
            let plan =
                write::plan_patch(access, path, args, write::WriteCheck::of_patch(args, usual))?;
            Ok(MutationPlan::Write(plan, path))
        }
        ToolInput::Move(call) => {
            Ok(MutationPlan::Move(Box::new(relocate::plan(access, &call.from, &call.to)?), call))
        }
        ToolInput::Delete(AtPath { args, path }) => {
            Ok(MutationPlan::Delete(delete::plan(access, path, args)?, path))
        }
        ToolInput::List(_)
        | ToolInput::Read(_)
        | ToolInput::Search(_)
        | ToolInput::Glob(_)
        | ToolInput::AskUser(_)
        | ToolInput::TodoWrite(_)
        | ToolInput::TodoList(_)
        | ToolInput::Spawn(_)
        | ToolInput::Report(_)
        | ToolInput::PutBack(_)
        | ToolInput::Rewind(_)
        | ToolInput::SkillActivate(_)
        | ToolInput::SkillRead(_)
        | ToolInput::Mcp(_) => Err(not_here(permit.tool_name())),
    }
}

fn settle(access: &mut Access<'_>, permit: &Permit, began: &Began) -> Result<Settled, Failure> {
    let usual = permit.verify_after_write();
    match permit.input() {
        ToolInput::Write(AtPath { args, path }) => {
            write::settle(access, path, &write::WriteCheck::of_write(args, usual), began)
        }
        ToolInput::Patch(AtPath { args, path }) => {
            write::settle(access, path, &write::WriteCheck::of_patch(args, usual), began)
        }
        ToolInput::Move(call) => relocate::settle(access, &call.from, &call.to, began),
        ToolInput::Delete(AtPath { path, .. }) => {
            let aside = delete::aside_name(permit.call_id().as_str(), path, began);
            delete::settle(access, path, began, &aside)
        }
        ToolInput::List(_)
        | ToolInput::Read(_)
        | ToolInput::Search(_)
        | ToolInput::Glob(_)
        | ToolInput::AskUser(_)
        | ToolInput::TodoWrite(_)
        | ToolInput::TodoList(_)
        | ToolInput::Spawn(_)
        | ToolInput::Report(_)
        | ToolInput::PutBack(_)
        | ToolInput::Rewind(_)
        | ToolInput::SkillActivate(_)
        | ToolInput::SkillRead(_)
        | ToolInput::Mcp(_) => Ok(Settled::Unknown),
    }
}

#[cfg(test)]
mod tests;
