//! Field-level merge and the checks of [`Settings`] (spec 08 "Settings").
//!
//! The defaults, written as JSON, are the schema: an object there is a group of fields, anything
//! else is a field. So a new setting needs no line here, only a check when it has a range.

use serde_json::{Map, Value, json};

use super::credentials::names_a_key;
use super::guard::{guards, held};
use super::strangers;
use super::{FREE_MAP, ModelSettings, PROVIDERS, Settings};
use crate::bounds::{CONTEXT_TOKENS, SETTINGS_STRANGERS};
use crate::code::{ErrorCode, Failure};
use crate::phrase::{Phrase, Why, settings};
use crate::text::is_blank;

/// `base` with the fields of `patch`. Absent fields stay, `null` means the default again. All or
/// nothing: the first wrong field refuses the patch.
///
/// ```
/// use kernel::settings::{Settings, merged};
/// use serde_json::json;
///
/// let set = merged(&Settings::default(), &json!({ "engine": { "maxTurns": 5 } }))?;
/// assert_eq!(set.engine.max_turns, 5);
/// let back = merged(&set, &json!({ "engine": { "maxTurns": null } }))?;
/// assert_eq!(back, Settings::default());
/// # Ok::<(), kernel::code::Failure>(())
/// ```
///
/// # Errors
/// `SETTING_INVALID` for a field that does not exist or has an invalid value, `SETTING_IS_KEY` for
/// one that is named like a key; both have `details.field`.
pub fn merged(base: &Settings, patch: &Value) -> Result<Settings, Failure> {
    let mut fields = Vec::new();
    let defaults = defaults();
    known("", patch, &defaults)?;
    leaves("", patch, &defaults, &mut fields)?;
    fields.iter().try_fold(base.clone(), |settings, field| with_field(&settings, field))
}

/// Whether all that a patch names exists, and no header of it carries a key. A settings file may
/// hold more: it is only read.
fn known(at: &str, patch: &Value, shape: &Value) -> Result<(), Failure> {
    let (Value::Object(patch), Value::Object(shape)) = (patch, shape) else { return Ok(()) };
    for (name, value) in patch {
        let below = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        match shape.get(name) {
            _ if at == FREE_MAP => {
                // One that an older program took can be removed.
                if !value.is_null() && names_a_key(name) {
                    return Err(is_key(&below));
                }
            }
            Some(shape) => known(&below, value, shape)?,
            None if names_a_key(name) => return Err(is_key(&below)),
            None => return Err(unknown(&below, at, shape)),
        }
    }
    Ok(())
}

fn is_key(field: &str) -> Failure {
    let message = settings::setting_is_key(field);
    Failure::new(ErrorCode::SettingIsKey, message).with_details(json!({ "field": field }))
}

fn unknown(field: &str, group: &str, shape: &Map<String, Value>) -> Failure {
    let group = if group.is_empty() { String::new() } else { format!("{group}.") };
    let names: Vec<String> = shape.keys().map(|name| format!("{group}{name}")).collect();
    let message = settings::no_setting_but(field, names.join(", "));
    Failure::new(ErrorCode::SettingInvalid, message).with_details(json!({ "field": field }))
}

/// What was read from a settings file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadSettings {
    /// The valid fields over the defaults; the others as they were before, those that guard the
    /// person's files at their strictest.
    pub settings: Settings,
    /// One `SETTING_INVALID` per field that kept its old value, and per name that is no setting.
    pub problems: Vec<Failure>,
}

/// Reads a whole settings document: an absent field has its default, an invalid one keeps the
/// value it has in `before` and is reported. One that guards the person's files has its strictest
/// value instead, also when a name that is no setting may have been meant for it.
pub fn read(document: &Value, before: &Settings) -> ReadSettings {
    let mut out = ReadSettings::default();
    let mut fields = Vec::new();
    let defaults = defaults();
    let Value::Object(groups) = document else {
        out.settings = unreadable(before);
        out.problems.push(strictly(&[], invalid("", settings::settings_object())));
        return out;
    };
    for (name, value) in groups {
        let one = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        if let Err(failure) = leaves("", &one, &defaults, &mut fields) {
            let path = vec![name.clone()];
            out.problems.push(strictly(&path, failure));
            out.keep(path, before);
        }
    }
    for field in &fields {
        match with_field(&out.settings, field) {
            Ok(settings) => out.settings = settings,
            Err(failure) => {
                out.keep(field.path.clone(), before);
                out.problems.push(strictly(&field.path, failure));
            }
        }
    }
    let strangers = strangers::of(document, &defaults);
    for guard in strangers.iter().flat_map(|stranger| &stranger.means) {
        out.keep(guard.path(), before);
    }
    out.problems
        .extend(strangers.iter().take(SETTINGS_STRANGERS).map(strangers::Stranger::problem));
    out
}

