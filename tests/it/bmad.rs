//! BMAD-METHOD as it is published, made into a package: its agents and their menus, its skills, and
//! its skills with step files as workflows, run by the built program against a model on loopback.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use host::packages::{Inspected, MadeOfSkills, from_skills, inspect};
use kernel::graph::{Graph, NodeType};
use kernel::ids::WorkflowId;
use kernel::package::{Finding, Package};
use rstest::rstest;
use serde_json::{Value, json};
use support::program::{Sandbox, Server, root};

/// The published package, as npm installs it from the lock file beside it.
fn published() -> PathBuf {
    root().join("tests/bmad-method/node_modules/bmad-method")
}

/// A package made of it in an empty project.
struct Bmad {
    folder: tempfile::TempDir,
    made: MadeOfSkills,
}

impl Bmad {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let made = make(folder.path(), &published());
        Self { folder, made }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("bmad-method.bmad")
    }

    fn inspected(&self) -> Inspected {
        inspect(&self.file()).unwrap()
    }
}

fn make(project: &Path, source: &Path) -> MadeOfSkills {
    let out = project.join("bmad-method.bmad");
    from_skills(source, project, Some(&out), false).unwrap()
}

/// A row of a menu: what to type, and what it leads to.
type Row<'t> = (&'t str, &'t str);

