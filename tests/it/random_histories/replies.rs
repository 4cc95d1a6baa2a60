//! What a model says: sense and nonsense, in every form that servers have been seen to send.

use super::dice::Dice;
use super::outside::{Outside, PLACES, SHARED};
use kernel::chat::{Finish, Reply, ToolCall};
use kernel::event::FactKind;
use kernel::graph::Node;
use kernel::ids::CallId;
use serde_json::{Value, json};

const STATE: &str = "@state/workflow.md";
const FILES: [&str; 6] = [
    "@project/artifacts/plan.md",
    "@project/artifacts/note.md",
    "@project/artifacts/extra.md",
    "@project/docs/brief.md",
    "@project/docs/../docs/brief.md",
    "@project/.env",
];
const NODES: [&str; 7] = [
    "gather-topic",
    "choose-way",
    "plan-first",
    "write-note",
    "look-over",
    "farewell-all",
    "nowhere",
];

/// A call as a model writes it.
type Written = (String, String);

fn call(name: &str, arguments: &Value) -> Written {
    (name.to_owned(), arguments.to_string())
}

fn long(dice: &mut Dice) -> String {
    let words = dice.of(&[0, 1, 1, 4, 30, 300, 1_200]);
    "word ".repeat(words)
}

impl Outside {
    /// A whole reply.
    pub(super) fn a_reply(&mut self) -> Reply {
        let mut dice = self.dice.clone();
        let count = dice.of(&[0, 0, 1, 1, 1, 1, 2, 3, 4]);
        let text = if count == 0 { words_of_a_model(&mut dice) } else { a_remark(&mut dice) };
        let calls = (0..count).map(|n| self.a_call(&mut dice, n)).collect();
        let finish = if dice.percent(4) { Finish::Length } else { Finish::Stop };
        let thinking = dice.percent(5).then(|| "I think.".to_owned());
        self.dice = dice;
        Reply { text, thinking, calls, finish, ..Reply::default() }
    }

    fn a_call(&self, dice: &mut Dice, n: usize) -> ToolCall {
        let (name, arguments) = if dice.percent(50) { self.sensible(dice) } else { any_call(dice) };
        let name = if dice.percent(5) { name.replacen('_', ".", 1) } else { name };
        let id = match dice.below(12) {
            0 | 1 => String::new(),
            2 => "same".to_owned(),
            3 => format!("call {n} (of a server) {}", "x".repeat(90)),
            _ => format!("c{}-{n}-{}", self.engine.core().requests, dice.below(3)),
        };
        ToolCall { id: CallId::new(&id), name, arguments }
    }

    fn node(&self) -> Option<&Node> {
        let core = self.engine.core();
        self.engine.graph().ok()?.node(core.node.as_ref()?)
    }

    /// What brings the workflow on.
    fn sensible(&self, dice: &mut Dice) -> Written {
        let Some(node) = self.node() else { return call("todo_list", &json!({})) };
        let (doc, graph) = (self.engine.core().doc.clone().unwrap(), self.engine.graph().unwrap());
        if doc.is_complete(graph) {
            return self.after_the_end(dice);
        }
        let file = format!("@pkg/{}", node.file);
        let record = self.engine.record();
        let read = record.facts.iter().any(|record| {
            let path = record.fact.path.as_ref().map(ToString::to_string);
            record.fact.kind == FactKind::FileRead && path.as_deref() == Some(file.as_str())
        });
        if !read && dice.percent(60) {
            return call("fs_read", &json!({ "path": file }));
        }
        let missing = node.checkable_outputs();
        if let Some(path) = missing.iter().find(|path| !record.evidence.is_there(path)) {
            let content = format!("# Text\n{}", long(dice));
            return call("fs_write", &json!({ "path": path, "content": content }));
        }
        if dice.percent(60) {
            return call("fs_read", &json!({ "path": dice.of(&FILES) }));
        }
        let ways = graph.allowed_next(&node.id, doc.variables());
        let open: Vec<_> = ways.iter().filter(|way| way.condition_holds != Some(false)).collect();
        let mut update = json!({ "stepsCompleted": { "append": [node.id] } });
        match open.first() {
            Some(_) => {
                let way = open[dice.below(open.len())];
                update["currentNodeId"] = json!({ "set": way.to });
                if node.kind == kernel::graph::NodeType::Decision {
                    update["decisionLog"] = json!({ "append": [{
                        "from": node.id, "to": way.to, "label": way.label, "reason": "why not",
                    }] });
                }
            }
            None => update["variables"] = json!({ "set": { "workflowStatus": "complete" } }),
        }
        if dice.percent(30) {
            update["variables"]["set"]["size"] = json!(dice.of(&["long", "short"]));
        }
        patch(&update)
    }