/// What holds while a settings file says nothing that can be read.
pub fn unreadable(before: &Settings) -> Settings {
    held(before)
}

/// Says of a guard what holds now.
fn strictly(path: &[String], failure: Failure) -> Failure {
    if guards(path) { failure.with_action(settings::strictest_holds()) } else { failure }
}

impl ReadSettings {
    /// The field or group at `path` as it is in `before`, where that is still possible beside the
    /// other fields.
    fn keep(&mut self, path: Vec<String>, before: &Settings) {
        let Ok(old) = serde_json::to_value(held(before)) else { return };
        let Some(value) = path.iter().try_fold(&old, |value, key| value.get(key)) else { return };
        let kept = PatchField { path, value: value.clone() };
        if let Ok(settings) = with_field(&self.settings, &kept) {
            self.settings = settings;
        }
    }
}

/// One field of a patch: where, and its new value (`null`: the default).
struct PatchField {
    path: Vec<String>,
    value: Value,
}

fn defaults() -> Value {
    serde_json::to_value(Settings::default()).unwrap_or_default()
}

/// Collects the fields of `patch` that `shape` knows.
fn leaves(
    at: &str,
    patch: &Value,
    shape: &Value,
    out: &mut Vec<PatchField>,
) -> Result<(), Failure> {
    let (Value::Object(shape), free) = (shape, at == FREE_MAP) else {
        out.push(PatchField { path: split(at), value: patch.clone() });
        return Ok(());
    };
    if patch.is_null() {
        out.push(PatchField { path: split(at), value: Value::Null });
        return Ok(());
    }
    let Value::Object(patch) = patch else {
        return Err(invalid(at, settings::setting_object()));
    };
    for (name, value) in patch {
        let below = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        if free {
            let mut path = split(at);
            path.push(name.clone());
            out.push(PatchField { path, value: value.clone() });
        } else if let Some(shape) = shape.get(name) {
            leaves(&below, value, shape, out)?;
        }
    }
    Ok(())
}

fn split(at: &str) -> Vec<String> {
    at.split('.').filter(|s| !s.is_empty()).map(str::to_owned).collect()
}

fn with_field(settings: &Settings, field: &PatchField) -> Result<Settings, Failure> {
    let name = field.path.join(".");
    let mut document = serde_json::to_value(settings).map_err(|e| {
        Failure::new(ErrorCode::Internal, settings::settings_internal(Why::quoted(e)))
    })?;
    let value = if field.value.is_null() {
        field.path.iter().try_fold(&defaults(), |v, key| v.get(key)).cloned()
    } else {
        Some(field.value.clone())
    };
    set(&mut document, &field.path, value);
    let settings: Settings = serde_json::from_value(document).map_err(|e| {
        let expected = expected(&field.path, &field.value).or_else(|| one_of(&e));
        invalid(&name, expected.map_or_else(|| Why::json(&e), Why::from))
    })?;
    check(&settings)?;
    Ok(settings)
}

/// What a field holds by default, when `value` is something of another kind.
fn expected(path: &[String], value: &Value) -> Option<Phrase> {
    let defaults = defaults();
    if path.len() == 3 && path[..2].join(".") == FREE_MAP {
        return Some(settings::setting_text());
    }
    let default = path.iter().try_fold(&defaults, |v, key| v.get(key))?;
    match (default, value) {
        (Value::Number(_), Value::Number(_)) => Some(settings::setting_whole_number()),
        (Value::Number(_), _) => Some(settings::setting_number()),
        (Value::Bool(_), _) => Some(settings::setting_switch()),
        (Value::String(_), Value::String(_)) => None,
        (Value::String(_), _) => Some(settings::setting_text()),
        _ => None,
    }
}

