//! A package that is made of a folder of skills, or of an archive of npm.

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use flate2::read::GzDecoder;
use import_skills::{Converted, ProjectFiles, Source, convert};
use kernel::bounds::{
    PACKAGE_LIMITS, SKILL_SETTINGS_BYTES, SKILL_SETTINGS_FILES, SKILLS_SOURCE_LIMITS,
};
use kernel::code::{ErrorCode, Failure};
use kernel::package::{Finding, Severity, check, slug};
use kernel::phrase::{Why, from_skills as said, packages};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::content::Content;
use super::inspected::Inspected;
use super::names::{Names, is_litter, shown};
use super::pack::{Packed, pack_inspected};
use super::reading::PackageReading;
use super::refusal::PackageRefusal;
use super::{folder, unread};
use crate::plain_file;

/// The folder of a project in which BMAD keeps what it was told.
const SETTINGS_FOLDER: &str = "_bmad";

/// A package that was made, and what of the skills is not in it, or is otherwise.
#[derive(Debug)]
pub struct MadeOfSkills {
    /// The package.
    pub packed: Packed,
    /// What was found, of the skills first.
    pub findings: Vec<Finding>,
    /// The file that was written.
    pub file: PathBuf,
}

/// Makes a package of the skills in `source`, as `project` wants them to be, and writes it to `out`,
/// or to a file in the current folder that is called after the package.
///
/// # Errors
/// `PACKAGE_NOT_FOUND`, `ARCHIVE_INVALID`, `ARCHIVE_LIMIT`, `ARCHIVE_UNSAFE` of what cannot be read;
/// `PACKAGE_INVALID` where there is no skill in it; as [`super::pack`].
pub fn from_skills(
    source: &Path,
    project: &Path,
    out: Option<&Path>,
    replace: bool,
) -> Result<MadeOfSkills, Failure> {
    let source = Source { name: name_of(source), files: files_of(source)? };
    let Converted { files, mut findings } = convert(source, &settings_of(project)?)?;
    // A package has longer paths than what it is made of.
    let mut names = Names::default();
    for path in files.keys() {
        names.accept(path, true, &PACKAGE_LIMITS)?;
    }
    let inspected = Inspected::of(Content::in_memory(files), check)?;
    let worth = |found: &&Finding| found.severity > Severity::Info;
    findings.extend(inspected.report.findings.iter().filter(worth).cloned());
    let manifest = &inspected.usable()?.manifest;
    let file =
        out.map_or_else(|| PathBuf::from(format!("{}.bmad", slug(&manifest.name))), Path::to_owned);
    let packed = pack_inspected(&inspected, &file, replace)?;
    Ok(MadeOfSkills { packed, findings, file })
}

/// What a folder or an archive is called, without its ending.
fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().map_or_else(|_| shown(path), |path| shown(&path));
    let ends = [".tgz", ".tar.gz", ".zip", ".tar"];
    ends.iter().find_map(|end| whole.strip_suffix(end)).unwrap_or(&whole).to_owned()
}

fn files_of(path: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let limits = &SKILLS_SOURCE_LIMITS;
    let (name, reading) = (shown(path), PackageReading::default());
    let meta = std::fs::metadata(path).map_err(|e| unread(&name, &e))?;
    if meta.is_dir() {
        let purpose = folder::Purpose::Development;
        return Content::of_folder(path, purpose, limits, &reading)?.bytes();
    }
    let mut file = plain_file::open(path).map_err(|e| unread(&name, &e))?;
    let mut start = [0; 2];
    let begins = file.read_exact(&mut start).map(|()| start);
    let file = plain_file::open(path).map_err(|e| unread(&name, &e))?;
    match begins {
        Ok([0x1f, 0x8b]) => Ok(unpacked(GzDecoder::new(file), &name)?),
        _ => Content::of_archive(file, path, limits, &reading)?.bytes(),
    }
}

