//! Files that hold keys and passwords, by their names (spec 05 "Sandbox").

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

/// True when a file of that path may hold keys. Names are compared without case: some disks do.
pub(super) fn is_secret(rel: &str) -> bool {
    let rel = rel.to_lowercase();
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
    let plain: String = segment.chars().filter(|c| !is_ignorable(*c)).collect();
    plain.eq_ignore_ascii_case(".git") || plain.eq_ignore_ascii_case("git~1")
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
}
