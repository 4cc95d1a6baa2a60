//! A throw-away copy of this machine's root, to install things in. It shows exactly what was changed
//! in it, and whatever runs there ends with it.

use crate::processes::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A person who is nobody on any machine.
pub(crate) const PERSON: &str = "12321";

/// The home of that person, in the copy.
pub(crate) const HOME: &str = "/home/reader";

/// What the session of that person keeps while it lasts, in the copy.
pub(crate) const RUNTIME: &str = "/run/user/12321";

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The copy: an overlay over `/`, in namespaces of its own for mounts and processes.
pub(crate) struct Root {
    /// Ends with its standard input, and with it the namespaces.
    holder: Child,
    /// The process whose namespaces they are.
    id: String,
    layers: TempDir,
    display: String,
}

impl Root {
    /// Makes a copy whose programs can reach the display.
    ///
    /// # Errors
    /// Why none can be made here, in the words of the tool that could not.
    pub(crate) fn new(display: &Display) -> Result<Self, String> {
        let layers = tempfile::tempdir().unwrap();
        let inner = "echo $$; exec unshare --pid --fork --kill-child sh -c \"$0\" root \"$1\"";
        let mut holder = as_root("unshare")
            .args(["--mount", "--propagation", "private", "sh", "-c", inner])
            .arg(include_str!("root.sh"))
            .arg(layers.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("neither root nor sudo: {error}"))?;
        let said = BufReader::new(holder.stdout.take().unwrap()).lines();
        let said: Vec<String> = said.take(2).map_while(Result::ok).collect();
        if let [id, ready] = said.as_slice()
            && ready == "ready"
        {
            let display = display.number().to_owned();
            return Ok(Self { id: id.clone(), holder, layers, display });
        }
        let output = holder.wait_with_output().unwrap();
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// A command in the namespaces, outside the copy.
    fn beside(&self) -> Command {
        let mut command = as_root("nsenter");
        for (kind, name) in [("mount", "mnt"), ("pid", "pid_for_children")] {
            command.arg(format!("--{kind}=/proc/{}/ns/{name}", self.id));
        }
        command.stdin(Stdio::null());
        command
    }

    fn inside(&self) -> Command {
        let mut command = self.beside();
        command.arg("chroot").arg(self.layers.path().join("root"));
        command
    }

    /// Runs a command in the copy as its administrator, and gives what it printed.
    pub(crate) fn run(&self, words: &[&str]) -> String {
        let mut command = self.inside();
        command.args(["env", "-i", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]);
        printed(command.arg(format!("PATH={PATH}")).args(words))
    }

    /// Puts a file of the machine into the copy, where everybody may read it.
    pub(crate) fn put(&self, file: &Path, at: &str) {
        let mut command = self.inside();
        command.args(["sh", "-c", "cat >\"$0\" && chmod a+r \"$0\"", at]);
        printed(command.stdin(File::open(file).unwrap()));
    }

    /// A command in the copy by a person who may do there what people may, on the display.
    pub(crate) fn person(&self, words: &[&str]) -> Command {
        let mut command = self.inside();
        command.arg("setpriv");
        command.args([&format!("--reuid={PERSON}"), &format!("--regid={PERSON}")]);
        command.args(["--clear-groups", "env", "-i", "--chdir", HOME, "LC_ALL=C.UTF-8"]);
        command.args([
            format!("PATH={PATH}"),
            format!("HOME={HOME}"),
            format!("XDG_RUNTIME_DIR={RUNTIME}"),
            format!("DBUS_SESSION_BUS_ADDRESS=unix:path={RUNTIME}/bus"),
            format!("DISPLAY={}", self.display),
        ]);
        command.args(["NO_AT_BRIDGE=1", "WEBKIT_SKIA_ENABLE_CPU_RENDERING=1"]);
        // The driver has no pictures of what is drawn plainly.
        command.arg("WEBKIT_DISABLE_DMABUF_RENDERER=0");
        command.args(["TAURI_WEBVIEW_AUTOMATION=true"]).args(words);
        command
    }

    /// What differs in the copy from the machine, sorted: "new", "changed" or "removed", and a path.
    pub(crate) fn changes(&self) -> Vec<String> {
        let mut command = self.beside();
        command.args(["env", "LC_ALL=C", "sh", "-c", include_str!("changes.sh"), "changes"]);
        let changes = printed(command.arg(self.layers.path().join("upper")));
        let mut changes: Vec<String> = changes.lines().map(str::to_owned).collect();
        changes.sort();
        changes
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        drop(self.holder.wait());
    }
}

/// The output of a command that has to succeed.
pub(crate) fn printed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(status.success(), "{command:?}: {status}\n{stdout}\n{stderr}");
    stdout
}

/// A program run by root: at once, or by `sudo` where that asks for no password.
fn as_root(program: &str) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap();
    if id.stdout == b"0\n" {
        return Command::new(program);
    }
    let mut command = Command::new("sudo");
    command.args(["-n", program]);
    command
}
