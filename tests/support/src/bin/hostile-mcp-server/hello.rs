//! How `initialize` is answered.

use serde_json::{Value, json};

use crate::server::{Request, Server};

const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const OWN_VERSION: &str = "2025-06-18";

pub(crate) fn good(server: &Server, request: &Request) {
    greet(server, request, &json!({ "tools": { "listChanged": true } }));
}

pub(crate) fn capability_less(server: &Server, request: &Request) {
    greet(server, request, &json!({}));
}

pub(crate) fn with_resources_and_prompts(server: &Server, request: &Request) {
    greet(server, request, &json!({ "tools": {}, "resources": {}, "prompts": {} }));
}

pub(crate) fn and_exit(server: &Server, request: &Request) {
    good(server, request);
    std::process::exit(0)
}

pub(crate) fn unknown_version(server: &Server, request: &Request) {
    server.answer(&request.id, &greeting("1999-01-01", &json!({ "tools": {} })));
}

pub(crate) fn error(server: &Server, request: &Request) {
    server.refuse(&request.id, -32603, "The server has no licence.");
}

fn greet(server: &Server, request: &Request, capabilities: &Value) {
    let wanted = request.params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|known| *known == wanted).unwrap_or(OWN_VERSION);
    server.answer(&request.id, &greeting(version, capabilities));
}

fn greeting(version: &str, capabilities: &Value) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": { "name": "hostile-mcp-server", "version": "1.0.0" },
    })
}
