//! Headers go to the server they were entered for: a gateway's may be as good as a key.

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::settings as phrase;
use kernel::settings::{ModelSettings, Settings, read};
use serde_json::{Map, Value, json};

/// Beside `model.headers` in the file: the server they are for.
const FOR: &str = "headersFor";

/// What a document means, with one problem for each thing that does not hold. Headers that were
/// entered for another server are not sent.
pub(super) fn meaning(
    document: &Map<String, Value>,
    before: &Settings,
) -> (Settings, Vec<Failure>) {
    let mut read = read(&Value::Object(document.clone()), before);
    let model = &mut read.settings.model;
    let theirs = document.get("model").and_then(|model| model.get(FOR)).and_then(Value::as_str);
    if let Some(theirs) = theirs.filter(|_| !model.headers.is_empty())
        && server(model).as_deref() != Some(theirs)
    {
        model.headers.clear();
        read.problems.push(
            Failure::new(ErrorCode::SettingInvalid, phrase::headers_for_another(theirs))
                .with_details(json!({ "field": "model.headers" }))
                .with_action(phrase::set_headers_again()),
        );
    }
    (read.settings, read.problems)
}

/// Whether a patch sets or removes headers.
pub(super) fn names_headers(patch: &Value) -> bool {
    patch.pointer("/model/headers").is_some()
}

/// Notes for which server the headers of a document are, where it does not say so; a note without
/// headers goes.
pub(super) fn bind(document: &mut Map<String, Value>, server: Option<&str>) {
    let Some(Value::Object(model)) = document.get_mut("model") else { return };
    let any = model.get("headers").and_then(Value::as_object).is_some_and(|h| !h.is_empty());
    match server {
        _ if !any => drop(model.shift_remove(FOR)),
        Some(server) if !model.contains_key(FOR) => drop(model.insert(FOR.into(), server.into())),
        _ => {}
    }
}

/// Forgets the headers of another server before new ones are set for this one.
pub(super) fn keep_those_of(
    document: &mut Map<String, Value>,
    known: &mut ModelSettings,
    server: Option<&str>,
) {
    let Some(Value::Object(model)) = document.get_mut("model") else { return };
    let theirs = model.get(FOR).and_then(Value::as_str);
    if theirs.is_some() && theirs != server {
        model.shift_remove("headers");
        model.shift_remove(FOR);
        known.headers.clear();
    }
}

/// The server that requests go to: of the address that is set, else of the provider's own.
pub(super) fn server(model: &ModelSettings) -> Option<String> {
    match model.base_url.as_str() {
        "" => origin(crate::llm::preset(&model.provider).base_url?),
        url => origin(url),
    }
}

/// Scheme, host and port of a URL, as written.
pub(crate) fn origin(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    Some(url.origin().ascii_serialization())
}
