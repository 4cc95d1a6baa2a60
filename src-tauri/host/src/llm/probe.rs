//! The connection test: real requests to the real endpoint (spec 07 "Test connection").

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::bounds::{FACTS_BYTES, MODELS};
use kernel::chat::{ChatMessage, ChatRequest, Reply, ToolCall, ToolSpec};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, models};
use kernel::settings::ModelSettings;
use kernel::text::bytes;
use kernel::wire::{ModelTest, WorkflowFit};
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
/// The tool the model is asked to call first.
const FIRST: &str = "probe_echo";
/// The tool it is to call then.
const SECOND: &str = "probe_note";
/// What the first gives, and the second is to be called with.
const WORD: &str = "walnut";
/// Context that has room for all tools, the prompts of a run and some work.
const ALL_TOKENS: u32 = 16_000;
/// The same with the tools of one step.
const STEP_TOKENS: u32 = 4_000;

/// Asks the endpoint for real: its models, a one-token chat, a tool call and a second one with its
/// result, the size of its context. Sends nothing but the probes; ends within about five minutes.
pub async fn test_model(settings: &ModelSettings, key: Option<Secret>) -> ModelTest {
    let mut test = ModelTest {
        answers: false,
        calls_tools: false,
        follows_plans: false,
        fit: WorkflowFit::No,
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
    match ask(&model, &hello()).await {
        Ok(_) => test.answers = true,
        Err(failure) => return ModelTest { failure: Some(failure), ..test },
    }
    test.latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match ask(&model, &please_call()).await {
        Ok(reply) => {
            let call = reply.calls.iter().find(|call| call.name == FIRST);
            test.calls_tools = call.is_some();
            if let Some(call) = call {
                // A model that does not get that far is told what it can do.
                let second = ask(&model, &and_then(call)).await;
                test.follows_plans = second.is_ok_and(|reply| uses_result(&reply));
            }
        }
        Err(failure) => test.failure = Some(failure),
    }
    test.context_tokens = context(model.endpoint(), &entries).await;
    test.fit = fit(&test);
    test
}

/// What a model can do with what it read, called and planned.
fn fit(test: &ModelTest) -> WorkflowFit {
    let reads = |tokens| test.context_tokens.is_none_or(|context| context >= tokens);
    if !test.calls_tools || !reads(STEP_TOKENS) {
        WorkflowFit::No
    } else if test.follows_plans && reads(ALL_TOKENS) {
        WorkflowFit::All
    } else {
        WorkflowFit::Step
    }
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
        ModelTest { fit: WorkflowFit::All, latency_ms, .. } => models::test_good(*latency_ms),
        ModelTest { fit: WorkflowFit::No, context_tokens, .. } => {
            models::test_reads_too_little(context_tokens.unwrap_or_default())
        }
        ModelTest { follows_plans: false, .. } => models::test_loses_the_plan(),
        ModelTest { context_tokens, .. } => {
            models::test_reads_little(context_tokens.unwrap_or_default())
        }
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

async fn ask(model: &OpenAiModel, request: &ChatRequest) -> Result<Reply, Failure> {
    let mut unseen = |_| {};
    let cancel = CancellationToken::new();
    let asked = model.ask(request, &mut unseen, &cancel);
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
    limited_to(1, ChatRequest::new([ChatMessage::user("Say OK.")], Vec::new()))
}

fn plan() -> ChatMessage {
    ChatMessage::user(format!(
        "Do two things, one after the other. First call the tool `{FIRST}` with the text \"ping\". \
         When its result is there, call the tool `{SECOND}` with the word that the result has. Do \
         not answer in words."
    ))
}

fn tools() -> Vec<Arc<ToolSpec>> {
    let of = |name: &str, description: &str| {
        Arc::new(ToolSpec {
            name: name.into(),
            description: description.into(),
            parameters: json!({
                "type": "object",
                "properties": { "text": { "type": "string" } },
                "required": ["text"],
            }),
        })
    };
    vec![of(FIRST, "Gives a word for a text."), of(SECOND, "Takes down a word.")]
}

fn please_call() -> ChatRequest {
    limited_to(512, ChatRequest::new([plan()], tools()))
}

/// The first call was made, and this is its result.
fn and_then(call: &ToolCall) -> ChatRequest {
    let called = ChatMessage { tool_calls: vec![call.clone()], ..ChatMessage::assistant("") };
    let result = json!({ "ok": true, "word": WORD }).to_string();
    let messages = [plan(), called, ChatMessage::tool(call.id.clone(), result)];
    limited_to(512, ChatRequest::new(messages, tools()))
}

fn uses_result(reply: &Reply) -> bool {
    let mut calls = reply.calls.iter();
    calls.any(|call| call.name == SECOND && call.arguments.contains(WORD))
}

fn limited_to(max_tokens: u32, request: ChatRequest) -> ChatRequest {
    ChatRequest { max_tokens: Some(max_tokens), ..request }
}

/// The context in tokens: what the model list says, else what Ollama or llama.cpp say elsewhere.
async fn context(at: &Endpoint, entries: &[Value]) -> Option<u32> {
    let entry = entries.iter().find(|e| e["id"] == at.model.as_str());
    let listed = entry.and_then(context_of);
    // What a model was trained for is no more than it can read; the server may give it less.
    let trained = || entry.and_then(|entry| small(&entry["meta"]["n_ctx_train"]));
    if listed.is_some() || !(at.preset.local || at.preset.name == "custom") {
        return listed.or_else(trained);
    }
    let show = at.client().post(at.at_root("/api/show")).json(&json!({ "model": at.model }));
    let ollama = facts(show).await.and_then(|v| {
        let info = v["model_info"].as_object()?.clone();
        info.into_iter().find(|(k, _)| k.ends_with(".context_length")).and_then(|(_, v)| small(&v))
    });
    if ollama.is_some() {
        return ollama;
    }
    let props = facts(at.client().get(at.at_root("/props"))).await;
    let props = props.and_then(|props| {
        small(&props["default_generation_settings"]["n_ctx"]).or_else(|| small(&props["n_ctx"]))
    });
    props.or_else(trained)
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
    told.or_else(|| small(&entry["meta"]["n_ctx"]))
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
