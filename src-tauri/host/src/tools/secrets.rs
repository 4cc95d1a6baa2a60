//! Files that hold keys and passwords, by their names (spec 05 "Sandbox"), and the names under
//! which some disks find a file beside its own.

use kernel::text::{folded, name_fits};

// What stands here is after the names that scanners for leaked keys look for, gitrob's and shhgit's
// file signatures above all. Left out are names that mean a secret only now and then and are much in
// use otherwise: logs, databases, a framework's `settings.py` or `database.yml`.

/// Names of files that are secret wherever they lie, sorted.
const NAMES: &[&str] = &[
    ".authinfo",
    ".authinfo.gpg",
    ".bash_history",
    ".boto",
    ".credentials",
    ".databrickscfg",
    ".dev.vars",
    ".dockercfg",
    ".env",
    ".envrc",
    ".ftpconfig",
    ".git-credentials",
    ".htpasswd",
    ".irb_history",
    ".msmtprc",
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
    ".renviron",
    ".s3cfg",
    ".sentryclirc",
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
    "fish_history",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "key3.db",
    "key4.db",
    "kubeconfig",
    "local.settings.json",
    "localsettings.php",
    "logins.json",
    "model-api-key",
    "otr.private_key",
    "pgpass.conf",
    "proftpdpasswd",
    "rclone.conf",
    "recentservers.xml",
    "robomongo.json",
    "secret.json",
    "secret.yaml",
    "secret.yml",
    "secret_token.rb",
    "secrets.ini",
    "secrets.json",
    "secrets.php",
    "secrets.properties",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "sftp-config.json",
    "terraform.rc",
    "wallet.dat",
    "wp-config.php",
];
/// Endings after the last dot, sorted.
const EXTENSIONS: &[&str] = &[
    "agekey",
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
    ".env-*",
    ".env_*",
    "*firebase-adminsdk*.json",
    "ssh_host_*_key",
    "kubeconfig*",
    "*vault_pass*",
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
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".huggingface/token",
    ".cache/huggingface/token",
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
    ".kaggle",
    ".oci",
    ".config/github-copilot",
    ".config/glab-cli",
];
/// What editors and people append to the name of a copy, sorted.
const COPIES: &[&str] = &[
    "backup",
    "bak",
    "bk",
    "copy",
    "dpkg-dist",
    "dpkg-new",
    "dpkg-old",
    "dpkg-tmp",
    "old",
    "orig",
    "rpmnew",
    "rpmsave",
    "save",
    "swo",
    "swp",
    "tmp",
    "ucf-dist",
    "ucf-old",
    "un",
];

/// True when a file of that path may hold keys. Names are compared without case and in one form
/// of Unicode: some disks do. A copy is judged as what it was copied from.
pub(super) fn is_secret(rel: &str) -> bool {
    let rel = folded(rel);
    let (folders, name) = rel.rsplit_once('/').unwrap_or(("", &rel));
    let copied = original(name);
    if is_secret_name(name) || (copied != name && is_secret_copy(copied)) {
        return true;
    }
    folders.contains('.')
        && (FOLDERS.iter().any(|known| lies_in(folders, known))
            || PLACES.iter().any(|known| is_place(folders, copied, known)))
}

fn is_secret_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    NAMES.binary_search(&name).is_ok()
        // Most names have none, and to compare nothing takes some processors a microsecond.
        || extension.is_some_and(|extension| EXTENSIONS.binary_search(&extension).is_ok())
        || PATTERNS.iter().any(|pattern| name_fits(pattern, name))
}

/// vim puts a dot before the name of the file that it keeps what is typed in.
fn is_secret_copy(copied: &str) -> bool {
    is_secret_name(copied) || copied.strip_prefix('.').is_some_and(is_secret_name)
}

/// The name without what marks a copy: `server.key.bak`, `id_rsa~`, `#.env#`, `secrets.yml.1`,
/// `.#notes`.
fn original(mut name: &str) -> &str {
    loop {
        let short = name.strip_prefix(".#").unwrap_or(name);
        let short = short.trim_matches('#').trim_end_matches('~');
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

/// `bak`, and with a number or a date: `bak1`, `~1~`, `20240101`, `bak-2024-01-01`.
fn is_copy(end: &str) -> bool {
    let counts = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_');
    let word = end.trim_start_matches('~').trim_end_matches(counts);
    (word.is_empty() && !end.is_empty()) || COPIES.binary_search(&word).is_ok()
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
mod tests;
