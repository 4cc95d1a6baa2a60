//! `fs.list`

use kernel::code::Failure;
use kernel::path::AliasPath;
use kernel::tool::ListArgs;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::mounts::resolve;
use super::walk::{Found, Kind, Walk};

/// Entries in one answer.
const CAP: usize = 200;
/// Entries looked at before the walk gives up: enough to choose the upper ones first.
const SCAN_CAP: usize = 20_000;
const MAX_DEPTH: u32 = 5;

/// `{ok, path, entries[], truncated?, hint?}`: names below `path`, folders with `/`, sorted.
/// Over the cap the entries nearest to `path` are kept.
pub(super) fn run(
    access: &mut Access<'_>,
    path: &AliasPath,
    args: &ListArgs,
    cancel: &CancellationToken,
) -> Result<Value, Failure> {
    let (dir, real) = access.open_folder(path)?;
    let skip = real.rel().len() + usize::from(!real.rel().is_empty());
    let mut names: Vec<String> = Vec::new();
    let depth = args.depth.unwrap_or(1).clamp(1, MAX_DEPTH);
    Walk { access, cancel, depth }.visit(&dir, &real, &mut |access, found| {
        if let Some(is_folder) = kind_shown(access, found)? {
            let slash = if is_folder { "/" } else { "" };
            names.push(format!("{}{slash}", &found.path.rel()[skip..]));
        }
        if names.len() >= SCAN_CAP {
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(true))
    })?;
    let found = names.len();
    names.sort_by_key(|name| name.trim_end_matches('/').matches('/').count());
    names.truncate(CAP);
    names.sort();
    let mut result = json!({ "ok": true, "path": path, "entries": names });
    if found > CAP {
        result["truncated"] = json!(true);
        result["hint"] = json!(format!(
            "{CAP} of {found} entries are shown. List a folder further down, or find files by their content with fs.search."
        ));
    }
    Ok(result)
}

/// Whether the entry is shown as a folder; `None` when it is not shown. A link is shown when it
/// stays inside and leads to something the call may read.
fn kind_shown(access: &mut Access<'_>, found: &Found<'_>) -> Result<Option<bool>, Failure> {
    match found.kind {
        Kind::File => return Ok(Some(false)),
        Kind::Folder => return Ok(Some(true)),
        Kind::Link => {}
    }
    let Ok(place) = resolve(access.root(found.path.mount()), found.path) else { return Ok(None) };
    let Some(name) = &place.name else { return Ok(Some(true)) };
    let Ok(meta) = place.folder.symlink_metadata(name) else { return Ok(None) };
    let Ok(real) = AliasPath::new(found.path.mount(), &place.rel) else { return Ok(None) };
    let shown = (meta.is_dir() || meta.is_file()) && access.may_read(&real, meta.is_dir())?;
    Ok(shown.then(|| meta.is_dir()))
}
