//! `runs put-back`: a file is again what it was before a run.

use host::host::Host;
use kernel::code::{ErrorCode, Failure};
use kernel::command::SessionCommand;
use kernel::phrase::{asking, engine as said, terminal};
use kernel::wire::FileContent;
use std::sync::Arc;

use crate::conversations::confirmed;
use crate::differences::{in_words, path_of, view};
use crate::exit::Exit;
use crate::follow;
use crate::names;
use crate::output::Output;

/// `crewagent runs put-back RUN FILE`
pub(crate) async fn put_back(
    host: &Arc<Host>,
    run: &str,
    file: &str,
    yes: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::conversation_of(host, run).await?;
    let path = path_of(file)?;
    follow::open_run(host, &conversation).await?;
    let seen = view(host, &conversation, path.clone()).await?;
    if seen.change.is_none() {
        return Err(Failure::new(ErrorCode::NotFound, said::run_did_not_change(&path))
            .with_action(terminal::see_runs_diff()));
    }
    if seen.sha256.is_none() && seen.now != FileContent::Nothing {
        return Err(Failure::new(ErrorCode::NotFound, said::was_not_kept(&path)));
    }
    if !yes && !out.json {
        out.print(in_words(&seen, out));
    }
    let question = match seen.now {
        FileContent::Nothing => asking::bring_back(&path),
        _ => asking::put_back(&path),
    };
    if !confirmed(yes, question, terminal::say_yes_to_put_back(), out)? {
        return Ok(Exit::Waiting);
    }
    let command = SessionCommand::PutBack { path: path.clone(), sha256: seen.sha256 };
    host.submit(command.to(conversation.clone())).await?;
    let now = view(host, &conversation, path).await?;
    out.result(&now, || in_words(&now, out));
    Ok(Exit::Done)
}
