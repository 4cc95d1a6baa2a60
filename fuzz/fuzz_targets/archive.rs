//! A package as a stranger may have made it: no panic, no hang, the same judgement each time, and
//! no name that leads out of it.
//!
//! What begins like an archive is one, byte for byte. Else the files of one are written down,
//! because damaged sums would end most attempts: each begins with `\u{1}`, its name ends with
//! `\u{2}`.

#![no_main]

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use host::packages::{Inspected, inspect};
use kernel::bounds::FINDINGS;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

thread_local! {
    static FOLDER: Option<TempDir> = TempDir::new().ok();
}

fuzz_target!(|data: &[u8]| {
    let Some(bytes) = archive(data) else { return };
    let path: Option<PathBuf> =
        FOLDER.with(|folder| Some(folder.as_ref()?.path().join("given.bmad")));
    let path = path.unwrap_or_default();
    assert!(fs::write(&path, bytes).is_ok(), "there is room for a file");
    let inspected = match inspect(&path) {
        Ok(inspected) => inspected,
        Err(failure) => {
            let words = format!("{failure:?}");
            let folder = path.parent().and_then(|folder| folder.to_str()).unwrap_or_default();
            assert!(!failure.message.is_empty() && !words.contains(folder), "{words}");
            return;
        }
    };
    assert!(inspected.report.findings.len() <= FINDINGS + 1);
    assert_eq!(inspected.package.is_some(), inspected.usable().is_ok());
    let files = inspected.files();
    assert!(files.is_ok(), "nobody changed them: {files:?}");
    let files = files.unwrap_or_default();
    for name in files.keys() {
        assert!(!name.starts_with('/') && !name.contains('\\'), "{name:?}");
        assert!(name.split('/').all(|part| !matches!(part, "" | "." | "..")), "{name:?}");
    }
    // What lies in memory is judged like what lies in an archive.
    let again = Inspected::new(files).map(|again| (again.report, again.package));
    assert_eq!(again, Ok((inspected.report, inspected.package)));
});

fn archive(data: &[u8]) -> Option<Vec<u8>> {
    if data.starts_with(b"PK") {
        return Some(data.to_vec());
    }
    let text = std::str::from_utf8(data).ok()?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in text.strip_prefix('\u{1}')?.split('\u{1}') {
        let (name, content) = file.split_once('\u{2}')?;
        zip.start_file(name, options).ok()?;
        zip.write_all(content.as_bytes()).ok()?;
    }
    Some(zip.finish().ok()?.into_inner())
}