/// The files of a tar archive. Its sizes are what it says; no more than that is read of it.
fn unpacked(from: impl Read, name: &str) -> Result<BTreeMap<String, Vec<u8>>, PackageRefusal> {
    let limits = &SKILLS_SOURCE_LIMITS;
    let broken = |e: io::Error| PackageRefusal::invalid(name, Why::quoted(e).into());
    // Beside the content there are headers, a block for each entry and for each long name.
    let headers = limits.entries as u64 * 4 * 512;
    let bounded = from.take(limits.total_bytes + headers);
    let mut archive = tar::Archive::new(bounded);
    let (mut files, mut names) = (BTreeMap::new(), Names::default());
    let (mut left, mut entries) = (limits.total_bytes, 0);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        entries += 1;
        if entries > limits.entries {
            return Err(PackageRefusal::over_limit("entries", limits.entries as u64, None));
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        if !kind.is_file() {
            return Err(PackageRefusal::of_entry(&path, packages::entry_link()));
        }
        let accepted = names.accept(&path, true, limits)?;
        let most = limits.entry_bytes.min(left);
        if entry.size() > most {
            let (limit, max) = if most == limits.entry_bytes {
                ("entryBytes", limits.entry_bytes)
            } else {
                ("totalBytes", limits.total_bytes)
            };
            return Err(PackageRefusal::over_limit(limit, max, Some(&path)));
        }
        left -= entry.size();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(broken)?;
        if !is_litter(&accepted) {
            files.insert(accepted, bytes);
        }
    }
    Ok(files)
}

/// What the project says of skills. A project that says nothing is none of BMAD's.
fn settings_of(project: &Path) -> Result<ProjectFiles, Failure> {
    let mut settings = ProjectFiles::default();
    let top = Dir::open_ambient_dir(project, ambient_authority());
    let top = match top.and_then(|top| top.open_dir(SETTINGS_FOLDER)) {
        Ok(top) => top,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(settings),
        Err(e) => return Err(settings_unread(SETTINGS_FOLDER, &e)),
    };
    read_settings(&top, "", &mut settings.files)?;
    for entry in entries(&top, SETTINGS_FOLDER)? {
        let place = format!("{SETTINGS_FOLDER}/{entry}");
        match top.open_dir(&entry) {
            Ok(folder) => read_settings(&folder, &format!("{entry}/"), &mut settings.files)?,
            Err(e) if e.kind() == io::ErrorKind::NotADirectory => {}
            // A link that leads out of the folder, or a folder that nobody may read.
            Err(e) => return Err(settings_unread(&place, &e)),
        }
    }
    Ok(settings)
}

fn read_settings(
    folder: &Dir,
    prefix: &str,
    files: &mut BTreeMap<String, String>,
) -> Result<(), Failure> {
    for name in entries(folder, prefix)? {
        let is_toml = Path::new(&name).extension().is_some_and(|ending| ending == "toml");
        let counts = if prefix.is_empty() {
            is_toml && name.starts_with("config.")
        } else if prefix == "custom/" {
            is_toml
        } else {
            name == "config.yaml"
        };
        // What is no folder and cannot be opened, such as a link that leads out, is told below.
        if !counts || folder.metadata(&name).is_ok_and(|meta| meta.is_dir()) {
            continue;
        }
        let place = format!("{SETTINGS_FOLDER}/{prefix}{name}");
        if files.len() == SKILL_SETTINGS_FILES {
            let most = SKILL_SETTINGS_FILES as u64;
            return Err(PackageRefusal::over_limit("entries", most, Some(&place)).into());
        }
        let read = plain_file::open_in(folder, &name)
            .and_then(|file| plain_file::text_of(file, SKILL_SETTINGS_BYTES));
        let text = read.map_err(|e| settings_unread(&place, &e))?;
        files.insert(format!("{prefix}{name}"), text);
    }
    Ok(())
}

/// Something of the project that cannot be read.
fn settings_unread(place: &str, error: &io::Error) -> Failure {
    crate::failure::io(ErrorCode::Io, said::reading_settings(place), error)
        .with_action(said::look_at_settings_file())
}

/// The names in a folder, in their order.
fn entries(folder: &Dir, place: &str) -> Result<Vec<String>, Failure> {
    let failed = |e: io::Error| settings_unread(place, &e);
    let mut names = Vec::new();
    for entry in folder.entries().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        names.extend(name.to_str().map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests;
