//! Where a run changes files without asking (setting `approval.writes`, value `ask-outside`), and
//! which files always ask (spec 05 "Approval").
//!
//! Names only: what lies behind one is the host's matter, which follows no link when it writes.

use std::sync::LazyLock;

use crate::path::{AliasPath, Mount};
use crate::text::{folded, name_fits};
use crate::tool::ParsedCall;

/// Files that other programs run by themselves, or take orders from: a change of one takes effect
/// without anybody starting it. Such a change always asks, whatever the setting says.
///
/// Each is a name, or names one below the other, anywhere in the project and in any spelling; `*`
/// stands for any part of a name.
///
/// Build scripts are here where a program runs them that nobody asked to build: an editor's language
/// server runs `build.rs`, a `conftest.py` runs with the first test of its folder, and each linter
/// and bundler runs its configuration when the editor opens a file. What the person starts by its
/// name (a Makefile, the scripts of a package.json) is not: outside the declared outputs it asks
/// like any other file, and asking for each would teach to say yes.
pub const SELF_STARTING: &[&str] = &[
    // Hooks of version control and their managers.
    ".git",
    ".gitattributes",
    ".gitmodules",
    ".gitconfig",
    ".config/git",
    ".githooks",
    ".hg",
    ".husky",
    ".huskyrc*",
    "lefthook.y*ml",
    ".lefthook.y*ml",
    "lefthook-local.y*ml",
    ".lefthook-local.y*ml",
    ".simple-git-hooks.*",
    "simple-git-hooks.*",
    ".git-hooks",
    ".pre-commit-config.y*ml",
    ".pre-commit-hooks.y*ml",
    ".overcommit.yml",
    // Shells and what they read when they start or enter a folder.
    ".*shrc",
    ".*sh_profile",
    ".*sh_login",
    ".*sh_logout",
    ".profile",
    ".bash_aliases",
    ".xprofile",
    ".xinitrc",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".zshenv",
    ".envrc",
    ".direnvrc",
    ".autoenv",
    ".mise.toml",
    "mise.toml",
    ".mise.local.toml",
    "mise.local.toml",
    ".mise",
    ".config/mise",
    ".config/fish",
    ".config/direnv",
    ".inputrc",
    ".tmux.conf",
    "profile.ps1",
    // Editors that run tasks or code of the folder they open.
    ".vscode",
    "*.code-workspace",
    ".idea",
    ".zed",
    ".devcontainer",
    ".devcontainer.json",
    ".gitpod.y*ml",
    ".vs",
    ".vimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".lazy.lua",
    ".lvimrc",
    ".vim",
    ".config/nvim",
    ".emacs*",
    ".fleet",
    ".helix",
    ".dir-locals.el",
    // Assistants that take orders and start servers from the folder they work in.
    ".mcp.json",
    ".claude",
    ".agents",
    ".crewagent",
    ".cursor",
    ".cursorrules",
    ".gemini",
    ".codex",
    ".kiro",
    ".roo",
    ".clinerules",
    ".windsurfrules",
    ".aider.conf.y*ml",
    "CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".github/instructions",
    // Continuous integration.
    ".github/workflows",
    ".github/actions",
    ".gitea/workflows",
    ".forgejo/workflows",
    ".gitlab-ci.y*ml",
    ".gitlab/ci",
    ".circleci",
    ".travis.y*ml",
    ".drone.y*ml",
    ".woodpecker",
    ".woodpecker.y*ml",
    "azure-pipelines.y*ml",
    "bitbucket-pipelines.y*ml",
    "Jenkinsfile",
    ".buildkite",
    ".builds",
    ".cirrus.y*ml",
    "appveyor.y*ml",
    ".appveyor.y*ml",
    // What a desktop or a login starts.
    "*.desktop",
    "autorun.inf",
    "desktop.ini",
    "*.lnk",
    ".config/autostart",
    ".config/systemd",
    ".config/environment.d",
    "Library/LaunchAgents",
    ".ssh",
    // Interpreters: run when any program of theirs starts here.
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    ".Rprofile",
    ".ghci",
    ".ocamlinit",
    ".pdbrc",
    // Tools that run code of the folder, by themselves or with any of their commands.
    ".cargo/config*",
    "build.rs",
    "rust-toolchain*",
    "hie.yaml",
    ".pylintrc",
    "conftest.py",
    "setup.py",
    ".npmrc",
    ".yarnrc*",
    ".yarn/releases",
    ".pnpmfile.cjs",
    "pnpmfile.js",
    ".eslintrc*",
    ".prettierrc*",
    ".stylelintrc*",
    ".babelrc*",
    "*.config.js",
    "*.config.cjs",
    "*.config.mjs",
    "*.config.ts",
    "*.config.cts",
    "*.config.mts",
    ".gradle",
    "init.gradle*",
    "*.gradle*",
    "gradlew*",
    "gradle/wrapper",
    "tools/bazel",
    "CMakeLists.txt",
    "CMakePresets.json",
    ".mvn",
    "Directory.Build.*",
    "*.csproj",
    "*.fsproj",
    "*.vbproj",
    "*.targets",
    ".irbrc",
    ".pryrc",
    ".rspec",
    "Gemfile",
    ".gdbinit",
    ".lldbinit",
    // This program's own: where the artifacts are, and what the tools may not touch.
    ".crewagent.json",
    ".crewagentignore",
];

