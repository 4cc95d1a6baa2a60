//! Changes of the state document by the model: computed and judged here, guarded before
//! completion by the graph and after it by the person's click (spec 03, spec 06).

use serde_json::{Value, json};
use std::sync::Arc;

use super::core::Core;
use super::draft::LineDraft;
use super::subworkflows;
use crate::bounds::{STATE_BYTES, STATE_VERSIONS_BYTES, size};
use crate::code::{ErrorCode, Failure};
use crate::confirm::ClickVerdict;
use crate::event::{Author, ChangeProposed, ConfirmationSpent, Event, StateChanged};
use crate::graph::Graph;
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::phrase::engine as said;
use crate::phrase::{self, Lang, Phrase, changes, decisions};
use crate::policy::ToolPolicy;
use crate::restore::{Restore, Restored};
use crate::settings::{OutputsPolicy, Unbound};
use crate::state_doc::{self, Accepted, Circumstances, StateDoc};
use crate::text::canonical_json;
use crate::time::Time;
use crate::tool::patch::PatchOp;
use crate::tool::rewind;
use crate::tool::write::WriteMode;
use crate::tool::{
    self, CallStack, Edit, EffectClass, ParsedCall, ReceivedCall, StateOutput, StatePreview,
    StateUnchanged, ToolInput,
};
use crate::widget::STATE_CHANGE_CONFIRM;

impl Core {
    /// The files that a call would list as artifacts of the run: whether they are there is asked
    /// of the host before the call is judged.
    pub(super) fn claims(&self, parsed: &ParsedCall) -> Vec<AliasPath> {
        let changes = parsed.class == EffectClass::WriteState;
        let edit = parsed.edit().filter(|edit| changes && !leaves_artifacts(*edit));
        let Some((old, edit)) = self.doc.as_ref().zip(edit) else { return Vec::new() };
        let text = new_text(edit, old);
        let text = text.ok().filter(|text| text.len() as u64 <= STATE_BYTES);
        text.map(|text| state_doc::claims(old, &text)).unwrap_or_default()
    }
}

