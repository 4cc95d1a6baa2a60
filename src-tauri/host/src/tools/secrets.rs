//! Files that hold keys and passwords, by their names (spec 05 "Sandbox"), and the names under
//! which some disks find a file beside its own.

use unicode_normalization::UnicodeNormalization as _;

/// Names of files that are secret wherever they lie.
const NAMES: &[&str] = &[
    ".env",
    ".npmrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".vault-token",
    "credentials.json",
    "id_ecdsa",
    "id_ed25519",
    "id_dsa",
    "id_rsa",
];
const PREFIXES: &[&str] = &[".env.", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
const EXTENSIONS: &[&str] =
    &["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "env", "tfstate"];
/// Folders whose every file is secret.
const FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".kube", ".docker"];

/// True when a file of that path may hold keys. Names are compared without case and in one form
/// of Unicode: some disks do.
pub(super) fn is_secret(rel: &str) -> bool {
    let rel = folded(rel);
    let (folders, name) = rel.rsplit_once('/').unwrap_or(("", &rel));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || EXTENSIONS.contains(&extension)
        || folders.split('/').any(|folder| FOLDERS.contains(&folder))
}

/// True for `.git` and for the names that some disks take for it (`.GIT`, `git~1`, and letters
/// that HFS+ leaves out of comparisons).
pub(super) fn is_git(segment: &str) -> bool {
    matches!(folded(segment).as_str(), ".git" | "git~1")
}

/// A name as the least particular disk compares it: no case, one form of Unicode, and without
/// the letters that HFS+ leaves out.
pub(super) fn folded(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.chars().filter(|c| !is_ignorable(*c)).nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// True for `LONGNA~1.TXT`, the second name Windows gives to files with long ones.
pub(super) fn is_short_name(segment: &str) -> bool {
    let (stem, extension) = segment.split_once('.').unwrap_or((segment, ""));
    let Some((head, number)) = stem.split_once('~') else { return false };
    let short = |text: &str, max: usize| text.chars().count() <= max && !text.contains(['.', ' ']);
    let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    !head.is_empty()
        && counted
        && stem.chars().count() <= 8
        && short(head, 6)
        && short(extension, 3)
}

fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(".env", true)]
    #[case("app/.env.local", true)]
    #[case("app/.ENV", true)]
    #[case("tls/server.pem", true)]
    #[case("id_rsa.pub", true)]
    #[case(".ssh/config", true)]
    #[case(".e\u{200c}nv", true)]
    #[case("\u{ff0e}\u{ff45}\u{ff4e}\u{ff56}", true)]
    #[case(".\u{17f}sh/config", true)]
    #[case("server.\u{212a}ey", true)]
    #[case("environment.md", false)]
    #[case("docs/keys.md", false)]
    #[case("monkey", false)]
    fn a_secret_is_known_by_its_name(#[case] rel: &str, #[case] secret: bool) {
        assert_eq!(is_secret(rel), secret);
    }

    #[rstest]
    #[case(".git", true)]
    #[case(".GIT", true)]
    #[case("git~1", true)]
    #[case(".g\u{200c}it", true)]
    #[case(".gitignore", false)]
    fn git_is_known_under_all_its_names(#[case] segment: &str, #[case] git: bool) {
        assert_eq!(is_git(segment), git);
    }

    #[rstest]
    #[case("ENV~1", true)]
    #[case("CREWAG~1", true)]
    #[case("LONGNA~12.TXT", false)]
    #[case("LONGN~12.TXT", true)]
    #[case("a~1.md", true)]
    #[case("~1", false)]
    #[case("notes~", false)]
    #[case("draft~final.md", false)]
    #[case("a~1.html", false)]
    fn a_short_name_of_windows_is_known_by_its_form(#[case] segment: &str, #[case] short: bool) {
        assert_eq!(is_short_name(segment), short);
    }

    #[test]
    fn two_spellings_of_one_name_are_folded_to_one() {
        assert_eq!(folded("R\u{e9}sum\u{e9}.MD"), folded("re\u{301}sume\u{301}.md"));
        assert_eq!(folded("\u{130}"), folded("i\u{307}"));
        assert_ne!(folded("a"), folded("b"));
    }
}