/// Files that a build, an installation or a test run takes its orders from. They wait for somebody
/// to start it, so they ask like any other file; but who allows a folder saw one file of it, and
/// means no other that decides what is run: an allowed folder never covers one of these.
const BUILD_FILES: &[&str] = &[
    "*makefile",
    "makefile.*",
    "*.mk",
    "*.mak",
    "justfile",
    ".justfile",
    "taskfile.y*ml",
    "rakefile",
    "*.rake",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-*.yaml",
    "bun.lock*",
    "bunfig.toml",
    "deno.json*",
    "gulpfile*",
    "gruntfile*",
    "turbo.json",
    "nx.json",
    "project.json",
    "lerna.json",
    "Cargo.toml",
    "Cargo.lock",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    "noxfile.py",
    "fabfile.py",
    "dodo.py",
    "tasks.py",
    "pipfile*",
    "*requirements*.txt",
    "sconstruct",
    "sconscript",
    "meson.build",
    "meson_options.txt",
    "*.cmake",
    "configure",
    "configure.ac",
    "build",
    "build.bazel",
    "workspace",
    "workspace.bazel",
    "module.bazel",
    "*.bzl",
    ".bazelrc",
    "go.mod",
    "go.work",
    "magefile.go",
    "build.xml",
    "pom.xml",
    "*.sbt",
    "build.zig*",
    "mix.exs",
    "rebar.config",
    "*.cabal",
    "stack.yaml",
    "dune",
    "dune-project",
    "package.swift",
    "podfile",
    "fastfile",
    "composer.json",
    "*.gemspec",
    "gemfile.lock",
    "*.props",
    "*.vcxproj",
    "*.sln",
    "dockerfile*",
    "*.dockerfile",
    "containerfile*",
    "*compose*.y*ml",
    "vagrantfile",
    "procfile",
    "*.nix",
];

/// Names one below the other, folded.
type KnownNames = Vec<Vec<String>>;

fn known(names: &[&str]) -> KnownNames {
    names.iter().map(|known| known.split('/').map(folded).collect()).collect()
}

static STARTED: LazyLock<KnownNames> = LazyLock::new(|| known(SELF_STARTING));
static BUILT: LazyLock<Vec<String>> =
    LazyLock::new(|| BUILD_FILES.iter().map(|name| folded(name)).collect());

/// Whether a change of this path takes effect without anybody starting it. A folder on the way to
/// such a file counts too: a folder can be moved there with the file in it.
pub fn is_self_starting(path: &AliasPath) -> bool {
    lies_at(path, &STARTED, OnTheWay::Counts)
}

/// The same of what is known to be there: a folder on the way to such a file does nothing.
pub fn starts_by_itself(path: &AliasPath) -> bool {
    lies_at(path, &STARTED, OnTheWay::IsNothing)
}

/// Whether a change of this path is asked about by itself, whatever folder is allowed.
pub fn stands_for_itself(path: &AliasPath) -> bool {
    let rel = folded(path.rel());
    let name = rel.rsplit('/').next().unwrap_or_default();
    is_self_starting(path) || BUILT.iter().any(|built| name_fits(built, name))
}

/// What a folder is, above a known file.
#[derive(Clone, Copy, PartialEq)]
enum OnTheWay {
    Counts,
    IsNothing,
}

fn lies_at(path: &AliasPath, known: &KnownNames, on_the_way: OnTheWay) -> bool {
    let rel = folded(path.rel());
    let names: Vec<&str> = rel.split('/').collect();
    known.iter().any(|known| {
        (0..names.len()).any(|from| {
            let below = &names[from..];
            let enough = on_the_way == OnTheWay::Counts || below.len() >= known.len();
            enough && below.iter().zip(known).all(|(name, pattern)| name_fits(pattern, name))
        })
    })
}

/// Where a run changes files without asking.
#[derive(Debug, Clone, Copy)]
pub struct WriteScope<'a> {
    /// The run's artifacts folder, project-relative; none while the person has not allowed it.
    pub artifacts_dir: Option<&'a str>,
    /// The files that the current node declares.
    pub outputs: &'a [AliasPath],
}

impl WriteScope<'_> {
    /// Whether everything a call may touch lies in the scope. A call that names no path touches
    /// who knows what.
    pub fn holds(&self, parsed: &ParsedCall) -> bool {
        let whole = parsed.takes_folders();
        let mut paths = parsed.paths().peekable();
        paths.peek().is_some() && paths.all(|path| self.holds_path(path, whole))
    }

    /// `whole`: a folder may hide behind the name, with everything in it, which nobody declared.
    /// Of a move that holds for both ends: what lies at the one will lie at the other.
    fn holds_path(&self, path: &AliasPath, whole: bool) -> bool {
        let artifacts = self.artifacts_dir.and_then(|dir| AliasPath::new(Mount::Project, dir).ok());
        artifacts.is_some_and(|folder| is_below(path, &folder))
            || (!whole && self.outputs.contains(path))
    }
}

/// In the folder, which is neither the folder itself nor the whole project.
fn is_below(path: &AliasPath, folder: &AliasPath) -> bool {
    !folder.rel().is_empty() && path != folder && path.is_within(folder)
}

#[cfg(test)]
mod tests;
