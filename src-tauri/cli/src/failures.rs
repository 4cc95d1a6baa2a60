//! A failure, and what was found in a package, in words.

use kernel::code::{ErrorCode, Failure};
use kernel::package::{Finding, Severity};
use kernel::phrase::{Why, general, printed, say};
use kernel::words::{Lang, words};
use serde_json::{Value, json};

/// What to do, here at a terminal.
pub(crate) fn way_out(failure: &Failure, lang: Lang) -> String {
    if failure.code == ErrorCode::StoreTooNew {
        return say(&[printed::update_or_name_store()], lang);
    }
    failure.action_in(lang).unwrap_or_else(|| words(failure.code, lang).action.to_owned())
}

/// `{error:{code,message,details?,action?}}` (spec 11), words in the chosen language.
pub(crate) fn error_document(failure: &Failure, lang: Lang) -> Value {
    let message = if lang == Lang::En {
        failure.message.clone()
    } else {
        let title = words(failure.code, lang).title;
        say(&[printed::title_and_case(title, failure.message_in(lang))], lang)
    };
    let action = way_out(failure, lang);
    let mut error = json!({ "code": failure.code, "message": message, "action": action });
    if let Some(details) = &failure.details {
        error["details"] = details.clone();
    }
    json!({ "error": error })
}

/// A finding as one line: how bad, where, what, what to do.
pub(crate) fn finding(f: &Finding, lang: Lang) -> String {
    let severity = match f.severity {
        Severity::Error => printed::severity_error(),
        Severity::Warning => printed::severity_warning(),
        Severity::Info => printed::severity_info(),
    };
    let places = [Some(f.file.as_str()), f.instance_path.as_deref()];
    let place: Vec<&str> = places.into_iter().flatten().filter(|p| !p.is_empty()).collect();
    let place = if place.is_empty() { String::new() } else { format!(" {}", place.join(" ")) };
    let hint = f.hint_in(lang).map(|h| format!("  → {h}")).unwrap_or_default();
    let what = format!("{}{place}", say(&[severity], lang));
    let found = general::about(what, Why::quoted(f.message_in(lang)));
    format!("{}{hint}", say(&[found], lang))
}
