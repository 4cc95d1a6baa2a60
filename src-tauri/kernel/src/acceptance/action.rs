//! The calls that end obligations, checked as a model's own call would be, and the facts they would
//! prove.

use serde_json::{Value, json};

use super::{OpenObligation, WayOut};
use crate::bounds::{TOKEN_BYTES, TOKENS};
use crate::decision::{FailedCalls, MissingFact, MissingKind, NextAction, Obligation};
use crate::ids::NodeId;
use crate::path::{AliasPath, Mount};
use crate::tool::{self, ask_user, glob, list, read, report, spawn, todo_write};
use crate::widget::STATE_CHANGE_CONFIRM;

impl OpenObligation<'_> {
    /// The call that would end it; `None` when no call of a model can.
    pub(super) fn action(&self) -> Option<NextAction> {
        match (&self.way_out, self.path()) {
            (WayOut::Check(texts), Some(path)) => prove_file(path, texts),
            (WayOut::Complete(todo), _) => checked(
                todo_write::NAME,
                json!({ "action": "complete", "id": todo.id, "expected_revision": todo.revision }),
            ),
            (WayOut::AskAgain(args), _) => checked(spawn::NAME, (*args).clone()),
            (WayOut::Report(report), _) => checked(report::NAME, json!(report)),
            (WayOut::Ask(change), _) => checked(
                ask_user::NAME,
                json!({
                    "widgetId": STATE_CHANGE_CONFIRM, "type": "confirmation",
                    "changeId": change.change_id, "message": change.summary,
                }),
            ),
            (WayOut::Mend { file, .. }, _) => match file {
                Some(file) => checked(read::NAME, json!({ "path": file })),
                None => checked(list::NAME, json!({ "path": Mount::Project.alias() })),
            },
            (WayOut::Check(_) | WayOut::NeedsUser(_) | WayOut::Blocked(_), _) => None,
        }
    }

    /// The file it is about.
    pub(super) fn path(&self) -> Option<&AliasPath> {
        match &self.obligation {
            Obligation::MissingOutput { path, .. }
            | Obligation::UnverifiedWrite { path }
            | Obligation::FailedVerification { path } => Some(path),
            Obligation::OpenTodo { .. }
            | Obligation::FailedRequiredTodo { .. }
            | Obligation::FailedGate { .. }
            | Obligation::UnansweredGate { .. }
            | Obligation::FailedSubagent { .. }
            | Obligation::MissingReport
            | Obligation::PostCompletionPending { .. }
            | Obligation::Unrecognised => None,
        }
    }

    /// The fact that would end it.
    pub(super) fn missing(&self) -> MissingFact {
        let failed = self.failures.map(|(code, times)| FailedCalls {
            code: code.to_owned(),
            times: u32::try_from(times).unwrap_or(u32::MAX),
        });
        let about = |kind, target: String| MissingFact {
            kind,
            target,
            expected: Vec::new(),
            node: None,
            output: None,
            failed,
        };
        match &self.obligation {
            Obligation::MissingOutput { node, path } => MissingFact {
                node: Some(node.clone()),
                ..about(MissingKind::FileExists, path.to_string())
            },
            Obligation::UnverifiedWrite { path } | Obligation::FailedVerification { path } => {
                let expected = match self.way_out {
                    WayOut::Check(texts) => texts.to_vec(),
                    _ => Vec::new(),
                };
                MissingFact { expected, ..about(MissingKind::VerificationPassed, path.to_string()) }
            }
            Obligation::OpenTodo { id, .. } | Obligation::FailedRequiredTodo { id } => {
                about(MissingKind::TodoTerminal, id.clone())
            }
            Obligation::UnansweredGate { hook } => {
                about(MissingKind::CommandAnswered, hook.clone())
            }
            Obligation::FailedGate { hook, .. } => {
                let output = match &self.way_out {
                    WayOut::Mend { output, .. } => Some((*output).to_owned()),
                    _ => None,
                };
                MissingFact { output, ..about(MissingKind::CommandPassed, hook.clone()) }
            }
            Obligation::FailedSubagent { call_id } => {
                about(MissingKind::SubagentCompleted, call_id.to_string())
            }
            Obligation::MissingReport => about(MissingKind::ReportTaken, wire_report()),
            Obligation::PostCompletionPending { change_id } => {
                about(MissingKind::UserConfirmed, change_id.to_string())
            }
            Obligation::Unrecognised => about(MissingKind::Unrecognised, String::new()),
        }
    }
}

