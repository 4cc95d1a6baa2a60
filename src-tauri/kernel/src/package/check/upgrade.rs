//! What installing another version of a package would change.

use super::super::{Agent, Package, PermissionRow, UpgradeDiff};
use super::sheet::{self, OutputFolders};
use crate::ids::AgentId;
use crate::phrase::{Phrase, widened};
use crate::text::bytes;

/// Files added, removed and changed from `old` to `new`, and permissions that got wider.
pub fn upgrade_diff(old: &Package, new: &Package) -> UpgradeDiff {
    let only_in = |a: &Package, b: &Package| {
        a.files.keys().filter(|path| !b.files.contains_key(*path)).cloned().collect()
    };
    let differs = |path: &&String| {
        old.files.get(*path).is_some_and(|before| Some(before) != new.files.get(*path))
    };
    let wider = wider(old, new);
    UpgradeDiff {
        from: old.id.clone(),
        from_version: Some(old.manifest.version.clone()),
        added: only_in(new, old),
        removed: only_in(old, new),
        changed: new.files.keys().filter(differs).cloned().collect(),
        widened: wider.iter().map(Phrase::english).collect(),
        widened_said: wider,
    }
}

fn wider(old: &Package, new: &Package) -> Vec<Phrase> {
    let rows = |of: &Package| {
        sheet::permissions(&of.manifest, &of.agents, &OutputFolders::of(&of.workflows))
    };
    rows_widened(&rows(old), &rows(new), &|id| name_of(&new.agents, id))
}

/// What the sheet calls the agent; with its id where another has that name, too.
fn name_of(agents: &[Agent], id: &AgentId) -> String {
    let named = |agent: &&Agent| agent.id == *id;
    let Some(name) = agents.iter().find(named).map(|agent| &agent.metadata.name) else {
        return id.to_string();
    };
    if agents.iter().filter(|agent| agent.metadata.name == *name).count() > 1 {
        return format!("{name} ({id})");
    }
    name.clone()
}

/// What `after` allows and `before` did not, agent by agent, each by its name.
fn rows_widened(
    before: &[PermissionRow],
    after: &[PermissionRow],
    name: &impl Fn(&AgentId) -> String,
) -> Vec<Phrase> {
    let mut out = Vec::new();
    for row in after {
        let was = before.iter().find(|b| b.agent_id == row.agent_id);
        let who = name(&row.agent_id);
        files_widened(was, row, &who, &mut out);
        servers_widened(was, row, &who, &mut out);
    }
    let needs_network = |rows: &[PermissionRow]| rows.iter().any(|r| r.network);
    if needs_network(after) && !needs_network(before) {
        out.push(widened::now_network());
    }
    out
}

fn files_widened(
    was: Option<&PermissionRow>,
    row: &PermissionRow,
    who: &str,
    out: &mut Vec<Phrase>,
) {
    if !row.fs_enabled {
        return;
    }
    // Limits and folders of an agent without files allow nothing.
    let could = was.filter(|was| was.fs_enabled);
    match (could, was) {
        (Some(could), _) => limits_widened(could, row, who, out),
        (None, Some(_)) => out.push(widened::now_files(who)),
        (None, None) => out.push(widened::new_agent_files(who)),
    }
    for folder in &row.output_folders {
        let known = could.is_some_and(|c| c.output_folders.iter().any(|b| folder.starts_with(b)));
        match was {
            _ if known => {}
            Some(_) => out.push(widened::now_folder(who, folder)),
            None => out.push(widened::new_agent_folder(who, folder)),
        }
    }
}

fn limits_widened(was: &PermissionRow, row: &PermissionRow, who: &str, out: &mut Vec<Phrase>) {
    match (was.max_read_bytes, row.max_read_bytes) {
        (Some(b), Some(a)) if a > b => out.push(widened::now_reads_more(who, bytes(a), bytes(b))),
        (Some(b), None) => out.push(widened::no_read_limit(who, bytes(b))),
        _ => {}
    }
    match (was.max_write_bytes, row.max_write_bytes) {
        (Some(b), Some(a)) if a > b => out.push(widened::now_writes_more(who, bytes(a), bytes(b))),
        (Some(b), None) => out.push(widened::no_write_limit(who, bytes(b))),
        _ => {}
    }
}

