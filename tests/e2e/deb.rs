//! The `.deb` as people get it: installed in a throw-away copy of this machine's root, opened by the
//! type of a file, and removed without a trace but the person's own data.
//!
//! `CREWAGENT_DEB` names it; `./dev test` makes one of the programs that it has built.

use crate::processes::{Display, Driver, a_while};
use crate::root::{HOME, PERSON, RUNTIME, Root, printed};
use crate::window::{App, tools};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::timeout;

/// What the package puts on a machine, and nothing else.
const FILES: [&str; 9] = [
    "usr/bin/crewagent",
    "usr/bin/crewagent-desktop",
    "usr/share/applications/CrewAgentRuntime.desktop",
    "usr/share/doc/crew-agent-runtime/copyright",
    "usr/share/icons/hicolor/128x128/apps/crewagent-desktop.png",
    "usr/share/icons/hicolor/256x256@2/apps/crewagent-desktop.png",
    "usr/share/icons/hicolor/32x32/apps/crewagent-desktop.png",
    "usr/share/icons/hicolor/512x512/apps/crewagent-desktop.png",
    "usr/share/mime/packages/crewagent-runtime.xml",
];

/// What the system's tools write anew when a package brings a type, an entry of a menu or an icon.
const CACHES: [&str; 3] = ["usr/share/mime/", "usr/share/applications/", "usr/share/icons/"];

/// What dpkg keeps of everything it does, whatever the package.
const RECORDS: [&str; 2] = ["var/lib/dpkg/", "var/log/dpkg.log"];

/// Where the package lies in the copy.
const DEB: &str = "/tmp/the.deb";

const PROGRAM: &str = "/usr/bin/crewagent-desktop";

/// How long a program may take to end.
const WITHIN: Duration = Duration::from_secs(20);

/// Opened by a double click as file managers carry it out, and as much of a shell as the driver needs
/// to have something that lasts as long as the window.
const DOUBLE_CLICK: [&str; 2] = ["-c", "gio open \"$0\" && exec sleep 3600"];

/// The window, and the machine it is on, which goes first.
struct Opened {
    root: Root,
    app: App,
}

/// The root to install in, and the package; `None` where nobody said that they must be there.
fn prepared(display: &Display) -> Option<(Root, String)> {
    let must = std::env::var_os("CI").is_some();
    let Some(deb) = std::env::var_os("CREWAGENT_DEB").map(PathBuf::from) else {
        assert!(!must, "CREWAGENT_DEB does not name a .deb: ./dev test makes one");
        println!("skipped: CREWAGENT_DEB names no .deb");
        return None;
    };
    let root = match Root::new(display) {
        Ok(root) => root,
        Err(why) => {
            let words = "a copy of the root cannot be made here: it takes root, or sudo without a \
                 password, and leave to mount an overlay";
            assert!(!must, "{words}: {why}");
            println!("skipped: {words}: {why}");
            return None;
        }
    };
    root.put(&deb, DEB);
    let name = root.run(&["dpkg-deb", "--field", DEB, "Package"]).trim().to_owned();
    // Should it be on this machine already, then it is not on the copy.
    root.run(&["dpkg", "--purge", &name]);
    let person = format!(
        "echo reader:x:{PERSON}:{PERSON}::{HOME}:/bin/sh >>/etc/passwd
         mkdir -p {HOME}/Downloads {RUNTIME} && chmod 700 {RUNTIME}
         chown -R {PERSON}:{PERSON} {HOME} {RUNTIME}"
    );
    root.run(&["sh", "-ec", &person]);
    Some((root, name))
}

/// What has changed since, without what is the person's own or in the records of every package.
fn since(root: &Root, before: &[String]) -> Vec<String> {
    let mine = [HOME, RUNTIME].map(|folder| folder.trim_start_matches('/'));
    let others = |change: &String| {
        let path = path(change);
        !before.contains(change) && !mine.iter().chain(&RECORDS).any(|own| path.starts_with(own))
    };
    root.changes().into_iter().filter(others).collect()
}

fn path(change: &str) -> &str {
    change.split_once(' ').unwrap().1
}

