//! Requests about anything but tools.

use serde_json::{Value, json};

use crate::server::{Request, Server};

pub(crate) fn none(server: &Server, method: &str, request: &Request) {
    server.refuse(&request.id, -32601, &format!("Method not found: {method}"));
}

/// Two resources, a template of more, and two prompts.
pub(crate) fn resources_and_prompts(server: &Server, method: &str, request: &Request) {
    let list = match method {
        "resources/list" => json!({ "resources": [note("one"), note("two")] }),
        "resources/templates/list" => json!({ "resourceTemplates": [template()] }),
        "prompts/list" => json!({ "prompts": prompts() }),
        "resources/read" => return read(server, request),
        "prompts/get" => return prompt(server, request),
        _ => return none(server, method, request),
    };
    server.answer(&request.id, &list);
}

fn template() -> Value {
    json!({
        "uriTemplate": "test://notes/{name}",
        "name": "note",
        "description": "A note by its name.",
        "mimeType": "text/plain",
    })
}

fn prompts() -> Value {
    let file = json!({ "name": "file", "description": "Which file.", "required": true });
    let tone = json!({ "name": "tone", "description": "In which tone.", "required": false });
    json!([
        { "name": "greet", "description": "Greets." },
        { "name": "review", "description": "Reviews a file.", "arguments": [file, tone] },
    ])
}

fn note(name: &str) -> Value {
    json!({ "uri": format!("test://notes/{name}"), "name": name, "mimeType": "text/plain" })
}

fn read(server: &Server, request: &Request) {
    let uri = request.params["uri"].as_str().unwrap_or_default();
    match uri.strip_prefix("test://notes/") {
        Some(name) if !name.is_empty() => {
            let text = format!("The note {name}.");
            let content = json!({ "uri": uri, "mimeType": "text/plain", "text": text });
            server.answer(&request.id, &json!({ "contents": [content] }));
        }
        _ => server.refuse(&request.id, -32002, &format!("Resource not found: {uri}")),
    }
}

fn prompt(server: &Server, request: &Request) {
    let argument = |name: &str| request.arguments()[name].as_str();
    let words = match (request.name(), argument("file")) {
        ("greet", _) => "Greet me.".to_owned(),
        ("review", Some(file)) => {
            format!("Review {file}, in a {} tone.", argument("tone").unwrap_or("plain"))
        }
        ("review", None) => return server.refuse(&request.id, -32602, "\"file\" is missing."),
        (name, _) => {
            return server.refuse(&request.id, -32602, &format!("Unknown prompt: {name}"));
        }
    };
    let message = json!({ "role": "user", "content": { "type": "text", "text": words } });
    server.answer(&request.id, &json!({ "description": "A prompt.", "messages": [message] }));
}
