//! `fs.glob`: files by their names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::built_in::{AtPath, BuiltIn, EffectClass, Offer, Tool, schema_of};
use super::check::{canonical, check_scope, invalid, named_path, refused, typed};
use super::output::CallResult;
use crate::bounds::{self, UnfitGlob};
use crate::code::Failure;
use crate::facts::{Fact, FactKind, Verification, VerificationScope, VerifiedFile};
use crate::path::{AliasPath, PathError};

/// What a model calls it, dotted.
pub const NAME: &str = "fs.glob";

pub(super) const TOOL: Tool = Tool {
    name: NAME,
    description: "Find files by their names, for example `docs/**/*.md`. `expect_min_matches` checks that so many exist.",
    class: EffectClass::Read,
    works_on_files: true,
    writes_one_file: false,
    offered: Offer::Anywhere,
    other_names: &["Glob"],
    runs_need: None,
    schema: schema_of::<Args>,
};

/// Where a pattern is meant from that names no folder.
const DEFAULT_FOLDER: &str = "@project";

/// The arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// Which files, e.g. `**/*.md`; `*` stays within a folder, `**` does not.
    pub pattern: String,
    /// Folder the pattern is meant from. Default `@project`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Check that at least so many files match.
    #[serde(rename = "expect_min_matches", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub expect_min_matches: Option<u32>,
    /// What the check stands for: `artifact:<project-relative path>` or `workspace`.
    #[serde(rename = "verification_scope", default, skip_serializing_if = "Option::is_none")]
    pub verification_scope: Option<String>,
}

/// What it says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The folder.
    pub path: AliasPath,
    /// The pattern as it was understood.
    pub pattern: String,
    /// The files.
    pub paths: Vec<AliasPath>,
    /// How many there are at least.
    pub count: usize,
    /// Whether there is more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What came of the check that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// A checked call: the arguments and the path they name.
pub type Input = AtPath<Args>;

impl BuiltIn for Input {
    fn tool(&self) -> &'static Tool {
        &TOOL
    }

    fn args(&self) -> Value {
        canonical(&self.args)
    }

    fn path(&self) -> Option<&AliasPath> {
        Some(&self.path)
    }

    fn pattern(&self) -> Option<&str> {
        Some(&self.args.pattern)
    }

    fn facts(&self, result: &CallResult) -> Vec<Fact> {
        let listed = Fact::at(FactKind::FileListed, &self.path);
        [listed].into_iter().chain(matched(result)).collect()
    }
}

pub(super) fn parse(args: Value) -> Result<Input, Failure> {
    let mut args: Args = typed(&TOOL, args)?;
    root_pattern(&mut args)?;
    let path = match &mut args.path {
        Some(path) => named_path("path", path)?,
        None => named_path("path", &mut DEFAULT_FOLDER.to_owned())?,
    };
    if args.expect_min_matches == Some(0) {
        return Err(invalid(&TOOL, "expect_min_matches: it must be at least 1"));
    }
    check_scope(&TOOL, args.verification_scope.as_deref(), None)?;
    Ok(Input { args, path })
}

/// What a check of a pattern proves: of each file that was found with the hash it has, else of the
/// file that the scope names.
fn matched(result: &CallResult) -> Vec<Fact> {
    let Some(check) = result.verification() else { return Vec::new() };
    if check.files.is_empty() {
        // Nothing was found: what was looked for is known only when the scope names it.
        let named = match VerificationScope::parse(&check.scope) {
            Some(VerificationScope::Artifact(path)) => Some(path),
            Some(VerificationScope::Workspace) | None => None,
        };
        return vec![check.fact(named, None)];
    }
    let fact = |file: &VerifiedFile| {
        let seen = check.fact(Some(file.path.clone()), Some(file.sha256.clone()));
        Fact { resolved: file.resolved.clone(), ..seen }
    };
    check.files.iter().map(fact).collect()
}

/// The pattern as `/`-separated segments below `path`; a mount at its beginning becomes the
/// `path`. What could climb out is refused, as in a path.
fn root_pattern(args: &mut Args) -> Result<(), Failure> {
    let invalid = |message: &str| invalid(&TOOL, message);
    let text = args.pattern.trim().replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text);
    if text.chars().any(char::is_control) {
        return Err(refused("pattern", PathError::ControlCharacter));
    }
    let (mount, pattern) = match text.split_once('/') {
        Some((mount, rest)) if mount.starts_with('@') => (Some(mount), rest),
        None if text.starts_with('@') => (Some(text), ""),
        _ => (None, text),
    };
    if let Some(mount) = mount {
        let mount = AliasPath::parse(mount).map_err(|reason| refused("pattern", reason))?;
        args.path = Some(mount.to_string());
    }
    let absolute = |c: &str| c.starts_with(['/', '~']) || c.get(1..2) == Some(":");
    if absolute(pattern) || pattern.contains("://") {
        return Err(refused("pattern", PathError::Absolute));
    }
    // No name a path can say begins or ends with a space.
    let segments = pattern.split('/').map(str::trim).filter(|s| !matches!(*s, "" | "."));
    let segments: Vec<&str> = segments.collect();
    if segments.contains(&"..") {
        return Err(refused("pattern", PathError::Climbs));
    }
    if segments.first().is_some_and(|first| first.starts_with('@')) {
        let failure = invalid("pattern: it names a second place after its mount");
        return Err(
            failure.with_action_for_model("Put the folder into `path`, the rest into `pattern`.")
        );
    }
    if segments.is_empty() {
        return Err(invalid("pattern: it is empty; send for example `**/*.md`"));
    }
    let below = segments.join("/");
    // What a leading `./` hid: the checked pattern has to mean the same when it is checked again.
    if absolute(&below) {
        return Err(refused("pattern", PathError::Absolute));
    }
    match bounds::check_glob(pattern) {
        Ok(()) => {}
        Err(UnfitGlob::TooLong) => return Err(refused("pattern", PathError::TooLong)),
        Err(why @ UnfitGlob::TooManyAlternatives) => {
            return Err(invalid(&format!("pattern: {why}; send several patterns")));
        }
    }
    args.pattern = below;
    Ok(())
}
