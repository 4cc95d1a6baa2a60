//! `AliasPath`: the only kind of path a prompt, a tool result, an event, a log or an export can
//! hold (spec 04 "Paths"). It names a mount and a normalised relative path that cannot climb.
//!
//! Deliberately not here: real paths. Turning an alias into a file happens in the host's mounts.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::bounds::{PATH_BYTES, SEGMENT_BYTES};
use crate::phrase::{Phrase, misfits};
use crate::visible::name_hides;

/// The three roots a model may name (spec 05 "Sandbox").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mount {
    /// The user's project folder: read and write.
    Project,
    /// The installed package: read only.
    Pkg,
    /// The run's state folder: `workflow.md` through the guard, `logs/` to read.
    State,
}

impl Mount {
    /// The alias as it is written, `@project`.
    pub const fn alias(self) -> &'static str {
        match self {
            Self::Project => "@project",
            Self::Pkg => "@pkg",
            Self::State => "@state",
        }
    }
}

/// Why a text is not an alias path. The text itself is not repeated: it may be a real path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathError {
    /// It does not start with a known mount.
    #[error("a path must start with @project, @pkg or @state")]
    UnknownMount,
    /// POSIX, drive-letter, UNC or `file:` path.
    #[error("absolute paths are not allowed; use @project/…, @pkg/… or @state/…")]
    Absolute,
    /// A `..` segment.
    #[error("`..` is not allowed")]
    Climbs,
    /// A NUL or another control character.
    #[error("control characters are not allowed")]
    ControlCharacter,
    /// A character that cannot be seen, or that turns the others round.
    #[error("characters that cannot be seen are not allowed")]
    HiddenCharacter,
    /// A Windows device name such as `NUL` or `com1.txt`.
    #[error("this is a reserved device name")]
    DeviceName,
    /// A colon: a drive or an alternate data stream on Windows.
    #[error("`:` is not allowed in a file name")]
    Colon,
    /// A trailing dot, which Windows drops silently, or a space at either end.
    #[error("a file name must not end in a dot, nor begin or end with a space")]
    TrailingDotOrSpace,
    /// A segment over 255 bytes or a path over 4,096.
    #[error("the path is too long")]
    TooLong,
}

impl PathError {
    /// The same in the reader's language.
    pub fn says(self) -> Phrase {
        match self {
            Self::UnknownMount => misfits::path_unknown_mount(),
            Self::Absolute => misfits::path_absolute(),
            Self::Climbs => misfits::path_climbs(),
            Self::ControlCharacter => misfits::path_control(),
            Self::HiddenCharacter => misfits::path_hidden(),
            Self::DeviceName => misfits::path_device(),
            Self::Colon => misfits::path_colon(),
            Self::TrailingDotOrSpace => misfits::path_dot_or_space(),
            Self::TooLong => misfits::path_too_long(),
        }
    }
}

/// A mount and a path below it: no `..`, no `.`, no backslash, no empty segment.
///
/// ```
/// use kernel::path::{AliasPath, Mount, PathError};
///
/// let path = AliasPath::parse("@project/./docs\\plan.md")?;
/// assert_eq!(path.to_string(), "@project/docs/plan.md");
/// assert_eq!((path.mount(), path.rel()), (Mount::Project, "docs/plan.md"));
///
/// assert_eq!(AliasPath::parse("@project/../keys"), Err(PathError::Climbs));
/// assert_eq!(AliasPath::parse("/etc/passwd"), Err(PathError::Absolute));
/// # Ok::<(), PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(type = "string"))]
pub struct AliasPath {
    mount: Mount,
    rel: String,
}

