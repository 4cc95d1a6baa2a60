//! Which declared outputs of a node can be checked: those that name one file of the project.
//! Authors write sentences, patterns and folders there too (spec 03); nothing can tell whether
//! such an output is there, so it never holds a step up and never allows a write.

use std::collections::BTreeSet;

use crate::graph::Node;
use crate::path::{AliasPath, Mount, PathError};

/// Why a declared output cannot be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unchecked {
    /// No path inside the project.
    #[error("{0}")]
    Path(PathError),
    /// A file of the package or of the run's state.
    #[error("only files of the project can be outputs")]
    OtherMount,
    /// A folder, or nothing at all.
    #[error("it names a folder, not a file")]
    Folder,
    /// A place to be filled, or several files at once.
    #[error("it is a pattern, not the name of one file")]
    Pattern,
    /// Words for people.
    #[error("it reads like a description, not like a path")]
    Description,
}

impl Node {
    /// The checkable declared outputs: files of the project, each once, in the order they were
    /// declared. What [`output_file`] refuses is left out.
    pub fn checkable_outputs(&self) -> Vec<AliasPath> {
        let mut seen = BTreeSet::new();
        let files = self.outputs.iter().filter_map(|declared| output_file(declared).ok());
        files.filter(|file| seen.insert(file.clone())).collect()
    }
}

/// The project file that one of a node's `outputs` names: project-relative, or an alias path.
///
/// # Errors
/// Why nothing can tell whether such an output is there.
pub fn output_file(declared: &str) -> Result<AliasPath, Unchecked> {
    let text = declared.trim();
    if text.contains(['*', '?', '{', '}', '[', ']', '<', '>', '|']) || has_place_to_fill(text) {
        return Err(Unchecked::Pattern);
    }
    let path = AliasPath::parse(text)
        .or_else(|_| AliasPath::new(Mount::Project, text))
        .map_err(Unchecked::Path)?;
    if path.mount() != Mount::Project {
        return Err(Unchecked::OtherMount);
    }
    if path.rel().is_empty() || text.ends_with(['/', '\\']) {
        return Err(Unchecked::Folder);
    }
    if reads_like_words(path.rel()) {
        return Err(Unchecked::Description);
    }
    Ok(path)
}

/// `$NAME` at the beginning of a part, `%NAME%`, a year that is not one yet.
fn has_place_to_fill(text: &str) -> bool {
    let of_shell = |part: &str| {
        let name = part.strip_prefix('$').unwrap_or_default();
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '(')
    };
    text.split(['/', '\\']).any(of_shell) || text.matches('%').count() > 1 || text.contains("YYYY")
}

/// Files whose names have no ending, as they are usual at the top of a project; others end with `file`.
const WITHOUT_ENDING: [&str; 10] = [
    "BUILD",
    "CHANGELOG",
    "CODEOWNERS",
    "COPYING",
    "LICENSE",
    "NOTICE",
    "OWNERS",
    "README",
    "VERSION",
    "WORKSPACE",
];

/// Endings of files that may be called `variables`.
const OF_VARIABLES: [&str; 12] =
    ["css", "csv", "env", "hcl", "ini", "json", "md", "scss", "tf", "toml", "yaml", "yml"];

/// How words begin that say what is done with a file.
const DONE_WITH_IT: [&str; 14] = [
    "a",
    "add",
    "an",
    "create",
    "created",
    "generate",
    "generated",
    "new",
    "the",
    "update",
    "updated",
    "write",
    "written",
    "wrote",
];

/// When in doubt it is words: a file nobody meant would hold a step up for ever.
fn reads_like_words(rel: &str) -> bool {
    let (folders, name) = rel.rsplit_once('/').unwrap_or(("", rel));
    let has_space = name.contains(char::is_whitespace);
    let unpaired = |text: &str| text.matches('(').count() != text.matches(')').count();
    is_variable(rel)
        || rel.eq_ignore_ascii_case("n/a")
        || folders.contains(char::is_whitespace)
        || rel.split('/').any(unpaired)
        || [", ", ";", "，", "、"].iter().any(|list| rel.contains(list))
        || (has_space && tells_what_is_done(name))
        || (!has_ending(name) && (has_space || !name.is_ascii() || is_a_word(rel)))
}

/// `variables.goal`, and not `variables.tf`.
fn is_variable(rel: &str) -> bool {
    let name = rel.strip_prefix("variables.");
    name.is_some_and(|name| !OF_VARIABLES.contains(&name))
}

fn tells_what_is_done(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    DONE_WITH_IT.contains(&first.as_str()) || name.split_whitespace().count() > 4
}

