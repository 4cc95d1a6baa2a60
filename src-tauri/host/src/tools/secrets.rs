//! Files that hold keys and passwords, by their names (spec 05 "Sandbox"), and the names under
//! which some disks find a file beside its own.

use kernel::text::folded;

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

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::path::AliasPath;
    use kernel::write_scope::is_self_starting;
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

    /// The spellings under which some disk finds the file `name`.
    fn spellings(name: &str) -> Vec<String> {
        let wide = |c: char| char::from_u32(u32::from(c) + 0xfee0).unwrap();
        let (head, tail) = name.split_at(2);
        vec![
            name.to_uppercase(),
            name.chars().map(wide).collect(),
            format!("{head}\u{200c}{tail}"),
            format!("{head}{tail}\u{feff}"),
            name.replace('s', "\u{17f}"),
            name.replace('k', "\u{212a}"),
        ]
    }

    #[test]
    fn a_protected_name_is_known_in_every_spelling() {
        for spelt in [".env", ".ssh"].into_iter().flat_map(spellings) {
            assert!(is_secret(&format!("a/{spelt}/b")) || is_secret(&spelt), "{spelt:?}");
        }
        for spelt in spellings(".git") {
            assert!(is_git(&spelt), "{spelt:?}");
        }
        for spelt in [".vscode", ".husky", "jenkinsfile"].into_iter().flat_map(spellings) {
            let path = AliasPath::parse(&format!("@project/{spelt}")).unwrap();
            assert!(is_self_starting(&path), "{spelt:?}");
        }
    }
}
