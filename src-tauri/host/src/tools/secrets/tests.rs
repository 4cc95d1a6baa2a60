//! Names of secrets, and names that only look like them.

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
#[case(".\u{df}h/config", true)]
#[case(".pgpa\u{df}", true)]
#[case(".\u{1e9e}h/config", true)]
#[case("firebase-adminsdk.json", true)]
#[case("shop-firebase-adminsdk-ab12.json", true)]
#[case("ssh_host_ed25519_key", true)]
#[case("kubeconfig-prod", true)]
#[case(".dev.vars", true)]
#[case("secret.yml", true)]
#[case("k8s/secret.yaml", true)]
#[case("secret.json", true)]
#[case("secrets.ini", true)]
#[case("secrets.properties", true)]
#[case("secrets.php", true)]
#[case(".env-prod", true)]
#[case(".env_local", true)]
#[case(".codex/auth.json", true)]
#[case(".gemini/oauth_creds.json", true)]
#[case(".kaggle/kaggle.json", true)]
#[case(".oci/config", true)]
#[case(".databrickscfg", true)]
#[case(".sentryclirc", true)]
#[case(".Renviron", true)]
#[case(".config/github-copilot/hosts.json", true)]
#[case(".config/glab-cli/config.yml", true)]
#[case(".authinfo", true)]
#[case(".authinfo.gpg", true)]
#[case(".msmtprc", true)]
#[case(".local/share/fish/fish_history", true)]
#[case("ansible/.vault_pass.txt", true)]
#[case("wallet.dat", true)]
#[case("local.settings.json", true)]
#[case(".huggingface/token", true)]
#[case(".cache/huggingface/token", true)]
#[case("backup.agekey", true)]
#[case("server.key.~1~", true)]
#[case("secrets.yml.20240101", true)]
#[case("secrets.yml.bak-2024-01-01", true)]
#[case(".secrets.yml.swp", true)]
#[case(".secrets.yml.un~", true)]
#[case(".#secrets.yml", true)]
#[case("my.cnf.dpkg-old", false)]
#[case(".my.cnf.dpkg-old", true)]
#[case("server.key.bak1", true)]
#[case(".codex/config.toml", false)]
#[case("docs/.gemini/notes.md", false)]
#[case("report.2024", false)]
#[case("secret.md", false)]
#[case("wallet.rs", false)]
#[case("tokens/token", false)]
#[case(".notes.swp", false)]
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
