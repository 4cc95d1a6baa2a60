//! Every module has a floor (law J): `floors.yaml` places them, and the tables of ARCHITECTURE.md
//! are written from it.

use super::imports::Imports;
use super::none;
use super::source::root;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A crate, or the page.
#[derive(Deserialize)]
struct Part {
    part: String,
    /// From the ground up.
    floors: Vec<Floor>,
}

#[derive(Deserialize)]
struct Floor {
    floor: String,
    /// What each module does, in the order in which the table has them.
    modules: serde_yaml::Mapping,
}

impl Floor {
    fn rows(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules.iter().filter_map(|(module, does)| Some((module.as_str()?, does.as_str()?)))
    }
}

fn house() -> Vec<Part> {
    serde_yaml::from_str(include_str!("floors.yaml")).unwrap()
}

/// The number of each module's floor, by part and name.
fn places(house: &[Part]) -> BTreeMap<(&str, &str), usize> {
    let mut places = BTreeMap::new();
    for Part { part, floors } in house {
        for (number, floor) in floors.iter().enumerate() {
            for (module, does) in floor.rows() {
                let twice = places.insert((part.as_str(), module), number);
                assert!(twice.is_none(), "{part}: `{module}` has two floors");
                assert!(!does.is_empty(), "{part}: what does `{module}` do?");
            }
        }
    }
    places
}

/// The modules at the top of each part, and each use of one of them by another.
struct Found {
    modules: BTreeSet<(String, String)>,
    uses: Vec<(String, String, String, String)>,
}

fn found() -> Found {
    let (mut modules, mut uses) = (BTreeSet::new(), Vec::new());
    for imports in [Imports::of_rust(), Imports::of_the_page()] {
        let tops = imports.places.values().filter_map(|place| Some((&place[0], place.get(1)?)));
        modules.extend(tops.map(|(part, module)| (part.clone(), module.clone())));
        for import in &imports.all {
            let Some(([part], from, to)) = imports.siblings(import) else { continue };
            let line = format!("{}:{}: {}", import.from, import.line, import.path);
            uses.push((part.clone(), from.to_owned(), to.to_owned(), line));
        }
    }
    Found { modules, uses }
}

#[test]
fn every_module_has_a_floor_and_uses_none_above_it() {
    let house = house();
    let places = places(&house);
    let Found { modules, uses } = found();
    let listed = |part: &str, module: &str| places.get(&(part, module)).copied();
    let missing = modules.iter().filter(|(part, module)| listed(part, module).is_none());
    let missing = missing.map(|(part, module)| format!("{part}: `{module}` has no floor"));
    let there = |part: &str, module: &str| modules.contains(&(part.to_owned(), module.to_owned()));
    let gone = places.keys().filter(|(part, module)| !there(part, module));
    let gone = gone.map(|(part, module)| format!("{part}: there is no `{module}`"));
    none("law J: floors.yaml places every module", &missing.chain(gone).collect::<Vec<_>>());
    let upward = uses.iter().filter(|(part, from, to, _)| listed(part, from) < listed(part, to));
    let upward = upward.map(|(part, from, to, line)| format!("{part}: {from} uses {to}: {line}"));
    none("law J: imports lead downwards", &upward.collect::<Vec<_>>());
}

/// What stands around the tables of ARCHITECTURE.md.
const BEGIN: &str = "<!-- written from tests/it/tidy/floors.yaml -->\n";
const END: &str = "<!-- end -->\n";

fn tables() -> String {
    let mut text = String::new();
    for Part { part, floors } in house() {
        _ = write!(text, "\n| {part} | module | does |\n|---|---|---|\n");
        for (number, floor) in floors.iter().enumerate().rev() {
            let mut title = format!("{}. {}", number + 1, floor.floor);
            for (module, does) in floor.rows() {
                _ = writeln!(text, "| {} | `{module}` | {does} |", std::mem::take(&mut title));
            }
        }
    }
    text + "\n"
}

#[test]
fn the_floors_in_the_architecture_are_those_that_are_held() {
    let file = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("ARCHITECTURE.md has the tables");
    let (told, after) = rest.split_once(END).expect("the tables have an end");
    let tables = tables();
    if std::env::var_os("UPDATE_FLOORS").is_some() {
        std::fs::write(&file, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
    } else {
        assert_eq!(told, tables, "UPDATE_FLOORS=1 writes them from floors.yaml");
    }
}