impl LineDraft<'_> {
    /// The result of a call that changes `@state/workflow.md`.
    pub(super) fn change_state(
        &mut self,
        call: &ReceivedCall,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
    ) -> Value {
        match self.try_change(call, parsed, policy) {
            Ok(result) => result,
            Err(failure) => failure.to_tool_result(),
        }
    }

    fn try_change(
        &mut self,
        call: &ReceivedCall,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
    ) -> Result<Value, Failure> {
        let missing = || Failure::new(ErrorCode::StateFileNotFound, said::state_unreadable());
        let old = self.core.doc.clone().ok_or_else(missing)?;
        let rewinds = matches!(parsed.input, ToolInput::Rewind(_));
        if let Some(place) = self.core.switched().filter(|_| !rewinds) {
            return Err(meant_another(&place));
        }
        if parsed.is_dry_run() {
            let judged = self.judge_change(&old, parsed, policy, self.now);
            return judged.map(|accepted| tool::done(&previewed(&old, &accepted)));
        }
        let accepted = if self.is_complete() || rewinds {
            self.authorised(call, parsed, policy, &old, None)?
        } else {
            match self.judge_change(&old, parsed, policy, self.now) {
                // The person may let a step pass without what it promises.
                Err(failure) if failure.code == ErrorCode::OutputsMissing => {
                    self.authorised(call, parsed, policy, &old, Some(failure))?
                }
                judged => judged?,
            }
        };
        if accepted.doc.sha256() == old.sha256() {
            return Ok(tool::done(&StateUnchanged::at(old.sha256())));
        }
        let state = self.accept(call, &old, &accepted)?;
        if rewinds {
            // No file is asked for, or none has changed.
            return Ok(tool::done(&rewind::Output { state, files: Restored::default() }));
        }
        Ok(tool::done(&state))
    }

    /// Records an accepted change.
    pub(super) fn accept(
        &mut self,
        call: &ReceivedCall,
        old: &StateDoc,
        accepted: &Accepted,
    ) -> Result<StateOutput, Failure> {
        self.check_versions(accepted)?;
        let target = call.parsed().ok().and_then(|parsed| rewinds_to(parsed));
        let graph = match &target {
            Some((target, undo)) => self.core.rewind_place(self.package(), target, *undo)?.graph,
            None => self.graph()?,
        };
        let node_id = accepted.doc.effective_node(graph)?;
        let complete = accepted.doc.is_complete(graph);
        let switch = target.and_then(|(target, undo)| self.way_back(&target, undo));
        let found = accepted.claimed.iter().filter(|path| !self.core.files.holds(path));
        let found: Vec<AliasPath> = found.cloned().collect();
        let changed =
            subworkflows::accepted(&accepted.doc, Author::Model, node_id.clone(), complete);
        let call_id = Some(call.id.clone());
        let changed = StateChanged { call_id, found: found.clone(), switch, ..changed };
        let lacking = self.state_becomes(changed);
        let doc = self.core.doc.as_deref().unwrap_or(&accepted.doc);
        let without = accepted.without.iter().map(|(_, path)| path.clone());
        Ok(StateOutput {
            path: AliasPath::state_document(),
            sha256_before: old.sha256().to_owned(),
            sha256_after: doc.sha256().to_owned(),
            current_node_id: self.core.node.clone().unwrap_or(node_id),
            complete: self.is_complete(),
            workflow: self.core.switched(),
            found,
            missing_outputs: without.chain(lacking).collect(),
            repaired: accepted.repaired.clone(),
        })
    }

    /// Each version of the document is kept whole: a reply of many small changes of a large one
    /// would fill the disk.
    fn check_versions(&self, accepted: &Accepted) -> Result<(), Failure> {
        let bytes = accepted.doc.text().len() as u64;
        if self.core.turn_state_bytes.saturating_add(bytes) <= STATE_VERSIONS_BYTES {
            return Ok(());
        }
        let most = size(STATE_VERSIONS_BYTES);
        let message =
            format!("@state/workflow.md: its versions since the user last wrote are over {most}");
        Err(Failure::for_model(ErrorCode::WriteLimit, message)
            .with_details(json!({ "limit": STATE_VERSIONS_BYTES }))
            .with_action_for_model(
                "Make fewer changes of it, several keys at once, and keep long texts in files of their own.",
            ))
    }

    /// The change a call asks for, as made at `at`, judged by the guard and the limits.
    pub(super) fn judge_change(
        &self,
        old: &Arc<StateDoc>,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
        at: Time,
    ) -> Result<Accepted, Failure> {
        self.judged(old, parsed, policy, at, self.env().limits.outputs)
    }

    /// The same of a change that the person sees before it is made: they decide whether a step may
    /// do without what it promises.
    pub(super) fn judge_shown(
        &self,
        old: &Arc<StateDoc>,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
        at: Time,
    ) -> Result<Accepted, Failure> {
        let outputs = match self.env().limits.outputs {
            OutputsPolicy::Off => OutputsPolicy::Off,
            OutputsPolicy::Enforce | OutputsPolicy::Warn => OutputsPolicy::Warn,
        };
        self.judged(old, parsed, policy, at, outputs)
    }

    fn judged(
        &self,
        old: &Arc<StateDoc>,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
        at: Time,
        outputs: OutputsPolicy,
    ) -> Result<Accepted, Failure> {
        let max = policy.max_write_bytes.min(STATE_BYTES);
        let accepted = self.guarded(old, parsed, max, at, outputs)?;
        // What was repaired may have grown.
        fits(accepted.doc.text(), max)?;
        Ok(accepted)
    }

    fn guarded(
        &self,
        old: &Arc<StateDoc>,
        parsed: &ParsedCall,
        max: u64,
        at: Time,
        outputs: OutputsPolicy,
    ) -> Result<Accepted, Failure> {
        if let ToolInput::Rewind(call) = &parsed.input {
            return self.judge_rewind(&call.args, at);
        }
        let graph = self.graph()?;
        let edit = parsed.edit().ok_or_else(stays_in_place)?;
        let text = new_text(edit, old)?;
        fits(&text, max)?;
        let given = Circumstances {
            if_match_sha256: edit.if_match(),
            missing: &self.missing,
            evidence: &self.evidence(),
            said: &self.core.said,
            outputs,
            now: at,
        };
        let accepted = state_doc::check_transition(old, &text, graph, &given)?;
        if let Some((_, to)) = &accepted.moved {
            self.core.may_come_to(self.package(), graph.node(to), &accepted.doc, at)?;
        }
        Ok(accepted)
    }

    fn judge_rewind(&self, args: &rewind::Args, at: Time) -> Result<Accepted, Failure> {
        if !args.confirmed {
            let message = "workflow_rewind needs confirmed: true, after the user agreed";
            return Err(Failure::for_model(ErrorCode::RewindNotConfirmed, message));
        }
        let target = NodeId::new(args.target_node_id.trim()).map_err(|e| {
            Failure::for_model(ErrorCode::InvalidArgs, format!("targetNodeId: {e}"))
        })?;
        let place = self.core.rewind_place(self.package(), &target, args.undoes())?;
        if args.undoes() {
            return Ok(place.unchanged());
        }
        let back = place.rewound(&target, args.reason.as_deref(), at).map_err(|failure| {
            let targets = self.core.rewind_targets(self.package());
            match failure.code {
                ErrorCode::InvalidTransition => state_doc::no_way_back(failure, &target, &targets),
                _ => failure,
            }
        })?;
        self.core.may_come_to(self.package(), place.graph.node(&target), &back.doc, at)?;
        Ok(back)
    }

    /// The change, on the person's click, which is spent also when the guard then refuses. A click
    /// on a change that was shown makes that change, byte for byte. Without a click the change is
    /// proposed; one the guard would refuse is refused for that reason: there is nothing to
    /// confirm. `missing` is why a change is refused that needs no click otherwise: it can be
    /// allowed only by a click on the change itself.
    fn authorised(
        &mut self,
        call: &ReceivedCall,
        parsed: &ParsedCall,
        policy: &ToolPolicy,
        old: &Arc<StateDoc>,
        missing: Option<Failure>,
    ) -> Result<Accepted, Failure> {
        let args = canonical_json(&parsed.args());
        let unbound = match &missing {
            Some(_) => Unbound::Refuse,
            None => self.env().limits.unbound,
        };
        match self.core.confirm.judge(parsed.tool(), &args, old.sha256(), unbound) {
            ClickVerdict::Allowed { change } => {
                let at = change.as_ref().map_or(self.now, |shown| shown.at);
                self.push(Event::ConfirmationSpent(ConfirmationSpent {
                    call_id: call.id.clone(),
                    change_id: change.map(|shown| shown.change.change_id),
                }));
                self.judge_shown(old, parsed, policy, at)
            }
            ClickVerdict::Refused => {
                let accepted = self.judge_shown(old, parsed, policy, self.now)?;
                if accepted.doc.sha256() == old.sha256() {
                    return Ok(accepted);
                }
                let asks = self.propose(parsed, args, old, &accepted, None);
                Err(match missing {
                    Some(missing) => missing.with_more_details(asks.details),
                    None => asks,
                })
            }
        }
    }

    /// Lets a change wait for the person's click, with what a rewind would do to files.
    pub(super) fn propose(
        &mut self,
        parsed: &ParsedCall,
        args: String,
        old: &StateDoc,
        accepted: &Accepted,
        restore: Option<Box<Restore>>,
    ) -> Failure {
        // A rewind may lead to a step of another workflow.
        let target = rewinds_to(parsed);
        let undoes = target.as_ref().is_some_and(|(_, undo)| *undo);
        let place =
            target.and_then(|(to, undo)| self.core.rewind_place(self.package(), &to, undo).ok());
        let (before, graph) = match &place {
            Some(place) if undoes => (old, Some(place.graph)),
            Some(place) => (place.doc, Some(place.graph)),
            None => (old, self.graph().ok()),
        };
        let new = &accepted.doc;
        let files = restore.as_ref().map(|restore| restore.summary()).filter(|s| !s.is_empty());
        let diff = state_doc::diff(before.text(), new.text());
        let without =
            |(node, path): &(NodeId, AliasPath)| decisions::step_without_output(path, node);
        let mut parts: Vec<Phrase> = accepted.without.iter().map(without).collect();
        parts.extend(state_doc::parts(before, new));
        parts.extend(diff.cut.then(changes::diff_cut));
        let summary = [Some(phrase::say(&parts, Lang::En)), files];
        let complete_after = graph.is_some_and(|graph| new.is_complete(graph));
        let (back_to, parts) = match graph.filter(|_| place.is_some()) {
            Some(graph) => back_in_words(before, new, graph),
            None => (None, parts),
        };
        let change = ChangeProposed {
            change_id: self.change_id(),
            tool: parsed.tool().name.to_owned(),
            args,
            pre_hash: old.sha256().to_owned(),
            post_hash: Some(new.sha256().to_owned()),
            path: Some(AliasPath::state_document()),
            call_id: None,
            summary: summary.into_iter().flatten().collect::<Vec<_>>().join("; "),
            parts,
            diff: diff.text,
            cut: diff.cut,
            undoes_completion: self.is_complete() && !complete_after,
            restore,
            back_to,
        };
        let failure = asks_for(&change);
        self.push(Event::ChangeProposed(change));
        failure
    }
}

