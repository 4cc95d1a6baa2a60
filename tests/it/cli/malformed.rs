//! Packages that are none, or that mean harm, made here: each is told by its own finding or code at the
//! command line, and leaves nothing behind.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use support::program::{Sandbox, root};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The files of the small package of the fixtures, to be changed.
struct Parts(BTreeMap<String, Vec<u8>>);

impl Parts {
    fn new() -> Self {
        let folder = root().join("tests/fixtures/packages/mini");
        let files = [
            "bmad.json",
            "agents.json",
            "workflow.graph.json",
            "workflow.md",
            "steps/ask.md",
            "steps/write.md",
            "steps/done.md",
        ];
        let read = |file: &str| (file.to_owned(), std::fs::read(folder.join(file)).unwrap());
        Self(files.into_iter().map(read).collect())
    }

    fn put(&mut self, file: &str, bytes: impl AsRef<[u8]>) {
        self.0.insert(file.to_owned(), bytes.as_ref().to_vec());
    }

    fn without(&mut self, file: &str) {
        self.0.remove(file).unwrap();
    }

    /// Puts a value at a place of a JSON file.
    fn set(&mut self, file: &str, place: &str, value: Value) {
        let mut whole: Value = serde_json::from_slice(&self.0[file]).unwrap();
        *whole.pointer_mut(place).unwrap_or_else(|| panic!("{file} has no {place}")) = value;
        self.put(file, whole.to_string());
    }

    /// Takes a member of a JSON file away.
    fn cut(&mut self, file: &str, place: &str, member: &str) {
        let mut whole: Value = serde_json::from_slice(&self.0[file]).unwrap();
        let object = whole.pointer_mut(place).and_then(Value::as_object_mut).unwrap();
        object.remove(member).unwrap_or_else(|| panic!("{place} has no {member}"));
        self.put(file, whole.to_string());
    }

    fn text(&mut self, file: &str, old: &str, new: &str) {
        let text = String::from_utf8(self.0[file].clone()).unwrap();
        assert!(text.contains(old), "{file}: {text}");
        self.put(file, text.replace(old, new));
    }

