//! What hostile models try: transcripts by theme, each a few replies and how every call must end.
//! Whatever they try, the project holds what it held but for the changes that were allowed, what
//! lies beside it is untouched and unread, and the journal comes to the same state from every
//! snapshot.

use crate::world::{Script, Scripted, ScriptedCall, Step, Way, World, files};
use kernel::engine::Limits;
use kernel::event::{Event, Phase};
use kernel::policy::ApproveWrites;
use rstest::rstest;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A theme: one file of `tests/fixtures/hostile`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Theme {
    /// What the project holds before each transcript.
    #[serde(default)]
    files: BTreeMap<String, String>,
    transcripts: Vec<Transcript>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcript {
    title: String,
    /// Files of the project beside those of the theme.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Symbolic links of the project, and what they name.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// Nothing asks but what always does: the sandbox alone has to hold.
    #[serde(default = "auto")]
    approve_writes: ApproveWrites,
    #[serde(default)]
    text: String,
    #[serde(default)]
    cut: bool,
    /// The calls of the only reply.
    #[serde(default)]
    calls: Vec<ScriptedCall>,
    /// The calls of several replies, in their place.
    #[serde(default)]
    replies: Vec<Vec<ScriptedCall>>,
    #[serde(default)]
    steps: Vec<Step>,
    /// How each call that ended did: `ok`, or its code.
    answers: Vec<String>,
    /// What the project holds afterwards and did not before.
    #[serde(default)]
    changed: BTreeMap<String, String>,
    /// What no request may hold.
    #[serde(default)]
    hidden: Vec<String>,
    /// How often the person was asked to approve.
    #[serde(default)]
    asks: usize,
}

fn auto() -> ApproveWrites {
    ApproveWrites::Auto
}

impl Transcript {
    fn script(&self) -> Script {
        let reply = |calls: &[ScriptedCall]| Scripted {
            meanwhile: Vec::new(),
            text: self.text.clone(),
            calls: calls.to_vec(),
            fail: None,
            cut: self.cut,
        };
        if self.replies.is_empty() {
            return Script::Replies(vec![reply(&self.calls)]);
        }
        Script::Replies(self.replies.iter().map(|calls| reply(calls)).collect())
    }
}

fn load(theme: &str) -> Theme {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text =
        std::fs::read_to_string(root.join("fixtures/hostile").join(theme).with_extension("yaml"));
    let mut value: Value = serde_yaml::from_str(&text.unwrap()).unwrap();
    write_out(&mut value);
    serde_json::from_value(value).unwrap()
}

/// Writes out `{3 times ab}`, so that large inputs stay readable in the file.
fn write_out(value: &mut Value) {
    match value {
        Value::String(text) => *text = written_out(text),
        Value::Array(items) => items.iter_mut().for_each(write_out),
        Value::Object(map) => map.values_mut().for_each(write_out),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn written_out(text: &str) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let repeated = rest.split_once(" times ").and_then(|(count, what)| {
        // A closing brace may be what is repeated.
        let end = what.char_indices().skip(1).find(|(_, c)| *c == '}')?.0;
        Some((what[..end].repeat(count.parse().ok()?), &what[end + 1..]))
    });
    match repeated {
        Some((written, after)) => format!("{before}{written}{}", written_out(after)),
        None => format!("{before}{{{}", written_out(rest)),
    }
}

fn play(theme: &Theme, transcript: &Transcript) {
    let title = &transcript.title;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/packages/mini");
    let limits = Limits { approve_writes: transcript.approve_writes, ..Limits::default() };
    let steps = transcript.steps.clone();
    let mut world = World::new(&package, transcript.script(), steps, Way::Straying, limits);
    world.others_at_work = true;
    for (path, text) in theme.files.iter().chain(&transcript.files) {
        let file = world.project.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let outside = world.project.with_file_name("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("secret.txt"), "beside the project\n").unwrap();
    #[cfg(unix)]
    for (link, to) in &transcript.links {
        std::os::unix::fs::symlink(to, world.project.join(link)).unwrap();
    }
    let mut expected = files(&world.project, &world.project);
    world.play(None, None);

    let answers: Vec<&str> = world.events().filter_map(answer).collect();
    assert_eq!(answers, transcript.answers, "{title}: {:#?}", refusals(&world));
    let asked =
        world.events().filter(|e| matches!(e, Event::WidgetAsked(e) if e.change_id.is_some()));
    assert_eq!(asked.count(), transcript.asks, "{title}");
    expected.extend(transcript.changed.clone());
    assert_eq!(files(&world.project, &world.project), expected, "{title}");
    let beside = files(&outside, &outside);
    assert_eq!(beside.into_values().collect::<Vec<_>>(), ["beside the project\n"], "{title}");
    let snapshot = kernel::snapshot::snapshot(&world.engine).unwrap();
    assert_eq!(snapshot.run.phase, Phase::WaitingUser, "{title}");
    assert!(snapshot.state.steps_completed.is_empty(), "{title}");
    for request in &world.requests {
        for message in &request.messages {
            let found = transcript.hidden.iter().find(|text| message.content.contains(*text));
            assert_eq!(found, None, "{title}: {}", message.content);
        }
    }
    world.snapshots_are_enough();
}

fn answer(event: &Event) -> Option<&str> {
    let Event::CallEnded(ended) = event else { return None };
    Some(ended.result.pointer("/error/code").and_then(Value::as_str).unwrap_or("ok"))
}

/// What the model was told, for a failing test.
fn refusals(world: &World) -> Vec<String> {
    let told = |event: &Event| match event {
        Event::CallEnded(e) => Some(e.result.to_string().chars().take(300).collect()),
        _ => None,
    };
    world.events().filter_map(told).collect()
}

const THEMES: [&str; 6] = ["paths", "secrets", "state", "consent", "work", "protocol"];

#[rstest]
fn a_hostile_model_gets_no_further_than_it_is_let(
    #[values("paths", "secrets", "state", "consent", "work", "protocol")] theme: &str,
) {
    let theme = load(theme);
    for transcript in &theme.transcripts {
        play(&theme, transcript);
    }
}

#[test]
fn there_are_sixty_transcripts_of_hostile_models_and_no_two_of_one_title() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hostile");
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path());
    let mut files: Vec<_> = files.map(|f| f.file_stem().unwrap().to_owned()).collect();
    files.sort();
    let mut themes = THEMES;
    themes.sort_unstable();
    assert_eq!(files, themes, "each file is a theme that is played");
    let titles: Vec<String> =
        THEMES.iter().flat_map(|theme| load(theme).transcripts).map(|t| t.title).collect();
    assert!(titles.len() >= 60, "{}", titles.len());
    let distinct: std::collections::BTreeSet<&String> = titles.iter().collect();
    assert_eq!(distinct.len(), titles.len());
}
