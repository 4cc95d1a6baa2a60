//! The models that answered: kept beside the settings, so that a person can go back to one without
//! writing its address and its name again. The key is not among what is kept.

use kernel::bounds::{KNOWN_MODEL_BYTES, KNOWN_MODELS, KNOWN_MODELS_BYTES};
use kernel::settings::ModelSettings;
use kernel::wire::KnownModel;
use serde_json::Value;
use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::atomic::{self, AtomicFile};
use crate::file_lock::lock_in_time;
use crate::json;
use crate::plain_file;
use crate::private;
use crate::real_path::RealPath;

const FILE: &str = "models.json";
/// Held while the file is read, changed and replaced, so that two programs do not lose each other's.
const LOCK: &str = "models.json.lock";

/// The models that answered in one store. Every call reads the file: another program may have
/// written it, too. Calls block.
#[derive(Debug)]
pub(crate) struct AnsweredModels(RealPath);

impl AnsweredModels {
    /// In the folder of a store.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self(RealPath::new(folder, "the store"))
    }

    /// The last to answer first. What this program does not understand is left out.
    pub(crate) fn list(&self) -> Vec<KnownModel> {
        self.read().unwrap_or_default().iter().filter_map(known).collect()
    }

    /// Keeps that it answered. What is kept of one that is known stays as the person set it. One that
    /// cannot be written is kept with its next answer.
    pub(crate) fn keep(&self, model: &KnownModel) {
        let is_first =
            |all: Vec<Value>| all.first().and_then(known).is_some_and(|m| m.is_same(model));
        if self.read().is_ok_and(is_first) {
            return;
        }
        self.change(|all| {
            let place = all.iter().position(|one| is(one, model));
            let entry = match place {
                Some(place) => all.remove(place),
                None => serde_json::to_value(model)?,
            };
            all.retain(|one| !is(one, model));
            if place.is_some() || entry.to_string().len() <= KNOWN_MODEL_BYTES {
                all.insert(0, entry);
            }
            Ok(())
        });
    }

    /// Keeps what a patch has just set for the model of the settings, when that one is known. What the
    /// patch does not name may be left from another model.
    pub(crate) fn renew(&self, settings: &ModelSettings, patch: &Value) {
        let model = KnownModel::of(settings);
        let Some(patch) = patch.get("model").and_then(Value::as_object) else { return };
        let of_it = ["provider", "contextTokens", "tools"];
        if !of_it.iter().any(|name| patch.contains_key(*name)) {
            return;
        }
        self.change(|all| {
            let now = serde_json::to_value(&model)?;
            let entry = all.iter_mut().find(|one| is(one, &model)).and_then(Value::as_object_mut);
            let Some(entry) = entry else { return Ok(()) };
            for name in of_it.into_iter().filter(|name| patch.contains_key(*name)) {
                entry.insert(name.to_owned(), now[name].clone());
            }
            Ok(())
        });
    }

    /// Reads, changes and writes, while no other program does.
    fn change(&self, change: impl FnOnce(&mut Vec<Value>) -> io::Result<()>) {
        let changed = || -> io::Result<()> {
            private::folder(self.0.as_path())?;
            let lock = private::file(&self.0.as_path().join(LOCK))?;
            if !lock_in_time(&lock)? {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            let before = self.read()?;
            let mut all = before.clone();
            change(&mut all)?;
            if all == before { Ok(()) } else { self.write(all) }
        };
        if let Err(error) = changed() {
            tracing::warn!(%error, "which models answered is not kept");
        }
    }

    /// The entries of the file, those of a later program among them. There are none in a file that is
    /// missing or holds something else.
    fn read(&self) -> io::Result<Vec<Value>> {
        let text = match plain_file::read_to_string(&self.path(), KNOWN_MODELS_BYTES) {
            Ok(text) => text,
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData) => {
                return Ok(Vec::new());
            }
            Err(e) => return Err(e),
        };
        let Ok(Value::Array(mut all)) = json::parse(text.as_bytes()) else { return Ok(Vec::new()) };
        all.truncate(KNOWN_MODELS);
        Ok(all)
    }

    /// Writes the newest that there is room for.
    fn write(&self, mut all: Vec<Value>) -> io::Result<()> {
        all.truncate(KNOWN_MODELS);
        let mut text = serde_json::to_string(&all)?;
        while text.len() as u64 > KNOWN_MODELS_BYTES {
            all.pop();
            text = serde_json::to_string(&all)?;
        }
        let folder = atomic::folder_of(&self.path())?;
        let mut file = AtomicFile::new(&folder, atomic::for_its_owner().as_ref())?;
        file.write_all(text.as_bytes())?;
        file.flushed()?.replace(FILE)
    }

    fn path(&self) -> PathBuf {
        self.0.as_path().join(FILE)
    }
}

/// An entry, as far as this program understands it.
fn known(entry: &Value) -> Option<KnownModel> {
    serde_json::from_value(entry.clone()).ok()
}

