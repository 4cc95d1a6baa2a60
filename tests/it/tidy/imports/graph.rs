//! Circles in a graph of names.

use std::collections::{BTreeMap, BTreeSet};

/// Who uses whom.
pub(in crate::tidy) type Graph = BTreeMap<String, BTreeSet<String>>;

/// Adds that one uses another; nobody uses themselves.
pub(in crate::tidy) fn connect(graph: &mut Graph, from: &str, to: &str) {
    if from != to {
        graph.entry(from.to_owned()).or_default().insert(to.to_owned());
    }
}

/// Every circle: names of which each reaches each other one (Tarjan's strongly connected
/// components with more than one member).
pub(in crate::tidy) fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let mut search = Search::new(graph);
    for name in graph.keys() {
        if !search.numbers.contains_key(name.as_str()) {
            search.visit(name);
        }
    }
    search.found.sort();
    search.found
}

struct Search<'a> {
    graph: &'a Graph,
    numbers: BTreeMap<&'a str, usize>,
    lowest: BTreeMap<&'a str, usize>,
    stack: Vec<&'a str>,
    found: Vec<BTreeSet<String>>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            numbers: BTreeMap::new(),
            lowest: BTreeMap::new(),
            stack: Vec::new(),
            found: Vec::new(),
        }
    }

    fn visit(&mut self, name: &'a str) {
        let number = self.numbers.len();
        self.numbers.insert(name, number);
        self.lowest.insert(name, number);
        self.stack.push(name);
        for next in self.graph.get(name).into_iter().flatten() {
            if !self.numbers.contains_key(next.as_str()) {
                self.visit(next);
                let below = self.lowest[next.as_str()];
                self.lower(name, below);
            } else if self.stack.contains(&next.as_str()) {
                let below = self.numbers[next.as_str()];
                self.lower(name, below);
            }
        }
        if self.lowest[name] == number {
            let start = self.stack.iter().position(|one| *one == name).unwrap_or_default();
            let circle: BTreeSet<String> =
                self.stack.split_off(start).into_iter().map(str::to_owned).collect();
            if circle.len() > 1 {
                self.found.push(circle);
            }
        }
    }

    fn lower(&mut self, name: &'a str, to: usize) {
        let lowest = self.lowest.entry(name).or_insert(to);
        *lowest = (*lowest).min(to);
    }
}
