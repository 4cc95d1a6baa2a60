//! Files as they were before a run changed them: `checkpoints/<sha256>.zst` beside the run's
//! state folder (spec 05 "Effects journal"). Written and flushed before the call is journaled as
//! begun, each content once.
//!
//! That takes two flushes, of the file before it gets its name and of the folder after, and they stay
//! two. A file under its last name from the start could be found torn by a later call, which takes
//! what has that name for whole. That the flush of a new file brings its name along holds for some
//! file systems and is promised by none. And a line that says `kept` while the folder is still being
//! flushed would say what a power cut can make untrue.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use kernel::bounds::{KEPT_FILE_BYTES, KEPT_RUN_BYTES};
use kernel::code::{ErrorCode, Failure};
use kernel::effect::Began;
use kernel::phrase::projects;
use kernel::text::hex;
use kernel::tool::Lost;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::many;
use super::mounts::open_plain;
use crate::atomic::{self, AtomicFile};
use crate::crash::{Point, point};
use crate::failure::{io_said, io_words};

const FOLDER: &str = "checkpoints";
const LEVEL: i32 = 3;
/// Packed contents that wait to be written at once: bytes, and how many.
const WAITING_BYTES: usize = 8 * 1024 * 1024;
const WAITING_FILES: usize = 256;
/// Contents shorter than this are packed in one go.
const IN_ONE_GO: u64 = 256 * 1024;

/// The kept files of one run.
#[derive(Debug)]
pub struct Checkpoints {
    run: Dir,
    /// Bytes on disk; `None` before it was looked at.
    used: Mutex<Option<u64>>,
    cap: u64,
}

impl Checkpoints {
    /// Opens those of the run whose folder in the store this is. The folder itself is made with
    /// the first file.
    ///
    /// # Errors
    /// `STATE_INIT_FAILED` when the run's folder cannot be opened.
    pub fn open(run_folder: &Path) -> Result<Self, Failure> {
        let run = Dir::open_ambient_dir(run_folder, ambient_authority()).map_err(|e| {
            let message = projects::run_folder_not_opened(io_said(&e));
            Failure::new(ErrorCode::StateInitFailed, message).with_action(projects::start_new_run())
        })?;
        Ok(Self { run, used: Mutex::new(None), cap: KEPT_RUN_BYTES })
    }

    /// The same with another limit for all files together.
    #[cfg(test)]
    pub(super) fn with_cap(self, cap: u64) -> Self {
        Self { cap, ..self }
    }

    /// Keeps the bytes of `content`, which has this hash and length. `Ok(false)` when it is too
    /// large, the run has kept enough, or the bytes have another hash by now. The folder is not
    /// flushed: see [`sync`](Self::sync). `STORE_WRITE_FAILED` when the disk refuses.
    pub(super) fn keep(
        &self,
        content: impl Read,
        sha256: &str,
        bytes: u64,
    ) -> Result<bool, Failure> {
        let mut keeping = KeepsMany::of(self);
        let kept = keeping.keep(content, sha256, bytes)?;
        keeping.write()?;
        Ok(kept)
    }

    /// Bytes on disk, the files that a crash left included.
    fn bytes_on_disk(&self) -> io::Result<u64> {
        match self.run.open_dir(FOLDER) {
            Ok(folder) => size_of(&folder),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(e) => Err(e),
        }
    }

    /// The folder of the kept files, made when there is none.
    fn folder(&self) -> io::Result<Dir> {
        atomic::make_folders(self.run.try_clone()?, &[FOLDER.to_owned()])
    }