fn is_cached(change: &str) -> bool {
    CACHES.iter().any(|folder| path(change).starts_with(folder))
}

/// Asserts that the package has put its files there, and nothing else.
fn holds_its_files(root: &Root, before: &[String]) {
    let changes = since(root, before);
    for file in FILES {
        assert!(changes.contains(&format!("new {file}")), "{file} was not installed: {changes:#?}");
    }
    let more = changes.iter().filter(|change| {
        let holds = format!("{}/", path(change));
        !FILES.iter().any(|file| path(change) == *file || file.starts_with(&holds))
    });
    let more: Vec<&String> = more.filter(|change| !is_cached(change)).collect();
    assert!(more.is_empty(), "the package brings what nobody knows of: {more:#?}");
    let listed = root.run(&["dpkg-deb", "--contents", DEB]);
    let listed = listed.lines().filter(|line| !line.starts_with('d')).count();
    assert_eq!(listed, FILES.len(), "the package's files");
}

/// Asserts that nothing is left of the package: no file, and no word in what the desktop keeps of
/// types, menus and icons.
fn left_no_trace(root: &Root, before: &[String]) {
    let left = since(root, before);
    let left: Vec<&String> =
        left.iter().filter(|it| !it.starts_with("changed ") || !is_cached(it)).collect();
    assert!(left.is_empty(), "left behind: {left:#?}");
    for folder in CACHES {
        // 1 says that there is none, and 2 that it could not look.
        let words = format!("grep --recursive --text crewagent /{folder}; [ $? -eq 1 ]");
        root.run(&["sh", "-c", &words]);
    }
}

/// Asserts that the packages it depends on hold every library that its programs are linked with.
fn depends_on_its_libraries(root: &Root, name: &str) {
    let depends = root.run(&["dpkg-query", "--show", "--showformat=${Depends}", name]);
    let depends: Vec<&str> =
        depends.split([',', '|']).filter_map(|one| one.split_whitespace().next()).collect();
    for program in ["/usr/bin/crewagent", PROGRAM] {
        let linked = root.run(&["readelf", "--dynamic", program]);
        let libraries = linked.lines().filter(|line| line.contains("(NEEDED)"));
        for library in libraries.filter_map(|line| line.split(['[', ']']).nth(1)) {
            let owners = root.run(&["dpkg-query", "--search", &format!("*/{library}")]);
            let mut owners = owners.lines().filter_map(|line| line.split(':').next());
            assert!(
                owners.any(|owner| depends.contains(&owner)),
                "{program} needs {library}: {depends:?}"
            );
        }
    }
}

/// Begins the session of the person, with the bus on which a second start finds the first one.
fn log_in(root: &Root) {
    let address = format!("--address=unix:path={RUNTIME}/bus");
    printed(&mut root.person(&["dbus-daemon", "--session", "--fork", "--nopidfile", &address]));
}

/// Opens a file in the copy by its type, and takes the window that comes of it.
async fn double_click(root: Root, display: Display, folder: &Path, file: &str) -> Opened {
    let driver = Driver::run(display, root.person(&["WebKitWebDriver"]), folder).await;
    let words = [&DOUBLE_CLICK[..], &[file]].concat();
    let app = App::open(driver, Path::new("/bin/sh"), &words).await;
    Opened { root, app }
}

