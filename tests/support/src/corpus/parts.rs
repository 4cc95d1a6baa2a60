//! The files of a package, to be changed and packed.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The smallest package that has everything, and what was put into it.
pub struct Parts(BTreeMap<String, Vec<u8>>);

impl Parts {
    /// The package as it is.
    pub fn mini() -> Self {
        let root = crate::program::root().join("tests/fixtures/packages/mini");
        let mut files = BTreeMap::new();
        let names = ["bmad.json", "agents.json", "workflow.graph.json", "workflow.md"];
        let steps = ["steps/ask.md", "steps/write.md", "steps/done.md"];
        for name in names.into_iter().chain(steps) {
            files.insert(name.to_owned(), fs::read(root.join(name)).unwrap());
        }
        Self(files)
    }

    /// With this file.
    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.into(), bytes.into());
        self
    }

    /// With a JSON file changed.
    pub fn json(self, path: &str, change: impl FnOnce(&mut Value)) -> Self {
        let mut value: Value = serde_json::from_slice(&self.0[path]).unwrap();
        change(&mut value);
        self.with(path, value.to_string())
    }

    /// With lines put into the front matter of a Markdown file.
    pub fn matter(self, path: &str, lines: &str) -> Self {
        let text = String::from_utf8(self.0[path].clone()).unwrap();
        let body = text.strip_prefix("---\n").unwrap();
        self.with(path, format!("---\n{lines}\n{body}"))
    }

    /// As a package file in `folder`, not compressed: what repeats itself would be refused as a bomb.
    pub fn packed(&self, folder: &Path) -> PathBuf {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in &self.0 {
            zip.start_file(path.as_str(), stored()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        written(folder, &zip.finish().unwrap().into_inner())
    }

    /// As a package file that also holds `count` copies of one file, which is packed once.
    pub fn packed_with(
        &self,
        folder: &Path,
        count: usize,
        name: impl Fn(usize) -> String,
        bytes: &[u8],
    ) -> PathBuf {
        let mut one = ZipWriter::new(Cursor::new(Vec::new()));
        let packed = stored().compression_method(CompressionMethod::Deflated);
        one.start_file("one", packed).unwrap();
        one.write_all(bytes).unwrap();
        let mut one = ZipArchive::new(one.finish().unwrap()).unwrap();
        let path = folder.join("package.bmad");
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        for (path, bytes) in &self.0 {
            zip.start_file(path.as_str(), stored()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        for n in 0..count {
            zip.raw_copy_file_rename(one.by_index_raw(0).unwrap(), name(n)).unwrap();
        }
        zip.finish().unwrap();
        path
    }

    /// As a folder under development.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        let root = folder.join("package");
        for (path, bytes) in &self.0 {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        root
    }
}

fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

/// A package file of these bytes.
pub(super) fn written(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("package.bmad");
    fs::write(&path, bytes).unwrap();
    path
}

/// Bytes that do not pack, the same each time.
pub(super) fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(len)
    .collect()
}

/// Letters that pack to about a fortieth.
pub(super) fn letters(len: usize) -> Vec<u8> {
    let words: Vec<u8> = noise(len / 40 + 1).into_iter().map(|byte| b'a' + byte % 26).collect();
    words
        .chunks(1500)
        .flat_map(|words| words.iter().cycle().take(60_000))
        .take(len)
        .copied()
        .collect()
}
