//! Files that hold keys and passwords, by their names (spec 05 "Sandbox"), and the names under
//! which some disks find a file beside its own.

use kernel::text::{folded, name_fits};

// What stands here is after the names that scanners for leaked keys look for, gitrob's and shhgit's
// file signatures above all. Left out are names that mean a secret only now and then and are much in
// use otherwise: logs, databases, a framework's `settings.py` or `database.yml`.

/// Names of files that are secret wherever they lie, sorted.
const NAMES: &[&str] = &[
    ".bash_history",
    ".boto",
    ".credentials",
    ".dockercfg",
    ".env",
    ".envrc",
    ".ftpconfig",
    ".git-credentials",
    ".htpasswd",
    ".irb_history",
    ".muttrc",
    ".my.cnf",
    ".mylogin.cnf",
    ".mysql_history",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".rediscli_history",
    ".remote-sync.json",
    ".s3cfg",
    ".sh_history",
    ".sqlite_history",
    ".terraformrc",
    ".tugboat",
    ".vault-token",
    ".yarnrc.yml",
    ".z_history",
    ".zsh_history",
    "_netrc",
    "application_default_credentials.json",
    "cookies.sqlite",
    "cookies.txt",
    "credentials",
    "filezilla.xml",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "key3.db",
    "key4.db",
    "kubeconfig",
    "localsettings.php",
    "logins.json",
    "model-api-key",
    "otr.private_key",
    "pgpass.conf",
    "proftpdpasswd",
    "rclone.conf",
    "recentservers.xml",
    "robomongo.json",
    "secret_token.rb",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "sftp-config.json",
    "terraform.rc",
    "wp-config.php",
];
/// Endings after the last dot, sorted.
const EXTENSIONS: &[&str] = &[
    "agilekeychain",
    "asc",
    "bek",
    "env",
    "jceks",
    "jks",
    "kdb",
    "kdbx",
    "key",
    "keychain",
    "keypair",
    "keystore",
    "keytab",
    "kwallet",
    "ovpn",
    "p12",
    "p8",
    "pem",
    "pfx",
    "pkcs12",
    "ppk",
    "psafe3",
    "tblk",
    "tfstate",
    "tfvars",
];
/// Names with a part that may be anything.
const PATTERNS: &[&str] = &[
    ".env.*",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*_rsa",
    "*_dsa",
    "*_ecdsa",
    "*_ed25519",
    "*credentials.json",
    "*credentials.y*ml",
    "*credentials.toml",
    "*credentials.xml",
    "*credentials.csv",
    "*credentials.ini",
    "*credentials.db",
    "*credentials.enc",
    "*credentials.properties",
    "*credentials.tfrc.json",
    "service-account*.json",
    "service_account*.json",
    "client_secret*.json",
    "secring.*",
    "*.tfvars.json",
    "*.kubeconfig",
];
/// Files of a folder that holds others too.
const PLACES: &[&str] = &[
    ".cargo/credentials*",
    ".config/gh/hosts.y*ml",
    ".config/hub",
    ".gem/credentials",
    ".git/config",
    ".git/credentials",
    ".m2/settings*.xml",
    ".purple/accounts.xml",
    ".vscode/sftp.json",
];
/// Folders whose every file is secret.
const FOLDERS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".config/gcloud",
    ".config/sops",
];
/// What editors and people append to the name of a copy, sorted.
const COPIES: &[&str] =
    &["backup", "bak", "bk", "copy", "old", "orig", "save", "swo", "swp", "tmp"];

/// True when a file of that path may hold keys. Names are compared without case and in one form
/// of Unicode: some disks do. A copy is judged as what it was copied from.
pub(super) fn is_secret(rel: &str) -> bool {
    let rel = folded(rel);
    let (folders, name) = rel.rsplit_once('/').unwrap_or(("", &rel));
    let copied = original(name);
    if is_secret_name(name) || (copied != name && is_secret_name(copied)) {
        return true;
    }
    folders.contains('.')
        && (FOLDERS.iter().any(|known| lies_in(folders, known))
            || PLACES.iter().any(|known| is_place(folders, copied, known)))
}

fn is_secret_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    NAMES.binary_search(&name).is_ok()
        || EXTENSIONS.binary_search(&extension).is_ok()
        || PATTERNS.iter().any(|pattern| name_fits(pattern, name))
}

/// The name without what marks a copy: `server.key.bak`, `id_rsa~`, `#.env#`, `secrets.yml.1`.
fn original(mut name: &str) -> &str {
    loop {
        let short = name.trim_matches('#').trim_end_matches('~');
        let short = match short.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && is_copy(end) => stem,
            _ => short,
        };
        if short.len() == name.len() || short.is_empty() {
            return name;
        }
        name = short;
    }
}