/// The programs that the person runs in the copy: number and path of each.
fn running(root: &Root) -> Vec<(String, String)> {
    // One that has ended has no path any more.
    let look = "for one in /proc/[0-9]*; do
          [ \"$(stat --format %u \"$one\")\" = \"$0\" ] && program=$(readlink \"$one/exe\") &&
            echo \"${one#/proc/} $program\"
        done 2>/dev/null || true";
    let list = root.run(&["sh", "-c", look, PERSON]);
    let halves = list.lines().filter_map(|line| line.split_once(' '));
    halves.map(|(number, program)| (number.to_owned(), program.to_owned())).collect()
}

/// Ends all that the person runs, as the end of a session does.
async fn log_out(root: &Root) {
    let numbers: Vec<String> = running(root).into_iter().map(|(number, _)| number).collect();
    // One of them may end with another.
    root.run(&["sh", "-c", "kill $0 || true", &numbers.join(" ")]);
    until(root, "the end of the session", <[_]>::is_empty).await;
}

/// Waits for what the person runs to be as it has to be.
async fn until(root: &Root, what: &str, is: impl Fn(&[(String, String)]) -> bool) {
    let mut looks = a_while();
    let waiting = timeout(WITHIN, async {
        while !is(&running(root)) {
            looks.tick().await;
        }
    });
    assert!(waiting.await.is_ok(), "{what} did not come within {WITHIN:?}: {:?}", running(root));
}

/// Whether one window is open: one program runs that has one.
fn has_one_window(all: &[(String, String)]) -> bool {
    all.iter().filter(|(_, program)| program == PROGRAM).count() == 1
}

/// Everything in the home of the person: the hash and the path of each file, a line each.
fn at_home(root: &Root) -> Vec<String> {
    let listed = root.run(&["find", HOME, "-type", "f", "-exec", "sha256sum", "{}", "+"]);
    let mut files: Vec<String> = listed.lines().map(str::to_owned).collect();
    files.sort();
    files
}

/// Packs a package for the person, under a name as people give them.
fn downloaded(root: &Root, folder: &Path) -> String {
    let packed = folder.join("packed.bmad");
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/packages/hello-linear");
    host::packages::pack(&package.canonicalize().unwrap(), &packed, false).unwrap();
    let file = format!("{HOME}/Downloads/我的 package.bmad");
    root.put(&packed, &file);
    file
}

#[tokio::test]
async fn the_deb_opens_packages_by_their_type_and_leaves_nothing_but_what_is_the_persons() {
    if tools(&["Xvfb", "WebKitWebDriver"]).is_none() {
        return;
    }
    let display = Display::start();
    let Some((root, name)) = prepared(&display) else { return };
    let before = root.changes();
    root.run(&["dpkg", "--install", DEB]);
    holds_its_files(&root, &before);
    depends_on_its_libraries(&root, &name);
    root.run(&["desktop-file-validate", "/usr/share/applications/CrewAgentRuntime.desktop"]);

    let folder = tempfile::tempdir().unwrap();
    let file = downloaded(&root, folder.path());
    log_in(&root);
    let Opened { root, app } = double_click(root, display, folder.path(), &file).await;
    app.by_test_id("permission-sheet").await;
    app.shows("package-dialog", "hello-linear").await;
    assert!(has_one_window(&running(&root)), "{:?}", running(&root));
    app.screenshot("deb-opened").await;
    app.by_css("[data-testid='install']:enabled").await.click().await.unwrap();
    app.by_test_id("saved").await;

    // The command line that comes along finds what the window has installed, and a link to it is
    // shown by the window that is open.
    let list = printed(&mut root.person(&["crewagent", "package", "list", "--json"]));
    let list: Value = serde_json::from_str(&list).unwrap();
    let link = format!("crewagent://package/{}", list[0]["packageId"].as_str().unwrap());
    printed(&mut root.person(&["gio", "open", &link]));
    app.by_css("[data-testid='package-dialog']:not(:has([data-testid='install']))").await;
    app.shows("package-dialog", "hello-linear").await;
    until(&root, "the end of the second start", has_one_window).await;
    app.screenshot("deb-linked").await;
    log_out(&root).await;

    let kept = at_home(&root);
    for file in ["/store.db", "/bmad.json", "/Downloads/我的 package.bmad"] {
        assert!(kept.iter().any(|line| line.ends_with(file)), "{file}: {kept:#?}");
    }
    root.run(&["dpkg", "--remove", &name]);
    left_no_trace(&root, &before);
    root.run(&["dpkg", "--purge", &name]);
    left_no_trace(&root, &before);
    root.run(&["sh", "-c", "! dpkg-query --status \"$0\"", &name]);
    let now = at_home(&root);
    let gone: Vec<&String> = kept.iter().filter(|file| !now.contains(file)).collect();
    assert!(gone.is_empty(), "the person lost {gone:#?}");
}
