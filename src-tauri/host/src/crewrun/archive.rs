//! The file itself: written whole or not at all, read with the care an import needs.

use kernel::bounds::{EXPORT_LIMITS, JOURNAL_WEIGHT, STATE_GROWN_BYTES, json_weight};
use kernel::code::{ErrorCode, Failure};
use kernel::event::{Event, FORMAT as LINE_FORMAT, Line, upcast};
use kernel::package::{Package, PackageFile, PackageFiles, check};
use kernel::phrase::{Phrase, Why, exports, general, packages as packages_said};
use kernel::text::sha256_hex;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use super::contents::Contents;
use super::format::{
    FORMAT, HEADER, HashMismatch, Header, JOURNAL, PACKAGE, PREIMAGES, PUT_ASIDE, VERSION, invalid,
};
use super::leaks::Leaks;
use crate::atomic;
use crate::packages::{self, ContentError, PackageReading, PackageRefusal, Surveyed, Zip};

/// An export as it was read. Nothing in it is trusted.
#[derive(Debug)]
pub struct Recording {
    /// What it says it is.
    pub header: Header,
    /// The journal.
    pub lines: Vec<Line>,
    /// For each line, its hash in the header and its hash now, when they differ.
    pub(super) altered: BTreeMap<usize, HashMismatch>,
    /// Other entries that are not what the header says.
    pub(super) altered_entries: BTreeMap<String, HashMismatch>,
    /// What lies in the package.
    pub(super) package: PackageFiles,
    /// Entries that are refused edits of the state document, by hash.
    pub(super) put_aside: BTreeMap<String, String>,
    /// Entries that are files as they were before the run changed them, by hash.
    pub(super) preimages: BTreeMap<String, String>,
    /// The bytes of everything.
    pub(super) entries: Entries,
}

/// The bytes of an export. The same contents give the same bytes.
///
/// # Errors
/// `EXPORT_UNSAFE`, `EXPORT_TOO_LARGE`; as
/// [`Inspected::usable`](crate::packages::Inspected::usable) for a damaged package.
pub fn pack(contents: &Contents, leaks: &Leaks) -> Result<Vec<u8>, Failure> {
    let entries = contents.entries()?;
    leaks.check(&entries)?;
    packages::zip_bytes(&entries)
        .map_err(|e| crate::failure::io(ErrorCode::ExportTooLarge, exports::not_packed(), &e))
}

/// Writes an export to `out`: a temporary file beside it, then a rename.
///
/// # Errors
/// `EXPORT_EXISTS` unless `replace`; `STORE_WRITE_FAILED`, and then `out` is as it was.
pub fn save(bytes: &[u8], out: &Path, replace: bool) -> Result<(), Failure> {
    let file = out.file_name().unwrap_or_default();
    let name = file.to_string_lossy();
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
    let write = || {
        let folder = atomic::folder_of(out)?;
        // What an export left that was killed here.
        atomic::sweep(&folder);
        let put = if replace { atomic::replace } else { atomic::create };
        // A run may tell much: whoever else works on this machine does not read it.
        put(&folder, file, bytes, atomic::for_its_owner())
    };
    write().map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => exists(),
        _ => failed(&e),
    })
}

