//! `runs revisions`: the accepted versions of a run's state document, who made each, and how they differ.

use host::host::Host;
use kernel::bounds::WHOLE_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::command::Query;
use kernel::diff;
use kernel::engine::RevisionView;
use kernel::event::Author;
use kernel::ids::ConversationId;
use kernel::path::AliasPath;
use kernel::phrase::{printed, terminal};
use kernel::wire::{Answer, GraphView, RuntimeSnapshot};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

use crate::args::RevisionsArgs;
use crate::differences::changed_lines;
use crate::exit::Exit;
use crate::names;
use crate::output::Output;
use crate::print::{StyledText, blocks, rows};
use crate::reads;

/// `crewagent runs revisions RUN [--show N | --diff N M]`
pub(crate) async fn revisions(
    host: &Arc<Host>,
    args: &RevisionsArgs,
    out: &Output,
) -> Result<Exit, Failure> {
    let conversation = names::conversation_of(host, &args.run).await?;
    let snapshot = reads::snapshot(host, &conversation).await?;
    let text = async |number| text(host, &conversation, &snapshot, number).await;
    match (args.show, args.diff.as_deref()) {
        (Some(number), _) => {
            let shown = text(number).await?;
            out.result(&json!({ "revision": number, "text": shown }), || blocks([shown.clone()]));
        }
        (None, Some(&[old, new])) => {
            let name = AliasPath::state_document().to_string();
            let diff = diff::unified(&name, &text(old).await?, &text(new).await?, WHOLE_BYTES);
            let shown = json!({ "from": old, "to": new, "diff": diff.text });
            out.result(&shown, || {
                if diff.text.is_empty() {
                    return rows([out.say(printed::same_revisions())]);
                }
                changed_lines(&diff.text)
            });
        }
        _ => {
            let all = (1..).zip(&snapshot.revisions);
            let all: Vec<_> = all.map(|(number, is)| Numbered { number, is }).collect();
            let graph = own_graph(host, &snapshot).await;
            out.result(&all, || in_words(&all, graph.as_deref(), out));
        }
    }
    Ok(Exit::Done)
}

/// A version with its number, by which it is asked for.
#[derive(Serialize)]
struct Numbered<'r> {
    number: u64,
    #[serde(flatten)]
    is: &'r RevisionView,
}

/// The whole document as it was in one of them.
async fn text(
    host: &Host,
    conversation: &ConversationId,
    snapshot: &RuntimeSnapshot,
    number: u64,
) -> Result<String, Failure> {
    let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let found = at.and_then(|at| snapshot.revisions.get(at)).ok_or_else(|| {
        let count = snapshot.revisions.len();
        Failure::new(ErrorCode::NotFound, terminal::no_revision_of_number(number, count))
            .with_action(terminal::revisions_are_listed())
    })?;
    let query = Query::Revision { conversation_id: conversation.clone(), seq: found.seq };
    match host.query(query).await? {
        Answer::Revision(state) => Ok(state.text),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

/// The graph of the run's own workflow; `None` when its package is lost.
async fn own_graph(host: &Host, snapshot: &RuntimeSnapshot) -> Option<Box<GraphView>> {
    let (package_id, workflow_id) =
        (snapshot.run.package_id.clone(), snapshot.run.workflow_id.clone());
    match host.query(Query::Graph { package_id, workflow_id }).await {
        Ok(Answer::Graph(graph)) => Some(graph),
        Ok(_) | Err(_) => None,
    }
}

/// One a line: its number, its time, who made it, and where the run stood then.
fn in_words(all: &[Numbered<'_>], graph: Option<&GraphView>, out: &Output) -> StyledText {
    let title = |it: &RevisionView| {
        let node = it.node_id.as_ref()?;
        // Steps of workflows that were called say what they are called.
        let known = || graph?.nodes.iter().find(|known| known.id == *node);
        let title = it.title.as_deref().or_else(|| known().map(|known| known.title.as_str()));
        Some(format!("  {}", title.unwrap_or(node.as_str())))
    };
    let row = |Numbered { number, is }: &Numbered<'_>| {
        let by = out.say(match is.by {
            Author::Model => printed::revision_by_model(),
            Author::User => printed::revision_by_you(),
            Author::Runtime => printed::revision_by_runtime(),
        });
        format!("{number:>4}  {}  {by}{}", is.at, title(is).unwrap_or_default())
    };
    rows(all.iter().map(row))
}
