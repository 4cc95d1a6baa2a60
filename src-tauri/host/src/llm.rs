//! Talking to models (spec 07): the OpenAI-compatible adapter, the scripted demo model, the demo
//! server that speaks the same protocol, and the connection test.
//!
//! Start at [`ChatModel`]. `openai` is one request from body to reply with its retries;
//! `assembly` puts streamed pieces together and is pure; `presets` are quirks as data.

use std::future::Future;
use std::pin::Pin;

use kernel::chat::{ChatRequest, Reply};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Signal;
use kernel::phrase::models;
use tokio_util::sync::CancellationToken;

mod assembly;
mod body;
mod demo;
mod demo_answer;
mod demo_server;
mod endpoint;
mod faults;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod local;
mod openai;
mod presets;
mod probe;
mod problem;
mod receive;
mod repair;
mod scrub;
#[cfg(test)]
mod tests;

pub use demo::DemoModel;
pub use demo_server::DemoServer;
pub(crate) use endpoint::{in_the_clear, is_local, plain_client};
pub use faults::Fault;
pub use local::{LocalPlace, detect_local, local_places};
pub use openai::OpenAiModel;
pub use presets::{KeyHeader, PRESETS, Preset, Quirks, preset};
pub use probe::{ask_context, summary, test_model};

/// What [`ChatModel::chat`] returns: the whole reply, once it is there.
pub type ReplyFuture<'a> = Pin<Box<dyn Future<Output = Result<Reply, ModelError>> + Send + 'a>>;

/// Something that answers a chat request.
pub trait ChatModel: Send + Sync {
    /// Asks. Pieces of the answer go to `sink` as they come; the whole one is returned. Half an
    /// answer is an error. When `cancel` fires the request is dropped at once, also in the middle
    /// of a wait between two tries, with `ENGINE_ABORTED`.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a mut (dyn FnMut(Signal) + Send),
        cancel: &'a CancellationToken,
    ) -> ReplyFuture<'a>;
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelError {
    /// What went wrong and what to do.
    pub failure: Failure,
    /// Whether text or reasoning had been shown by then.
    pub shown: bool,
}

/// The failure of a cancelled request.
fn aborted() -> Failure {
    Failure::new(ErrorCode::EngineAborted, models::request_stopped())
}
