//! Patch operations on text, all or nothing. Pure. Operations come as a model wrote them, with
//! marks: they are carried out on the real text, and what went wrong is said of the shown one.

use kernel::bounds::{FIT_STEPS, Fuel};
use kernel::code::{ErrorCode, Failure};
use kernel::frontmatter::{self, FrontmatterUpdate};
use kernel::patch::{closest_lines, unified_within};
use kernel::path::AliasPath;
use kernel::tool::patch::PatchOp;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::ops::Range;

use crate::redact::Lens;

/// How a text ends its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// `\n`, or no line end at all.
    Lf,
    /// `\r\n` throughout.
    Crlf,
    /// Some lines end in LF and some in CRLF.
    Mixed,
}

impl LineEnds {
    pub(super) fn of(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| text[..at].ends_with('\r'));
        let (mut lf, mut crlf) = (false, false);
        ends.for_each(|is_crlf| *if is_crlf { &mut crlf } else { &mut lf } = true);
        match (lf, crlf) {
            (_, false) => Self::Lf,
            (false, true) => Self::Crlf,
            (true, true) => Self::Mixed,
        }
    }

    /// `text` with these line ends; as it is in a file that mixes them.
    fn adapt(self, text: &str) -> String {
        match self {
            Self::Lf => text.replace("\r\n", "\n"),
            Self::Crlf => text.replace("\r\n", "\n").replace('\n', "\r\n"),
            Self::Mixed => text.to_owned(),
        }
    }
}

/// What operations made of a text.
#[derive(Debug, Default)]
pub(super) struct Patched {
    pub(super) text: String,
    /// Texts replaced.
    pub(super) replaced: usize,
    /// Hunks applied.
    pub(super) hunks: usize,
    /// What was not as a diff says.
    pub(super) repaired: Vec<String>,
}

/// The text after `ops`. `E_PATCH_FAILED` says which operation did not fit and where the nearest
/// lines are.
pub(super) fn apply(
    path: &AliasPath,
    lens: Lens<'_>,
    text: &str,
    ops: &[PatchOp],
) -> Result<Patched, Failure> {
    if ops.is_empty() {
        return Err(failed(path, None, "the list of operations is empty")
            .with_action_for_model("Send at least one operation."));
    }
    let ends = LineEnds::of(text);
    let mut out = Patched { text: text.to_owned(), ..Patched::default() };
    let mut fuel = Fuel::new(FIT_STEPS);
    for (index, op) in ops.iter().enumerate() {
        let place = (ops.len() > 1).then_some(index + 1);
        match op {
            PatchOp::Replace { old, new, all } => {
                let real = ends.adapt(&lens.restored(path, "old", old)?);
                let new = ends.adapt(&lens.restored(path, "new", new)?);
                let place = OperationContext { path, lens, place };
                let old = Old { sent: &ends.adapt(old), real: &real };
                let places = place.places_of(old, &out.text, all.unwrap_or(false))?;
                let (gone, added) =
                    (places.len() * real.len(), places.len().saturating_mul(new.len()));
                lens.check_len(path, (out.text.len() - gone).saturating_add(added))?;
                out.replaced += places.len();
                out.text = replaced(&out.text, &places, &new);
            }
            PatchOp::UpdateFrontmatter { update } => {
                let real = restored(path, lens, update)?;
                out.text = frontmatter::update(&out.text, &real).map_err(|failure| {
                    let shown = frontmatter::update(&lens.shown(&out.text), update).err();
                    lens.hidden_failure(named(path, place, shown.unwrap_or(failure)))
                })?;
            }
            PatchOp::Unified { diff } => {
                let real = lens.restored(path, "diff", diff)?;
                if let Cow::Owned(shown) = lens.shown(&out.text) {
                    // What fits only the real text would tell what that is.
                    unified_within(&shown, diff, &mut Fuel::new(FIT_STEPS))
                        .map_err(|failure| lens.hidden_failure(named(path, place, failure)))?;
                }
                let applied = unified_within(&out.text, &real, &mut fuel).map_err(|failure| {
                    let shown = unified_within(&lens.shown(&out.text), diff, &mut fuel).err();
                    lens.hidden_failure(named(path, place, shown.unwrap_or(failure)))
                })?;
                out.text = applied.text;
                out.hunks += applied.hunks;
                out.repaired.extend(applied.repaired);
            }
        }
    }
    Ok(out)
}