/// The texts that a field may hold, as serde lists them when it refuses another one.
fn one_of(error: &serde_json::Error) -> Option<Phrase> {
    let words = error.to_string();
    let (_, known) = words.strip_prefix("unknown variant `")?.rsplit_once("`, expected ")?;
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    Some(settings::setting_one_of(known.join(", ")))
}

/// Sets or (with `None`) removes the value at `path`.
fn set(document: &mut Value, path: &[String], value: Option<Value>) {
    let Some((last, groups)) = path.split_last() else {
        *document = value.unwrap_or_default();
        return;
    };
    let mut at = document;
    for group in groups {
        if !at.is_object() {
            *at = json!({});
        }
        at = &mut at[group.as_str()];
    }
    if let Value::Object(map) = at {
        match value {
            Some(value) => drop(map.insert(last.clone(), value)),
            None => drop(map.remove(last)),
        }
    }
}

fn invalid(field: &str, why: impl Into<Why>) -> Failure {
    let name = if field.is_empty() { "settings" } else { field };
    Failure::new(ErrorCode::SettingInvalid, settings::setting_invalid(name, why))
        .with_details(json!({ "field": field }))
}

/// The ranges that types cannot say.
fn check(settings: &Settings) -> Result<(), Failure> {
    check_model(&settings.model)?;
    if let Some((field, why)) = settings.costs.wrong() {
        return Err(invalid(field, why));
    }
    let tools = &settings.tools;
    for (field, bytes) in [
        ("tools.maxReadBytes", tools.max_read_bytes),
        ("tools.maxWriteBytes", tools.max_write_bytes),
    ] {
        within(field, bytes, 1, 256 * 1024 * 1024)?;
    }
    within("engine.maxTurns", u64::from(settings.engine.max_turns), 1, 10_000)
}

/// The checks of an endpoint, also for one that came from the environment or the command line.
///
/// # Errors
/// `SETTING_INVALID` with `details.field`.
pub fn check_model(model: &ModelSettings) -> Result<(), Failure> {
    if !PROVIDERS.contains(&model.provider.as_str()) {
        let known = PROVIDERS.join(", ");
        return Err(invalid("model.provider", settings::setting_one_of(known)));
    }
    if let Err(why) = check_base_url(&model.base_url) {
        return Err(invalid("model.baseUrl", why));
    }
    let name = &model.model;
    if name.chars().any(char::is_control) || (is_blank(name) && !name.is_empty()) {
        return Err(invalid("model.model", settings::model_name()));
    }
    for (field, seconds) in [
        ("model.connectTimeoutS", model.connect_timeout_s),
        ("model.firstByteTimeoutS", model.first_byte_timeout_s),
        ("model.idleTimeoutS", model.idle_timeout_s),
    ] {
        within(field, u64::from(seconds), 1, 3600)?;
    }
    if let Some(tokens) = model.context_tokens {
        let (least, most) = CONTEXT_TOKENS;
        within("model.contextTokens", tokens.into(), least.into(), most.into())?;
    }
    for (name, value) in &model.headers {
        check_header(name, value).map_err(|why| invalid(&format!("{FREE_MAP}.{name}"), why))?;
    }
    Ok(())
}

fn within(field: &str, value: u64, min: u64, max: u64) -> Result<(), Failure> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(invalid(field, settings::setting_range(min, max)))
}

fn check_base_url(url: &str) -> Result<(), Phrase> {
    if url.is_empty() {
        return Ok(());
    }
    let rest = url
        .strip_prefix("http://")
        .or_else(|| url.strip_prefix("https://"))
        .ok_or_else(settings::url_scheme)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || authority.starts_with(':') {
        return Err(settings::url_no_host());
    }
    if authority.contains('@') {
        return Err(settings::url_no_secrets());
    }
    if url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(settings::url_white_space());
    }
    let query = url.split(['?', '#', '&']).skip(1);
    if query.filter_map(|pair| pair.split('=').next()).any(names_a_key) {
        return Err(settings::url_no_secrets());
    }
    Ok(())
}

