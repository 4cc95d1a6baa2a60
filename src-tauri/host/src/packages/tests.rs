use super::*;
use kernel::package::check_installed;
use rstest::rstest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

mod archives;
mod bundle;

type PackageBytes = BTreeMap<String, Vec<u8>>;

fn hello() -> PackageBytes {
    bundled::files("hello-linear").unwrap()
}

fn put(root: &Path, files: &PackageBytes) {
    for (rel, bytes) in files {
        let path = root.join(rel);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// A folder with the package in it, and an empty packages folder beside it.
struct TestFolders {
    _temp: TempDir,
    folder: PathBuf,
    store: PathBuf,
}

fn folders(files: &PackageBytes) -> TestFolders {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("my package");
    put(&folder, files);
    let store = temp.path().join("store").join("packages");
    TestFolders { folder, store, _temp: temp }
}

/// As somebody does who changes what is read-only.
fn make_writable(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Folders of installed packages are read-only, and a temporary folder goes with what is in it.
impl Drop for TestFolders {
    fn drop(&mut self) {
        for id in installed(&self.store) {
            _ = super::remove_folder(&self.store.join(id.as_str()));
        }
    }
}

/// Puts a package there and lists it, as far as the folder is concerned.
fn install(inspected: &Inspected, store: &Path) -> Result<PackageId, Failure> {
    inspected.usable()?;
    let lock = PackagesLock::wait(store)?;
    let id = lock.install(inspected)?;
    lock.settle(&id);
    Ok(id)
}

/// The folders that are called as a package is, sorted.
fn installed(store: &Path) -> Vec<PackageId> {
    let folders = fs::read_dir(store).into_iter().flatten().flatten();
    let folders = folders.filter(|entry| entry.path().is_dir());
    let ids =
        folders.filter_map(|entry| PackageId::new(entry.file_name().into_string().ok()?).ok());
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

fn remove(store: &Path, id: &PackageId) {
    PackagesLock::wait(store).unwrap().remove(id).unwrap();
}

fn everything_below(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut out = Vec::new();
    for entry in entries.flatten() {
        out.push(entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            out.extend(everything_below(&entry.path()));
        }
    }
    out.sort();
    out
}

#[test]
fn a_packed_folder_has_the_id_of_the_folder_and_packs_to_the_same_bytes_again() {
    let folders = folders(&hello());
    let (one, two) =
        (folders.folder.with_extension("1.bmad"), folders.folder.with_extension("2.bmad"));
    let packed = pack(&folders.folder, &one, false).unwrap();
    pack(&folders.folder, &two, false).unwrap();
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    assert_eq!(packed.file_sha256, kernel::text::sha256_hex(&fs::read(&one).unwrap()));
    let (from_zip, from_folder) = (inspect(&one).unwrap(), inspect(&folders.folder).unwrap());
    assert_eq!(from_zip.report, from_folder.report);
    assert_eq!(from_zip.files().unwrap(), hello());
    assert_eq!(from_zip.usable().unwrap().id, packed.package_id);
}

#[test]
fn version_control_and_litter_are_no_part_of_a_package() {
    let folders = folders(&hello());
    let before = inspect(&folders.folder).unwrap().report.content_hash;
    for extra in [".git/config", "node_modules/x/a.js", ".DS_Store", "assets/Thumbs.db", "old.bmad"]
    {
        let path = folders.folder.join(extra);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    assert_eq!(inspect(&folders.folder).unwrap().report.content_hash, before);
    fs::write(folders.folder.join("assets/real.md"), "x").unwrap();
    assert_ne!(inspect(&folders.folder).unwrap().report.content_hash, before);
}

#[test]
fn an_installed_package_is_read_only_complete_and_loads_with_its_id() {
    let folders = folders(&hello());
    let inspected = inspect(&folders.folder).unwrap();
    let id = install(&inspected, &folders.store).unwrap();
    assert_eq!(installed(&folders.store), vec![id.clone()]);
    assert_eq!(Some(&load_installed(&folders.store, &id).unwrap()), inspected.package.as_ref());
    let writable = |path: &Path| !fs::metadata(path).unwrap().permissions().readonly();
    let below = folders.store.join(id.as_str());
    for path in [below.clone(), below.join("steps"), below.join("bmad.json")] {
        assert!(!writable(&path) || cfg!(windows) && path.is_dir(), "{}", path.display());
    }
    assert_eq!(read_installed(&folders.store, &id).unwrap().files().unwrap(), hello());
    assert_eq!(install(&inspected, &folders.store).unwrap(), id, "again changes nothing");
    let names = everything_below(&folders.store);
    assert!(!names.iter().any(|n| n.starts_with(".tmp-")), "{names:?}");
    remove(&folders.store, &id);
    assert_eq!(everything_below(&folders.store), Vec::<String>::new());
    remove(&folders.store, &id);
    assert_eq!(load_installed(&folders.store, &id).unwrap_err().code, ErrorCode::PackageNotFound);
}

/// As an earlier version installed it: 48 bits of the hash in its id.
fn installed_by_an_earlier_version(folders: &TestFolders) -> (PackageId, Inspected) {
    let inspected = inspect(&folders.folder).unwrap();
    let id = install(&inspected, &folders.store).unwrap();
    let short = inspected.package.as_ref().unwrap().short_id().unwrap();
    fs::rename(folders.store.join(id.as_str()), folders.store.join(short.as_str())).unwrap();
    (short, inspected)
}

#[test]
fn an_id_carries_128_bits_and_a_package_with_a_shorter_one_goes_on_working() {
    let folders = folders(&hello());
    let (short, inspected) = installed_by_an_earlier_version(&folders);
    let hex = |id: &PackageId| id.as_str().rsplit('-').next().unwrap().len();
    let id = inspected.package.as_ref().unwrap().id.clone();
    assert_eq!((hex(&short), hex(&id)), (12, 32));
    let loaded = load_installed(&folders.store, &short).unwrap();
    assert_eq!((&loaded.id, &loaded.content_hash), (&short, &inspected.report.content_hash));
    let read = read_installed(&folders.store, &short).unwrap();
    assert_eq!(read.report.package_id.as_ref(), Some(&short));
    // Any other part of the hash is no id of it.
    for cut in [1, 13, 20, 33] {
        let (stem, _) = id.as_str().rsplit_once('-').unwrap();
        let other = format!("{stem}-{}", &inspected.report.content_hash[..cut]);
        let from = folders.store.join(short.as_str());
        fs::rename(&from, folders.store.join(&other)).unwrap();
        let failure =
            load_installed(&folders.store, &PackageId::new(&*other).unwrap()).unwrap_err();
        assert_eq!(failure.code, ErrorCode::PackageInvalid, "{other}");
        fs::rename(folders.store.join(&other), &from).unwrap();
    }
    let mut again = inspect(&folders.folder).unwrap();
    again.compare_with_installed(&folders.store, std::slice::from_ref(&short));
    assert_eq!(again.report.upgrade, None, "the same content is no upgrade");
    assert_eq!(install(&again, &folders.store).unwrap(), id);
    assert_eq!(installed(&folders.store).len(), 2);
}

#[test]
fn a_damaged_package_with_a_short_id_is_healed_by_importing_it_again() {
    let folders = folders(&hello());
    let (short, inspected) = installed_by_an_earlier_version(&folders);
    let agents = folders.store.join(short.as_str()).join("agents.json");
    make_writable(agents.parent().unwrap());
    fs::remove_file(agents).unwrap();
    assert!(load_installed(&folders.store, &short).is_err());
    install(&inspected, &folders.store).unwrap();
    assert_eq!(load_installed(&folders.store, &short).unwrap().id, short);
}

#[test]
fn two_contents_do_not_share_an_id() {
    let folders = folders(&hello());
    let (short, _) = installed_by_an_earlier_version(&folders);
    let before = everything_below(&folders.store);
    fs::write(folders.folder.join("assets/other.md"), "another content").unwrap();
    // As if both began with the same 48 bits.
    let other = inspect(&folders.folder).unwrap();
    let failure =
        PackagesLock::wait(&folders.store).unwrap().install_as(&short, &other).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageIdTaken);
    assert_eq!(everything_below(&folders.store), before, "nothing was changed");
}

#[rstest]
#[case::changed("steps/end-99.md", Some("---\nnothing"))]
#[case::added("steps/extra.md", Some("x"))]
#[case::removed("agents.json", None)]
fn a_package_changed_on_disk_is_refused_and_healed_by_importing_it_again(
    #[case] rel: &str,
    #[case] text: Option<&str>,
) {
    let folders = folders(&hello());
    let inspected = inspect(&folders.folder).unwrap();
    let id = install(&inspected, &folders.store).unwrap();
    let path = folders.store.join(id.as_str()).join(rel);
    make_writable(path.parent().unwrap());
    if path.exists() {
        fs::remove_file(&path).unwrap();
    }
    if let Some(text) = text {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(load_installed(&folders.store, &id).unwrap_err().code, ErrorCode::PackageInvalid);
    install(&inspected, &folders.store).unwrap();
    assert!(load_installed(&folders.store, &id).is_ok());
    assert_eq!(fs::read_dir(&folders.store).unwrap().count(), 1);
}

/// Somebody who has begun a run reads from the folder that his install left there.
#[rstest]
#[case::absent(false)]
#[case::damaged(true)]
fn a_package_that_many_install_at_once_is_put_there_once(#[case] damaged: bool) {
    for _ in 0..8 {
        let folders = folders(&hello());
        if damaged {
            let id = install(&inspect(&folders.folder).unwrap(), &folders.store).unwrap();
            let agents = folders.store.join(id.as_str()).join("agents.json");
            make_writable(agents.parent().unwrap());
            fs::remove_file(agents).unwrap();
        }
        let together = std::sync::Barrier::new(4);
        let one = || {
            let inspected = inspect(&folders.folder).unwrap();
            together.wait();
            let id = install(&inspected, &folders.store).unwrap();
            same_file::Handle::from_path(folders.store.join(id.as_str())).unwrap()
        };
        let found: Vec<_> = std::thread::scope(|scope| {
            let installing: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
            installing.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(found.iter().all(|folder| *folder == found[0]), "one of them was replaced");
    }
}

#[test]
fn an_install_that_fails_leaves_nothing() {
    let folders = folders(&hello());
    let inspected = inspect(&folders.folder).unwrap();
    // A file where the folder should go: the last rename fails.
    fs::create_dir_all(&folders.store).unwrap();
    let id = inspected.usable().unwrap().id.clone();
    fs::write(folders.store.join(id.as_str()), "in the way").unwrap();
    let failure = install(&inspected, &folders.store).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert_eq!(everything_below(&folders.store), [id.as_str()]);
    // A file in the middle: the first file below it can't be written.
    let mut files = hello();
    files.insert("steps".into(), b"x".to_vec());
    let broken = Inspected::new(files).unwrap();
    fs::remove_file(folders.store.join(id.as_str())).unwrap();
    assert!(install(&broken, &folders.store).is_err());
    assert_eq!(everything_below(&folders.store), Vec::<String>::new());
    // A packages folder that can't be made.
    let file = folders.folder.join("bmad.json");
    let failure = install(&inspected, &file).unwrap_err();
    assert_eq!(failure.code, ErrorCode::StoreWriteFailed);
    assert!(file.is_file());
}

#[rstest]
#[case::archive(true)]
#[case::folder(false)]
fn what_changed_after_it_was_inspected_is_not_installed(#[case] packed: bool) {
    let folders = folders(&hello());
    let archive = folders.folder.with_extension("bmad");
    pack(&folders.folder, &archive, false).unwrap();
    let inspected = inspect(if packed { &archive } else { &folders.folder }).unwrap();
    // One letter of a text that nobody parses, and as long as before.
    let read_me = folders.folder.join("assets/demo/demo.trace.json");
    let mut bytes = fs::read(&read_me).unwrap();
    *bytes.last_mut().unwrap() = b' ';
    fs::write(&read_me, bytes).unwrap();
    pack(&folders.folder, &archive, false).unwrap();
    let refused = |what: &str| {
        let failure = install(&inspected, &folders.store).unwrap_err();
        assert_eq!(failure.code, ErrorCode::PackageChanged, "{what}: {failure}");
        assert_eq!(everything_below(&folders.store), Vec::<String>::new(), "{what}");
        assert_eq!(inspected.files().unwrap_err().code, ErrorCode::PackageChanged, "{what}");
    };
    refused("other bytes");
    fs::remove_file(&read_me).unwrap();
    fs::write(&archive, "no archive").unwrap();
    refused("a file less");
    fs::remove_file(&archive).unwrap();
    fs::remove_dir_all(&folders.folder).unwrap();
    refused("nothing");
}

#[cfg(unix)]
#[test]
fn a_name_that_the_disk_spells_in_another_way_is_found_again() {
    let folders = folders(&hello());
    fs::write(folders.folder.join("assets/cafe\u{301}.md"), "coffee").unwrap();
    let inspected = inspect(&folders.folder).unwrap();
    let id = install(&inspected, &folders.store).unwrap();
    let files = read_installed(&folders.store, &id).unwrap().files().unwrap();
    assert_eq!(files["assets/caf\u{e9}.md"], b"coffee");
}

#[test]
fn what_a_crash_left_is_no_package() {
    let folders = folders(&hello());
    let id = install(&inspect(&folders.folder).unwrap(), &folders.store).unwrap();
    put(&folders.store.join(".tmp-0192"), &hello());
    fs::write(folders.store.join(".pending-other-1.0.0-0123456789ab"), "").unwrap();
    assert_eq!(installed(&folders.store), vec![id.clone()]);
    PackagesLock::wait(&folders.store).unwrap().sweep_pending(&[id.to_string()].into());
    assert!(load_installed(&folders.store, &id).is_ok());
}

#[test]
fn a_package_with_errors_is_inspected_but_not_installed() {
    let mut files = hello();
    files.remove("steps/end-99.md");
    let folders = folders(&files);
    let inspected = inspect(&folders.folder).unwrap();
    assert!(!inspected.report.is_installable());
    let failure = install(&inspected, &folders.store).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageInvalid);
    assert_eq!(failure.details.unwrap()["findings"][0]["kind"], "missing-file");
    assert!(!folders.store.exists());
    assert!(pack(&folders.folder, &folders.folder.with_extension("bmad"), false).is_err());
    assert!(!folders.folder.with_extension("bmad").exists());
}

#[test]
fn a_classic_package_is_named_as_such() {
    let folders = folders(&PackageBytes::from([("flow/workflow.yaml".into(), b"a: 1".to_vec())]));
    let failure = install(&inspect(&folders.folder).unwrap(), &folders.store).unwrap_err();
    assert_eq!(failure.code, ErrorCode::NotSupportedClassicWorkflow);
}

#[test]
fn a_missing_file_is_not_found_and_its_folder_is_not_told() {
    let temp = TempDir::new().unwrap();
    let failure = inspect(&temp.path().join("gone.bmad")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageNotFound);
    let said = serde_json::to_string(&failure).unwrap();
    assert!(said.contains("gone.bmad"));
    assert!(!said.contains(temp.path().to_str().unwrap()), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_in_a_folder_is_refused() {
    let folders = folders(&hello());
    std::os::unix::fs::symlink("/etc/hostname", folders.folder.join("assets/host.md")).unwrap();
    let failure = inspect(&folders.folder).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ArchiveUnsafe);
    assert!(failure.message.contains("assets/host.md"), "{failure}");
}

#[test]
fn an_upgrade_is_compared_with_the_version_installed_last() {
    let folders = folders(&hello());
    let edition = |text: &str| {
        let mut files = hello();
        files.insert("assets/edition.md".into(), text.into());
        Inspected::new(files).unwrap()
    };
    let install = |text: &str| install(&edition(text), &folders.store).unwrap();
    let (first, second) = (install("first"), install("second"));
    // All have one version number, so the ids say nothing about the order.
    for (last_first, from) in [([&second, &first], &second), ([&first, &second], &first)] {
        let mut next = edition("third");
        next.compare_with_installed(&folders.store, &last_first.map(Clone::clone));
        let diff = next.report.upgrade.unwrap();
        assert_eq!((&diff.from, diff.changed), (from, vec!["assets/edition.md".to_owned()]));
    }
    let mut same = edition("second");
    same.compare_with_installed(&folders.store, &[second.clone(), first.clone()]);
    assert_eq!(same.report.upgrade, None, "the same content is no upgrade");
    let mut back = edition("first");
    back.compare_with_installed(&folders.store, &[second.clone(), first.clone()]);
    assert_eq!(back.report.upgrade.unwrap().from, second, "going back is a change too");
    fs::remove_dir_all(folders.store.join(second.as_str())).unwrap();
    let mut next = edition("third");
    next.compare_with_installed(&folders.store, &[second, first.clone()]);
    assert_eq!(next.report.upgrade.unwrap().from, first, "a damaged one is passed over");
}

#[test]
fn what_an_earlier_version_installed_by_laxer_rules_still_loads() {
    let folders = folders(&hello());
    let mut files = hello();
    let agents = String::from_utf8(files["agents.json"].clone()).unwrap();
    let mut agents: Value = serde_json::from_str(&agents).unwrap();
    agents["agents"][0]["metadata"]["title"] = Value::from("");
    files.insert("agents.json".into(), agents.to_string().into_bytes());
    files.insert(format!("{}deep.md", "d/".repeat(40)), b"x".to_vec());
    let strict = Inspected::new(files.clone()).unwrap();
    assert_eq!(strict.usable().unwrap_err().code, ErrorCode::PackageInvalid);
    let old = Inspected::of(Content::in_memory(files), check_installed).unwrap();
    let id = install(&old, &folders.store).unwrap();
    assert_eq!(load_installed(&folders.store, &id).unwrap().id, id);
}

/// The value at a path of keys, for reading traces.
fn at<'a>(value: &'a Value, pointer: &str) -> &'a Value {
    value.pointer(pointer).unwrap_or(&Value::Null)
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_is_refused_before_it_is_opened() {
    let temp = tempfile::tempdir().unwrap();
    let pipe = temp.path().join("pipe.bmad");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let failure = inspect(&pipe).unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageNotFound);
    assert!(failure.message.contains("pipe.bmad"), "{failure}");
    // The same where only a demo is played, and where a run is replayed.
    let demo = temp.path().join("assets/demo");
    std::fs::create_dir_all(&demo).unwrap();
    std::fs::rename(&pipe, demo.join("a.trace.json")).unwrap();
    let failure = demo_trace_of(temp.path(), None).unwrap_err();
    assert_eq!(failure.code, ErrorCode::DemoTraceInvalid);
    let failure = crate::crewrun::replay_file(&demo.join("a.trace.json")).unwrap_err();
    assert_eq!(failure.code, ErrorCode::CrewrunInvalid);
}