/// Every agent's id, name and menu.
const MENUS: [(&str, &str, &[Row<'_>]); 5] = [
    (
        "bmad-agent-analyst",
        "Mary",
        &[
            ("BP", "skill.use:bmad-brainstorming"),
            ("MR", "#menu-2"),
            ("DR", "#menu-3"),
            ("TR", "#menu-4"),
            ("TS", "#menu-5"),
            ("CR", "#menu-6"),
            ("UV", "#menu-7"),
            ("CB", "skill.use:bmad-product-brief"),
            ("WB", "skill.use:bmad-prfaq"),
            ("PC", "skill.use:bmad-project-context"),
        ],
    ),
    (
        "bmad-agent-architect",
        "Winston",
        &[("CA", "skill.use:bmad-architecture"), ("IR", "skill.use:bmad-sprint-planning")],
    ),
    (
        "bmad-agent-dev",
        "Amelia",
        &[
            ("BD", "bmad-build"),
            ("QA", "skill.use:bmad-qa-generate-e2e-tests"),
            ("CR", "bmad-code-review"),
            ("SP", "skill.use:bmad-sprint-planning"),
            ("ER", "skill.use:bmad-retrospective"),
        ],
    ),
    (
        "bmad-agent-pm",
        "John",
        &[
            ("PRD", "skill.use:bmad-prd"),
            ("CE", "bmad-create-epics-and-stories"),
            ("IR", "skill.use:bmad-sprint-planning"),
            ("CC", "skill.use:bmad-correct-course"),
        ],
    ),
    ("bmad-agent-ux-designer", "Sally", &[("CU", "skill.use:bmad-ux")]),
];

#[test]
fn all_five_agents_have_their_menus_and_all_fifty_skills_are_there() {
    let bmad = Bmad::new();
    let inspected = bmad.inspected();
    let package = inspected.usable().unwrap();
    let found: Vec<(&str, &str, Vec<Row<'_>>)> = package
        .agents
        .iter()
        .map(|agent| {
            let rows = agent.menu.iter().map(|row| {
                let does = row.does.workflow.as_deref().or(row.does.action.as_deref()).unwrap();
                (row.trigger.as_deref().unwrap(), does)
            });
            (agent.id.as_str(), &*agent.metadata.name, rows.collect())
        })
        .collect();
    let wanted = MENUS.map(|(id, name, menu)| (id, name, menu.to_vec()));
    assert_eq!(found, wanted);
    assert_eq!(inspected.report.skills.len(), 50);
    let workflows: Vec<&str> = package.workflows.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(workflows, WORKFLOWS);
    let warnings = inspected.report.findings.iter().map(|found| found.kind.as_str());
    assert_eq!(warnings.collect::<BTreeSet<_>>(), BTreeSet::from(["large-step"]));
}

/// The skills with step files.
const WORKFLOWS: [&str; 5] = [
    "bmad-build",
    "bmad-build-auto",
    "bmad-code-review",
    "bmad-create-epics-and-stories",
    "bmad-walkthrough",
];

#[test]
fn every_agent_opens_in_a_talk_with_its_menu() {
    let bmad = Bmad::new();
    let sandbox = Sandbox::new();
    let server = Server::saying(&[]);
    for (id, _, menu) in MENUS {
        let agent = format!("{}:{id}", bmad.file().display());
        let url = server.base_url();
        let done = sandbox.run(&["agent", &agent, "--base-url", &url, "--model", "test"]);
        let told = done.exits(0).stdout;
        let missing = menu.iter().find(|(code, _)| !told.contains(&format!(" {code} ")));
        assert!(missing.is_none(), "{id}: {missing:?} in {told}");
    }
    assert!(server.requests().is_empty(), "no model was asked for a menu");
}

#[test]
fn a_row_of_a_menu_puts_its_skill_to_work_and_another_begins_its_workflow() {
    let bmad = Bmad::new();
    let sandbox = Sandbox::new();
    let server = Server::saying(&[
        json!({ "text": "What is the product?" }),
        json!({ "text": "Go on." }),
        json!({ "text": "Let us begin." }),
    ]);
    let url = server.base_url();
    let agent = format!("{}:bmad-agent-pm", bmad.file().display());
    let inputs = ["--input", "PRD", "--input", "PRD\nA tide clock.", "--input", "CE"];
    let args = [&["agent", &agent, "--base-url", &url, "--model", "test"][..], &inputs].concat();
    sandbox.run(&args).exits(3);
    let events = sandbox.journal_events();
    let activated = events.iter().filter(|event| event["event"] == "skill_activated");
    assert_eq!(activated.count(), 1, "a skill at work is not activated again");
    let requests = server.requests();
    let text = |at: usize| requests[at]["messages"].to_string();
    assert!(
        text(0).contains("You are a master facilitator and coach"),
        "the skill's text is there"
    );
    assert!(text(0).contains("Do what the skill `bmad-prd` says"), "{}", text(0));
    assert!(text(1).contains("A tide clock."), "what was said below the row is said");
    assert!(text(2).contains("bmad-create-epics-and-stories"), "{}", text(2));
    assert!(events.iter().any(|event| event["event"] == "run_started"));
}

/// A model's way through a workflow, and what the person says on it.
struct Walk {
    replies: Vec<Value>,
    answers: Vec<Value>,
    /// Moves that have to be refused.
    refused: usize,
    /// Ways that wait for the person.
    waits: usize,
}

fn moves(graph: &Graph, from: &str, to: &str) -> Value {
    let mut update = json!({ "currentNodeId": { "set": to } });
    let node = |id: &str| graph.nodes.iter().find(|node| node.id.as_str() == id).unwrap();
    if node(from).kind == NodeType::Decision {
        let label =
            graph.edges.iter().find(|edge| edge.from.as_str() == from && edge.to.as_str() == to);
        let label = label.map_or("skip", |edge| &edge.label);
        let entry = json!({ "from": from, "to": to, "label": label, "reason": "It fits." });
        update["decisionLog"] = json!({ "append": [entry] });
    }
    patch(&update)
}

fn patch(update: &Value) -> Value {
    let patch = json!({ "operation": "updateFrontmatter", "update": update });
    let arguments = json!({ "path": "@state/workflow.md", "patch": patch });
    json!({ "text": "", "calls": [{ "name": "fs_apply_patch", "arguments": arguments }] })
}

impl Walk {
    fn through(graph: &Graph, path: &[&str], tries_to_skip: bool) -> Self {
        let mut walk = Self { replies: Vec::new(), answers: Vec::new(), refused: 0, waits: 0 };
        for (at, pair) in path.windows(2).enumerate() {
            let (from, to) = (pair[0], pair[1]);
            let leads = |to: &str| {
                graph.edges.iter().find(|edge| edge.from.as_str() == from && edge.to.as_str() == to)
            };
            let later = path[at + 2..].iter().find(|later| leads(later).is_none());
            if let Some(later) = later.filter(|_| tries_to_skip) {
                walk.replies.push(moves(graph, from, later));
                walk.refused += 1;
            }
            let edge = leads(to).unwrap_or_else(|| panic!("no way from {from} to {to}"));
            if edge.asks_the_person() {
                if tries_to_skip {
                    walk.replies.push(moves(graph, from, to));
                    walk.refused += 1;
                }
                let condition = edge.condition_text.as_deref().unwrap();
                if tries_to_skip && condition.contains('`') {
                    // The same letter in another question is no answer to this one.
                    walk.asks(from, "`[C] Something else`", "other");
                    walk.replies.push(moves(graph, from, to));
                    walk.refused += 1;
                }
                walk.asks(from, condition, "menu");
                walk.waits += 1;
            }
            walk.replies.push(moves(graph, from, to));
        }
        walk.replies.push(patch(&json!({ "stepsCompleted": { "append": ["complete"] } })));
        walk.replies.push(json!({ "text": "It is done." }));
        walk
    }

    /// The model asks; the person chooses what the way waits for, or says something.
    fn asks(&mut self, step: &str, condition: &str, question: &str) {
        let Some(option) = condition.split('`').nth(1) else {
            self.replies.push(json!({ "text": format!("This is {step}. Shall I go on?") }));
            return self.answers.push(json!("Yes, go on."));
        };
        let options = json!([{ "value": "other", "label": "Something else" }, { "value": "c", "label": option }]);
        let asked = json!({ "widgetId": question, "type": "selection", "message": "What now?", "multi": false, "options": options });
        self.replies
            .push(json!({ "text": "", "calls": [{ "name": "ui_ask_user", "arguments": asked }] }));
        self.answers.push(json!({ "widgetId": question, "type": "selection", "value": ["c"] }));
    }
}

fn workflow<'p>(package: &'p Package, id: &str) -> &'p Graph {
    &package.workflow(&WorkflowId::new(id).unwrap()).unwrap().graph
}

#[rstest]
#[case::epics("bmad-create-epics-and-stories", &["step-01-validate-prerequisites", "step-02-design-epics", "step-03-create-stories", "step-04-final-validation"], 4)]
#[case::review("bmad-code-review", &["step-01-gather-context", "step-02-review", "step-03-triage", "step-04-present"], 2)]
#[case::build("bmad-build", &["step-01-clarify-and-route", "step-02-plan", "step-03-implement", "step-04-review", "step-05-present"], 1)]
#[case::small_build("bmad-build", &["step-01-clarify-and-route", "step-02-plan", "step-oneshot"], 0)]
#[case::unattended_build("bmad-build-auto", &["step-01-clarify-and-route", "step-02-plan", "step-03-implement", "step-04-review"], 0)]
#[case::walkthrough("bmad-walkthrough", &["step-01-orientation", "step-02-walkthrough", "step-03-detail-pass", "step-04-testing", "step-05-wrapup"], 4)]
#[case::early_exit("bmad-walkthrough", &["step-01-orientation", "step-02-walkthrough", "step-05-wrapup"], 2)]
fn a_skill_with_step_files_runs_to_its_end_and_no_step_is_skipped(
    #[case] id: &str,
    #[case] steps: &[&str],
    #[case] questions: usize,
    #[values(false, true)] tries_to_skip: bool,
) {
    let bmad = Bmad::new();
    let inspected = bmad.inspected();
    let graph = workflow(inspected.usable().unwrap(), id);
    let path = [&["start"], steps, &["complete"]].concat();
    let walk = Walk::through(graph, &path, tries_to_skip);
    assert_eq!(walk.waits, questions);

    let sandbox = Sandbox::new();
    let answers = bmad.folder.path().join("answers.json");
    std::fs::write(&answers, Value::Array(walk.answers).to_string()).unwrap();
    let server = Server::saying(&walk.replies);
    let file = bmad.file();
    let done = sandbox.run(&[
        "run",
        file.to_str().unwrap(),
        "--workflow",
        id,
        "--input",
        "Begin.",
        "--answers",
        answers.to_str().unwrap(),
        "--base-url",
        &server.base_url(),
        "--model",
        "test",
    ]);
    done.exits(0);

    let events = sandbox.journal_events();
    let refusals = events.iter().filter_map(|event| {
        event["data"]["result"]["error"]["code"].as_str().filter(|_| event["event"] == "call_ended")
    });
    let refusals: Vec<&str> = refusals.collect();
    assert_eq!(refusals.len(), walk.refused, "{refusals:?}");
    let known = ["E_INVALID_TRANSITION", "E_CONDITION_NOT_MET"];
    assert!(refusals.iter().all(|code| known.contains(code)), "{refusals:?}");
    let states = events.iter().filter(|event| event["event"] == "state_changed");
    let mut went: Vec<&str> = states.map(|it| it["data"]["nodeId"].as_str().unwrap()).collect();
    went.dedup();
    assert_eq!(went, path[1..], "the run went through every step of its way");
}

#[test]
fn a_project_says_how_agents_and_skills_are_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let custom = folder.path().join("_bmad/custom");
    std::fs::create_dir_all(&custom).unwrap();
    std::fs::create_dir_all(folder.path().join("_bmad/bmm")).unwrap();
    let write = |file: &str, text: &str| {
        std::fs::write(folder.path().join("_bmad").join(file), text).unwrap();
    };
    write("bmm/config.yaml", "user_name: Mia\nplanning_artifacts: '{project-root}/plans'\n");
    write("custom/config.user.toml", "[core]\ncommunication_language = \"Deutsch\"\n");
    write(
        "custom/bmad-agent-pm.toml",
        "[agent]\nicon = \"🐝\"\nprinciples = [\"Ask the bees.\"]\n[[agent.menu]]\ncode = \"CC\"\n\
         description = \"Ask\"\nprompt = \"Ask {user_name}.\"\n",
    );
    write("custom/bmad-agent-pm.user.toml", "[agent]\nicon = \"🦋\"\n");
    write("custom/bmad-prd.toml", "[workflow]\non_complete = \"Ring the bell.\"\n");
    write("custom/bmad-ux.toml", "[workflow\n");
    let made = make(folder.path(), &published());
    let inspected = inspect(&folder.path().join("bmad-method.bmad")).unwrap();
    let package = inspected.usable().unwrap();
    let john = package.agents.iter().find(|it| it.id.as_str() == "bmad-agent-pm").unwrap();
    assert_eq!(john.metadata.icon, "🦋", "the person's own layer is the strongest");
    let principles = serde_json::to_value(&john.persona.principles).unwrap();
    assert_eq!(principles.as_array().unwrap().len(), 4, "lists are put together");
    let menu: Vec<&str> = john.menu.iter().map(|row| row.trigger.as_deref().unwrap()).collect();
    assert_eq!(menu, ["PRD", "CE", "IR", "CC"], "a row of the same code is replaced in its place");
    assert_eq!(john.prompts[0].content, "Ask Mia.");
    let rules = john.critical_actions.join("\n");
    assert!(rules.contains("whose name is Mia") && rules.contains("Speak Deutsch."), "{rules}");
    assert!(rules.contains("kept in @project/plans."), "{rules}");
    let files = inspected.files().unwrap();
    let text = |file: &str| String::from_utf8(files[file].clone()).unwrap();
    assert!(text("skills/bmad-prd/SKILL.md").contains("on_complete = \"Ring the bell.\""));
    assert!(
        text("workflows/bmad-build/steps/step-01-clarify-and-route.md")
            .contains("Speak in `Deutsch`")
    );
    let told: Vec<(&str, &str)> =
        made.findings.iter().map(|found| (found.kind.as_str(), found.file.as_str())).collect();
    for found in [
        ("customized", "_bmad/custom/bmad-agent-pm.toml"),
        ("customized", "_bmad/custom/bmad-agent-pm.user.toml"),
        ("toml", "_bmad/custom/bmad-ux.toml"),
    ] {
        assert!(told.contains(&found), "{found:?} in {told:?}");
    }
}

