//! What installing another version of a package would change.

use super::super::{Package, PermissionRow, UpgradeDiff};
use super::sheet;

/// Files added, removed and changed from `old` to `new`, and permissions that got wider.
pub fn upgrade_diff(old: &Package, new: &Package) -> UpgradeDiff {
    let only_in = |a: &Package, b: &Package| {
        a.files.keys().filter(|path| !b.files.contains_key(*path)).cloned().collect()
    };
    let differs = |path: &&String| {
        old.files.get(*path).is_some_and(|before| Some(before) != new.files.get(*path))
    };
    UpgradeDiff {
        from: old.id.clone(),
        added: only_in(new, old),
        removed: only_in(old, new),
        changed: new.files.keys().filter(differs).cloned().collect(),
        widened: widened(old, new),
    }
}

fn widened(old: &Package, new: &Package) -> Vec<String> {
    let before = sheet::permissions(&old.manifest, &old.agents, &old.workflows);
    let after = sheet::permissions(&new.manifest, &new.agents, &new.workflows);
    let mut out = Vec::new();
    for row in &after {
        match before.iter().find(|b| b.agent_id == row.agent_id) {
            Some(was) => row_widened(was, row, &mut out),
            None => new_agent(row, &mut out),
        }
    }
    let needs_network = |rows: &[PermissionRow]| rows.iter().any(|r| r.network);
    if needs_network(&after) && !needs_network(&before) {
        out.push("the package now says it needs the network".to_owned());
    }
    out
}

fn new_agent(row: &PermissionRow, out: &mut Vec<String>) {
    let id = &row.agent_id;
    if row.fs_enabled {
        out.push(format!("new agent {id} may use file tools"));
    }
    if row.mcp_enabled {
        out.push(format!("new agent {id} may use MCP tools of {}", servers(row)));
    }
}

fn servers(row: &PermissionRow) -> String {
    match &row.mcp_servers {
        None => "every configured server".to_owned(),
        Some(list) if list.is_empty() => "no server".to_owned(),
        Some(list) => list.join(", "),
    }
}

fn row_widened(was: &PermissionRow, row: &PermissionRow, out: &mut Vec<String>) {
    let id = &row.agent_id;
    if row.fs_enabled && !was.fs_enabled {
        out.push(format!("{id} may now use file tools"));
    }
    let limits = [
        ("read", was.max_read_bytes, row.max_read_bytes),
        ("write", was.max_write_bytes, row.max_write_bytes),
    ];
    for (verb, before, after) in limits {
        match (before, after) {
            (Some(b), Some(a)) if a > b => {
                out.push(format!("{id} may now {verb} {a} bytes at once (was {b})"));
            }
            (Some(b), None) => {
                out.push(format!("{id} has no {verb} limit of its own any more (was {b} bytes)"));
            }
            _ => {}
        }
    }
    if row.mcp_enabled && !was.mcp_enabled {
        out.push(format!("{id} may now use MCP tools of {}", servers(row)));
    } else if row.mcp_enabled {
        servers_widened(was, row, out);
    }
    let is_new = |f: &&String| !was.output_folders.iter().any(|b| f.starts_with(b.as_str()));
    for folder in row.output_folders.iter().filter(is_new) {
        out.push(format!("{id} now writes into {folder}"));
    }
}

fn servers_widened(was: &PermissionRow, row: &PermissionRow, out: &mut Vec<String>) {
    let id = &row.agent_id;
    match (&was.mcp_servers, &row.mcp_servers) {
        (Some(_), None) => out.push(format!("{id} may now use every configured MCP server")),
        (Some(before), Some(after)) => {
            for server in after.iter().filter(|s| !before.contains(s)) {
                out.push(format!("{id} may now use the MCP server {server}"));
            }
        }
        (None, _) => {}
    }
}