/// Why a change is not made yet: the person is to be asked about it.
fn asks_for(change: &ChangeProposed) -> Failure {
    let ask = tool::wire_name(tool::ask_user::NAME);
    let mut pending =
        json!({ "id": change.change_id, "summary": change.summary, "diff": change.diff });
    if let Some(restore) = &change.restore {
        restore.describe(&mut pending);
    }
    Failure::for_model(
        ErrorCode::StateChangeRequiresConfirmation,
        "the change was not made: it needs the user's confirmation",
    )
    .with_details(json!({
        "pendingChange": pending,
        "ask": {
            "tool": ask, "widgetId": STATE_CHANGE_CONFIRM, "type": "confirmation",
            "changeId": change.change_id,
            "message": format!("Change {}: {}?", AliasPath::state_document(), change.summary),
        },
    }))
    .with_action_for_model(format!(
        "Call {ask} with what `ask` says; put the message into your own words if you like. When the user confirms, \
         make exactly the same call again."
    ))
}

/// Where a rewind leads, and what it means, for people: of any other change they are told what it
/// writes.
fn back_in_words(
    before: &StateDoc,
    new: &StateDoc,
    graph: &Graph,
) -> (Option<String>, Vec<Phrase>) {
    let step = new.effective_node(graph).ok();
    let step = step.map(|node| graph.label(&node).to_owned());
    (step, state_doc::rewind_parts(before, new, graph))
}