fn has_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=12).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// One word without a folder.
fn is_a_word(rel: &str) -> bool {
    let is_file = rel.starts_with('.') || rel.ends_with("file") || WITHOUT_ENDING.contains(&rel);
    !rel.contains('/') && !is_file
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("artifacts/brief.md", "@project/artifacts/brief.md")]
    #[case("@project/artifacts/brief.md", "@project/artifacts/brief.md")]
    #[case("./docs//a.md ", "@project/docs/a.md")]
    #[case("docs\\a.md", "@project/docs/a.md")]
    #[case("artifacts/My Report.md", "@project/artifacts/My Report.md")]
    #[case("产物/报告.md", "@project/产物/报告.md")]
    #[case("bin/run", "@project/bin/run")]
    #[case("docs/notes (old).md", "@project/docs/notes (old).md")]
    #[case("LICENSE", "@project/LICENSE")]
    #[case("My Report.md", "@project/My Report.md")]
    #[case("variables.tf", "@project/variables.tf")]
    #[case("app/posts.$postId.tsx", "@project/app/posts.$postId.tsx")]
    #[case("src/routes/$id.tsx", "@project/src/routes/$id.tsx")]
    #[case("docs/100%.md", "@project/docs/100%.md")]
    #[case("Vagrantfile", "@project/Vagrantfile")]
    #[case("Makefile", "@project/Makefile")]
    #[case(".gitignore", "@project/.gitignore")]
    fn an_output_that_names_a_file_of_the_project_can_be_checked(
        #[case] declared: &str,
        #[case] file: &str,
    ) {
        assert_eq!(output_file(declared).map(|p| p.to_string()), Ok(file.to_owned()));
    }

    #[rstest]
    #[case("A summary of the interview", Unchecked::Description)]
    #[case("docs and tests", Unchecked::Description)]
    #[case("生成的报告", Unchecked::Description)]
    #[case("Updated sprint-status.yaml and the story", Unchecked::Description)]
    #[case("Update docs/story.md", Unchecked::Description)]
    #[case("Updated report.md", Unchecked::Description)]
    #[case("Story file (artifacts/story.md)", Unchecked::Description)]
    #[case("(artifacts/story.md)", Unchecked::Description)]
    #[case("story.md, epic.md", Unchecked::Description)]
    #[case("artifacts/story.md and artifacts/epic.md", Unchecked::Description)]
    #[case("artifacts/a.md, b.md", Unchecked::Description)]
    #[case("更新 docs/story.md", Unchecked::Description)]
    #[case("会话/总结", Unchecked::Description)]
    #[case("a.md and b.md are both written.md", Unchecked::Description)]
    #[case("Summary", Unchecked::Description)]
    #[case("projectType", Unchecked::Description)]
    #[case("variables.projectType", Unchecked::Description)]
    #[case("none", Unchecked::Description)]
    #[case("N/A", Unchecked::Description)]
    #[case("-", Unchecked::Description)]
    #[case("$OUT/prd.md", Unchecked::Pattern)]
    #[case("%OUT%/x.md", Unchecked::Pattern)]
    #[case("artifacts/prd-YYYY.md", Unchecked::Pattern)]
    #[case("The story is done.", Unchecked::Path(PathError::TrailingDotOrSpace))]
    #[case("story: a file", Unchecked::Path(PathError::Colon))]
    #[case("https://example.com/x", Unchecked::Path(PathError::Absolute))]
    #[case("/srv/report.md", Unchecked::Path(PathError::Absolute))]
    #[case("C:\\reports\\a.md", Unchecked::Path(PathError::Absolute))]
    #[case("../a.md", Unchecked::Path(PathError::Climbs))]
    #[case("a\u{7}.md", Unchecked::Path(PathError::ControlCharacter))]
    #[case("a\u{2028}b.md", Unchecked::Path(PathError::HiddenCharacter))]
    #[case("artifacts/*.md", Unchecked::Pattern)]
    #[case("artifacts/{{epic}}-{{story}}.md", Unchecked::Pattern)]
    #[case("artifacts/<name>.md", Unchecked::Pattern)]
    #[case("artifacts/", Unchecked::Folder)]
    #[case("@project", Unchecked::Folder)]
    #[case(".", Unchecked::Folder)]
    #[case("  ", Unchecked::Folder)]
    #[case("@state/workflow.md", Unchecked::OtherMount)]
    #[case("@pkg/a.md", Unchecked::OtherMount)]
    fn an_output_that_is_no_project_file_cannot_be_checked(
        #[case] declared: &str,
        #[case] why: Unchecked,
    ) {
        assert_eq!(output_file(declared), Err(why));
    }

    #[test]
    fn a_node_tells_each_checkable_output_once() {
        let node: Node = serde_json::from_value(serde_json::json!({
            "id": "a", "type": "step", "file": "a.md",
            "outputs": ["b.md", "a summary", "@project/b.md", "a.md", "out/"]}))
        .unwrap();
        let said: Vec<String> = node.checkable_outputs().iter().map(AliasPath::to_string).collect();
        assert_eq!(said, ["@project/b.md", "@project/a.md"]);
    }
}
