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
    if text.contains(['*', '?', '{', '}', '[', ']', '<', '>', '|']) {
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

/// Words hold spaces or letters of another script, and nothing in them ends like a file name.
/// When in doubt it is words: a file nobody meant would hold a step up for ever.
fn reads_like_words(rel: &str) -> bool {
    let name = rel.rsplit('/').next().unwrap_or(rel);
    let has_extension = name.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=12).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    let worded = name.contains(char::is_whitespace) || (!name.is_ascii() && !rel.contains('/'));
    worded && !has_extension
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
    #[case("产物/报告", "@project/产物/报告")]
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