/// Reads an export; `name` is what messages call the file. What is not needed at once is read when
/// it is.
///
/// # Errors
/// `ARCHIVE_INVALID`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE`; `CREWRUN_INVALID` for what is missing,
/// damaged or not in order; `CREWRUN_TOO_NEW`. A line or an entry that is whole but not what was
/// exported is no error here: a replay shows it.
pub fn read(reader: impl Read + Seek + 'static, name: &str) -> Result<Recording, Failure> {
    let reader: Box<dyn ReadSeek> = Box::new(reader);
    let (zip, Surveyed { files, index }) =
        packages::survey(reader, name, &EXPORT_LIMITS, &PackageReading::default())
            .map_err(PackageRefusal::of_exported_run)?;
    let entries = Entries { zip: RefCell::new(zip), files: files.files, index };
    let header = header(&entries.text(HEADER, JOURNAL_WEIGHT)?)?;
    let mut altered_entries = BTreeMap::new();
    for (path, facts) in &header.entries {
        let found = &entries.files.get(path).ok_or_else(|| missing(path))?.sha256;
        if *found != facts.sha256 && path != JOURNAL {
            let altered = HashMismatch { expected: facts.sha256.clone(), found: found.clone() };
            altered_entries.insert(path.clone(), altered);
        }
    }
    let (lines, altered) = journal(&header, &entries.text(JOURNAL, JOURNAL_WEIGHT)?)?;
    let package = entries.below(PACKAGE).map(|(path, file)| (path.to_owned(), file.clone()));
    let package = PackageFiles { files: package.collect() };
    if package.files.is_empty() {
        return Err(missing("package/bmad.json"));
    }
    let (put_aside, preimages) = (entries.by_hash(PUT_ASIDE), entries.by_hash(PREIMAGES));
    Ok(Recording {
        header,
        lines,
        altered,
        altered_entries,
        package,
        put_aside,
        preimages,
        entries,
    })
}

impl Recording {
    /// The package, or why it cannot be used.
    pub(super) fn checked_package(&self) -> Result<Package, Failure> {
        let read = |path: &str| {
            let mut bytes = Vec::new();
            self.copy_of_package(path, &mut bytes)?;
            Ok(bytes)
        };
        let (report, package) = packages::checked(&self.package, read, check)?;
        package.ok_or_else(|| packages::unusable(&report))
    }

    /// Hands the bytes of a file of the package to `sink`.
    pub(super) fn copy_of_package(
        &self,
        path: &str,
        sink: &mut impl Write,
    ) -> Result<(), ContentError> {
        self.entries.copy(&format!("{PACKAGE}{path}"), sink)
    }

    /// The edit of the state document that has this hash; `None` when nobody has kept it, or when it
    /// is longer than any that could be taken.
    pub(super) fn edit(&self, sha256: &str) -> Option<String> {
        let entry = self.put_aside.get(sha256)?;
        self.entries.text(entry, STATE_GROWN_BYTES as u64).ok()
    }
}

/// Where the bytes of an export come from.
pub(super) trait ReadSeek: Read + Seek {}

impl<R: Read + Seek> ReadSeek for R {}

/// The entries of an export, which stay in it until somebody wants them.
pub(super) struct Entries {
    zip: RefCell<Zip<Box<dyn ReadSeek>>>,
    files: BTreeMap<String, PackageFile>,
    index: BTreeMap<String, usize>,
}

impl Entries {
    /// The entries below `folder`, named from there.
    fn below<'e>(&'e self, folder: &'e str) -> impl Iterator<Item = (&'e str, &'e PackageFile)> {
        let below = self.files.range(folder.to_owned()..);
        below.map_while(move |(path, file)| Some((path.strip_prefix(folder)?, file)))
    }

    /// Hands the bytes of an entry to `sink`.
    pub(super) fn copy(&self, path: &str, sink: &mut impl Write) -> Result<(), ContentError> {
        let (at, seen) =
            self.index.get(path).zip(self.files.get(path)).ok_or(ContentError::Changed)?;
        let mut zip = self.zip.borrow_mut();
        packages::again(zip.by_index(*at).map_err(|_| ContentError::Changed)?, seen, sink)
    }

    /// The entries below `folder`, by the hash of their bytes.
    fn by_hash(&self, folder: &str) -> BTreeMap<String, String> {
        let below = self.below(folder);
        below.map(|(path, file)| (file.sha256.clone(), format!("{folder}{path}"))).collect()
    }

    /// The text of an entry that is there and not too long.
    fn text(&self, path: &str, most: u64) -> Result<String, Failure> {
        let file = self.files.get(path).ok_or_else(|| missing(path))?;
        if file.size > most {
            return Err(over_limit("journalBytes", most, path));
        }
        let mut bytes = Vec::new();
        self.copy(path, &mut bytes).map_err(ContentError::while_reading)?;
        String::from_utf8(bytes).map_err(|_| invalid(exports::journal_not_utf8()))
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.files).finish()
    }
}

