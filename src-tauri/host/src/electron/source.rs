//! The old store, opened to be read and nothing else. Every name on the way is opened without
//! following links, and nothing is read beyond its limit.

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use import_electron::safe_id;
use kernel::bounds::{ELECTRON_MESSAGES_BYTES, ELECTRON_NAMES, ELECTRON_SMALL_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Phrase, general, imports};
use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::failure::io_said;

const MARKS: [&str; 5] =
    ["packages.json", "projects.json", "settings.json", "packages", "projects"];

/// The folder of the old store.
pub(super) struct ElectronStore {
    dir: Dir,
    path: PathBuf,
}

/// What stands under a name in a folder.
pub(super) enum SourceEntryKind {
    Folder,
    File,
    /// A link, a pipe, a device.
    Other,
}

impl ElectronStore {
    /// Opens `runtime-store/`, given it or the folder above.
    pub(super) fn open(given: &Path) -> Result<Self, Failure> {
        let invalid = |message: Phrase| {
            Failure::new(ErrorCode::ImportSourceInvalid, message)
                .with_action(imports::choose_old_store())
        };
        let unreadable = |e: io::Error| invalid(imports::source_unreadable(io_said(&e)));
        let path = given.canonicalize().map_err(unreadable)?;
        let inner = path.join("runtime-store");
        let path = if inner.is_dir() { inner } else { path };
        if path.join("store.db").exists() {
            return Err(invalid(imports::source_is_ours()));
        }
        if !MARKS.iter().any(|name| path.join(name).exists()) {
            return Err(invalid(imports::source_is_another()));
        }
        let dir = Dir::open_ambient_dir(&path, ambient_authority()).map_err(unreadable)?;
        Ok(Self { dir, path })
    }

    /// The real place of something below. Never for messages.
    pub(super) fn real(&self, rel: &str) -> PathBuf {
        self.path.join(rel)
    }

    /// The names in a folder with what they are, sorted; none when there is no such folder.
    pub(super) fn names(&self, rel: &str) -> Result<Vec<(String, SourceEntryKind)>, Failure> {
        let Some(dir) = self.folder(rel)? else { return Ok(Vec::new()) };
        let failed = |e: &io::Error| unreadable(rel, e);
        let mut names = Vec::new();
        for entry in dir.entries().map_err(|e| failed(&e))? {
            let entry = entry.map_err(|e| failed(&e))?;
            let kind = entry.file_type().map_err(|e| failed(&e))?;
            let kind = if kind.is_dir() {
                SourceEntryKind::Folder
            } else if kind.is_file() {
                SourceEntryKind::File
            } else {
                SourceEntryKind::Other
            };
            names.push((entry.file_name().to_string_lossy().into_owned(), kind));
            if names.len() > ELECTRON_NAMES {
                return Err(too_large(rel, imports::too_many_names()));
            }
        }
        names.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(names)
    }

    /// A small file as text without its byte order mark; `None` when it is not there.
    pub(super) fn text(&self, rel: &str, limit: u64) -> Result<Option<String>, Failure> {
        let Some(bytes) = self.bytes(rel, limit)? else { return Ok(None) };
        String::from_utf8(bytes).map(Some).map_err(|_| not_json(rel, imports::import_not_text()))
    }

