//! `SKILL.md`, read.

use serde_json::{Map, Value};

use super::{AllowedTools, OfferedSkill, SkillName, SkillPlace, SkillProblem};
use crate::bounds::{SKILL_BYTES, SKILL_DESCRIPTION_CHARS, size};
use crate::frontmatter;
use crate::phrase::{Phrase, skills as said};
use crate::text::{ellipsis, is_blank};

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// What a `SKILL.md` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillDocument {
    /// What it is for and when to use it, on one line.
    pub description: String,
    /// Whether only the person activates it.
    pub by_person_only: bool,
    /// The tools that it names; all when absent.
    pub allowed: Option<AllowedTools>,
    /// What it says to do.
    pub text: String,
    /// What is wrong, where it can be used all the same.
    pub warning: Option<SkillProblem>,
}

/// Bytes of a name in a message.
const SHOWN_BYTES: usize = 80;

/// Reads the `SKILL.md` of the folder of this name.
///
/// # Errors
/// [`SkillProblem`]: there is no front matter or no description, or it is too long.
pub fn read(folder: &SkillName, text: &str) -> Result<SkillDocument, SkillProblem> {
    if text.len() > SKILL_BYTES {
        let says = said::skill_too_long(size(SKILL_BYTES as u64));
        return Err(problem(says, said::move_to_references()));
    }
    let unreadable = |why: Phrase| problem(said::no_front_matter(why), said::write_front_matter());
    let parts = frontmatter::parts(text).map_err(|wrong| unreadable(wrong.says))?;
    let matter = match parts.read() {
        Ok(matter) => matter,
        // Descriptions with `: ` in them are no YAML, and other programs take them.
        Err(wrong) => plain_lines(parts.yaml).ok_or_else(|| unreadable(wrong.says))?,
    };
    let description = text_of(&matter, "description").map(one_line).unwrap_or_default();
    if is_blank(&description) {
        return Err(problem(said::no_description(), said::write_description()));
    }
    let is_on = |key: &str| match matter.get(key) {
        Some(Value::Bool(on)) => *on,
        Some(Value::String(text)) => matches!(text.trim(), "true" | "yes" | "on"),
        _ => false,
    };
    let cut = description.chars().count() > SKILL_DESCRIPTION_CHARS;
    let named = text_of(&matter, "name").filter(|name| *name != folder.as_str());
    let warning = if cut {
        let says = said::description_too_long(SKILL_DESCRIPTION_CHARS);
        Some(problem(says, said::write_description()))
    } else {
        named.map(|name| {
            problem(
                said::skill_calls_itself(ellipsis(name, SHOWN_BYTES), folder),
                said::name_it_alike(),
            )
        })
    };
    Ok(SkillDocument {
        description: description.chars().take(SKILL_DESCRIPTION_CHARS).collect(),
        by_person_only: is_on("disable-model-invocation"),
        allowed: matter.get("allowed-tools").and_then(names).map(|names| AllowedTools::of(&names)),
        text: parts.body.trim_start_matches(['\n', '\r']).to_owned(),
        warning,
    })
}

impl SkillDocument {
    /// What a model is told of the skill before it is used.
    pub fn offered(&self, name: SkillName, place: SkillPlace, has_scripts: bool) -> OfferedSkill {
        OfferedSkill {
            name,
            place,
            description: self.description.clone(),
            by_person_only: self.by_person_only,
            only_for: Vec::new(),
            has_scripts,
        }
    }
}

/// Whether a file is a script: by its folder, or by the end of its name.
pub fn is_script(file: &str) -> bool {
    const ENDS: [&str; 14] = [
        "py", "sh", "bash", "zsh", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "ps1", "bat", "cmd",
    ];
    if file.starts_with("scripts/") {
        return true;
    }
    let end = file.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| ENDS.contains(&end.as_str()))
}

fn problem(says: Phrase, advice: Phrase) -> SkillProblem {
    SkillProblem { said: says, advice }
}

