//! A run that began as a demo goes on with a model of the person's (spec 07).

use host::host::Host;
use kernel::code::Failure;
use kernel::command::Command as Wish;
use kernel::ids::ConversationId;
use std::sync::Arc;

use crate::args::{Cli, Command, RunsCommand};
use crate::follow;
use crate::output::Output;
use crate::{run, runs};

/// Before words, an answer or a resumption: a model that is named on the command line takes over
/// from the demo's script, and so does the one of the settings with `--own-model`.
pub(crate) async fn take_over(host: &Arc<Host>, cli: &Cli, out: &Output) -> Result<(), Failure> {
    let global = &cli.global;
    let plays = global.model.as_deref() == Some("demo") && global.base_url.is_none();
    let names = global.model.is_some() || global.base_url.is_some() || global.provider.is_some();
    if plays || !(names || global.own_model) {
        return Ok(());
    }
    let conversation_id = match &cli.command {
        Command::Say { conversation, .. } | Command::Answer { conversation, .. } => {
            run::conversation_id(conversation)?
        }
        Command::Runs(RunsCommand::Resume { run, .. }) => runs::conversation_of(host, run).await?,
        _ => return Ok(()),
    };
    if follow::open(host, &conversation_id).await?.run.demo {
        host.submit(Wish::UseModel { conversation_id }).await?;
        out.note(
            "The demo's script has done its part; your own model goes on from here.",
            "演示脚本到此为止，接下来由你自己的模型继续。",
        );
    }
    Ok(())
}

/// How a demo goes on.
pub(crate) fn offer(conversation: &ConversationId, out: &Output) {
    let run = follow::run_of(conversation);
    out.note(
        &format!(
            "This was a demo, played by a script. Go on here with your own model: crewagent say \
             {conversation} TEXT --own-model asks the one of the settings, --base-url URL --model \
             NAME another. `crewagent runs resume {run} --own-model` goes on without new words."
        ),
        &format!(
            "这是由脚本播放的演示。可以在这里用自己的模型继续：crewagent say {conversation} TEXT \
             --own-model 使用设置中的模型，--base-url URL --model NAME 使用其他模型；\
             `crewagent runs resume {run} --own-model` 不加新内容直接继续。"
        ),
    );
}
