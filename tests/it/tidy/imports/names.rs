//! What a path means: names are followed through renamed crates, renamed imports and re-exports to
//! the file that defines the item.

use super::Import;
use super::rust::{Module, Place, Tree};
use super::tokens::Path;
use std::collections::{BTreeMap, BTreeSet};

/// What a path leads to.
enum Target {
    Module(Place),
    /// An item, the file that defines it, and the next name of the path: its method or variant.
    Item {
        file: String,
        name: String,
        then: Option<String>,
    },
}

/// Names that are being looked up, each in its module.
type Seen = BTreeSet<(Place, String)>;

/// The file of each method whose type it is not written beside, by the type's file and name.
type Methods = BTreeMap<(String, String, String), String>;

impl Tree {
    /// What files use of other files, one line for each pair. A `mod`, a `pub use` or the name of a
    /// module alone use nothing: who writes a path through them does.
    pub(super) fn imports(&self) -> Vec<Import> {
        let methods = self.methods();
        let mut found = BTreeMap::new();
        for (place, module) in &self.modules {
            let imported = module.uses.iter().filter(|one| !one.hands_on).map(|one| &one.path);
            let paths = imported.chain(&module.paths);
            let meant = paths.filter_map(|path| Some((path, self.file_of(place, path, &methods)?)));
            let called = module
                .macros
                .iter()
                .filter_map(|path| Some((path, self.macros.get(path.segments.last()?)?.clone())));
            let own = self.own_calls(place, module, &methods);
            for (path, to) in meant.chain(called).chain(own) {
                if to != module.file {
                    let written = (path.line, path.segments.join("::"));
                    found.entry((module.file.clone(), to)).or_insert(written);
                }
            }
        }
        let import = |((from, to), (line, path))| Import { from, to, line, path };
        found.into_iter().map(import).collect()
    }

    /// The methods of types that have some in other files than their own.
    fn methods(&self) -> Methods {
        let mut found = Methods::new();
        for (place, module) in &self.modules {
            for block in &module.impls {
                let Some((file, name)) = self.item_of(place, &block.of) else { continue };
                if file == module.file {
                    continue;
                }
                for method in &block.methods {
                    let key = (file.clone(), name.clone(), method.clone());
                    found.insert(key, module.file.clone());
                }
            }
        }
        found
    }

    /// Calls of methods on `self` that another file holds.
    fn own_calls<'a>(
        &self,
        place: &[String],
        module: &'a Module,
        methods: &Methods,
    ) -> Vec<(&'a Path, String)> {
        let mut found = Vec::new();
        for block in &module.impls {
            let Some((file, name)) = self.item_of(place, &block.of) else { continue };
            for call in &block.calls {
                let method = call.segments.last().cloned().unwrap_or_default();
                let held_by = methods.get(&(file.clone(), name.clone(), method));
                found.extend(held_by.map(|to| (call, to.clone())));
            }
        }
        found
    }

    /// The file that defines what a path means.
    fn file_of(&self, place: &[String], path: &Path, methods: &Methods) -> Option<String> {
        match self.resolve(place, &path.segments, &mut Seen::new())? {
            Target::Item { file, name, then } => {
                let held_by = methods.get(&(file.clone(), name, then.unwrap_or_default()));
                Some(held_by.cloned().unwrap_or(file))
            }
            Target::Module(_) => None,
        }
    }

    fn item_of(&self, place: &[String], segments: &[String]) -> Option<(String, String)> {
        match self.resolve(place, segments, &mut Seen::new())? {
            Target::Item { file, name, .. } => Some((file, name)),
            Target::Module(_) => None,
        }
    }

    fn resolve(&self, place: &[String], segments: &[String], seen: &mut Seen) -> Option<Target> {
        let (first, rest) = segments.split_first()?;
        let start = match first.as_str() {
            "crate" => Target::Module(place[..1].to_vec()),
            "self" => Target::Module(place.to_vec()),
            "super" => Target::Module(above(place)?),
            name => match self.lookup(place, name, seen) {
                Some(target) => target,
                None => Target::Module(vec![self.knows[&place[0]].get(name)?.clone()]),
            },
        };
        self.descend(start, rest, seen)
    }

    fn descend(&self, start: Target, rest: &[String], seen: &mut Seen) -> Option<Target> {
        let place = match start {
            Target::Module(place) => place,
            Target::Item { file, name, then } => {
                let then = then.or_else(|| rest.first().cloned());
                return Some(Target::Item { file, name, then });
            }
        };
        let module = self.modules.get(&place)?;
        let Some((first, rest)) = rest.split_first() else {
            return Some(Target::Module(place));
        };
        let next = match first.as_str() {
            "super" => Target::Module(above(&place)?),
            "self" => Target::Module(place),
            // A name that nobody declares is made by a macro of the module's file.
            name => self.lookup(&place, name, seen).unwrap_or_else(|| here(module, name)),
        };
        self.descend(next, rest, seen)
    }

    /// What a name means inside a module.
    fn lookup(&self, place: &[String], name: &str, seen: &mut Seen) -> Option<Target> {
        let module = self.modules.get(place)?;
        if module.children.contains(name) {
            return Some(Target::Module([place, &[name.to_owned()]].concat()));
        }
        if module.items.contains(name) {
            return Some(here(module, name));
        }
        // An import that leads back to itself names something that no crate here declares.
        let key = (place.to_vec(), name.to_owned());
        if !seen.insert(key.clone()) {
            return None;
        }
        let mut named = module.uses.iter().filter(|one| one.name == name);
        let found = named
            .find_map(|one| self.resolve(place, &one.path.segments, seen))
            .or_else(|| self.through_globs(module, place, name, seen));
        seen.remove(&key);
        found
    }

    fn through_globs(
        &self,
        module: &Module,
        place: &[String],
        name: &str,
        seen: &mut Seen,
    ) -> Option<Target> {
        let mut globs = module.uses.iter().filter(|one| one.name == "*");
        globs.find_map(|one| match self.resolve(place, &one.path.segments, seen)? {
            Target::Module(to) => self.lookup(&to, name, seen),
            Target::Item { .. } => None,
        })
    }
}

fn above(place: &[String]) -> Option<Place> {
    (place.len() > 1).then(|| place[..place.len() - 1].to_vec())
}

fn here(module: &Module, name: &str) -> Target {
    Target::Item { file: module.file.clone(), name: name.to_owned(), then: None }
}