fn servers_widened(
    was: Option<&PermissionRow>,
    row: &PermissionRow,
    who: &str,
    out: &mut Vec<Phrase>,
) {
    if !row.mcp_enabled {
        return;
    }
    let could = was.filter(|was| was.mcp_enabled);
    match (&row.mcp_servers, could.map(|could| &could.mcp_servers), was) {
        (_, Some(None), _) => {}
        (None, _, Some(_)) => out.push(widened::now_all_servers(who)),
        (None, _, None) => out.push(widened::new_agent_all_servers(who)),
        (Some(after), before, _) => {
            let before = before.and_then(Option::as_deref).unwrap_or_default();
            for server in after.iter().filter(|s| !before.contains(s)) {
                out.push(match was {
                    Some(_) => widened::now_server(who, server),
                    None => widened::new_agent_server(who, server),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::AgentId;
    use crate::phrase::Lang;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SIZES: [u64; 3] = [10, 20, 30];
    const FOLDERS: [&str; 4] = ["./", "a/", "a/b/", "ab/"];

    fn limit() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(prop::sample::select(SIZES.to_vec()))
    }

    fn some_of(all: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
        prop::sample::subsequence(all, 0..=all.len())
            .prop_map(|list| list.into_iter().map(str::to_owned).collect())
    }

    prop_compose! {
        fn row()(fs in any::<bool>(), read in limit(), write in limit(), mcp in any::<bool>(),
            servers in prop::option::of(some_of(&["web", "mail"])), folders in some_of(&FOLDERS),
            name in prop::sample::select(vec!["ann", "bob", "eve"]))
            -> PermissionRow
        {
            PermissionRow {
                agent_id: AgentId::new(name).unwrap(), fs_enabled: fs, max_read_bytes: read,
                max_write_bytes: write, mcp_enabled: mcp, mcp_servers: servers, network: false,
                output_folders: folders,
            }
        }
    }

    fn policy() -> impl Strategy<Value = Vec<PermissionRow>> {
        (prop::collection::vec(row(), 0..4), any::<bool>()).prop_map(|(mut rows, network)| {
            let mut seen = BTreeSet::new();
            rows.retain(|row| seen.insert(row.agent_id.clone()));
            for row in &mut rows {
                row.network = network;
            }
            rows
        })
    }

    /// Everything the rows allow, tried one by one.
    fn allowed(rows: &[PermissionRow]) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for row in rows {
            let who = &row.agent_id;
            for size in SIZES.iter().flat_map(|size| [*size, size + 1]).filter(|_| row.fs_enabled) {
                for (verb, max) in [("read", row.max_read_bytes), ("write", row.max_write_bytes)] {
                    if max.is_none_or(|max| size <= max) {
                        out.insert(format!("{who} {verb} {size}"));
                    }
                }
            }
            for folder in row.output_folders.iter().filter(|_| row.fs_enabled) {
                let inside = FOLDERS.iter().filter(|f| f.starts_with(folder.as_str()));
                out.extend(inside.map(|f| format!("{who} into {f}")));
            }
            for server in ["web", "mail", "any other"] {
                let named = row.mcp_servers.as_ref().is_none_or(|l| l.iter().any(|s| s == server));
                if row.mcp_enabled && named {
                    out.insert(format!("{who} asks {server}"));
                }
            }
            if row.network {
                out.insert("network".to_owned());
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_wider_permission_is_hidden_and_none_is_invented(
            before in policy(), after in policy()
        ) {
            let (old, new) = (allowed(&before), allowed(&after));
            let said = rows_widened(&before, &after, &AgentId::to_string);
            let english: Vec<String> = said.iter().map(Phrase::english).collect();
            let whom: BTreeSet<&str> = ["ann", "bob", "eve"]
                .into_iter()
                .filter(|who| english.iter().any(|text| text.split(' ').any(|word| word == *who)))
                .collect();
            let wider: BTreeSet<&str> = new.difference(&old)
                .filter_map(|ability| ability.split_once(' ').map(|(who, _)| who))
                .collect();
            prop_assert_eq!(whom, wider, "{:?}", said);
            let network = said.contains(&widened::now_network());
            prop_assert_eq!(network, new.contains("network") && !old.contains("network"));
            for phrase in &said {
                for lang in [Lang::En, Lang::Zh] {
                    let text = phrase.say(lang).unwrap();
                    prop_assert!(!text.is_empty() && !text.contains('{'), "{}", text);
                }
            }
        }
    }
}