fn is_markdown(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "md")
}

#[test]
fn nothing_that_a_script_would_fill_in_is_left_in_a_text() {
    let bmad = Bmad::new();
    let files = bmad.inspected().files().unwrap();
    let left = ["[[bmad-snapshot:", "{project-root}", "{skill-root}", "{user_name}", "{{."];
    for (path, bytes) in files.iter().filter(|(path, _)| is_markdown(path)) {
        let text = std::str::from_utf8(bytes).unwrap();
        // Where a text lists the names of what is configured, they stay names.
        let lines = text.lines().filter(|line| !line.contains("below under \"Configuration\""));
        let text: String = lines.collect();
        let found = left.iter().find(|mark| text.contains(**mark));
        assert!(found.is_none(), "{path}: {found:?}");
    }
    // Templates of documents are filled in by the model.
    let template = "skills/bmad-create-epics-and-stories/templates/epics-template.md";
    assert!(std::str::from_utf8(&files[template]).unwrap().contains("{{project_name}}"));
}

#[test]
fn the_same_skills_make_the_same_package_also_from_an_archive() {
    let first = Bmad::new();
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("bmad-method-6.12.0.tgz");
    let packed = std::process::Command::new("tar")
        .args(["-czf", archive.to_str().unwrap(), "-C"])
        .arg(published().parent().unwrap())
        .args(["--transform", "s,^bmad-method,package,", "bmad-method"])
        .status();
    assert!(packed.unwrap().success());
    let second = make(folder.path(), &archive);
    assert_eq!(first.made.packed.package_id, second.packed.package_id);
    assert_eq!(first.made.packed.file_sha256, second.packed.file_sha256);
}

/// What the documentation tells of the findings.
const DOCUMENT: &str = "docs/bmad-method.md";
const MARKS: [&str; 2] = ["<!-- findings -->\n", "<!-- end of findings -->"];

fn row(found: &Finding) -> String {
    let text = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    format!("| {} | `{}` | {} |\n", found.kind, found.file, text(&found.message))
}

// UPDATE_DOCS=1 cargo nextest run -p crewagent-tests --test it bmad
#[test]
fn every_finding_is_listed_in_the_documentation() {
    let bmad = Bmad::new();
    let rows: String = bmad.made.findings.iter().map(row).collect();
    let table = format!("| kind | file | what |\n|---|---|---|\n{rows}");
    let path = root().join(DOCUMENT);
    let document = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(MARKS[0]).unwrap();
    let (told, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, [before, MARKS[0], &table, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(told, table, "UPDATE_DOCS=1 writes it");
    }
}
