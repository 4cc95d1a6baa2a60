//! `settings get|set|set-key`.

use host::host::Host;
use host::plain_file;
use kernel::bounds::{KEY_BYTES, size};
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, Query};
use kernel::phrase::{asking, printed, settings as phrase, terminal};
use kernel::text::ellipsis;
use kernel::wire::{Answer, SettingsView};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read};
use std::sync::Arc;

use crate::args::SettingsCommand;
use crate::exit::Exit;
use crate::hidden::{self, Typed};
use crate::output::Output;
use crate::print::rows;

/// Stands where a value is that may be a key.
const HIDDEN: &str = "(hidden)";

/// No setting's name has more parts.
const DEEPEST: usize = 4;

/// `crewagent settings …`
pub(crate) async fn settings(
    host: &Arc<Host>,
    command: &SettingsCommand,
    out: &Output,
) -> Result<Exit, Failure> {
    match command {
        SettingsCommand::Get { key } => get(host, key.as_deref(), out).await,
        SettingsCommand::Set { key, value } => {
            let value: Value =
                serde_json::from_str(value).unwrap_or_else(|_| Value::from(value.as_str()));
            if key.split('.').count() > DEEPEST {
                return Err(no_setting(key));
            }
            let removed = value.is_null();
            let patch = key.rsplit('.').fold(value, |inner, name| json!({ name: inner }));
            host.submit(Command::Configure { patch }).await?;
            caution(host, out).await?;
            match get(host, Some(key), out).await {
                // It was no setting, and stands in the file no more.
                Err(_) if removed => {
                    out.result(&Value::Null, || Value::Null.to_string());
                    Ok(Exit::Done)
                }
                got => got,
            }
        }
        SettingsCommand::SetKey { endpoint, forget } => {
            set_key(host, endpoint.as_deref(), *forget, out).await
        }
    }
}

/// What was typed is repeated no longer than this, bytes.
const SHOWN: usize = 80;

fn no_setting(key: &str) -> Failure {
    Failure::new(ErrorCode::SettingInvalid, phrase::no_setting(ellipsis(key, SHOWN)))
}

async fn view(host: &Arc<Host>) -> Result<SettingsView, Failure> {
    match host.query(Query::Settings).await? {
        Answer::Settings(view) => Ok(*view),
        _ => Err(Failure::new(ErrorCode::Internal, terminal::another_answer())),
    }
}

/// Says on stderr what to know before the key is sent where the settings say.
pub(crate) async fn caution(host: &Arc<Host>, out: &Output) -> Result<(), Failure> {
    if let Some(caution) = view(host).await?.caution {
        out.told(rows([format!("! {}", out.say(caution))]));
    }
    Ok(())
}

async fn get(host: &Arc<Host>, key: Option<&str>, out: &Output) -> Result<Exit, Failure> {
    let mut shown = serde_json::to_value(&view(host).await?.settings).unwrap_or_default();
    // A header's value may be a key: a gateway asks for one of its own.
    if let Some(Value::Object(headers)) = shown.pointer_mut("/model/headers") {
        headers.values_mut().for_each(|value| *value = HIDDEN.into());
    }
    if let Some(key) = key {
        let at = format!("/{}", key.replace('.', "/"));
        // One that was set to `null` is gone, or has its default again.
        let unset = at.strip_prefix("/model/headers/").map(|_| Value::Null);
        shown = shown.pointer(&at).cloned().or(unset).ok_or_else(|| no_setting(key))?;
    }
    out.result(&shown, || serde_json::to_string_pretty(&shown).unwrap_or_default());
    Ok(Exit::Done)
}

/// `crewagent settings set-key [ENDPOINT] [--forget]`: typed without echo, or from stdin.
async fn set_key(
    host: &Arc<Host>,
    endpoint: Option<&str>,
    forget: bool,
    out: &Output,
) -> Result<Exit, Failure> {
    is_configured(&view(host).await?, endpoint)?;
    let key = if forget {
        String::new()
    } else if std::io::stdin().is_terminal() {
        match hidden::ask(out.say(asking::api_key_prompt())).await? {
            Typed::Text(key) => key,
            Typed::Interrupted => return Ok(Exit::Interrupted),
            Typed::Nothing => String::new(),
        }
    } else {
        from_stdin().await?
    };
    if !forget {
        looks_like_a_key(key.trim())?;
    }
    host.submit(Command::StoreApiKey { key }).await?;
    caution(host, out).await?;
    let view = view(host).await?;
    let document = json!({ "hasApiKey": view.has_api_key, "apiKeyIn": view.api_key_in });
    out.result(&document, || kept(&view, out));
    Ok(Exit::Done)
}

fn kept(view: &SettingsView, out: &Output) -> String {
    out.say(match view.api_key_in.as_str() {
        "keychain" => printed::key_in_the_keychain(),
        "file" => printed::key_in_a_file(),
        "environment" => printed::key_in_the_environment(),
        "elsewhere" => printed::key_kept_for_another(),
        _ => printed::no_key_stored(),
    })
}

/// A key goes into a request header: one word of printable ASCII.
fn looks_like_a_key(key: &str) -> Result<(), Failure> {
    if key.is_empty() {
        let failure = Failure::new(ErrorCode::BadRequest, phrase::no_key());
        return Err(failure.with_action(phrase::give_a_key()));
    }
    let message = if key.len() as u64 > KEY_BYTES {
        phrase::key_too_long(size(KEY_BYTES))
    } else if !key.chars().all(|c| c.is_ascii_graphic()) {
        phrase::not_a_key()
    } else {
        return Ok(());
    };
    let failure = Failure::new(ErrorCode::BadRequest, message);
    Err(failure.with_action(phrase::give_the_key_alone()))
}

/// One key is kept, for the endpoint of the settings: one for another would go to the wrong server.
fn is_configured(view: &SettingsView, endpoint: Option<&str>) -> Result<(), Failure> {
    let Some(endpoint) = endpoint else { return Ok(()) };
    let model = &view.settings.model;
    let same_url = endpoint.trim_end_matches('/') == model.base_url.trim_end_matches('/');
    if !endpoint.is_empty() && (same_url || endpoint == model.provider) {
        return Ok(());
    }
    let message = match model.base_url.as_str() {
        "" => phrase::key_for_none(),
        url => phrase::key_for_another(url),
    };
    Err(Failure::new(ErrorCode::SettingInvalid, message)
        .with_details(json!({ "field": "model.baseUrl" }))
        .with_action(phrase::set_endpoint_first()))
}

async fn from_stdin() -> Result<String, Failure> {
    let read = tokio::task::spawn_blocking(|| {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(KEY_BYTES + 1).read_to_end(&mut bytes)?;
        plain_file::utf8(bytes)
    });
    let read = read.await.map_err(|_| Failure::new(ErrorCode::Internal, terminal::stdin_lost()))?;
    read.map_err(|e| host::failure::io(ErrorCode::BadRequest, "stdin", &e))
}