impl AliasPath {
    /// Parses what a model or a person wrote. Backslashes count as separators, `.` and empty
    /// segments are dropped; everything that could mean another place, or look like another name,
    /// is refused.
    ///
    /// # Errors
    /// [`PathError`] says which rule the text breaks.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let path = Self::of_record(text)?;
        if name_hides(&path.rel) { Err(PathError::HiddenCharacter) } else { Ok(path) }
    }

    /// The same for what is on record: an older program let names through that hide something.
    fn of_record(text: &str) -> Result<Self, PathError> {
        let text = text.trim();
        if text.chars().any(char::is_control) {
            return Err(PathError::ControlCharacter);
        }
        if looks_absolute(text) {
            return Err(PathError::Absolute);
        }
        let text = text.replace('\\', "/");
        let text = text.strip_prefix("./").unwrap_or(&text);
        let (head, rest) = text.split_once('/').unwrap_or((text, ""));
        let mount = match head {
            "@project" => Mount::Project,
            "@pkg" => Mount::Pkg,
            "@state" => Mount::State,
            _ => return Err(PathError::UnknownMount),
        };
        Ok(Self { mount, rel: normalise(rest)? })
    }

    /// The path `rel` below `mount`, under the same rules as [`AliasPath::parse`].
    ///
    /// # Errors
    /// [`PathError`] says which rule `rel` breaks.
    pub fn new(mount: Mount, rel: &str) -> Result<Self, PathError> {
        if rel.chars().any(char::is_control) {
            return Err(PathError::ControlCharacter);
        }
        if looks_absolute(rel) {
            return Err(PathError::Absolute);
        }
        let rel = normalise(&rel.replace('\\', "/"))?;
        if name_hides(&rel) { Err(PathError::HiddenCharacter) } else { Ok(Self { mount, rel }) }
    }

    /// `@state/workflow.md`, the run's state document.
    pub fn state_document() -> Self {
        Self { mount: Mount::State, rel: "workflow.md".into() }
    }

    /// Where this path is rooted.
    pub const fn mount(&self) -> Mount {
        self.mount
    }

    /// The path below the mount, `/`-separated, empty for the mount itself.
    pub fn rel(&self) -> &str {
        &self.rel
    }

    /// The last segment, or the mount's alias for the mount itself.
    pub fn file_name(&self) -> &str {
        match self.rel.rsplit('/').next() {
            Some(name) if !name.is_empty() => name,
            _ => self.mount.alias(),
        }
    }

    /// The folder it lies in; the mount itself lies in none.
    pub fn parent(&self) -> Option<Self> {
        if self.rel.is_empty() {
            return None;
        }
        let rel = self.rel.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(Self { mount: self.mount, rel: rel.to_owned() })
    }

    /// `rel` appended; the same rules hold for it.
    ///
    /// # Errors
    /// [`PathError`] says which rule `rel` breaks.
    pub fn join(&self, rel: &str) -> Result<Self, PathError> {
        if self.rel.is_empty() {
            Self::new(self.mount, rel)
        } else {
            Self::new(self.mount, &format!("{}/{rel}", self.rel))
        }
    }

    /// What lies in this folder under `name`: one segment, under the same rules. Quicker than
    /// [`join`](Self::join), for going through folders.
    ///
    /// # Errors
    /// [`PathError`] says which rule `name` breaks; [`PathError::Climbs`] when it is not one
    /// segment.
    pub fn child(&self, name: &str) -> Result<Self, PathError> {
        if name.chars().any(char::is_control) {
            return Err(PathError::ControlCharacter);
        }
        if matches!(name, "" | "." | "..") || name.contains(['/', '\\']) {
            return Err(PathError::Climbs);
        }
        check_segment(name)?;
        if name_hides(name) {
            return Err(PathError::HiddenCharacter);
        }
        let slash = if self.rel.is_empty() { "" } else { "/" };
        let rel = format!("{}{slash}{name}", self.rel);
        if rel.len() > PATH_BYTES {
            Err(PathError::TooLong)
        } else {
            Ok(Self { mount: self.mount, rel })
        }
    }

    /// True when this is `other` or lies below it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.mount == other.mount
            && (other.rel.is_empty()
                || self.rel == other.rel
                || self.rel.strip_prefix(&other.rel).is_some_and(|r| r.starts_with('/')))
    }
}

/// POSIX root, drive letter, UNC, `~`, or a URL scheme.
fn looks_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.starts_with(['/', '\\', '~'])
        || (bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':')
        || text.split_once("://").is_some_and(|(scheme, _)| !scheme.contains('/'))
}

fn normalise(rel: &str) -> Result<String, PathError> {
    let mut out: Vec<&str> = Vec::new();
    for segment in rel.split('/') {
        match segment {
            "" | "." => continue,
            ".." => return Err(PathError::Climbs),
            _ => {}
        }
        check_segment(segment)?;
        out.push(segment);
    }
    let joined = out.join("/");
    if joined.len() > PATH_BYTES {
        return Err(PathError::TooLong);
    }
    Ok(joined)
}