    /// A content, packed, with the room for it taken; `None` when there is none, or it has another hash
    /// by now.
    fn pack(
        &self,
        folder: &Dir,
        content: impl Read,
        sha256: &str,
        bytes: u64,
    ) -> io::Result<Option<Vec<u8>>> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let before = if let Some(used) = *used {
            used
        } else {
            atomic::sweep(folder);
            size_of(folder)?
        };
        *used = Some(before);
        let packed = packed_within(self.cap.saturating_sub(before), content, sha256, bytes)?;
        let more = packed.as_ref().map_or(0, Vec::len) as u64;
        *used = Some(before.saturating_add(more));
        Ok(packed)
    }

    /// Forgets what is used: it is counted again.
    fn count_again(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Flushes the folder, so that what was kept stays kept.
    pub(super) fn sync(&self) -> Result<(), Failure> {
        match self.run.open_dir(FOLDER) {
            Ok(folder) => atomic::sync(&folder).map_err(|e| write_failed(&e)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(e) => Err(write_failed(&e)),
        }
    }

    /// Whether the bytes with this hash were kept.
    pub(super) fn holds(&self, sha256: &str) -> bool {
        let folder = self.run.open_dir(FOLDER);
        folder.is_ok_and(|folder| folder.is_file(file_name(sha256)))
    }

    /// The bytes of the file with this hash; `None` when it was not kept.
    ///
    /// # Errors
    /// `STORE_READ_FAILED` when it cannot be read or is not what it was.
    pub fn read(&self, sha256: &str) -> Result<Option<Vec<u8>>, Failure> {
        let broken = |why: &str| {
            let message = format!("the checkpoint {} {why}", kernel::text::prefix(sha256, 64));
            Failure::for_model(ErrorCode::StoreReadFailed, message)
        };
        if sha256.len() != 64 || !sha256.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let open = || {
            let folder = self.run.open_dir(FOLDER)?;
            let mut bytes = Vec::new();
            let file = open_plain(&folder, &file_name(sha256))?;
            zstd::stream::read::Decoder::new(file)?
                .take(KEPT_FILE_BYTES + 1)
                .read_to_end(&mut bytes)?;
            io::Result::Ok(bytes)
        };
        match open() {
            Ok(bytes) if kernel::text::sha256_hex(&bytes) == sha256 => Ok(Some(bytes)),
            Ok(_) => Err(broken("is damaged")),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(broken(&format!("cannot be read: {}", io_words(&e)))),
        }
    }
}

/// Keeps many contents: which of them is decided one after the other, and many are written at once.
pub(super) struct KeepsMany<'c> {
    checkpoints: &'c Checkpoints,
    /// Names and packed contents that are not written yet.
    waiting: BTreeMap<String, Vec<u8>>,
    bytes: usize,
}

impl<'c> KeepsMany<'c> {
    pub(super) fn of(checkpoints: &'c Checkpoints) -> Self {
        Self { checkpoints, waiting: BTreeMap::new(), bytes: 0 }
    }

    pub(super) fn checkpoints(&self) -> &'c Checkpoints {
        self.checkpoints
    }

    /// As [`Checkpoints::keep`]. It may not be written before [`write`](Self::write).
    pub(super) fn keep(
        &mut self,
        content: impl Read,
        sha256: &str,
        bytes: u64,
    ) -> Result<bool, Failure> {
        if bytes > KEPT_FILE_BYTES {
            return Ok(false);
        }
        let kept = self.try_keep(content, sha256, bytes).map_err(|e| write_failed(&e))?;
        if self.bytes > WAITING_BYTES || self.waiting.len() > WAITING_FILES {
            self.write()?;
        }
        Ok(kept)
    }

    fn try_keep(&mut self, content: impl Read, sha256: &str, bytes: u64) -> io::Result<bool> {
        let (folder, name) = (self.checkpoints.folder()?, file_name(sha256));
        let is_there = folder.symlink_metadata(&name).is_ok_and(|meta| meta.is_file());
        if is_there || self.waiting.contains_key(&name) {
            return Ok(true);
        }
        let Some(packed) = self.checkpoints.pack(&folder, content, sha256, bytes)? else {
            return Ok(false);
        };
        self.bytes += packed.len();
        self.waiting.insert(name, packed);
        Ok(true)
    }

    /// Writes what waits. `STORE_WRITE_FAILED` when the disk refuses.
    pub(super) fn write(&mut self) -> Result<(), Failure> {
        self.bytes = 0;
        let waiting: Vec<_> = std::mem::take(&mut self.waiting).into_iter().collect();
        if waiting.is_empty() {
            return Ok(());
        }
        let written = self.checkpoints.folder().and_then(|folder| {
            let put = |(): &mut (), (name, packed): &(String, Vec<u8>)| put(&folder, name, packed);
            many::each(&waiting, &mut (), |()| (), put).into_iter().collect()
        });
        written.map_err(|e| {
            self.checkpoints.count_again();
            write_failed(&e)
        })
    }
}

impl Drop for KeepsMany<'_> {
    /// The room of what was never written is free again.
    fn drop(&mut self) {
        if !self.waiting.is_empty() {
            self.checkpoints.count_again();
        }
    }
}

/// What would be kept, for who only looks: by the rules of [`Checkpoints::keep`], with nothing written.
pub(super) struct WouldKeep<'c> {
    checkpoints: &'c Checkpoints,
    used: Option<u64>,
    kept: BTreeSet<String>,
}