    fn zip(&self) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &self.0 {
            zip.start_file(name.as_str(), stored()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }
}

fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

/// Lists of lists.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

const MANIFEST: &str = "bmad.json";
const AGENTS: &str = "agents.json";
const GRAPH: &str = "workflow.graph.json";
const STATE: &str = "workflow.md";
const STEP: &str = "steps/write.md";

type Change = fn(&mut Parts);

fn manifests() -> Vec<(&'static str, Change)> {
    vec![
        ("the manifest is missing", |it| it.without(MANIFEST)),
        ("the manifest is empty", |it| it.put(MANIFEST, "")),
        ("the manifest is no JSON", |it| it.put(MANIFEST, "{")),
        ("the manifest is a list", |it| it.put(MANIFEST, "[]")),
        ("the manifest is no text", |it| it.put(MANIFEST, [0xff, 0xfe, 0])),
        ("the manifest is nested without end", |it| it.put(MANIFEST, nested(100_000))),
        ("no format", |it| it.cut(MANIFEST, "", "schemaVersion")),
        ("a format of another time", |it| it.set(MANIFEST, "/schemaVersion", json!("9.0"))),
        ("a format that is a number", |it| it.set(MANIFEST, "/schemaVersion", json!(1.1))),
        ("no name", |it| it.cut(MANIFEST, "", "name")),
        ("an empty name", |it| it.set(MANIFEST, "/name", json!(""))),
        ("a name that is a number", |it| it.set(MANIFEST, "/name", json!(7))),
        ("no version", |it| it.cut(MANIFEST, "", "version")),
        ("a version that is none", |it| it.set(MANIFEST, "/version", json!("one"))),
        ("no entry", |it| it.cut(MANIFEST, "", "entry")),
        ("an entry without a workflow", |it| it.cut(MANIFEST, "/entry", "workflow")),
        ("a workflow above the package", |it| {
            it.set(MANIFEST, "/entry/workflow", json!("../workflow.md"));
        }),
        ("a graph of the machine", |it| it.set(MANIFEST, "/entry/graph", json!("/etc/passwd"))),
        ("agents on a drive", |it| it.set(MANIFEST, "/entry/agents", json!("C:\\agents.json"))),
        ("a workflow that is not there", |it| {
            it.set(MANIFEST, "/entry/workflow", json!("other.md"));
        }),
        ("a graph that is not there", |it| it.without(GRAPH)),
        ("agents that are not there", |it| it.without(AGENTS)),
        ("a description that is a list", |it| it.set(MANIFEST, "/description", json!([1]))),
    ]
}

fn agents() -> Vec<(&'static str, Change)> {
    vec![
        ("agents are no JSON", |it| it.put(AGENTS, "agents")),
        ("agents are a text", |it| it.put(AGENTS, "\"agents\"")),
        ("no agents", |it| it.cut(AGENTS, "", "agents")),
        ("a list without agents", |it| it.set(AGENTS, "/agents", json!([]))),
        ("agents of another time", |it| it.set(AGENTS, "/schemaVersion", json!("0.1"))),
        ("an agent twice", |it| {
            let all: Value = serde_json::from_slice(&it.0[AGENTS]).unwrap();
            it.set(AGENTS, "/agents", json!([all["agents"][0], all["agents"][0]]));
        }),
        ("an agent that is a text", |it| it.set(AGENTS, "/agents/0", json!("ann"))),
        ("an agent without an id", |it| it.cut(AGENTS, "/agents/0", "id")),
        ("an agent with an empty id", |it| it.set(AGENTS, "/agents/0/id", json!(""))),
        ("an agent without a name", |it| it.cut(AGENTS, "/agents/0/metadata", "name")),
        ("an agent with an empty title", |it| {
            it.set(AGENTS, "/agents/0/metadata/title", json!(""));
        }),
        ("an agent without a persona", |it| it.cut(AGENTS, "/agents/0", "persona")),
        ("a persona without a role", |it| it.cut(AGENTS, "/agents/0/persona", "role")),
        ("a persona with an empty identity", |it| {
            it.set(AGENTS, "/agents/0/persona/identity", json!(""));
        }),
        ("principles that are a number", |it| {
            it.set(AGENTS, "/agents/0/persona/principles", json!(3));
        }),
        ("file tools that are allowed by a text", |it| {
            it.set(AGENTS, "/agents/0/tools/fs/enabled", json!("yes"));
        }),
        ("a limit below nothing", |it| {
            it.set(AGENTS, "/agents/0/tools/fs/maxWriteBytes", json!(-1));
        }),
        ("a limit in words", |it| {
            it.set(AGENTS, "/agents/0/tools/fs/maxWriteBytes", json!("much"));
        }),
        ("servers that are a text", |it| {
            it.set(AGENTS, "/agents/0/tools", json!({ "mcp": { "allowedServers": "all" } }));
        }),
    ]
}

fn graphs() -> Vec<(&'static str, Change)> {
    vec![
        ("the graph is no JSON", |it| it.put(GRAPH, "nodes")),
        ("a graph without nodes", |it| it.cut(GRAPH, "", "nodes")),
        ("a graph with no node", |it| it.set(GRAPH, "/nodes", json!([]))),
        ("a graph without edges", |it| it.cut(GRAPH, "", "edges")),
        ("edges that are no list", |it| it.set(GRAPH, "/edges", json!({}))),
        ("a graph without a beginning", |it| it.cut(GRAPH, "", "entryNodeId")),
        ("a beginning that is not there", |it| it.set(GRAPH, "/entryNodeId", json!("nowhere"))),
        ("a node twice", |it| it.set(GRAPH, "/nodes/1/id", json!("ask"))),
        ("a node without an id", |it| it.cut(GRAPH, "/nodes/1", "id")),
        ("a node with an empty id", |it| it.set(GRAPH, "/nodes/1/id", json!(""))),
        ("a node with a long id", |it| it.set(GRAPH, "/nodes/1/id", json!("n".repeat(300)))),
        ("a node of no kind", |it| it.cut(GRAPH, "/nodes/1", "type")),
        ("a node of another kind", |it| it.set(GRAPH, "/nodes/1/type", json!("loop"))),
        ("a node without a file", |it| it.cut(GRAPH, "/nodes/1", "file")),
        ("a step above the package", |it| it.set(GRAPH, "/nodes/1/file", json!("../write.md"))),
        ("a step that is not there", |it| it.set(GRAPH, "/nodes/1/file", json!("steps/x.md"))),
        ("a step that is no Markdown", |it| {
            it.put("steps/write.txt", "write");
            it.set(GRAPH, "/nodes/1/file", json!("steps/write.txt"));
        }),
        ("outputs that are a text", |it| it.set(GRAPH, "/nodes/1/outputs", json!("note.md"))),
        ("a way to nowhere", |it| it.set(GRAPH, "/edges/1/to", json!("nowhere"))),
        ("a way from nowhere", |it| it.set(GRAPH, "/edges/1/from", json!("nowhere"))),
        ("a way without an end", |it| it.cut(GRAPH, "/edges/1", "to")),
        ("a way that is a text", |it| it.set(GRAPH, "/edges/1", json!("next"))),
        ("a name of a way that is a number", |it| it.set(GRAPH, "/edges/1/label", json!(1))),
        ("a condition that runs something", |it| {
            let condition = json!({ "system": ["rm -rf /"] });
            let edge =
                json!({ "from": "write", "to": "done", "label": "x", "conditionExpr": condition });
            it.set(GRAPH, "/edges/1", edge);
        }),
        ("a condition nested without end", |it| {
            let mut condition = json!({ "var": "x" });
            for _ in 0..200 {
                condition = json!({ "!": [condition] });
            }
            let edge =
                json!({ "from": "write", "to": "done", "label": "x", "conditionExpr": condition });
            it.set(GRAPH, "/edges/1", edge);
        }),
        ("an agent of a node that is not there", |it| {
            let node = json!({ "id": "write", "type": "step", "file": STEP, "title": "Write", "agentId": "eve" });
            it.set(GRAPH, "/nodes/1", node);
        }),
    ]
}

fn texts() -> Vec<(&'static str, Change)> {
    vec![
        ("the state begins without front matter", |it| it.put(STATE, "# Mini\n")),
        ("the state is empty", |it| it.put(STATE, "")),
        ("the state is no text", |it| it.put(STATE, [0xc3, 0x28])),
        ("the front matter of the state is broken", |it| {
            it.text(STATE, "variables: {}", "variables: {");
        }),
        ("the front matter of the state is a list", |it| it.put(STATE, "---\n- a\n---\n")),
        ("steps done that are a text", |it| {
            it.text(STATE, "stepsCompleted: []", "stepsCompleted: all");
        }),
        ("variables that are a list", |it| it.text(STATE, "variables: {}", "variables: [1]")),
        ("a place that is a number", |it| {
            it.text(STATE, "currentNodeId: \"\"", "currentNodeId: 7");
        }),
        ("a front matter that grows", |it| {
            let mut yaml =
                String::from("---\nschemaVersion: \"1.1\"\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
            for level in 1..12 {
                let before = level - 1;
                let names = vec![format!("*a{before}"); 9].join(", ");
                writeln!(yaml, "a{level}: &a{level} [{names}]").unwrap();
            }
            it.put(STATE, format!("{yaml}---\n"));
        }),
        ("a step without front matter", |it| it.put(STEP, "# write\n")),
        ("an empty step", |it| it.put(STEP, "")),
        ("a step that is no text", |it| it.put(STEP, [0x80, 0x81])),
        ("a step with broken front matter", |it| it.text(STEP, "type: step", "type: [step")),
        ("a step of another node", |it| it.text(STEP, "nodeId: write", "nodeId: ask")),
        ("a step without a node", |it| it.text(STEP, "nodeId: write\n", "")),
        ("a step of a kind that there is not", |it| it.text(STEP, "type: step", "type: loop")),
        ("a classic workflow", |it| {
            it.without(MANIFEST);
            it.put("workflow.yaml", "name: old\n");
        }),
    ]
}

/// Entries that an archive has beside the files of the package.
fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let with = |name: &str| {
        let mut parts = Parts::new();
        parts.put(name, "evil\n");
        parts.zip()
    };
    let whole = Parts::new().zip();
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.add_symlink("link.md", "/etc/passwd", stored()).unwrap();
    let mut bomb = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    bomb.start_file("zeros", packed).unwrap();
    bomb.write_all(&vec![0; 4 * 1024 * 1024]).unwrap();
    let deep = format!("{}x.md", "d/".repeat(40));
    let long = format!("{}.md", "n".repeat(300));
    vec![
        ("nothing", Vec::new()),
        ("a text", b"hello".to_vec()),
        ("half an archive", whole[..whole.len() / 2].to_vec()),
        ("an archive without its end", whole[..whole.len() - 30].to_vec()),
        ("an empty archive", Parts(BTreeMap::new()).zip()),
        ("a file above the package", with("../evil.md")),
        ("a file above it by a way round", with("steps/../../evil.md")),
        ("a file of the machine", with("/tmp/evil.md")),
        ("a file on a drive", with("C:/evil.md")),
        ("a file on another machine", with("//evil/share/x.md")),
        ("a folder hidden by a backslash", with("..\\evil.md")),
        ("a name with a zero", with("evil\0.md")),
        ("a name with a line break", with("evil\n.md")),
        ("a name that is written backwards", with("evil\u{202e}dm.md")),
        ("a device of Windows", with("CON.md")),
        ("a name that is another in capitals", with("BMAD.json")),
        ("a file where a folder is", with("steps")),
        ("a name that is too long", with(&long)),
        ("folders that are too deep", with(&deep)),
        ("a link", link.finish().unwrap().into_inner()),
        ("a bomb", bomb.finish().unwrap().into_inner()),
    ]
}

/// What the terminal says of a package: the code of a failure, or the kinds of its errors.
fn told(sandbox: &Sandbox, file: &str) -> String {
    let done = sandbox.run(&["package", "inspect", file, "--json"]);
    let report = done.json();
    if let Some(code) = report["error"]["code"].as_str() {
        return code.to_owned();
    }
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{report}"));
    let errors = findings.iter().filter(|finding| finding["severity"] == "error");
    let kinds: Vec<_> = errors
        .map(|it| {
            let text = |member: &str| it[member].as_str().unwrap_or_default();
            let told = format!("{} {} {}", text("kind"), text("file"), text("instancePath"));
            told.trim_end().to_owned()
        })
        .collect();
    let more = kinds.len().saturating_sub(2);
    let mut told = kinds.into_iter().take(2).collect::<Vec<_>>().join(", ");
    if more > 0 {
        write!(told, " and {more} more").unwrap();
    }
    told
}

#[test]
fn each_is_told_by_its_own_finding_or_code_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let changed = [manifests(), agents(), graphs(), texts()].into_iter().flatten();
    let changed = changed.map(|(name, change)| {
        let mut parts = Parts::new();
        change(&mut parts);
        (name, parts.zip())
    });
    let mut all = String::new();
    let mut count = 0;
    for (name, bytes) in changed.chain(archives()) {
        let file = sandbox.write("given.bmad", bytes);
        let says = told(&sandbox, &file);
        assert!(!says.is_empty(), "{name}: it is taken for a package");
        let imported = sandbox.run(&["package", "import", &file, "--yes"]);
        assert_eq!(imported.code, Some(5), "{name}: {imported:?}");
        assert!(imported.stderr.contains("  → "), "{name}: what to do: {}", imported.stderr);
        writeln!(all, "{name}: {says}").unwrap();
        count += 1;
    }
    assert!(count >= 80, "{count}");
    insta::assert_snapshot!(all);
    assert_eq!(sandbox.run(&["package", "list", "--json"]).json(), json!([]));
    let left = std::fs::read_dir(sandbox.path("store/packages"));
    let left: Vec<_> = left.map(|all| all.map(Result::unwrap).collect()).unwrap_or_default();
    assert!(left.is_empty(), "{left:?}");
}