/// What is handed in with.
fn wire_report() -> String {
    tool::wire_name(report::NAME)
}

/// That a file is there which a step promises.
pub fn missing_file(node: &NodeId, path: &AliasPath) -> MissingFact {
    MissingFact {
        kind: MissingKind::FileExists,
        target: path.to_string(),
        expected: Vec::new(),
        node: Some(node.clone()),
        output: None,
        failed: None,
    }
}

/// A call that proves a file: that it holds these texts or, without any, that it is there. `None`
/// when no call can say so.
pub fn prove_file(path: &AliasPath, texts: &[String]) -> Option<NextAction> {
    let tellable = |text: &String| !text.trim().is_empty() && text.len() <= TOKEN_BYTES;
    let scope = format!("artifact:{}", path.rel());
    if !texts.is_empty() && texts.len() <= TOKENS && texts.iter().all(tellable) {
        return checked(
            read::NAME,
            json!({ "path": path, "expect_contains": texts, "verification_scope": scope }),
        );
    }
    let folder = path.mount().alias();
    let pattern = literal(path.rel());
    checked(
        glob::NAME,
        json!({
            "pattern": pattern, "path": folder, "expect_min_matches": 1,
            "verification_scope": scope,
        }),
    )
}

/// The action, when its tool would take the arguments.
fn checked(tool: &'static str, args: Value) -> Option<NextAction> {
    tool::takes(tool, &args).then(|| NextAction { tool: tool::wire_name(tool), args })
}

/// A pattern that only this path matches. What means something in a pattern, or at its beginning,
/// stands in a class of its own.
fn literal(rel: &str) -> String {
    let mut pattern = String::with_capacity(rel.len());
    for (at, c) in rel.char_indices() {
        let begins = at == 0 && matches!(c, '@' | '~');
        if begins || matches!(c, '*' | '?' | '[' | ']' | '{' | '}') {
            pattern.extend(['[', c, ']']);
        } else {
            pattern.push(c);
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("artifacts/note.md", "artifacts/note.md")]
    #[case("docs/[a]*?.md", "docs/[[]a[]][*][?].md")]
    #[case("@home/{x,y}!", "[@]home/[{]x,y[}]!")]
    #[case(".env.example", ".env.example")]
    fn a_pattern_means_the_path_letter_by_letter(#[case] rel: &str, #[case] pattern: &str) {
        assert_eq!(literal(rel), pattern);
    }

    #[test]
    fn what_a_check_wrote_is_told_with_the_check() {
        let obligation =
            Obligation::FailedGate { hook: "tests".into(), output_sha256: String::new() };
        let way_out = WayOut::Mend { file: None, output: "2 failed" };
        let missing = OpenObligation { obligation, way_out, failures: None }.missing();
        assert_eq!(
            (missing.target.as_str(), missing.output.as_deref()),
            ("tests", Some("2 failed"))
        );
    }

    #[test]
    fn a_missing_report_is_told_by_the_tool_that_takes_it() {
        let way_out = WayOut::NeedsUser(crate::phrase::decisions::report_missing());
        let open =
            OpenObligation { obligation: Obligation::MissingReport, way_out, failures: None };
        assert_eq!(open.missing().target, "agent_report");
    }

    #[test]
    fn known_texts_are_read_for_and_others_are_looked_for_by_name() {
        let path: AliasPath = "@project/artifacts/note.md".parse().unwrap();
        let reads = prove_file(&path, &["Rain.\n".to_owned()]).unwrap();
        assert_eq!(reads.tool, "fs_read");
        assert_eq!(reads.args["expect_contains"], json!(["Rain.\n"]));
        for unknown in [vec![], vec![" \n".to_owned()], vec!["x".repeat(TOKEN_BYTES + 1)]] {
            let finds = prove_file(&path, &unknown).unwrap();
            assert_eq!(
                (finds.tool.as_str(), &finds.args["expect_min_matches"]),
                ("fs_glob", &json!(1))
            );
        }
    }
}
