//! The connection test: real requests to the real endpoint (spec 07 "Test connection").

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::bounds::{FACTS_BYTES, MODELS};
use kernel::chat::{ChatMessage, ChatRequest, ToolSpec};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, models};
use kernel::settings::ModelSettings;
use kernel::text::bytes;
use kernel::wire::ModelTest;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::endpoint::Endpoint;
use super::openai::OpenAiModel;
use super::problem::{ErrorStatus, NextTry, bad, refused, transport};
use super::receive::limited;
use crate::json;
use crate::secrets::Secret;

/// For lists and facts.
const QUICK: Duration = Duration::from_secs(10);
/// For one answer of a model that may have to be loaded first.
const PATIENT: Duration = Duration::from_secs(90);
/// The tool the model is asked to call.
const PROBE: &str = "probe_echo";

/// Asks the endpoint for real: its models, a one-token chat, one tool call, the size of its
/// context. Sends nothing but the probes; ends within about three minutes.
pub async fn test_model(settings: &ModelSettings, key: Option<Secret>) -> ModelTest {
    let mut test = ModelTest {
        answers: false,
        calls_tools: false,
        models: Vec::new(),
        context_tokens: None,
        latency_ms: 0,
        failure: None,
    };
    let listed = match Endpoint::new(settings, key.clone()) {
        Ok(endpoint) => list(&endpoint, QUICK).await,
        Err(failure) => return ModelTest { failure: Some(failure), ..test },
    };
    let (entries, unlisted) = match listed {
        Ok(entries) => (entries, None),
        Err(failure) => (Vec::new(), Some(failure)),
    };
    test.models = names(&entries);
    // Who cannot be reached for the list cannot be reached for a chat.
    if unlisted.as_ref().is_some_and(is_unreachable) {
        return ModelTest { failure: unlisted, ..test };
    }
    let model = match OpenAiModel::new(settings, key) {
        // The person waits, and can try again.
        Ok(model) => model.without_retries(),
        // Without a model's name the list is still worth having.
        Err(failure) => return ModelTest { failure: unlisted.or(Some(failure)), ..test },
    };
    let started = Instant::now();
    match ask(&model, &hello(), Some(1)).await {
        Ok(_) => test.answers = true,
        Err(failure) => return ModelTest { failure: Some(failure), ..test },
    }
    test.latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match ask(&model, &please_call(), Some(512)).await {
        Ok(reply) => test.calls_tools = reply.calls.iter().any(|c| c.name == PROBE),
        Err(failure) => test.failure = Some(failure),
    }
    test.context_tokens = context(model.endpoint(), &entries).await;
    test
}

fn is_unreachable(failure: &Failure) -> bool {
    failure.code == ErrorCode::LlmUnreachable
}

/// What a test came to, in one sentence.
pub fn summary(test: &ModelTest) -> Phrase {
    match test {
        ModelTest { answers: false, failure: Some(failure), .. } => {
            models::test_silent_why(failure.to_part())
        }
        ModelTest { answers: false, .. } => models::test_silent(),
        ModelTest { calls_tools: false, failure: Some(failure), .. } => {
            models::test_refuses_tools(failure.to_part())
        }
        ModelTest { calls_tools: false, .. } => models::test_no_tools(),
        ModelTest { latency_ms, .. } => models::test_good(latency_ms),
    }
}

/// What the server says about the size of the model's context. Asks for nothing else.
pub async fn ask_context(settings: &ModelSettings, key: Option<Secret>) -> Option<u32> {
    let endpoint = Endpoint::new(settings, key).ok()?;
    let entries = list(&endpoint, QUICK).await.unwrap_or_default();
    context(&endpoint, &entries).await
}

/// The entries of `GET /models`.
async fn list(at: &Endpoint, patience: Duration) -> Result<Vec<Value>, Failure> {
    let request = at.get("models").timeout(patience).send();
    let response = request.await.map_err(|e| transport(at, e).failure)?;
    let status = response.status();
    let body = limited(response, FACTS_BYTES).await.map_err(|e| transport(at, e).failure)?;
    let too_long =
        || bad(at, NextTry::GiveUp, models::answer_longer_than(bytes(FACTS_BYTES as u64)));
    let body = body.ok_or_else(|| too_long().failure)?;
    if !status.is_success() {
        let body = String::from_utf8_lossy(&body);
        return Err(refused(at, &ErrorStatus { status, retry_after: None, body: &body }).failure);
    }
    let value = json::parse(&body).unwrap_or_default();
    let entries = value.get("data").or_else(|| value.get("models")).unwrap_or(&value);
    Ok(entries.as_array().cloned().unwrap_or_default())
}

pub(super) fn names(entries: &[Value]) -> Vec<String> {
    let name = |e: &Value| e["id"].as_str().or_else(|| e["name"].as_str()).map(str::to_owned);
    entries.iter().filter_map(name).take(MODELS).collect()
}

async fn ask(
    model: &OpenAiModel,
    request: &ChatRequest,
    max_tokens: Option<u32>,
) -> Result<kernel::chat::Reply, Failure> {
    let mut unseen = |_| {};
    let cancel = CancellationToken::new();
    let asked = model.ask(request, max_tokens, &mut unseen, &cancel);
    match timeout(PATIENT, asked).await {
        Ok(result) => result.map_err(|e| e.failure),
        Err(_) => Err(super::problem::silence(
            model.endpoint(),
            NextTry::GiveUp,
            models::silent_no_whole_answer(),
            PATIENT,
        )
        .failure),
    }
}

fn hello() -> ChatRequest {
    ChatRequest::new([ChatMessage::user("Say OK.")], Vec::new())
}

fn please_call() -> ChatRequest {
    let asked = ChatMessage::user(format!(
        "Call the tool `{PROBE}` with the text \"ping\". Do not answer in words."
    ));
    let tool = ToolSpec {
        name: PROBE.into(),
        description: "Returns the text it is given.".into(),
        parameters: json!({
            "type": "object",
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
        }),
    };
    ChatRequest::new([asked], vec![Arc::new(tool)])
}

/// The context in tokens: what the model list says, else what Ollama or llama.cpp say elsewhere.
async fn context(at: &Endpoint, entries: &[Value]) -> Option<u32> {
    let entry = entries.iter().find(|e| e["id"] == at.model.as_str());
    let listed = entry.and_then(context_of);
    if listed.is_some() || !(at.preset.local || at.preset.name == "custom") {
        return listed;
    }
    let show = at.client().post(at.at_root("/api/show")).json(&json!({ "model": at.model }));
    let ollama = facts(show).await.and_then(|v| {
        let info = v["model_info"].as_object()?.clone();
        info.into_iter().find(|(k, _)| k.ends_with(".context_length")).and_then(|(_, v)| small(&v))
    });
    if ollama.is_some() {
        return ollama;
    }
    let props = facts(at.client().get(at.at_root("/props"))).await?;
    small(&props["default_generation_settings"]["n_ctx"]).or_else(|| small(&props["n_ctx"]))
}

fn context_of(entry: &Value) -> Option<u32> {
    const FIELDS: &[&str] = &[
        "loaded_context_length",
        "max_model_len",
        "max_context_length",
        "context_length",
        "context_window",
    ];
    let told = FIELDS.iter().find_map(|f| small(&entry[*f]));
    told.or_else(|| small(&entry["meta"]["n_ctx_train"]))
}

fn small(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0)
}

async fn facts(request: reqwest::RequestBuilder) -> Option<Value> {
    let response = request.timeout(QUICK).send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    json::parse(&limited(response, FACTS_BYTES).await.ok()??).ok()
}
