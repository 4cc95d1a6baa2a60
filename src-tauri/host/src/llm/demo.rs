//! The scripted demo model in process: the same engine, tools and files as with a real one.

use std::time::Duration;

use kernel::chat::{ChatRequest, Reply};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Signal;
use kernel::phrase::models;
use kernel::trace::Trace;
use tokio_util::sync::CancellationToken;

use super::{ChatModel, ModelError, ReplyFuture, aborted};

/// Between two pieces of text, when the trace does not say.
const PAUSE: Duration = Duration::from_millis(15);

/// The scripted model: answers each request with the turn that a [`Trace`] has for it.
#[derive(Debug, Clone)]
pub struct DemoModel {
    trace: Trace,
    paced: bool,
}

impl DemoModel {
    /// At the trace's pace, so that a person can watch.
    pub fn new(trace: Trace) -> Self {
        Self { trace, paced: true }
    }

    /// Without pauses, for tests and `package test`.
    pub fn unpaced(trace: Trace) -> Self {
        Self { trace, paced: false }
    }

    /// The trace it plays.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    async fn play(
        &self,
        request: &ChatRequest,
        sink: &mut (dyn FnMut(Signal) + Send),
        cancel: &CancellationToken,
    ) -> Result<Reply, ModelError> {
        let fail = |failure: Failure, shown| ModelError { failure, shown };
        if cancel.is_cancelled() {
            return Err(fail(aborted(), false));
        }
        if self.trace.is_over(request) {
            return Err(fail(over(), false));
        }
        let played = self.trace.reply_to(request).map_err(|failure| fail(failure, false))?;
        let pause = played.chunk_ms.map_or(PAUSE, Duration::from_millis);
        let mut shown = false;
        for chunk in played.chunks {
            if shown && self.paced && !pause.is_zero() {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => return Err(fail(aborted(), true)),
                    () = tokio::time::sleep(pause) => {}
                }
            }
            sink(Signal::Text(chunk));
            shown = true;
        }
        Ok(played.reply)
    }
}

/// The runtime's own words: they are not put into an agent's mouth.
fn over() -> Failure {
    Failure::new(ErrorCode::DemoOver, models::demo_at_its_end())
}

impl ChatModel for DemoModel {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a mut (dyn FnMut(Signal) + Send),
        cancel: &'a CancellationToken,
    ) -> ReplyFuture<'a> {
        Box::pin(self.play(request, sink, cancel))
    }
}