fn is_copy(end: &str) -> bool {
    let number = !end.is_empty() && end.len() <= 3 && end.bytes().all(|b| b.is_ascii_digit());
    number || COPIES.binary_search(&end).is_ok()
}

/// Whether one of the folders is `known`: one name, or two of which the second lies in the first.
fn lies_in(folders: &str, known: &str) -> bool {
    let one = |at: usize| {
        let end = at + known.len();
        let begins = at == 0 || folders.as_bytes()[at - 1] == b'/';
        begins && (end == folders.len() || folders.as_bytes()[end] == b'/')
    };
    folders.match_indices(known).any(|(at, _)| one(at))
}

/// Whether a file is at a place of the list.
fn is_place(folders: &str, name: &str, known: &str) -> bool {
    let Some((folder, pattern)) = known.rsplit_once('/') else { return false };
    let there =
        folders.strip_suffix(folder).is_some_and(|above| above.is_empty() || above.ends_with('/'));
    there && name_fits(pattern, name)
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
    #[case("server.key.bak", true)]
    #[case("server.key.bak.1", true)]
    #[case("tls/id_rsa~", true)]
    #[case("#secrets.yml#", true)]
    #[case(".server.pem.swp", true)]
    #[case("prod.tfstate.backup", true)]
    #[case("a/.config/gcloud/legacy/x.db", true)]
    #[case(".azure/accessTokens.json", true)]
    #[case("wp-config.php.old", true)]
    #[case("credentials.md", false)]
    #[case("docs/cookies.md", false)]
    #[case("config", false)]
    #[case("my.config/gh-hosts.yml", false)]
    #[case(".config/gh/aliases.yml", false)]
    #[case("not.ssh/notes.md", false)]
    #[case("changes.old", false)]
    #[case("~", false)]
    #[case("history.md", false)]
    #[case("environment.md", false)]
    #[case("docs/keys.md", false)]
    #[case("monkey", false)]
    fn a_secret_is_known_by_its_name(#[case] rel: &str, #[case] secret: bool) {
        assert_eq!(is_secret(rel), secret);
    }

    /// What a review found readable, and what was refused before.
    #[test]
    fn the_places_where_programs_keep_keys_are_known() {
        let readable = [
            ".envrc",
            ".git/config",
            ".git/credentials",
            ".cargo/credentials.toml",
            ".cargo/credentials",
            ".config/gh/hosts.yml",
            ".config/gcloud/application_default_credentials.json",
            "application_default_credentials.json",
            "service-account.json",
            "service-account-prod.json",
            "secrets.yml",
            "secrets.yaml",
            "secrets.json",
            "secrets.toml",
            "config/secrets.yml",
            "kubeconfig",
            "prod.kubeconfig",
            ".azure/credentials",
            ".azure/msal_token_cache.json",
            ".dockercfg",
            ".my.cnf",
            ".s3cfg",
            ".boto",
            ".terraformrc",
            ".yarnrc.yml",
            "terraform.tfvars",
            "prod.auto.tfvars",
            "terraform.tfstate.backup",
            "AuthKey_ABC.p8",
            "private.asc",
            "secring.gpg",
            "server.key.bak",
            "server.key.old",
            "id_rsa.orig",
            ".env~",
            ".bash_history",
            ".zsh_history",
            "wp-config.php",
            "cookies.txt",
            "credentials",
            "credentials.csv",
            "credentials.yml",
            "aws-credentials.json",
            "model-api-key",
            "client_secret_1.json",
            ".gem/credentials",
            ".m2/settings.xml",
        ];
        let refused_before = [
            ".env",
            ".env.local",
            ".npmrc",
            ".netrc",
            ".pypirc",
            ".pgpass",
            ".htpasswd",
            ".ssh/id_ed25519",
            ".aws/credentials",
            ".kube/config",
            ".docker/config.json",
            "server.pem",
            "terraform.tfstate",
        ];
        for name in readable.into_iter().chain(refused_before) {
            assert!(is_secret(name), "{name}");
            assert!(is_secret(&format!("a/b/{}", name.to_uppercase())), "a/b/{name}");
        }
    }

    #[test]
    fn the_lists_are_sorted_and_in_the_form_that_names_are_compared_in() {
        for list in [NAMES, EXTENSIONS, COPIES] {
            assert!(list.is_sorted());
        }
        for name in [NAMES, EXTENSIONS, PATTERNS, PLACES, FOLDERS, COPIES].into_iter().flatten() {
            assert_eq!(*name, folded(name));
        }
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
            let path = AliasPath::try_from(format!("@project/{spelt}")).unwrap();
            assert!(is_self_starting(&path), "{spelt:?}");
        }
    }
}
