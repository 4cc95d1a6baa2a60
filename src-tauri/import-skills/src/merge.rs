//! How the layers of a customisation become one (BMAD's rules): a value of a later layer replaces
//! that of an earlier one, tables become one table, lists of tables that all have a `code`, or all an
//! `id`, replace the entries of the same name, and other lists are put together.

use toml::{Table, Value};

/// The names by which entries of a list are told apart, the first that all of them have.
const KEYS: [&str; 2] = ["code", "id"];

/// The layers as one, the first of them the weakest.
pub(crate) fn merged(layers: impl IntoIterator<Item = Table>) -> Table {
    let mut all = Table::new();
    for layer in layers {
        add(&mut all, layer);
    }
    all
}

fn add(base: &mut Table, layer: Table) {
    for (key, value) in layer {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(base)), Value::Table(value)) => add(base, value),
            (Some(Value::Array(base)), Value::Array(value)) => append(base, value),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn append(base: &mut Vec<Value>, more: Vec<Value>) {
    let named = |key: &&str| base.iter().chain(&more).all(|item| name(item, key).is_some());
    let Some(key) = KEYS.iter().find(|key| named(key)) else {
        base.extend(more);
        return;
    };
    for item in more {
        match base.iter_mut().find(|other| name(other, key) == name(&item, key)) {
            Some(other) => *other = item,
            None => base.push(item),
        }
    }
}

fn name<'v>(item: &'v Value, key: &str) -> Option<&'v str> {
    item.as_table()?.get(key)?.as_str().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(layers: &[&str]) -> Table {
        merged(layers.iter().map(|text| text.parse().unwrap()))
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one_and_tables_become_one() {
        let all =
            of(&["[agent]\nicon = 'a'\nrole = 'r'", "[agent]\nicon = 'b'", "[agent.more]\nx = 1"]);
        assert_eq!(all, of(&["[agent]\nicon = 'b'\nrole = 'r'\n[agent.more]\nx = 1"]));
    }

    #[test]
    fn entries_of_the_same_code_are_replaced_and_others_added() {
        let base = "[[menu]]\ncode = 'A'\nskill = 'a'\n[[menu]]\ncode = 'B'\nskill = 'b'";
        let team = "[[menu]]\ncode = 'B'\nprompt = 'p'\n[[menu]]\ncode = 'C'\nskill = 'c'";
        let all = of(&[base, team]);
        let codes: Vec<&str> = all["menu"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| name(item, "code").unwrap())
            .collect();
        assert_eq!(codes, ["A", "B", "C"]);
        let replaced = all["menu"][1].as_table().unwrap();
        assert!(
            replaced.contains_key("prompt") && !replaced.contains_key("skill"),
            "replaced whole"
        );
    }

    #[test]
    fn lists_without_names_are_put_together_also_when_one_entry_lacks_its_name() {
        assert_eq!(of(&["facts = ['a']", "facts = ['b']"]), of(&["facts = ['a', 'b']"]));
        let all = of(&["[[menu]]\ncode = 'A'", "[[menu]]\nskill = 'b'"]);
        assert_eq!(all["menu"].as_array().unwrap().len(), 2);
        let by_id = of(&["[[l]]\nid = '1'\nx = 1", "[[l]]\nid = '1'\nx = 2"]);
        assert_eq!(by_id["l"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_value_of_another_kind_replaces() {
        assert_eq!(of(&["a = [1]", "a = 'x'"]), of(&["a = 'x'"]));
        assert_eq!(of(&["a = 'x'", "a = [1]"]), of(&["a = [1]"]));
    }
}
