//! A disk that fails on command, and a clock that is off: `faulty_disk.c`, built here and
//! preloaded into the program.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Kinds of system calls, as in the C source.
pub(crate) const WRITES: u32 = 1;
pub(crate) const FLUSHES: u32 = 2;
pub(crate) const OPENS: u32 = 4;
pub(crate) const RENAMES: u32 = 8;
pub(crate) const MAKES: u32 = 16;
pub(crate) const LOCKS: u32 = 128;
/// Everything that changes a disk.
pub(crate) const CHANGES: u32 = WRITES | FLUSHES | RENAMES | MAKES;

/// Linux's numbers.
pub(crate) const EIO: u32 = 5;
pub(crate) const EBADF: u32 = 9;
pub(crate) const EACCES: u32 = 13;
pub(crate) const ENOSPC: u32 = 28;

/// The operations that fail, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    /// Part of the path of the files it is about.
    pub(crate) place: &'static str,
    pub(crate) kinds: u32,
    /// The error number; 0: it only takes long.
    pub(crate) error: u32,
    pub(crate) delay_ms: u32,
    /// So many calls get through first; all later ones fail.
    pub(crate) after: u32,
}

/// The shared file through which a process's disk and clock are controlled.
pub(crate) struct FaultyDisk {
    control: File,
    file: PathBuf,
}

const SIZE: u64 = 8 * 4 + 8 + 256;

impl FaultyDisk {
    /// A disk that works and a clock that is right.
    pub(crate) fn new(folder: &Path) -> Self {
        let file = folder.join("faulty-disk");
        let control =
            File::options().read(true).write(true).create(true).truncate(true).open(&file).unwrap();
        control.set_len(SIZE).unwrap();
        Self { control, file }
    }

    /// What a process needs in its environment.
    pub(crate) fn env(&self) -> [(&str, &str); 2] {
        [("LD_PRELOAD", library().to_str().unwrap()), ("FAULTY_DISK", self.file.to_str().unwrap())]
    }

    /// From now on this fails.
    pub(crate) fn fails(&self, fault: Fault) {
        self.works();
        let mut place = [0; 256];
        place[..fault.place.len()].copy_from_slice(fault.place.as_bytes());
        self.control.write_all_at(&place, 40).unwrap();
        let numbers = [1, fault.error, fault.kinds, fault.delay_ms, fault.after, 0, 0, 0];
        for (n, number) in numbers.into_iter().enumerate().rev() {
            self.put(n as u64, number);
        }
    }

    /// Everything works again.
    pub(crate) fn works(&self) {
        self.put(0, 0);
    }

    /// Sets the clock off.
    pub(crate) fn clock_is_off(&self, ms: i64) {
        self.control.write_all_at(&ms.to_ne_bytes(), 32).unwrap();
    }

    /// How many calls were failed or delayed since the fault was set.
    pub(crate) fn failed(&self) -> u32 {
        let mut number = [0; 4];
        self.control.read_exact_at(&mut number, 6 * 4).unwrap();
        u32::from_ne_bytes(number)
    }

    fn put(&self, n: u64, number: u32) {
        self.control.write_all_at(&number.to_ne_bytes(), n * 4).unwrap();
    }
}

/// The library, built once for each version of its source.
fn library() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("crash/faulty_disk.c");
        let hash = kernel::text::sha256_hex(&std::fs::read(&source).unwrap());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let built = folder.join(format!("faulty-disk-{}.so", &hash[..12]));
        if !built.is_file() {
            // Under a name of its own first: tests are processes that run side by side.
            let own = folder.join(format!("faulty-disk-{}.tmp", std::process::id()));
            let mut cc = Command::new("cc");
            cc.args(["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o"]).arg(&own).arg(&source);
            assert!(cc.status().unwrap().success(), "cc did not build {}", source.display());
            std::fs::rename(own, &built).unwrap();
        }
        built
    })
}