fn is(entry: &Value, model: &KnownModel) -> bool {
    known(entry).is_some_and(|one| one.is_same(model))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    fn models(folder: &Path) -> AnsweredModels {
        AnsweredModels::new(folder.to_owned())
    }

    fn model(name: &str) -> KnownModel {
        KnownModel::of(&settings(name))
    }

    fn settings(name: &str) -> ModelSettings {
        ModelSettings {
            base_url: "http://h/v1".into(),
            model: name.into(),
            ..ModelSettings::default()
        }
    }

    fn names(models: &AnsweredModels) -> Vec<String> {
        models.list().into_iter().map(|one| one.model).collect()
    }

    #[test]
    fn the_last_to_answer_comes_first_and_each_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let one = models(folder.path());
        assert!(one.list().is_empty());
        for name in ["a", "b", "b", "a"] {
            one.keep(&model(name));
        }
        assert_eq!(names(&one), ["a", "b"]);
        let another = models(folder.path());
        assert_eq!(names(&another), ["a", "b"], "after a restart, too");
        another.keep(&model("b"));
        one.keep(&model("a"));
        assert_eq!(names(&one), ["a", "b"], "two programs see each other's");
        one.keep(&KnownModel { provider: "another".into(), ..model("b") });
        assert_eq!(names(&one), ["b", "a"], "an address has one model of a name");
    }

    #[test]
    fn two_programs_lose_nothing_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let models = models(folder.path());
                scope.spawn(move || models.keep(&model(name)));
            }
        });
        let mut kept = names(&models(folder.path()));
        kept.sort();
        assert_eq!(kept, ["a", "b", "c", "d"]);
    }

    #[test]
    fn only_so_many_are_kept_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let models = models(folder.path());
        (0..=KNOWN_MODELS).for_each(|n| models.keep(&model(&n.to_string())));
        let kept = names(&models);
        assert_eq!(kept.len(), KNOWN_MODELS);
        assert_eq!(kept.first(), Some(&KNOWN_MODELS.to_string()));
        assert!(!kept.contains(&"0".to_owned()));
    }

    #[test]
    fn one_that_is_too_long_is_not_kept_and_pushes_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let models = models(folder.path());
        models.keep(&model("a"));
        models.keep(&model(&"x".repeat(KNOWN_MODEL_BYTES)));
        assert_eq!(names(&models), ["a"]);
        // Another program may take more room for one: the oldest make way.
        let room = usize::try_from(KNOWN_MODELS_BYTES).unwrap() - 300;
        let large = json!([model("b"), { "of a later program": "x".repeat(room) }]).to_string();
        std::fs::write(folder.path().join(FILE), large).unwrap();
        assert_eq!(names(&models), ["b"]);
        for name in ["c", "d"] {
            models.keep(&model(name));
        }
        assert_eq!(names(&models), ["d", "c", "b"]);
    }

    #[test]
    fn what_was_set_for_a_model_is_renewed_by_what_is_set_for_it_and_by_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let models = models(folder.path());
        models.keep(&model("a"));
        models.keep(&model("b"));
        let set = ModelSettings { context_tokens: Some(8192), ..settings("a") };
        models.renew(&set, &json!({ "model": { "contextTokens": 8192 } }));
        models.renew(&settings("never answered"), &json!({ "model": { "tools": "all" } }));
        assert_eq!(names(&models), ["b", "a"]);
        assert_eq!(models.list()[1].context_tokens, Some(8192));
        // The settings still hold what was set for another one.
        let left = ModelSettings { context_tokens: Some(100_000), ..settings("a") };
        models.renew(&left, &json!({ "model": { "model": "a" } }));
        models.keep(&KnownModel::of(&left));
        assert_eq!(names(&models), ["a", "b"]);
        assert_eq!(models.list()[0].context_tokens, Some(8192));
    }

    #[test]
    fn a_file_that_is_no_list_tells_of_no_model_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let models = models(folder.path());
        for text in ["", "{}", "[1]", "[{\"model\": 1}]", "\u{0}"] {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            assert!(models.list().is_empty(), "{text}");
            models.keep(&model("a"));
            assert_eq!(names(&models), ["a"], "{text}");
        }
    }

    #[test]
    fn entries_of_a_later_program_stay_and_a_file_that_cannot_be_read_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (models, path) = (models(folder.path()), folder.path().join(FILE));
        let mut of_later = serde_json::to_value(model("a")).unwrap();
        of_later["more"] = json!(1);
        let strange = json!({ "model": "later", "tools": "some" });
        std::fs::write(&path, json!([strange, of_later]).to_string()).unwrap();
        assert_eq!(names(&models), ["a"]);
        models.keep(&model("a"));
        let now: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(now, json!([of_later, strange]));

        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        models.keep(&model("b"));
        assert!(path.is_dir() && models.list().is_empty());
    }
}