fn missing(entry: &str) -> Failure {
    invalid(exports::entry_missing(entry))
}

fn header(text: &str) -> Result<Header, Failure> {
    let broken = |e: serde_json::Error| invalid(exports::header_broken(Why::json(&e)));
    weigh(text, &mut 0, HEADER)?;
    let document: Value = serde_json::from_str(text).map_err(broken)?;
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

type Journal = (Vec<Line>, BTreeMap<usize, HashMismatch>);

fn journal(header: &Header, text: &str) -> Result<Journal, Failure> {
    let bodies: Vec<&str> = text.lines().collect();
    if bodies.len() != header.lines.len() {
        let (has, should) = (bodies.len(), header.lines.len());
        return Err(invalid(exports::journal_lines(has, should)));
    }
    let mut lines: Vec<Line> = Vec::with_capacity(bodies.len());
    let mut altered = BTreeMap::new();
    let mut weight = 0;
    for (at, (body, expected)) in bodies.iter().zip(&header.lines).enumerate() {
        weigh(body, &mut weight, JOURNAL)?;
        let line = line(at + 1, body)?;
        if line.events.iter().filter_map(document).any(|text| text.len() > STATE_GROWN_BYTES) {
            return Err(over_limit("stateBytes", STATE_GROWN_BYTES as u64, JOURNAL));
        }
        let begins = line.seq == lines.last().map_or(line.seq.min(1), Line::next_seq);
        if !begins || line.events.is_empty() {
            let at = at + 1;
            return Err(invalid(exports::journal_order(at)));
        }
        lines.push(line);
        let found = sha256_hex(body.as_bytes());
        if found != *expected {
            altered.insert(at, HashMismatch { expected: expected.clone(), found });
        }
    }
    if lines.is_empty() {
        return Err(invalid(exports::journal_empty()));
    }
    Ok((lines, altered))
}

/// The state document that an event carries.
fn document(event: &Event) -> Option<&str> {
    match event {
        Event::RunStarted(e) => Some(&e.state),
        Event::StateChanged(e) => Some(&e.text),
        _ => None,
    }
}

/// `ARCHIVE_LIMIT` when the values of a text take more memory than an export may. What is no JSON is
/// for its reader to refuse.
fn weigh(text: &str, so_far: &mut u64, entry: &str) -> Result<(), Failure> {
    *so_far += json_weight(text, JOURNAL_WEIGHT).unwrap_or_default();
    if *so_far <= JOURNAL_WEIGHT {
        return Ok(());
    }
    Err(over_limit("journalMemory", JOURNAL_WEIGHT, entry))
}

fn over_limit(limit: &'static str, max: u64, entry: &str) -> Failure {
    PackageRefusal::over_limit(limit, max, Some(entry)).of_exported_run()
}

fn line(number: usize, body: &str) -> Result<Line, Failure> {
    let format = serde_json::from_str::<Value>(body).ok().and_then(|line| line.get("v")?.as_u64());
    if let Some(format) = format.filter(|format| *format > u64::from(LINE_FORMAT)) {
        return Err(too_new(exports::journal_format(number, format, LINE_FORMAT)));
    }
    upcast(body).map_err(|e| {
        let failure = invalid(exports::journal_unreadable(number, Why::json(&e)));
        // A kind of event this program does not know was written by a newer one, or is damage.
        if e.to_string().contains("unknown variant") {
            return failure.with_action(exports::update_or_export());
        }
        failure
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn a_file_has_the_name_that_was_given_whatever_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(OsStr::from_bytes(b"run-\xff.crewrun"));
        save(b"one", &out, false).unwrap();
        assert_eq!(fs::read(&out).unwrap(), b"one");
        assert_eq!(save(b"two", &out, false).unwrap_err().code, ErrorCode::ExportExists);
        save(b"two", &out, true).unwrap();
        assert_eq!(fs::read(&out).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let within = folder.path().join("within");
        fs::create_dir(&within).unwrap();
        let failure = save(b"one", &within.join(".."), true).unwrap_err();
        assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
        assert_eq!(fs::read_dir(&within).unwrap().count(), 0);
    }
}
