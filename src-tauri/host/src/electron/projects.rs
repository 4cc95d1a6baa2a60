//! `projects.json` and `projects/<id>/`: where each project's folder is now, and what it holds.

use import_electron::{OldProject, listed, project};
use kernel::code::{ErrorCode, Failure};
use kernel::ids::ProjectId;
use kernel::import::{ImportEntry, ImportKind, ImportOutcome};
use kernel::phrase::{Phrase, imports};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::importer::Importer;
use super::place::LocalProject;
use crate::crash::{Point, point};
use crate::projects::{self, DEFAULT_ARTIFACTS_DIR};
use crate::redact::Redactor;
use crate::store::ProjectRow;

const INDEX: &str = "projects.json";

/// What is known of a project's own folder.
struct ProjectFolderFacts {
    id: Option<ProjectId>,
    /// As it goes into the list; empty when the old store names none.
    location: String,
    artifacts_dir: String,
    /// What the person must know.
    note: Option<Failure>,
}

impl Importer {
    pub(super) fn projects(&mut self) -> Result<(), Failure> {
        let mut seen = BTreeSet::new();
        for old in self.listed_projects() {
            if seen.insert(old.id.clone()) {
                self.project(&old, true)?;
            } else {
                let why = imports::project_twice();
                let failure = Failure::new(ErrorCode::ImportDuplicate, why);
                self.failed(ImportKind::Project, old.id.as_str(), INDEX, failure);
            }
        }
        for name in self.folders(ImportKind::Project, "projects") {
            if let Ok(id) = name.parse::<ProjectId>()
                && !seen.contains(&id)
            {
                let (name, root, last_opened_at) = (String::new(), None, None);
                self.project(&OldProject { id, name, root, last_opened_at }, false)?;
            }
        }
        Ok(())
    }

    fn listed_projects(&mut self) -> Vec<OldProject> {
        let Some(index) = self.json(INDEX) else { return Vec::new() };
        let Some(entries) = listed(&index, "projects") else {
            let why = imports::no_list_nor_map();
            let failure = Failure::new(ErrorCode::ImportMalformed, why);
            self.failed(ImportKind::File, "", INDEX, failure);
            return Vec::new();
        };
        let mut out = Vec::new();
        for (n, (listed_as, entry)) in entries.into_iter().enumerate() {
            match project(entry, listed_as, &format!("#{}", n + 1)) {
                Ok(old) => out.push(old),
                Err(problem) => self.add(problem.entry(ImportKind::Project, INDEX)),
            }
        }
        out
    }

    fn project(&mut self, old: &OldProject, is_listed: bool) -> Result<(), Failure> {
        let found = find(old.root.as_deref());
        let id = found.id.clone().unwrap_or_else(|| old.id.clone());
        let known = self.runtime.block_on(self.target.store.project(&id)).is_ok();
        if !known && !self.dry_run {
            let row = ProjectRow {
                project_id: id.clone(),
                name: if old.name.is_empty() { id.to_string() } else { old.name.clone() },
                location: found.location.clone(),
                former_places: Vec::new(),
                last_opened_at: old.last_opened_at.unwrap_or(self.target.now),
            };
            self.runtime.block_on(self.target.store.upsert_project(row))?;
            point(Point::AfterImportProject);
        }
        let outcome = if known { ImportOutcome::Already } else { ImportOutcome::Imported };
        let file = if is_listed { INDEX.to_owned() } else { format!("projects/{}", old.id) };
        let mut entry = ImportEntry::new(ImportKind::Project, old.id.as_str(), file, outcome);
        entry.new_id = (id != old.id).then(|| id.to_string());
        if !is_listed {
            let why = imports::project_unlisted();
            entry = entry.because(ErrorCode::ImportUnlisted, why);
        } else if let Some(note) = found.note {
            entry = entry.failed(note);
        }
        self.add(entry);
        let place = LocalProject {
            redactor: self.redactor(&found.location),
            artifacts_dir: found.artifacts_dir,
            old: old.id.to_string(),
            id,
        };
        self.inside(&place)
    }

    fn redactor(&self, location: &str) -> Redactor {
        let mut roots =
            vec![(self.source.real(""), "[old store]"), (self.target.root.clone(), "[store]")];
        if !location.is_empty() {
            roots.push((PathBuf::from(location), "@project"));
        }
        if let Some(dirs) = directories::UserDirs::new() {
            roots.push((dirs.home_dir().to_owned(), "[home]"));
        }
        Redactor::new(roots)
    }
}

/// Looks at a project's folder; nothing is written there.
fn find(root: Option<&str>) -> ProjectFolderFacts {
    let artifacts_dir = DEFAULT_ARTIFACTS_DIR.to_owned();
    let invalid = |why: Phrase| Some(Failure::new(ErrorCode::ProjectRootInvalid, why));
    let Some(root) = root.filter(|root| is_absolute(root)) else {
        let note = invalid(imports::project_not_named());
        return ProjectFolderFacts { id: None, location: String::new(), artifacts_dir, note };
    };
    let Some(folder) = Path::new(root).canonicalize().ok().filter(|path| path.is_dir()) else {
        let note = invalid(imports::project_gone());
        return ProjectFolderFacts { id: None, location: root.to_owned(), artifacts_dir, note };
    };
    let location = folder.to_string_lossy().into_owned();
    match projects::peek(&folder) {
        Ok(Some(file)) => {
            let (id, artifacts_dir) = (file.project_id, file.artifacts_dir);
            ProjectFolderFacts { id, location, artifacts_dir, note: None }
        }
        Ok(None) => ProjectFolderFacts { id: None, location, artifacts_dir, note: None },
        Err(note) => ProjectFolderFacts { id: None, location, artifacts_dir, note: Some(note) },
    }
}

/// On this system or another: a project may have come from there.
fn is_absolute(root: &str) -> bool {
    let drive = root.as_bytes().get(1) == Some(&b':');
    Path::new(root).is_absolute() || drive || root.starts_with("\\\\") || root.starts_with('/')
}
