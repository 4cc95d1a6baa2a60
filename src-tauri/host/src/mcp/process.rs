//! A server that is a program of this machine.

use kernel::code::{ErrorCode, Failure};
use kernel::mcp::{ServerName, ServerValue};
use kernel::phrase::servers as said;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use tokio::process::Command;

use super::failures::not_started;
use super::place::ServerPlace;
use crate::failure::io_said;
use crate::process_group::{self, Running};
use crate::real_path::RealPath;

/// What stands for the project folder at the beginning of an argument.
const PROJECT: &str = "@project";

/// Starts a program in the project folder, or in the home folder where there is no project.
///
/// # Errors
/// `E_MCP_NOT_STARTED`.
pub(super) fn start(
    name: &ServerName,
    program: &str,
    args: &[String],
    env: &BTreeMap<String, ServerValue>,
    place: &ServerPlace,
) -> Result<Running, Failure> {
    let project = place.project.as_ref().map(RealPath::as_path);
    if project.is_none() && args.iter().chain([&program.to_owned()]).any(|arg| names_project(arg)) {
        return Err(not_started(name, said::needs_a_project()));
    }
    let mut command = Command::new(with_project(program, project));
    command.args(args.iter().map(|arg| with_project(arg, project)));
    command.envs(env.iter().map(|(key, value)| (key, value.reveal())));
    match project {
        Some(project) => _ = command.current_dir(project),
        None => {
            if let Some(dirs) = directories::BaseDirs::new() {
                command.current_dir(dirs.home_dir());
            }
        }
    }
    process_group::start(command).map_err(|e| {
        let why = said::program_not_started(program, io_said(&e));
        Failure::new(ErrorCode::McpNotStarted, said::server_not_started(name, why))
    })
}

/// Whether an argument is the project folder, or something in it.
fn names_project(arg: &str) -> bool {
    arg.strip_prefix(PROJECT).is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// An argument with the project folder in place of its alias.
fn with_project(arg: &str, project: Option<&Path>) -> OsString {
    let below = arg.strip_prefix(PROJECT).zip(project);
    match below {
        Some(("", project)) => project.as_os_str().to_owned(),
        Some((below, project)) if below.starts_with('/') => {
            project.join(below.trim_start_matches('/')).into_os_string()
        }
        _ => arg.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_alias_of_the_project_stands_at_the_beginning_alone() {
        let root = Some(Path::new("/home/me/p"));
        for (arg, is) in [
            ("@project", "/home/me/p"),
            ("@project/a/b", "/home/me/p/a/b"),
            ("@project//etc", "/home/me/p/etc"),
            ("@projects", "@projects"),
            ("--root=@project", "--root=@project"),
        ] {
            assert_eq!(with_project(arg, root), is, "{arg}");
        }
        assert_eq!(with_project("@project", None), "@project");
    }
}
