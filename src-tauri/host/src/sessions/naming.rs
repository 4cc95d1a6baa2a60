//! The files that a person's words mention are read before the words are taken in: what was read
//! stands in the journal with them.

use kernel::engine::{ExecutionEngine, Input};
use std::sync::Arc;

use crate::blocking::on_disk;
use crate::tools::ToolHost;

/// The input with the files that it mentions. Whatever is wrong with a file, the words are said.
pub(super) async fn with_named_files(
    engine: &ExecutionEngine,
    tools: &Arc<ToolHost>,
    input: Input,
) -> Input {
    let Some(named) = engine.named_files(&input) else { return input };
    let tools = Arc::clone(tools);
    let read = on_disk(move || Ok(tools.given(&named))).await;
    input.with_files(read.unwrap_or_default())
}
