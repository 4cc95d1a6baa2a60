//! Packages whose texts mean harm: what is parsed, checked and told.

use serde_json::{Value, json};

use super::parts::Parts;
use super::{Hostile, hostile};

/// As many bytes as a file that is parsed may have.
const PARSED: usize = 1024 * 1024;
const GRAPH: &str = "workflow.graph.json";

pub(super) fn all() -> Vec<Hostile> {
    let mut all = json();
    all.extend(graphs());
    all.extend(matters());
    all
}

/// So many copies of a piece as fit beside `rest` bytes.
fn fill(piece: &str, rest: usize) -> String {
    piece.repeat((PARSED - rest) / piece.len())
}

/// What is made for each number, one after the other.
fn each(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect::<Vec<_>>().concat()
}

/// A list of values that are all the same, as long as it can be.
fn list(item: &str) -> String {
    format!("[{}{item}]", fill(&format!("{item},"), 200 + item.len()))
}

fn json() -> Vec<Hostile> {
    let manifest = |text: String| Parts::mini().with("bmad.json", text);
    vec![
        hostile("130,000 tiny objects", |at| {
            Parts::mini().with("agents.json", list(r#"{"a":0}"#)).packed(at)
        }),
        hostile("350,000 empty objects as edges", |at| {
            let graph = format!(r#"{{"nodes":[],"edges":{}}}"#, list("{}"));
            Parts::mini().with(GRAPH, &graph[..]).packed(at)
        }),
        hostile("500,000 numbers", move |at| manifest(list("0")).packed(at)),
        hostile("lists nested without an end", move |at| manifest("[".repeat(PARSED)).packed(at)),
        hostile("objects nested as deeply as they may be", |at| {
            let deep = format!("{}0{}", r#"{"a":"#.repeat(100), "}".repeat(100));
            Parts::mini().with("agents.json", list(&deep)).packed(at)
        }),
        hostile("70,000 unknown properties", move |at| {
            let unknown = each(70_000, |n| format!(r#","{n:06}":0"#));
            manifest(format!(r#"{{"name":"x"{unknown}}}"#)).packed(at)
        }),
        hostile("a name of a mebibyte", |at| {
            let long = "\u{202e}".repeat(PARSED / 3 - 300);
            Parts::mini().json("bmad.json", |it| it["name"] = json!(long)).packed(at)
        }),
        hostile("a property with a name of a mebibyte", move |at| {
            manifest(format!(r#"{{"{}":{{}}}}"#, fill("x", 20))).packed(at)
        }),
        hostile("agents of which each breaks every rule", |at| {
            let wrong =
                r#"{"id":" ","metadata":{"name":0},"persona":[],"menu":{},"tools":0,"x":0}"#;
            let many = vec![serde_json::from_str::<Value>(wrong).unwrap(); 200];
            Parts::mini().json("agents.json", |it| it["agents"] = json!(many)).packed(at)
        }),
        hostile("numbers that are too large", move |at| manifest(list("1e99999")).packed(at)),
        hostile("a text that is no UTF-8", |at| {
            Parts::mini().with("bmad.json", vec![0xff; PARSED]).packed(at)
        }),
    ]
}

fn node(id: usize) -> Value {
    json!({ "id": format!("n{id}"), "type": "step", "file": "steps/ask.md" })
}

/// So many workflows, each with so many variables, which it hands to all that come after it.
fn handing_on(workflows: usize, variables: usize) -> Parts {
    let mut parts = Parts::mini().matter("steps/ask.md", "setsVariables: [own]");
    let path = |n: usize, what: &str| format!("flows/{n}/{what}");
    for n in 0..workflows {
        let call = |to: usize| {
            json!({
                "id": format!("n{to}"), "type": "subworkflow", "file": "steps/ask.md",
                "subworkflowRef": format!("w{to}"), "passContext": true,
            })
        };
        let ask = json!({ "==": [{ "var": "unknown" }, 1] });
        let nodes: Vec<Value> = [node(n)].into_iter().chain((n + 1..workflows).map(call)).collect();
        let mut ways = edge(n, n);
        ways["conditionExpr"] = ask;
        let graph = json!({
            "schemaVersion": "1.2", "entryNodeId": format!("n{n}"), "nodes": nodes, "edges": [ways],
        });
        let names = each(variables, |v| format!("  v{n}_{v}: 0\n"));
        let front =
            "schemaVersion: \"1.2\"\nworkflowType: x\ncurrentNodeId: \"\"\nstepsCompleted: []";
        let text = format!("---\n{front}\nvariables:\n{names}---\n");
        parts = parts.with(path(n, GRAPH), graph.to_string()).with(path(n, "workflow.md"), text);
    }
    let workflow = |n: usize| json!({ "id": format!("w{n}"), "workflow": path(n, "workflow.md"), "graph": path(n, GRAPH) });
    let all: Vec<Value> = (0..workflows).map(workflow).collect();
    parts.json("bmad.json", |it| {
        it["schemaVersion"] = json!("1.2");
        it["workflows"] = json!(all);
    })
}

fn edge(from: usize, to: usize) -> Value {
    json!({ "from": format!("n{from}"), "to": format!("n{to}"), "label": "x" })
}

/// A graph whose every node follows the one before, with more edges between them.
fn graph(nodes: usize, edges: usize) -> Value {
    let chain = (1..nodes).map(|n| edge(n - 1, n));
    let more = (0..edges.saturating_sub(nodes)).map(|n| edge(n * 7 % nodes, n * 13 % nodes));
    json!({
        "schemaVersion": "1.1", "entryNodeId": "n0",
        "nodes": (0..nodes).map(node).collect::<Vec<_>>(),
        "edges": chain.chain(more).collect::<Vec<_>>(),
    })
}

fn workflows(count: usize) -> Value {
    (0..count)
        .map(|n| json!({ "id": format!("w{n}"), "workflow": "workflow.md", "graph": GRAPH }))
        .collect()
}

fn graphs() -> Vec<Hostile> {
    let named = |count: usize, graph: &Value| {
        let named = Parts::mini().json("bmad.json", |it| it["workflows"] = workflows(count));
        named.with(GRAPH, graph.to_string())
    };
    vec![
        hostile("a graph of 5,000 edges", move |at| named(1, &graph(2_000, 5_000)).packed(at)),
        hostile("60 workflows that hand 2,000 variables each to all others", |at| {
            handing_on(60, 2_000).packed(at)
        }),
        hostile("a large graph, named by 200 workflows", move |at| {
            named(200, &graph(4_000, 8_000)).packed(at)
        }),
        hostile("a graph whose nodes all reach each other", move |at| {
            named(8, &graph(100, 20_000)).packed(at)
        }),
        hostile("edges that end nowhere, in 50 workflows", move |at| {
            let mut graph = graph(10, 10);
            graph["edges"] = (0..15_000).map(|n| edge(n + 100, n + 101)).collect();
            named(50, &graph).packed(at)
        }),
        hostile("conditions as large as they may be", move |at| {
            let parts = (0..40).map(|n| json!({ "==": [{ "var": format!("v{n}") }, n] }));
            let condition = json!({ "and": parts.collect::<Vec<_>>() });
            let mut graph = graph(50, 250);
            for edge in graph["edges"].as_array_mut().unwrap() {
                edge["conditionExpr"] = condition.clone();
            }
            named(4, &graph).packed(at)
        }),
        hostile("conditions of 100 levels", move |at| {
            let deep = (0..50).fold(json!(true), |inner, _| json!({ "!": [inner] }));
            let mut graph = graph(50, 300);
            for edge in graph["edges"].as_array_mut().unwrap() {
                edge["conditionExpr"] = deep.clone();
            }
            named(5, &graph).packed(at)
        }),
        hostile("a node with 100,000 outputs for 200 agents", |at| outputs(100_000, 1).packed(at)),
        hostile("nodes with 50 output folders each for 200 agents", |at| {
            outputs(50, 1_000).packed(at)
        }),
        hostile("10,000 nodes with one step of a mebibyte", move |at| {
            let step = format!("---\nnodeId: n0\ntype: step\n---\n{}", fill("word ", 100));
            named(1, &graph(9_000, 9_000)).with("steps/ask.md", step).packed(at)
        }),
        hostile("graphs as large as they may be, one after the other", move |at| {
            let mut parts = named(0, &graph(4_000, 4_000));
            let mut all = workflows(30);
            for n in 0..30 {
                all[n]["graph"] = json!(format!("graphs/{n}.json"));
                parts = parts.with(format!("graphs/{n}.json"), graph(2_000, 4_000).to_string());
            }
            parts.json("bmad.json", |it| it["workflows"] = all).packed(at)
        }),
    ]
}

/// Every agent may run every node, so each has a row with all folders.
fn outputs(each: usize, nodes: usize) -> Parts {
    let agent = |parts: &Value, n: usize| {
        let mut agent = parts["agents"][0].clone();
        agent["id"] = json!(format!("a{n}"));
        agent
    };
    let parts = Parts::mini().json("agents.json", |it| {
        it["agents"] = (0..200).map(|n| agent(it, n)).collect();
    });
    parts.json(GRAPH, |it| {
        *it = graph(nodes.max(2), 0);
        for n in 0..nodes {
            it["nodes"][n]["outputs"] = (0..each).map(|k| format!("{}/a", n * each + k)).collect();
        }
    })
}

fn matters() -> Vec<Hostile> {
    let state = |lines: String| Parts::mini().matter("workflow.md", &lines);
    vec![
        hostile("an alias bomb", move |at| {
            let more = |n: usize| format!("*a{n},").repeat(10);
            let lines = each(12, |n| format!("a{}: &a{} [{}]\n", n + 1, n + 1, more(n)));
            state(format!("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n{lines}")).packed(at)
        }),
        hostile("a list of aliases of a long list", move |at| {
            let long = "1,".repeat(3_000);
            state(format!("b: &b [{long}]\nm: [{}]", "*b,".repeat(2_000))).packed(at)
        }),
        hostile("an alias bomb in each of 100 steps", |at| {
            let bomb = format!("b: &b [{}]\nm: [{}]", "1,".repeat(2_000), "*b,".repeat(90));
            let mut parts = Parts::mini();
            for n in 0..100 {
                let step = format!("---\nnodeId: n{n}\ntype: step\n{bomb}\n---\n");
                parts = parts.with(format!("steps/{n}.md"), step);
            }
            let mut graph = graph(100, 100);
            for n in 0..100 {
                graph["nodes"][n]["file"] = json!(format!("steps/{n}.md"));
            }
            parts.with(GRAPH, graph.to_string()).packed(at)
        }),
        hostile("merge keys", move |at| {
            let base = each(500, |n| format!("k{n}: 1, "));
            let uses = each(500, |n| format!("u{n}: {{<<: *b}}\n"));
            state(format!("b: &b {{{base}}}\n{uses}")).packed(at)
        }),
        hostile("500,000 values in one list", move |at| {
            state(format!("a: [{}]", fill("1,", 400))).packed(at)
        }),
        hostile("250,000 lines", move |at| state(format!("a:\n{}", fill("- 1\n", 400))).packed(at)),
        hostile("100,000 keys", move |at| {
            let keys = each(100_000, |n| format!("k{n:x}: \n"));
            state(keys).packed(at)
        }),
        hostile("brackets nested without an end", move |at| {
            state(format!("a: {}", "[".repeat(500_000))).packed(at)
        }),
        hostile("lines nested as deeply as they can be", move |at| {
            let deep = each(1_000, |n| format!("{}a:\n", " ".repeat(n)));
            state(deep).packed(at)
        }),
        hostile("quotes and escapes", move |at| {
            state(format!("a: \"{}\"", fill("\\u0041", 400))).packed(at)
        }),
        hostile("comments", move |at| state(fill("# x\n", 400)).packed(at)),
        hostile("tags and anchors", move |at| {
            state(format!("a: [{}]", fill("!t &a x,", 400))).packed(at)
        }),
        hostile("a front matter that never ends", |at| {
            Parts::mini().with("workflow.md", format!("---\n{}", fill("a: b\n", 10))).packed(at)
        }),
        hostile("a front matter of 500,000 values in each of 16 steps", |at| {
            let step = format!("---\na: [{}]\n---\n", fill("1,", 100));
            let mut parts = Parts::mini();
            let mut graph = graph(16, 16);
            for n in 0..16 {
                parts = parts.with(format!("steps/{n}.md"), &step[..]);
                graph["nodes"][n]["file"] = json!(format!("steps/{n}.md"));
            }
            parts.with(GRAPH, graph.to_string()).packed(at)
        }),
    ]
}