/// The step that a rewind leads to, and whether it undoes the one before.
pub(super) fn rewinds_to(parsed: &ParsedCall) -> Option<(NodeId, bool)> {
    let args = parsed.rewind()?;
    Some((NodeId::new(args.target_node_id.trim()).ok()?, args.undoes()))
}

/// A change of the same reply was meant for the document of another workflow.
fn meant_another(place: &CallStack) -> Failure {
    let (path, workflow) = (AliasPath::state_document(), &place.active_workflow_id);
    let message = format!(
        "{path} is the document of workflow `{workflow}` since an earlier call of this reply: nothing was changed"
    );
    Failure::for_model(ErrorCode::PreconditionFailed, message)
        .with_details(json!(place))
        .with_action_for_model("Go on with the next NODE_BRIEF.")
}

/// Whether an edit is the usual patch, which says by itself that it lists nothing: then no text has
/// to be made of it to find out.
fn leaves_artifacts(edit: Edit<'_>) -> bool {
    let leaves = |op: &PatchOp| match op {
        PatchOp::UpdateFrontmatter { update } => update.artifacts.is_none(),
        PatchOp::Replace { .. } | PatchOp::Unified { .. } => false,
    };
    match edit {
        Edit::Write(_) => false,
        Edit::Patch(args) => args.patch.ops().iter().all(leaves),
    }
}

/// The whole text that an edit of the document wants.
fn new_text(edit: Edit<'_>, old: &StateDoc) -> Result<String, Failure> {
    match edit {
        Edit::Write(args) => Ok(match args.mode.unwrap_or_default() {
            WriteMode::Overwrite => args.content.clone(),
            WriteMode::Append => format!("{}{}", old.text(), args.content),
        }),
        Edit::Patch(args) => state_doc::patched(old, args.patch.ops()),
    }
}

/// What a dry run says: judged like the change, and nothing has happened.
fn previewed(old: &StateDoc, accepted: &Accepted) -> StatePreview {
    let diff = state_doc::diff(old.text(), accepted.doc.text()).text;
    StatePreview::between(old.sha256(), accepted.doc.sha256(), diff)
}

fn stays_in_place() -> Failure {
    let path = AliasPath::state_document();
    let message = format!("{path} is the run's own state: it is never moved, deleted or replaced");
    Failure::for_model(ErrorCode::SandboxViolation, message)
        .with_details(json!({ "mount": "@state", "path": path, "reason": "state_document" }))
        .with_action_for_model("Change it with fs_apply_patch; make other files below @project.")
}

fn fits(text: &str, max: u64) -> Result<(), Failure> {
    if text.len() as u64 <= max {
        return Ok(());
    }
    let bytes = text.len();
    let message =
        format!("@state/workflow.md would have {bytes} bytes; at most {max} may be written");
    Err(Failure::for_model(ErrorCode::WriteLimit, message))
}