    /// What a model does after completion: talk, ask for one change, make it.
    fn after_the_end(&self, dice: &mut Dice) -> Written {
        let pending = self.engine.core().confirm.pending().map(|p| p.change_id.to_string());
        match dice.below(5) {
            0 => {
                call("workflow_rewind", &json!({ "targetNodeId": "write-note", "confirmed": true }))
            }
            1 | 2 => call(
                "ui_ask_user",
                &json!({
                    "widgetId": "workflow_state_change_confirm", "type": "confirmation",
                    "message": "Change it?", "changeId": pending.unwrap_or_default(),
                }),
            ),
            3 => patch(&json!({ "variables": { "set": { "workflowStatus": "open" } } })),
            _ => call("fs_read", &json!({ "path": dice.of(&FILES) })),
        }
    }
}

fn a_remark(dice: &mut Dice) -> String {
    dice.of(&["", "", "", "I look.", "Now the file."]).to_owned()
}

fn patch(update: &Value) -> Written {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    call("fs_apply_patch", &json!({ "path": STATE, "patch": patch }))
}

fn a_question(dice: &mut Dice) -> Written {
    let more = match dice.below(7) {
        0 => json!({ "type": "form", "schema": {
            "type": "object", "properties": { "topic": { "type": "string" } },
        } }),
        1 => json!({ "type": "selection", "options": [{ "value": "a", "label": "A" }] }),
        2 => json!({ "type": "plan_review", "planContent": "1. Write." }),
        3 => json!({ "type": "feedback", "items": [{ "id": "i", "content": "c" }] }),
        4 => json!({ "type": "action_selection", "actions": [{ "id": "go", "label": "Go" }] }),
        5 => json!({ "type": "no such kind" }),
        _ => json!({ "type": "confirmation" }),
    };
    let mut asked = json!({ "widgetId": "w", "message": "What do you say?" });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    call("ui_ask_user", &asked)
}

fn a_todo(dice: &mut Dice) -> Written {
    let id = dice.of(&["t1", "t2", "t9"]);
    let made = match dice.below(6) {
        0 | 1 => {
            json!({ "action": "add", "item": { "content": "One part", "required": dice.percent(30) } })
        }
        2 => json!({ "action": "complete", "id": id }),
        3 => json!({ "action": "set_status", "id": id, "status": "canceled", "reason": "r" }),
        4 => {
            json!({ "action": "plan", "items": [{ "content": "First" }, { "content": "Second" }] })
        }
        _ => json!({ "action": "remove", "id": id }),
    };
    call("todo_write", &made)
}

fn words_of_a_model(dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => String::new(),
        1 => "Shall I go on?".to_owned(),
        2 => format!("I am in {}/docs.", SHARED.project.display()),
        3 => format!("Here is all of it. {}", long(dice)),
        4 => {
            let widget =
                json!({ "widgetId": "w", "type": "confirmation", "message": "Like this?" });
            format!("One question:\n```widget\n{widget}\n```\n")
        }
        _ => dice.of(&["Done.", "All of it is written.", "That is all I can say."]).to_owned(),
    }
}

fn any_call(dice: &mut Dice) -> Written {
    let path = dice.of(&FILES);
    match dice.below(22) {
        0 => call("fs_read", &json!({ "path": path })),
        1 => call("fs_read", &json!({ "path": PLACES, "startLine": 1 + dice.below(2) })),
        2 => call("fs_list", &json!({ "path": "@project/artifacts" })),
        3 => call("fs_search", &json!({ "query": "word" })),
        4 => call("fs_glob", &json!({ "pattern": "**/*.md" })),
        5 | 6 => call("fs_write", &json!({ "path": path, "content": long(dice) })),
        7 => {
            let replaced = json!({ "operation": "replace", "old": "a", "new": "b" });
            call("fs_apply_patch", &json!({ "path": path, "patch": replaced }))
        }
        8 => call("fs_delete", &json!({ "path": path })),
        9 => call("fs_move", &json!({ "from": path, "to": "@project/artifacts/moved.md" })),
        10 => patch(&json!({ "currentNodeId": { "set": dice.of(&NODES) } })),
        11 => {
            let value = match dice.below(3) {
                0 => json!(format!("{}/docs", SHARED.project.display())),
                1 => json!(long(dice)),
                _ => json!(dice.below(3)),
            };
            let name = dice.of(&["topic", "size", "place"]);
            patch(&json!({ "variables": { "set": { name: value } } }))
        }
        12 => a_question(dice),
        13 | 14 => a_todo(dice),
        15 => call("todo_list", &json!({})),
        16 => call(
            "agent_spawn",
            &json!({ "task_type": dice.of(&["review", "edit"]), "prompt": "Look at it." }),
        ),
        17 => call("agent_report", &json!({ "summary": "x", "findings": [] })),
        18 => call(
            "workflow_rewind",
            &json!({ "targetNodeId": dice.of(&NODES), "confirmed": dice.percent(70) }),
        ),
        19 => ("fs_read".to_owned(), r#"{"path": "@project/a"#.to_owned()),
        20 => dice.of(&[
            call("fs_reed", &json!({ "path": path })),
            call("no such tool!", &json!({})),
            ("fs_read".to_owned(), "[1, 2]".to_owned()),
            ("fs_list".to_owned(), String::new()),
            (String::new(), "{}".to_owned()),
        ]),
        _ => call("fs_write", &json!({ "path": STATE, "content": "nothing of it" })),
    }
}