/// What operations may put into a text, as a model sent it.
pub(super) fn added(ops: &[PatchOp]) -> String {
    let texts = ops.iter().map(|op| match op {
        PatchOp::Replace { new, .. } => Cow::Borrowed(new.as_str()),
        PatchOp::UpdateFrontmatter { update } => Cow::Owned(texts_of(&json!(update))),
        PatchOp::Unified { diff } => Cow::Borrowed(diff.as_str()),
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The texts of a value, one a line.
fn texts_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(texts_of).collect::<Vec<_>>().join("\n"),
        Value::Object(map) => {
            let texts = map.iter().map(|(key, value)| format!("{key}\n{}", texts_of(value)));
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// The values of an update with the real names back.
fn restored(
    path: &AliasPath,
    lens: Lens<'_>,
    update: &FrontmatterUpdate,
) -> Result<FrontmatterUpdate, Failure> {
    let internal = |e: serde_json::Error| Failure::for_model(ErrorCode::Internal, e.to_string());
    let mut value = serde_json::to_value(update).map_err(internal)?;
    lens.restore_in(path, "update", &mut value)?;
    serde_json::from_value(value).map_err(internal)
}

/// The kernel's failure, saying which file and which operation.
fn named(path: &AliasPath, place: Option<usize>, failure: Failure) -> Failure {
    let op = place.map_or(String::new(), |n| format!("operation {n}: "));
    let message = format!("{path}: {op}{}; nothing was changed", failure.message);
    Failure { message, ..failure }
}

fn failed(path: &AliasPath, place: Option<usize>, message: &str) -> Failure {
    let op = place.map_or(String::new(), |n| format!("operation {n}: "));
    Failure::for_model(
        ErrorCode::PatchFailed,
        format!("{path}: {op}{message}; nothing was changed"),
    )
}

/// Where an operation is carried out, for its refusals.
struct OperationContext<'l> {
    path: &'l AliasPath,
    lens: Lens<'l>,
    place: Option<usize>,
}

/// A text to be replaced.
#[derive(Clone, Copy)]
struct Old<'o> {
    /// As the model wrote it.
    sent: &'o str,
    /// With the real names.
    real: &'o str,
}

impl OperationContext<'_> {
    /// Where `old` occurs in what is shown of the text, which must be once unless `all`. Where it
    /// occurs in the name of a private folder is no place.
    fn places_of(&self, old: Old<'_>, text: &str, all: bool) -> Result<Vec<Range<usize>>, Failure> {
        let Self { path, lens, place } = self;
        if old.real.is_empty() {
            return Err(failed(path, *place, "`old` is empty").with_action_for_model(
                "Put the text to replace into `old`; to write a whole file use fs_write.",
            ));
        }
        let places: Vec<Range<usize>> = if text.contains(old.real) {
            lens.view(text).places(old.sent).map(|place| place.real).collect()
        } else {
            Vec::new()
        };
        match places.len() {
            0 => {
                let shown = lens.shown(text);
                let spaces = squeezed(&shown).contains(&squeezed(old.sent));
                Err(no_match(path, *place, &shown, old.sent, spaces))
            }
            several if several > 1 && !all => Err(several_matches(path, *place, text, &places)),
            _ => Ok(places),
        }
    }
}

/// `text` with `new` in each of these places.
fn replaced(text: &str, places: &[Range<usize>], new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for place in places {
        out.push_str(&text[kept..place.start]);
        out.push_str(new);
        kept = place.end;
    }
    out.push_str(&text[kept..]);
    out
}

const SHOWN_LINES: usize = 20;

fn several_matches(
    path: &AliasPath,
    place: Option<usize>,
    text: &str,
    places: &[Range<usize>],
) -> Failure {
    let several = places.len();
    let lines: Vec<usize> = places
        .iter()
        .take(SHOWN_LINES)
        .map(|place| text[..place.start].matches('\n').count() + 1)
        .collect();
    let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let message = format!("`old` occurs {several} times, in lines {}", shown.join(", "));
    failed(path, place, &message)
        .with_details(json!({ "matches": several, "lines": lines }))
        .with_action_for_model("Add lines around it until it occurs once, or set all: true.")
}

fn no_match(
    path: &AliasPath,
    place: Option<usize>,
    text: &str,
    old: &str,
    spaces: bool,
) -> Failure {
    let closest = closest_lines(text, old);
    let shown: Vec<String> =
        closest.iter().map(|(line, text)| format!("line {line}: `{text}`")).collect();
    let message = match (spaces, shown.is_empty()) {
        (true, _) => {
            format!("`old` differs from the file in white space only ({})", shown.join("; "))
        }
        (false, false) => format!("`old` does not occur; closest is {}", shown.join("; ")),
        (false, true) => "`old` does not occur and nothing is like it".to_owned(),
    };
    let lines: Vec<_> =
        closest.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect();
    failed(path, place, &message)
        .with_details(json!({ "matches": 0, "closest": lines }))
        .with_action_for_model(
            "Read the place with fs_read and copy the text exactly, spaces included.",
        )
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