fn check_segment(segment: &str) -> Result<(), PathError> {
    if segment.len() > SEGMENT_BYTES {
        return Err(PathError::TooLong);
    }
    if segment.contains(':') {
        return Err(PathError::Colon);
    }
    // Of any alphabet: a path as text is trimmed when it is read.
    if segment.ends_with('.') || segment.trim() != segment {
        return Err(PathError::TrailingDotOrSpace);
    }
    if is_device_name(segment) {
        return Err(PathError::DeviceName);
    }
    Ok(())
}

/// The names Windows gives to devices, with or without an extension. Refused everywhere, so that
/// a package or a run made on one system works on the others.
pub fn is_device_name(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end();
    let stem = stem.to_ascii_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$") {
        return true;
    }
    let Some(number) = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT")) else {
        return false;
    };
    let mut chars = number.chars();
    matches!((chars.next(), chars.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
}

impl fmt::Display for AliasPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mount.alias())?;
        if !self.rel.is_empty() {
            write!(f, "/{}", self.rel)?;
        }
        Ok(())
    }
}

impl fmt::Debug for AliasPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::str::FromStr for AliasPath {
    type Err = PathError;
    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for AliasPath {
    type Error = PathError;
    fn try_from(text: String) -> Result<Self, PathError> {
        Self::of_record(&text)
    }
}

impl From<AliasPath> for String {
    fn from(path: AliasPath) -> String {
        path.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("@project/a/b.md", Some("@project/a"))]
    #[case("@state/workflow.md", Some("@state"))]
    #[case("@project", None)]
    fn a_path_lies_in_its_folder(#[case] path: &str, #[case] folder: Option<&str>) {
        let parent = AliasPath::parse(path).unwrap().parent();
        assert_eq!(parent, folder.map(|f| AliasPath::parse(f).unwrap()));
    }

    #[rstest]
    #[case("@project", "@project")]
    #[case("@project/", "@project")]
    #[case("@state/./workflow.md", "@state/workflow.md")]
    #[case("./@pkg/steps//a.md", "@pkg/steps/a.md")]
    #[case(r"@project\docs\a.md", "@project/docs/a.md")]
    #[case("@project/资料/设计.md", "@project/资料/设计.md")]
    fn an_alias_path_is_normalised(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(AliasPath::parse(text).unwrap().to_string(), expected);
    }

    #[rstest]
    #[case("/etc/passwd", PathError::Absolute)]
    #[case(r"C:\Windows", PathError::Absolute)]
    #[case(r"\\server\share", PathError::Absolute)]
    #[case("file:///etc/passwd", PathError::Absolute)]
    #[case("~/x", PathError::Absolute)]
    #[case("@project/../x", PathError::Climbs)]
    #[case(r"@project\..\x", PathError::Climbs)]
    #[case("@projects/x", PathError::UnknownMount)]
    #[case("artifacts/x", PathError::UnknownMount)]
    #[case("@project/a\0b", PathError::ControlCharacter)]
    #[case("@project/NUL", PathError::DeviceName)]
    #[case("@project/com1.txt", PathError::DeviceName)]
    #[case("@project/a.txt:stream", PathError::Colon)]
    #[case("@project/a.txt.", PathError::TrailingDotOrSpace)]
    #[case("@project/a\u{a0}//", PathError::TrailingDotOrSpace)]
    #[case("@project/\u{3000}a", PathError::TrailingDotOrSpace)]
    fn a_path_that_could_mean_another_place_is_refused(
        #[case] text: &str,
        #[case] reason: PathError,
    ) {
        assert_eq!(AliasPath::parse(text), Err(reason));
    }