impl<'c> WouldKeep<'c> {
    pub(super) fn of(checkpoints: &'c Checkpoints) -> Self {
        Self { checkpoints, used: None, kept: BTreeSet::new() }
    }

    /// As [`Checkpoints::keep`].
    pub(super) fn would_keep(
        &mut self,
        content: impl Read,
        sha256: &str,
        bytes: u64,
    ) -> Result<bool, Failure> {
        if bytes > KEPT_FILE_BYTES {
            return Ok(false);
        }
        if self.would_hold(sha256) {
            return Ok(true);
        }
        self.try_keep(content, sha256, bytes).map_err(|e| write_failed(&e))
    }

    /// Whether the bytes with this hash are kept, or would be.
    pub(super) fn would_hold(&self, sha256: &str) -> bool {
        self.kept.contains(sha256) || self.checkpoints.holds(sha256)
    }

    fn try_keep(&mut self, content: impl Read, sha256: &str, bytes: u64) -> io::Result<bool> {
        let before = match self.used {
            Some(used) => used,
            None => self.checkpoints.bytes_on_disk()?,
        };
        self.used = Some(before);
        let room = self.checkpoints.cap.saturating_sub(before);
        let Some(packed) = packed_within(room, content, sha256, bytes)? else { return Ok(false) };
        self.used = Some(before.saturating_add(packed.len() as u64));
        self.kept.insert(sha256.to_owned());
        Ok(true)
    }
}

/// Leaves flushing the folder to the caller: for several files at once. Nobody else reads it: what it
/// was made from may have been closed to others.
fn put(folder: &Dir, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::new(folder, atomic::for_its_owner().as_ref())?;
    file.write_all(bytes)?;
    let file = file.flushed()?;
    point(Point::BeforeCheckpointRename);
    file.replace(name)?;
    point(Point::AfterCheckpointRename);
    Ok(())
}

/// A content, packed; `None` when there is no room for it, or it has another hash by now.
fn packed_within(
    room: u64,
    content: impl Read,
    sha256: &str,
    bytes: u64,
) -> io::Result<Option<Vec<u8>>> {
    if bytes > room {
        return Ok(None);
    }
    let mut hashing = Hashing { content, sha: Sha256::new() };
    let packed = packed(&mut hashing)?;
    let is_it = hex(&hashing.sha.finalize()) == sha256;
    Ok(is_it.then_some(packed))
}

/// A content, packed, as far as a file may be kept. What is short is packed in one go: a packer that
/// does not know how much will come makes tables for as much as there may be.
fn packed(mut content: impl Read) -> io::Result<Vec<u8>> {
    let mut beginning = Vec::new();
    content.by_ref().take(IN_ONE_GO).read_to_end(&mut beginning)?;
    if (beginning.len() as u64) < IN_ONE_GO {
        return zstd::bulk::compress(&beginning, LEVEL);
    }
    let rest = content.take(KEPT_FILE_BYTES + 1 - IN_ONE_GO);
    zstd::stream::encode_all(beginning.as_slice().chain(rest), LEVEL)
}

fn file_name(sha256: &str) -> String {
    format!("{sha256}.zst")
}

fn size_of(folder: &Dir) -> io::Result<u64> {
    folder.entries()?.try_fold(0_u64, |sum, entry| Ok(sum.saturating_add(entry?.metadata()?.len())))
}

fn write_failed(error: &io::Error) -> Failure {
    let words = io_words(error);
    let message = format!("the file as it is now cannot be kept beside the run: {words}");
    Failure::for_model(ErrorCode::StoreWriteFailed, message).with_action_for_model(
        "Free disk space or make the program's data folder writable, then try again.",
    )
}

struct Hashing<R> {
    content: R,
    sha: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.sha.update(&buffer[..count]);
        Ok(count)
    }
}

/// The files that a call changed for good: their bytes are not in the checkpoints.
pub(super) fn lost(began: &Began) -> Lost {
    let lost = began.pre_images.iter().filter(|image| !image.kept);
    Lost::files(lost.map(|image| &image.path))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use cap_std::fs::PermissionsExt as _;

    #[test]
    fn a_checkpoint_is_its_owners() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Dir::open_ambient_dir(dir.path(), ambient_authority()).unwrap();
        put(&folder, "a.zst", b"x").unwrap();
        assert_eq!(folder.metadata("a.zst").unwrap().permissions().mode() & 0o777, 0o600);
    }
}
