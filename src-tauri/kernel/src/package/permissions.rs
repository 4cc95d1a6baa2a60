//! The permission sheet in words: per agent, what the runtime enforces and what the package only
//! says (spec 03 "PackageReport").

use serde::{Deserialize, Serialize};

use crate::ids::AgentId;
use crate::phrase::{Phrase, sheet};
use crate::policy::ApproveWrites;
use crate::text::bytes;

/// What one agent asks for: the permission sheet's row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PermissionRow {
    /// The agent these permissions belong to.
    pub agent_id: AgentId,
    /// File tools on.
    pub fs_enabled: bool,
    /// Its own read limit in bytes, if it sets one.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub max_read_bytes: Option<u64>,
    /// Its own write limit in bytes, if it sets one.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub max_write_bytes: Option<u64>,
    /// MCP tools on.
    pub mcp_enabled: bool,
    /// The servers it names; `None` means all configured ones.
    pub mcp_servers: Option<Vec<String>>,
    /// The package says it needs the network.
    pub network: bool,
    /// Folders its steps declare as outputs, project-relative.
    pub output_folders: Vec<String>,
}

/// One line of the permission sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PermissionLine {
    /// The agent the row is about.
    pub agent_id: AgentId,
    /// What it is about.
    pub about: PermissionKind,
    /// The package says so, and nothing holds it to that.
    pub declared: bool,
    /// The words.
    pub says: Phrase,
}

/// What a line of the permission sheet is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum PermissionKind {
    /// Files of the project.
    Files,
    /// How much of them at once.
    Limit,
    /// Outside tools.
    Tools,
    /// The network.
    Network,
}

/// The sheet's lines, agent by agent, when `writes` is which writes wait for the person.
pub fn permission_sheet(rows: &[PermissionRow], writes: ApproveWrites) -> Vec<PermissionLine> {
    rows.iter().flat_map(|row| lines(row, writes)).collect()
}

fn lines(row: &PermissionRow, writes: ApproveWrites) -> Vec<PermissionLine> {
    use PermissionKind::{Files, Limit, Network, Tools};
    let mut out = Vec::new();
    let mut line = |about, declared, says| {
        let agent_id = row.agent_id.clone();
        out.push(PermissionLine { agent_id, about, declared, says });
    };
    if row.fs_enabled {
        let asks = match writes {
            ApproveWrites::Auto => sheet::may_change_files(),
            ApproveWrites::AskOutside => sheet::may_change_files_asks_outside(),
            ApproveWrites::Ask => sheet::may_change_files_asks(),
        };
        line(Files, false, asks);
        if writes != ApproveWrites::Ask {
            line(Files, false, sheet::asks_for_self_starting());
        }
        if let Some(limit) = row.max_read_bytes {
            line(Limit, false, sheet::reads_at_most(bytes(limit)));
        }
        if let Some(limit) = row.max_write_bytes {
            line(Limit, false, sheet::writes_at_most(bytes(limit)));
        }
        match row.output_folders.as_slice() {
            [] => line(Files, false, sheet::says_not_where()),
            folders => line(Files, true, sheet::says_it_writes(folders.join(", "))),
        }
    } else {
        line(Files, false, sheet::no_files());
    }
    if row.mcp_enabled {
        let says = match row.mcp_servers.as_deref() {
            None => sheet::may_use_all_servers(),
            Some([]) => sheet::may_use_no_server(),
            Some(servers) => sheet::may_use_servers(servers.join(", ")),
        };
        line(Tools, false, says);
    }
    if row.network {
        line(Network, true, sheet::says_it_needs_network());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::{Lang, say};

    fn row() -> PermissionRow {
        PermissionRow {
            agent_id: AgentId::new("ann").unwrap(),
            fs_enabled: true,
            max_read_bytes: None,
            max_write_bytes: Some(4096),
            mcp_enabled: true,
            mcp_servers: Some(vec!["web".into()]),
            network: true,
            output_folders: vec!["docs/".into(), "artifacts/".into()],
        }
    }

    fn told(row: PermissionRow, writes: ApproveWrites, declared: bool, lang: Lang) -> Vec<String> {
        let lines = permission_sheet(&[row], writes).into_iter();
        lines.filter(|line| line.declared == declared).map(|line| say(&[line.says], lang)).collect()
    }

    #[test]
    fn what_is_enforced_is_told_apart_from_what_is_only_declared() {
        let enforced = told(row(), ApproveWrites::AskOutside, false, Lang::En);
        assert_eq!(enforced.len(), 4, "{enforced:?}");
        assert!(enforced[0].contains("any file in the project folder; asks you first outside"));
        let declared = told(row(), ApproveWrites::AskOutside, true, Lang::En);
        assert_eq!(declared, ["Says it writes to: docs/, artifacts/", "Says it needs the network"]);
    }

    #[test]
    fn the_sheet_follows_the_setting() {
        let first = |writes| told(row(), writes, false, Lang::En).remove(0);
        assert!(first(ApproveWrites::Auto).ends_with("without asking (your setting)"));
        assert!(first(ApproveWrites::Ask).ends_with("asks you before every change"));
    }

    #[test]
    fn nothing_is_said_with_nothing_after_it() {
        let nowhere = PermissionRow { output_folders: vec![], mcp_servers: Some(vec![]), ..row() };
        let off = PermissionRow { fs_enabled: false, ..nowhere.clone() };
        for lang in [Lang::En, Lang::Zh] {
            for row in [&nowhere, &off] {
                for declared in [true, false] {
                    for text in told(row.clone(), ApproveWrites::AskOutside, declared, lang) {
                        let ends = text.trim_end().ends_with([':', '：', '{', '}', ',']);
                        assert!(!text.trim().is_empty() && !ends, "{text:?}");
                    }
                }
            }
        }
        assert_eq!(told(off, ApproveWrites::Auto, false, Lang::En)[0], "No access to files");
    }
}