fn text_of<'m>(matter: &'m Map<String, Value>, key: &str) -> Option<&'m str> {
    matter.get(key).and_then(Value::as_str).map(str::trim)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of names, or a list of them. What is neither names none: it takes all away.
fn names(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(items) => {
            Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Some(Vec::new()),
    }
}

/// Front matter that is no YAML, where each line is a name, a colon and a text; `None` when one is
/// something else.
fn plain_lines(yaml: &str) -> Option<Map<String, Value>> {
    let mut matter = Map::new();
    for line in yaml.lines().filter(|line| !is_blank(line) && !line.starts_with('#')) {
        let (key, text) = line.split_once(':')?;
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return None;
        }
        let text = text.trim();
        let value = match text {
            "true" => Value::Bool(true),
            text => Value::String(text.to_owned()),
        };
        matter.insert(key.to_owned(), value);
    }
    Some(matter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<SkillDocument, SkillProblem> {
        read(&SkillName::new("pdf").unwrap(), text)
    }

    fn why(text: &str) -> String {
        of(text).unwrap_err().said.english()
    }

    #[test]
    fn a_skill_says_what_it_is_for_and_what_to_do() {
        let text = "---\nname: pdf\ndescription: >\n  Fills in\n  forms.\nlicense: MIT\nallowed-tools: Read Bash(pdftk:*)\nmetadata:\n  lifecycle: stable\n---\n\n# Forms\n";
        let skill = of(text).unwrap();
        assert_eq!(skill.description, "Fills in forms.");
        assert_eq!(skill.text, "# Forms\n");
        let allowed = skill.allowed.unwrap();
        assert_eq!(allowed.names().collect::<Vec<_>>(), ["Bash", "Read"]);
        assert_eq!((skill.by_person_only, skill.warning), (false, None));
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        assert!(why("# No front matter").contains("front matter"));
        assert!(why("---\nname: pdf\ndescription: x\n").contains("front matter"));
        assert!(why("---\nname: pdf\n---\nText").contains("description"));
        assert!(why("---\nname: pdf\ndescription: \"  \"\n---\nText").contains("description"));
        assert!(why("---\n- a\n---\nText").contains("front matter"));
        let long = format!("---\nname: pdf\ndescription: x\n---\n{}", "a".repeat(SKILL_BYTES));
        assert!(why(&long).contains("64 KiB"), "{}", why(&long));
    }

    #[test]
    fn a_description_with_a_colon_is_taken_although_it_is_no_yaml() {
        let skill = of("---\nname: pdf\ndescription: Use it: always\n---\nText").unwrap();
        assert_eq!(skill.description, "Use it: always");
        let not = "---\nname: pdf\ndescription: Use it: always\n  more: [\n---\nText";
        assert!(of(not).is_err());
    }

    #[test]
    fn another_name_and_a_long_description_are_told_and_used() {
        let other = of("---\nname: forms\ndescription: x\n---\nText").unwrap();
        assert!(other.warning.unwrap().said.english().contains("forms"));
        let long = of(&format!("---\ndescription: {}\n---\n", "é".repeat(1025))).unwrap();
        assert_eq!(long.description.chars().count(), 1024);
        assert!(long.warning.is_some());
        assert_eq!(of("---\ndescription: x\n---\n").unwrap().warning, None);
    }

    #[test]
    fn a_skill_may_be_the_persons_alone() {
        let text = "---\ndescription: x\ndisable-model-invocation: true\nallowed-tools:\n  - Read\n  - fs_write\n---\n";
        let skill = of(text).unwrap();
        assert!(skill.by_person_only);
        let allowed = skill.allowed.unwrap();
        assert_eq!(allowed.names().collect::<Vec<_>>(), ["Read", "fs_write"]);
    }

    #[test]
    fn scripts_are_known_by_their_names() {
        assert!(
            is_script("scripts/run")
                && is_script("scripts/fill.py")
                && is_script("a.SH")
                && is_script("x.mjs")
        );
        assert!(!is_script("references/py") && !is_script("a.md") && !is_script("a.sh.md"));
    }
}
