//! The file itself: written whole or not at all, read with the care an import needs.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::code::{ErrorCode, Failure};
use kernel::event::{FORMAT as LINE_FORMAT, Line, upcast};
use kernel::phrase::{Phrase, Why, exports, general, packages as packages_said};
use kernel::text::sha256_hex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::{
    Altered, Contents, FORMAT, HEADER, Header, JOURNAL, LIMITS, Leaks, PACKAGE, PREIMAGES,
    PUT_ASIDE, Recording, VERSION, invalid,
};
use crate::{packages, tools};

/// The bytes of an export. The same contents give the same bytes.
///
/// Errors: `EXPORT_UNSAFE`, `EXPORT_TOO_LARGE`; as
/// [`Inspected::usable`](crate::packages::Inspected::usable) for a damaged package.
pub fn pack(contents: &Contents, leaks: &Leaks) -> Result<Vec<u8>, Failure> {
    let entries = contents.entries()?;
    leaks.check(&entries)?;
    packages::zip_bytes(&entries)
        .map_err(|e| crate::failure::io(ErrorCode::ExportTooLarge, exports::not_packed(), &e))
}

/// Writes an export to `out`: a temporary file beside it, then a rename.
///
/// Errors: `EXPORT_EXISTS` unless `replace`; `STORE_WRITE_FAILED`, and then `out` is as it was.
pub fn save(bytes: &[u8], out: &Path, replace: bool) -> Result<(), Failure> {
    let name = out.file_name().map_or_else(|| "export".into(), |n| n.to_string_lossy());
    let exists = || {
        Failure::new(ErrorCode::ExportExists, exports::exists(&name))
            .with_action(exports::other_name_or_force())
    };
    let failed = |e: &io::Error| {
        crate::failure::io(ErrorCode::StoreWriteFailed, packages_said::writing(&name), e)
            .with_action(packages_said::choose_writable_folder())
    };
    if !replace && out.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || {
        let folder = Dir::open_ambient_dir(folder, ambient_authority())?;
        // What an export left that was killed here.
        tools::sweep_folder(&folder);
        let put = if replace { tools::replace_file } else { tools::create_file };
        // A run may tell much: whoever else works on this machine does not read it.
        put(&folder, &name, bytes, tools::for_its_owner())
    };
    write().map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => exists(),
        _ => failed(&e),
    })
}

/// Reads an export; `name` is what messages call the file.
///
/// Errors: `ARCHIVE_INVALID`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE`; `CREWRUN_INVALID` for what is
/// missing, damaged or not in order; `CREWRUN_TOO_NEW`. A line or an entry that is whole but not
/// what was exported is no error here: a replay shows it.
pub fn read(reader: impl Read + Seek, name: &str) -> Result<Recording, Failure> {
    let mut files = packages::read_archive(reader, name, &LIMITS)?;
    let header = header(&files.remove(HEADER).ok_or_else(|| missing(HEADER))?)?;
    let mut altered_entries = BTreeMap::new();
    for (path, facts) in &header.entries {
        let bytes = files.get(path).ok_or_else(|| missing(path))?;
        let found = sha256_hex(bytes);
        if found != facts.sha256 && path != JOURNAL {
            let altered = Altered { expected: facts.sha256.clone(), found };
            altered_entries.insert(path.clone(), altered);
        }
    }
    let text = files.remove(JOURNAL).ok_or_else(|| missing(JOURNAL))?;
    let text = String::from_utf8(text).map_err(|_| invalid(exports::journal_not_utf8()))?;
    let (lines, altered) = journal(&header, &text)?;
    let package = below(&mut files, PACKAGE);
    if package.is_empty() {
        return Err(missing("package/bmad.json"));
    }
    let mut by_hash = |folder| -> BTreeMap<String, Vec<u8>> {
        let found = below(&mut files, folder).into_values();
        found.map(|bytes| (sha256_hex(&bytes), bytes)).collect()
    };
    let (put_aside, preimages) = (by_hash(PUT_ASIDE), by_hash(PREIMAGES));
    Ok(Recording { header, lines, altered, altered_entries, package, put_aside, preimages })
}

fn missing(entry: &str) -> Failure {
    invalid(exports::entry_missing(entry))
}

/// Takes the entries below `folder` out, named from there.
fn below(files: &mut BTreeMap<String, Vec<u8>>, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let (inside, outside) = std::mem::take(files)
        .into_iter()
        .partition::<BTreeMap<_, _>, _>(|(path, _)| path.starts_with(folder));
    *files = outside;
    inside.into_iter().map(|(path, bytes)| (path[folder.len()..].to_owned(), bytes)).collect()
}

fn header(bytes: &[u8]) -> Result<Header, Failure> {
    let broken = |e: serde_json::Error| invalid(exports::header_broken(Why::quoted(e)));
    let document: Value = serde_json::from_slice(bytes).map_err(broken)?;
    if document.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(invalid(exports::header_says_not()));
    }
    match document.get("version").and_then(Value::as_u64) {
        Some(version) if version > u64::from(VERSION) => {
            Err(too_new(exports::run_format(version, VERSION)))
        }
        Some(version) if version == u64::from(VERSION) => {
            serde_json::from_value(document).map_err(broken)
        }
        _ => Err(invalid(exports::header_no_version())),
    }
}

fn too_new(message: Phrase) -> Failure {
    Failure::new(ErrorCode::CrewrunTooNew, message).with_action(general::update_the_program())
}

type Journal = (Vec<Line>, BTreeMap<usize, Altered>);

fn journal(header: &Header, text: &str) -> Result<Journal, Failure> {
    let bodies: Vec<&str> = text.lines().collect();
    if bodies.len() != header.lines.len() {
        let (has, should) = (bodies.len(), header.lines.len());
        return Err(invalid(exports::journal_lines(has, should)));
    }
    let mut lines: Vec<Line> = Vec::with_capacity(bodies.len());
    let mut altered = BTreeMap::new();
    for (at, (body, expected)) in bodies.iter().zip(&header.lines).enumerate() {
        let line = line(at + 1, body)?;
        let begins = line.seq == lines.last().map_or(line.seq.min(1), Line::next_seq);
        if !begins || line.events.is_empty() {
            let at = at + 1;
            return Err(invalid(exports::journal_order(at)));
        }
        lines.push(line);
        let found = sha256_hex(body.as_bytes());
        if found != *expected {
            altered.insert(at, Altered { expected: expected.clone(), found });
        }
    }
    if lines.is_empty() {
        return Err(invalid(exports::journal_empty()));
    }
    Ok((lines, altered))
}

fn line(number: usize, body: &str) -> Result<Line, Failure> {
    let format = serde_json::from_str::<Value>(body).ok().and_then(|line| line.get("v")?.as_u64());
    if let Some(format) = format.filter(|format| *format > u64::from(LINE_FORMAT)) {
        return Err(too_new(exports::journal_format(number, format, LINE_FORMAT)));
    }
    upcast(body).map_err(|e| {
        let failure = invalid(exports::journal_unreadable(number, Why::quoted(&e)));
        // A kind of event this program does not know was written by a newer one, or is damage.
        if e.to_string().contains("unknown variant") {
            return failure.with_action(exports::update_or_export());
        }
        failure
    })
}
