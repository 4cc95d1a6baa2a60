//! Runs as scripts of demos, without keys and real paths (spec 07 "Scripted demo model").

use kernel::bounds::{TRACE_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::command::ExportedRun;
use kernel::event::Line;
use kernel::ids::{ConversationId, RunId};
use kernel::phrase::exports;
use kernel::recording::TraceRecorder;
use kernel::text::sha256_hex;
use kernel::trace::SubagentScript;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::Transfer;
use crate::blocking::on_disk;
use crate::crewrun;

impl Transfer {
    /// Writes a run as a trace. An existing file is replaced only when `replace` is true.
    pub(crate) async fn record_run(
        &self,
        run_id: &RunId,
        out: PathBuf,
        replace: bool,
    ) -> Result<ExportedRun, Failure> {
        self.check_target(&out).await?;
        let run = self.store.run(run_id).await?;
        let mut subagents: Vec<SubagentScript> = Vec::new();
        for task in self.store.tasks_of(&run.conversation_id).await? {
            subagents.push(self.recorded(&task).await?.into_subagent());
        }
        let recorder = self.recorded(&run.conversation_id).await?;
        if recorder.began_elsewhere() {
            return Err(Failure::new(ErrorCode::NotNow, exports::began_elsewhere())
                .with_action(exports::record_a_new_run()));
        }
        let found = recorder.found().iter().cloned().collect();
        let last = self.store.last_page(&run.conversation_id, None).await?;
        let trace = recorder.into_trace(run.title, subagents, &last.snapshot.core().files);
        if trace.turns.is_empty() {
            return Err(Failure::new(ErrorCode::NotNow, exports::nothing_to_record())
                .with_action(exports::record_later()));
        }
        let turns = trace.turns.len();
        let conversation = self.store.conversation(&run.conversation_id).await?;
        let cleaner = self.cleaner(&conversation).await?;
        let run_id = run_id.clone();
        on_disk(move || {
            let trace = serde_json::to_value(&trace).unwrap_or_default();
            // Texts, names and values that came as JSON: there is nothing that it cannot say.
            let text = serde_json::to_string_pretty(&cleaner.clean(trace)).unwrap_or_default();
            let bytes = format!("{text}\n").into_bytes();
            let length = bytes.len() as u64;
            if length > TRACE_BYTES {
                let failure = exports::trace_too_large(size(length), size(TRACE_BYTES));
                return Err(Failure::new(ErrorCode::ExportTooLarge, failure));
            }
            crewrun::save(&bytes, &out, replace)?;
            let file = out.file_name().map(|name| name.to_string_lossy().into_owned());
            Ok(ExportedRun {
                run_id,
                file: file.unwrap_or_default(),
                bytes: bytes.len() as u64,
                sha256: sha256_hex(&bytes),
                lines: turns,
                found,
            })
        })
        .await
    }

    /// What was said in a conversation.
    async fn recorded(&self, conversation: &ConversationId) -> Result<TraceRecorder, Failure> {
        let take = |recorder: &mut TraceRecorder, line: &Line| {
            recorder.line(line);
            ControlFlow::Continue(())
        };
        self.store.fold_lines(conversation, TraceRecorder::default(), take).await
    }
}
