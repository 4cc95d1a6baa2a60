//! A run that began as a demo goes on with a model of the person's (spec 07).

use host::host::Host;
use kernel::code::Failure;
use kernel::command::SessionCommand;
use kernel::phrase::printed;
use std::sync::Arc;

use crate::args::{Cli, CliCommand, RunsCommand};
use crate::follow::open;
use crate::names::{conversation_of, run_or_conversation};
use crate::output::Output;

/// Before words, an answer or a resumption: a model that is named on the command line takes over
/// from the demo's script, and so does the one of the settings with `--own-model`.
pub(crate) async fn take_over(host: &Arc<Host>, cli: &Cli, out: &Output) -> Result<(), Failure> {
    let global = &cli.global;
    let plays = global.model.as_deref() == Some("demo") && global.base_url.is_none();
    let names = global.model.is_some() || global.base_url.is_some() || global.provider.is_some();
    if plays || !(names || global.own_model) {
        return Ok(());
    }
    let conversation = match &cli.command {
        CliCommand::Say { conversation, .. } | CliCommand::Answer { conversation, .. } => {
            run_or_conversation(host, conversation).await?
        }
        CliCommand::Runs(RunsCommand::Resume { run, .. }) => conversation_of(host, run).await?,
        _ => return Ok(()),
    };
    if open(host, &conversation).await?.demo {
        host.submit(SessionCommand::UseModel.to(conversation)).await?;
        out.note(printed::own_model_goes_on());
    }
    Ok(())
}
