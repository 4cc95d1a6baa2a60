//! Who uses whom, in Rust and in the page, by file and by module.

mod crates;
pub(super) mod graph;
mod names;
mod rust;
mod tests;
mod tokens;
mod typescript;

use super::source::{Source, all};
use graph::{Graph, connect};
use std::collections::{BTreeMap, BTreeSet};

/// The texts of files by their paths from the top, with `/`.
type Sources = BTreeMap<String, String>;

/// One file uses something that another defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) line: usize,
    /// What is written there.
    pub(super) path: String,
}

/// The files of some crates or of the page, the module that each is, and what they use.
pub(super) struct Imports {
    pub(super) all: Vec<Import>,
    /// The names down to each file's module, that of its crate first.
    pub(super) places: BTreeMap<String, Vec<String>>,
}

impl Imports {
    /// Those of all crates below `src-tauri`.
    pub(super) fn of_rust() -> Self {
        let sources = sources(|source| source.is(&["rs"]));
        let tree = rust::Tree::read(&crates::of_the_workspace(), &sources).unwrap();
        Self { all: tree.imports(), places: tree.files() }
    }

    /// Those of `ui/src`, tests aside.
    pub(super) fn of_the_page() -> Self {
        let tests = |path: &str| path.contains(".test.") || path.starts_with("ui/src/test/");
        let sources = sources(|source| {
            source.below("ui/src/") && source.is(&["ts", "tsx"]) && !tests(&source.path)
        });
        let place = |path: &String| {
            let module = path.trim_start_matches("ui/src/").rsplit_once('.');
            let module = module.map_or(path.as_str(), |(module, _)| module);
            let names = std::iter::once("ui").chain(module.split('/')).map(str::to_owned);
            (path.clone(), names.collect())
        };
        let places = sources.keys().map(place).collect();
        Self { all: typescript::imports(&sources).unwrap(), places }
    }

    /// Every circle, as readable lines: of files, and of the modules inside one module or folder,
    /// each with all that is below it.
    pub(super) fn circles(&self) -> Vec<BTreeSet<String>> {
        let mut files = Graph::new();
        let mut modules: BTreeMap<&[String], Graph> = BTreeMap::new();
        for import in &self.all {
            connect(&mut files, &import.from, &import.to);
            if let Some((inside, from, to)) = self.siblings(import) {
                connect(modules.entry(inside).or_default(), from, to);
            }
        }
        let mut found = graph::circles(&files);
        for (inside, graph) in modules {
            let name = |module: String| format!("{}::{module}", inside.join("::"));
            let circles = graph::circles(&graph).into_iter();
            found.extend(circles.map(|circle| circle.into_iter().map(name).collect()));
        }
        found
    }

    /// The module that two files have in common, and the two modules below it that they are in.
    pub(super) fn siblings(&self, import: &Import) -> Option<(&[String], &str, &str)> {
        let (from, to) = (&self.places[&import.from], &self.places[&import.to]);
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        let (next_from, next_to) = (from.get(common)?, to.get(common)?);
        (common > 0).then_some((&from[..common], next_from.as_str(), next_to.as_str()))
    }

    /// Where one member of a circle uses another.
    pub(super) fn inside(&self, circle: &BTreeSet<String>) -> Vec<String> {
        let member = |file: &str| {
            let place = &self.places[file];
            let names = (1..=place.len()).map(|end| place[..end].join("::"));
            std::iter::once(file.to_owned()).chain(names).find(|name| circle.contains(name))
        };
        let both = self.all.iter().filter(|import| {
            let (from, to) = (member(&import.from), member(&import.to));
            from.is_some() && to.is_some() && from != to
        });
        both.map(|Import { from, to, line, path }| format!("{from}:{line}: {path} is in {to}"))
            .collect()
    }
}

fn sources(wanted: impl Fn(&Source) -> bool) -> Sources {
    let found = all().into_iter().filter(|source| wanted(source));
    found.map(|source| (source.path, source.text)).collect()
}