fn check_header(name: &str, value: &str) -> Result<(), Phrase> {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) {
        return Err(settings::header_name());
    }
    if !value.chars().all(|c| c == '\t' || (' '..='~').contains(&c)) {
        return Err(settings::header_value());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Language, Theme};
    use rstest::rstest;

    #[test]
    fn absent_fields_never_overwrite() {
        let mut base = Settings::default();
        base.model.model = "llama".into();
        base.appearance.theme = Theme::Dark;
        let next = merged(&base, &json!({"appearance": {"language": "zh"}, "model": {}})).unwrap();
        assert_eq!(next.model, base.model);
        assert_eq!(next.appearance.theme, Theme::Dark);
        assert_eq!(next.appearance.language, Language::Zh);
    }

    #[test]
    fn null_is_the_default_again_for_a_field_a_group_and_a_header() {
        let patch = json!({
            "engine": {"maxTurns": 7}, "model": {"contextTokens": 4096, "headers": {"X-A": "1", "X-B": "2"}},
        });
        let base = merged(&Settings::default(), &patch).unwrap();
        assert_eq!(base.engine.max_turns, 7);
        let next = merged(&base, &json!({"engine": {"maxTurns": null}})).unwrap();
        assert_eq!(next.engine.max_turns, 50);
        let next =
            merged(&base, &json!({"model": {"headers": {"X-A": null}, "contextTokens": null}}));
        let next = next.unwrap();
        assert_eq!(next.model.headers.keys().collect::<Vec<_>>(), ["X-B"]);
        assert_eq!(next.model.context_tokens, None);
        assert_eq!(merged(&base, &json!({"model": null})).unwrap().model, ModelSettings::default());
    }

    #[test]
    fn a_header_name_with_a_dot_is_one_field() {
        let patch = json!({"model": {"headers": {"X.Y": "1"}}});
        let next = merged(&Settings::default(), &patch).unwrap();
        assert_eq!(next.model.headers["X.Y"], "1");
    }

    #[rstest]
    #[case(json!({"engine": {"maxTurns": 0}}), "engine.maxTurns")]
    #[case(json!({"engine": {"maxTurns": "many"}}), "engine.maxTurns")]
    #[case(json!({"engine": 5}), "engine")]
    #[case(json!({"appearance": {"theme": "pink"}}), "appearance.theme")]
    #[case(json!({"model": {"provider": "nobody"}}), "model.provider")]
    #[case(json!({"model": {"baseUrl": "ftp://x"}}), "model.baseUrl")]
    #[case(json!({"model": {"baseUrl": "https://user:key@host/v1"}}), "model.baseUrl")]
    #[case(json!({"model": {"baseUrl": "http://"}}), "model.baseUrl")]
    #[case(json!({"model": {"baseUrl": "https://h/v1?v=1&api_key=sk-1"}}), "model.baseUrl")]
    #[case(json!({"model": {"baseUrl": "https://h/v1#access_token=sk-1"}}), "model.baseUrl")]
    #[case(json!({"model": {"model": " \u{200b}"}}), "model.model")]
    #[case(json!({"model": {"model": "a\u{1b}[2J"}}), "model.model")]
    #[case(json!({"model": {"idleTimeoutS": 0}}), "model.idleTimeoutS")]
    #[case(json!({"model": {"headers": {"X-A": "a\nb"}}}), "model.headers.X-A")]
    #[case(json!({"model": {"headers": {"X A": "a"}}}), "model.headers.X A")]
    #[case(json!({"tools": {"maxReadBytes": 0}}), "tools.maxReadBytes")]
    #[case(json!([]), "")]
    fn an_invalid_value_is_refused_with_the_field_named(#[case] patch: Value, #[case] field: &str) {
        let failure = merged(&Settings::default(), &patch).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SettingInvalid);
        assert_eq!(failure.details.unwrap()["field"], field);
    }

    #[rstest]
    #[case(json!({"model": {"apiKey": "sk-1"}}), "model.apiKey")]
    #[case(json!({"model": {"api_key": "sk-1"}}), "model.api_key")]
    #[case(json!({"apikey": "sk-1"}), "apikey")]
    #[case(json!({"OPENAI_API_KEY": "sk-1"}), "OPENAI_API_KEY")]
    #[case(json!({"model": {"accessToken": "t"}}), "model.accessToken")]
    #[case(json!({"model": {"secrets": {"a": "b"}}}), "model.secrets")]
    #[case(json!({"model": {"headers": {"Authorization": "Bearer sk-1"}}}), "model.headers.Authorization")]
    #[case(json!({"model": {"headers": {"X-Api-Key": "sk-1"}}}), "model.headers.X-Api-Key")]
    #[case(json!({"model": {"headers": {"x-auth-token": "t"}}}), "model.headers.x-auth-token")]
    #[case(json!({"engine": {"password": "p"}, "appearance": {"theme": "dark"}}), "engine.password")]
    fn what_is_named_like_a_key_is_no_setting(#[case] patch: Value, #[case] field: &str) {
        let failure = merged(&Settings::default(), &patch).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SettingIsKey);
        assert_eq!(failure.details.as_ref().unwrap()["field"], field);
        assert!(!failure.to_string().contains("sk-1"), "{failure}");
    }

    #[rstest]
    #[case(json!({"future": {"a": 1}}), "future")]
    #[case(json!({"engine": {"maxTurn": 5}}), "engine.maxTurn")]
    #[case(json!({"engine": {"maxTurns": 5, "no": null}}), "engine.no")]
    fn what_does_not_exist_is_refused_with_what_does(#[case] patch: Value, #[case] field: &str) {
        let failure = merged(&Settings::default(), &patch).unwrap_err();
        assert_eq!(failure.code, ErrorCode::SettingInvalid);
        assert_eq!(failure.details.as_ref().unwrap()["field"], field);
        assert!(
            failure.message.contains("maxTurns") || failure.message.contains("engine, "),
            "{failure}"
        );
    }

    #[test]
    fn settings_with_key_like_words_and_plain_headers_are_settings() {
        let patch = json!({
            "model": {"contextTokens": 4096, "baseUrl": "https://h/v1?api-version=2", "headers": {"X-Team": "a", "Monkey": "b"}},
            "tools": {"allowSecretFiles": true},
        });
        assert!(merged(&Settings::default(), &patch).is_ok());
        let mut base = Settings::default();
        base.model.headers.insert("Authorization".into(), "Bearer sk-1".into());
        let removed = json!({"model": {"headers": {"Authorization": null}}});
        assert!(merged(&base, &removed).unwrap().model.headers.is_empty());
    }

    #[test]
    fn one_invalid_value_refuses_the_whole_patch() {
        let patch = json!({"appearance": {"theme": "dark"}, "engine": {"maxTurns": 0}});
        assert!(merged(&Settings::default(), &patch).is_err());
    }

    #[test]
    fn a_file_with_one_bad_field_keeps_the_good_ones_and_reports_the_bad() {
        let file = json!({
            "engine": {"maxTurns": 9}, "appearance": {"theme": "pink", "language": "en"},
            "model": 3,
        });
        let read = read(&file, &Settings::default());
        assert_eq!(read.settings.engine.max_turns, 9);
        assert_eq!(read.settings.appearance.language, Language::En);
        let fields: Vec<Value> =
            read.problems.into_iter().map(|p| p.details.unwrap()["field"].clone()).collect();
        assert_eq!(fields.len(), 2);
        assert!(fields.contains(&json!("appearance.theme")) && fields.contains(&json!("model")));
    }

    #[test]
    fn a_field_that_became_invalid_keeps_its_old_value_and_an_absent_one_its_default() {
        let patch = json!({
            "engine": {"maxTurns": 7}, "model": {"model": "old", "headers": {"X-A": "1"}},
            "appearance": {"theme": "dark"},
        });
        let before = merged(&Settings::default(), &patch).unwrap();
        let file = json!({
            "engine": {"maxTurns": 0}, "model": {"model": "new", "headers": {"X-A": "a\nb"}},
        });
        let now = read(&file, &before);
        assert_eq!(now.settings.engine.max_turns, 7);
        assert_eq!(now.settings.model.model, "new");
        assert_eq!(now.settings.model.headers["X-A"], "1");
        assert_eq!(now.settings.appearance.theme, Theme::System);
        assert_eq!(now.problems.len(), 2);
        assert_eq!(read(&json!("broken"), &before).settings, unreadable(&before));
        assert_eq!(read(&json!({"engine": 5}), &before).settings.engine.max_turns, 7);
    }
}