    #[rstest]
    #[case::turned("@project/artifacts/\u{202e}txt.hs")]
    #[case::without_width("@project/report\u{200b}.md")]
    #[case::soft_hyphen("@project/re\u{ad}port.md")]
    #[case::line_separator("@project/a\u{2028}b.md")]
    #[case::paragraph_separator("@project/a\u{2029}b.md")]
    #[case::joiner("@project/.hu\u{200c}sky/pre-push")]
    #[case::filler("@project/a\u{3164}.md")]
    #[case::tag("@project/a\u{e0041}.md")]
    fn a_name_that_hides_something_of_itself_is_refused(#[case] text: &str) {
        assert_eq!(AliasPath::parse(text), Err(PathError::HiddenCharacter));
        let rel = text.strip_prefix("@project/").unwrap();
        assert_eq!(AliasPath::new(Mount::Project, rel), Err(PathError::HiddenCharacter));
        let project = AliasPath::parse("@project").unwrap();
        assert_eq!(project.join(rel), Err(PathError::HiddenCharacter));
        let name = rel.rsplit('/').next().unwrap();
        let folder = project.join(rel.rsplit_once('/').map_or("", |(folder, _)| folder));
        if let Ok(folder) = folder {
            assert_eq!(folder.child(name), Err(PathError::HiddenCharacter));
        }
        // A journal in which an older program wrote such a name is read all the same.
        let record = serde_json::to_string(text).unwrap();
        assert_eq!(serde_json::from_str::<AliasPath>(&record).unwrap().to_string(), text);
    }

    #[rstest]
    #[case("@project/می\u{200c}خواهم.md")]
    #[case("@project/👩\u{200d}💻/❤\u{fe0f}.md")]
    #[case("@project/résumé – “v2”.md")]
    fn what_scripts_and_signs_are_written_with_hides_nothing(#[case] text: &str) {
        assert_eq!(AliasPath::parse(text).unwrap().to_string(), text);
    }

    #[rstest]
    #[case("a.md", Some("@project/docs/a.md"))]
    #[case("~a", Some("@project/docs/~a"))]
    #[case("..", None)]
    #[case("", None)]
    #[case("a/b", None)]
    #[case(r"a\b", None)]
    #[case("a\nb", None)]
    #[case("NUL", None)]
    #[case("a.", None)]
    fn a_child_is_one_name_and_no_more(#[case] name: &str, #[case] expected: Option<&str>) {
        let folder = AliasPath::parse("@project/docs").unwrap();
        let child = folder.child(name).ok().map(|path| path.to_string());
        assert_eq!(child.as_deref(), expected);
    }

    #[rstest]
    #[case("@project/docs/a.md", "a.md")]
    #[case("@project/a.md", "a.md")]
    #[case("@pkg", "@pkg")]
    fn a_path_is_called_by_its_last_name_and_a_mount_by_its_alias(
        #[case] path: &str,
        #[case] name: &str,
    ) {
        assert_eq!(AliasPath::parse(path).unwrap().file_name(), name);
    }

    #[test]
    fn a_log_shows_a_path_as_the_model_writes_it() {
        let path = AliasPath::parse("@project/docs//a.md").unwrap();
        assert_eq!(format!("{path:?}"), "@project/docs/a.md");
    }

    #[test]
    fn a_name_is_too_long_from_256_bytes_on() {
        let of = |bytes: usize| AliasPath::new(Mount::Project, &"n".repeat(bytes)).map(drop);
        assert_eq!((of(255), of(256)), (Ok(()), Err(PathError::TooLong)));
        // Umlauts are two bytes: what counts is what disks count.
        let umlauts = AliasPath::new(Mount::Project, &"\u{e4}".repeat(128));
        assert_eq!(umlauts, Err(PathError::TooLong));
    }

    #[test]
    fn a_path_is_too_long_from_4097_bytes_on_whichever_way_it_is_made() {
        // 3,841 bytes; a slash and 254 more make 4,096.
        let folder = vec!["n".repeat(255); 15].join("/");
        let parent = AliasPath::new(Mount::Project, &folder).unwrap();
        let below = parent.child("a").unwrap();
        for (bytes, fits) in [(253, true), (254, true), (255, false)] {
            let name = "n".repeat(bytes);
            assert_eq!(below.join(&name).is_ok(), fits, "join, {bytes}");
            assert_eq!(below.child(&name).is_ok(), fits, "child, {bytes}");
        }
        assert_eq!(below.join(&"n".repeat(255)), Err(PathError::TooLong));
        assert_eq!(below.child(&"n".repeat(255)), Err(PathError::TooLong));
    }

    #[test]
    fn within_is_by_segment_not_by_prefix() {
        let p = |t: &str| AliasPath::parse(t).unwrap();
        assert!(p("@project/a/b").is_within(&p("@project/a")));
        assert!(p("@project/a").is_within(&p("@project/a")));
        assert!(p("@project/a").is_within(&p("@project")));
        assert!(!p("@project/ab").is_within(&p("@project/a")));
        assert!(!p("@pkg/a").is_within(&p("@project")));
    }
}