    /// The bytes of a file; `None` when it is not there.
    pub(super) fn bytes(&self, rel: &str, limit: u64) -> Result<Option<Vec<u8>>, Failure> {
        let Some(file) = self.file(rel, limit)? else { return Ok(None) };
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).map_err(|e| unreadable(rel, &e))?;
        Ok(Some(bytes))
    }

    /// A JSON file; `None` when it is not there.
    pub(super) fn json(&self, rel: &str) -> Result<Option<Value>, Failure> {
        let Some(text) = self.text(rel, ELECTRON_SMALL_BYTES)? else { return Ok(None) };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        serde_json::from_str(text).map(Some).map_err(|e| not_json(rel, place(&e)))
    }

    /// Hands the elements of a JSON array to `each`, one by one: what stands before a broken
    /// place is read. False when the file is not there.
    pub(super) fn elements(&self, rel: &str, mut each: impl FnMut(Value)) -> Result<bool, Failure> {
        let Some(file) = self.file(rel, ELECTRON_MESSAGES_BYTES)? else { return Ok(false) };
        let mut reader = BufReader::with_capacity(256 * 1024, file.take(ELECTRON_MESSAGES_BYTES));
        skip_mark(&mut reader).map_err(|e| unreadable(rel, &e))?;
        let mut json = serde_json::Deserializer::from_reader(reader);
        json.deserialize_seq(Elements(&mut each))
            .and_then(|()| json.end())
            .map_err(|e| not_json(rel, place(&e)))?;
        Ok(true)
    }

    /// An open file; `None` when it is not there.
    fn file(&self, rel: &str, limit: u64) -> Result<Option<File>, Failure> {
        let (folder, name) = rel.rsplit_once('/').unwrap_or(("", rel));
        let Some(dir) = self.folder(folder)? else { return Ok(None) };
        let meta = match dir.symlink_metadata(name) {
            Ok(meta) => meta,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unreadable(rel, &e)),
        };
        if !meta.is_file() {
            return Err(link(rel));
        }
        if meta.len() > limit {
            return Err(too_large(rel, imports::file_over(limit)));
        }
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        dir.open_with(name, &options).map(Some).map_err(|e| unreadable(rel, &e))
    }

    fn folder(&self, rel: &str) -> Result<Option<Dir>, Failure> {
        let mut dir = self.dir.try_clone().map_err(|e| unreadable(rel, &e))?;
        for name in rel.split('/').filter(|name| !name.is_empty()) {
            match dir.symlink_metadata(name) {
                Ok(meta) if meta.is_dir() => {}
                Ok(_) => return Err(link(rel)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(e) => return Err(unreadable(rel, &e)),
            }
            dir = dir.open_dir_nofollow(name).map_err(|e| unreadable(rel, &e))?;
        }
        Ok(Some(dir))
    }
}

/// A name in the old store that may be used as a part of a path.
pub(super) fn safe_name(name: &str) -> bool {
    safe_id::<kernel::ids::RunId>(name).is_some()
}

struct Elements<'a, F>(&'a mut F);

impl<'de, F: FnMut(Value)> Visitor<'de> for Elements<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

/// Reads over a byte order mark.
fn skip_mark(reader: &mut BufReader<io::Take<File>>) -> io::Result<()> {
    use std::io::BufRead as _;
    if reader.fill_buf()?.starts_with("\u{feff}".as_bytes()) {
        reader.consume('\u{feff}'.len_utf8());
    }
    Ok(())
}

/// Where JSON breaks, without its content.
fn place(error: &serde_json::Error) -> Phrase {
    let what = match error.classify() {
        serde_json::error::Category::Eof => imports::json_cut(),
        serde_json::error::Category::Data => imports::json_no_array(),
        serde_json::error::Category::Io => imports::import_not_text(),
        serde_json::error::Category::Syntax => imports::json_wrong(),
    };
    general::at_place(what, error.line(), error.column())
}

fn not_json(rel: &str, why: Phrase) -> Failure {
    Failure::new(ErrorCode::ImportNotJson, general::about(name(rel), why))
}

fn link(rel: &str) -> Failure {
    let message = imports::no_plain_file(name(rel));
    Failure::new(ErrorCode::ImportLink, message)
}

fn too_large(rel: &str, why: Phrase) -> Failure {
    Failure::new(ErrorCode::ImportTooLarge, general::about(name(rel), why))
}

fn unreadable(rel: &str, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::StoreReadFailed, name(rel), error)
}

fn name(rel: &str) -> &str {
    rel.rsplit('/').next().unwrap_or(rel)
}
