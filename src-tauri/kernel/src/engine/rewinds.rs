//! `workflow.rewind` (spec 03). A rewind that leaves files alone is the kernel's own work, like
//! every change of the state document. One that brings files back is an effect: the host finds
//! out which of them can go back (`Prepare`), that is what the person is shown and what their
//! click is bound to; then they go back (`Perform`), and the state document with the result.

use std::sync::Arc;

use super::core::{Core, QueuedCall};
use super::draft::LineDraft;
use crate::code::{ErrorCode, Failure};
use crate::confirm::ClickVerdict;
use crate::effect::{Began, Called};
use crate::event::{ConfirmationSpent, Event};
use crate::ids::NodeId;
use crate::path::AliasPath;
use crate::phrase::{Phrase, engine as said};
use crate::policy::ToolPolicy;
use crate::restore::{Restore, RestoreFile, Restored};
use crate::state_doc::StateDoc;
use crate::text::canonical_json;
use crate::time::Time;
use crate::tool::put_back;
use crate::tool::rewind::{self, RewindFiles};
use crate::tool::{self, ParsedCall, ReceivedCall, StateOutput, ToolInput};

impl Core {
    /// Whether a call is a rewind that brings files back.
    pub(super) fn restores(&self, queued: &QueuedCall) -> bool {
        queued.call.parsed().is_ok_and(|parsed| !self.to_restore(parsed).is_empty())
    }

    /// The files a rewind brings back: those changed since its target was last entered. None for a
    /// target nobody knows to have been entered. Of a file that the person puts back, that file; none
    /// for any other call.
    pub(super) fn to_restore(&self, parsed: &ParsedCall) -> Vec<RestoreFile> {
        if let ToolInput::PutBack(put_back::Input { path }) = &parsed.input {
            return self.files.before_the_run(path);
        }
        let ToolInput::Rewind(rewind::Input { args }) = &parsed.input else { return Vec::new() };
        if args.files.unwrap_or_default() == RewindFiles::Keep {
            return Vec::new();
        }
        let target = NodeId::new(args.target_node_id.trim()).ok();
        let since_entered = || {
            let entered = target.and_then(|target| self.entered_at(&target));
            entered.map(|e| self.files.since(e.seq)).unwrap_or_default()
        };
        let mut files =
            if args.undoes() { self.files_before_the_rewind() } else { since_entered() };
        let overwrite: Vec<AliasPath> = args
            .overwrite
            .iter()
            .flatten()
            .filter_map(|path| AliasPath::parse(path).ok())
            .collect();
        for file in &mut files {
            file.overwrite = overwrite.contains(&file.path);
        }
        files
    }
}

impl LineDraft<'_> {
    /// What the rewind would do to files is known: it begins when the person was shown exactly
    /// this; else this is what they are to be shown.
    pub(super) fn rewind_prepared(&mut self, call: &ReceivedCall, began: Began) {
        let begins = self.rewind_begins(call, &began);
        let as_of = match begins {
            Ok(as_of) => as_of,
            Err(failure) => return self.end_refused(call, &failure),
        };
        let restore =
            began.restore.map(|restore| Box::new(Restore { as_of: Some(as_of), ..*restore }));
        self.begin(call, Began { restore, ..began });
    }

    /// As of when the state document is rewound; the click is used up.
    fn rewind_begins(&mut self, call: &ReceivedCall, began: &Began) -> Result<Time, Failure> {
        let (parsed, policy, old) = self.rewind(call)?;
        let args = canonical_json(&parsed.args());
        let shown = |change: &crate::confirm::Proposed| {
            let both = change.change.restore.as_ref().zip(began.restore.as_ref());
            both.is_some_and(|(shown, now)| now.is_as_shown(shown))
        };
        let unbound = self.env().limits.unbound;
        match self.core.confirm.judge(parsed.tool(), &args, old.sha256(), unbound) {
            ClickVerdict::Allowed { change } if change.as_deref().is_some_and(shown) => {
                let as_of = change.as_ref().map_or(self.now, |change| change.at);
                self.push(Event::ConfirmationSpent(ConfirmationSpent {
                    call_id: call.id.clone(),
                    change_id: change.map(|shown| shown.change.change_id),
                }));
                Ok(as_of)
            }
            ClickVerdict::Allowed { .. } | ClickVerdict::Refused => {
                let accepted = self.judge_change(&old, parsed, &policy, self.now)?;
                Err(self.propose(parsed, args, &old, &accepted, began.restore.clone()))
            }
        }
    }

    /// The files are back as far as they can be: the state document follows, with the result. When
    /// the document is refused now, the result tells of the files all the same.
    pub(super) fn rewound(&mut self, call: &ReceivedCall, called: Called) {
        let result = match (Restored::of(&called.result), self.rewind_state(call)) {
            // The host says what went wrong.
            (None, _) => called.result,
            (Some(files), Ok(state)) => tool::done(&rewind::Output { state, files }),
            (Some(files), Err(failure)) => rewind::Output::refused(&failure, &files),
        };
        self.end(call, Called { result, ..called });
    }

    fn rewind_state(&mut self, call: &ReceivedCall) -> Result<StateOutput, Failure> {
        let (parsed, policy, old) = self.rewind(call)?;
        let queued = self.core.queue.iter().find(|queued| queued.call.id == call.id);
        let began = queued.and_then(|queued| queued.status.began());
        let as_of = began.and_then(|began| began.restore.as_ref()?.as_of).unwrap_or(self.now);
        let accepted = self.judge_change(&old, parsed, &policy, as_of)?;
        self.accept(call, &old, &accepted)
    }

    fn rewind<'c>(
        &self,
        call: &'c ReceivedCall,
    ) -> Result<(&'c ParsedCall, ToolPolicy, Arc<StateDoc>), Failure> {
        let gone = |what: Phrase| Failure::new(ErrorCode::EnginePreconditionFailed, what);
        let parsed = call.parsed().map_err(Clone::clone)?;
        let policy = self.policy().ok_or_else(|| gone(said::has_no_run()))?;
        let old = self.core.doc.clone();
        Ok((parsed, policy, old.ok_or_else(|| gone(said::state_unreadable()))?))
    }
}
