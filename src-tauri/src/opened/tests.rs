use super::*;

fn places(given: &[&str], folder: &str) -> Vec<String> {
    let named = arguments(given.iter().copied(), Path::new(folder)).into_iter();
    named
        .map(|argument| match argument {
            Argument::Place(place) => place.to_str().unwrap().to_owned(),
            Argument::Link(named) => panic!("{named:?}"),
        })
        .collect()
}

fn links(given: &[&str]) -> Vec<OpenedOutside> {
    let program = std::iter::once("program");
    let named = arguments(program.chain(given.iter().copied()), Path::new("/x")).into_iter();
    named
        .map(|argument| match argument {
            Argument::Link(named) => named,
            Argument::Place(place) => panic!("{}", place.display()),
        })
        .collect()
}

#[test]
fn files_are_told_from_options_and_found_from_the_folder_of_the_start() {
    let given = ["/usr/bin/crewagent-desktop", "--demo", "a b.bmad", "/x/c.bmad", "-psn_0_1"];
    assert_eq!(places(&given, "/home/ann"), ["/home/ann/a b.bmad", "/x/c.bmad"]);
}

#[test]
fn an_address_of_a_file_is_its_path() {
    let given = ["program", "file:///home/ann/a%20b.bmad"];
    assert_eq!(places(&given, "/"), ["/home/ann/a b.bmad"]);
}

#[test]
fn after_two_dashes_everything_is_a_file_and_nothing_is_none() {
    assert_eq!(places(&["program", "--", "--demo"], "/x"), ["/x/--demo"]);
    assert_eq!(places(&["program", ""], "/x"), [""; 0]);
    assert_eq!(places(&[], "/x"), [""; 0]);
}

#[test]
fn a_start_takes_so_many_arguments_and_no_more() {
    let given: Vec<String> = (0..1000).map(|n| format!("{n}.bmad")).collect();
    let named = arguments(given, Path::new("/x"));
    assert_eq!(named.len(), OPENED_ARGUMENTS);
    assert_eq!(named[0], Argument::Place("/x/1.bmad".into()), "the first names the program");
}

#[test]
fn a_link_names_a_conversation_or_an_installed_package() {
    let conversation = |id: &str| OpenedOutside::Conversation(id.parse().unwrap());
    assert_eq!(links(&["crewagent://run/run-1.a_b:c"]), [conversation("run-1.a_b:c")]);
    assert_eq!(links(&["CrewAgent://RUN/run-X"]), [conversation("run-X")]);
    assert_eq!(links(&["--", "crewagent://run/run-1"]), [conversation("run-1")]);
    let package = OpenedOutside::Package("garden-0123".parse().unwrap());
    assert_eq!(links(&["crewagent://package/garden-0123"]), [package]);
}

#[test]
fn another_link_is_ignored_and_never_taken_for_a_file() {
    let long = format!("crewagent://run/{}", "a".repeat(LINK_BYTES));
    for hostile in [
        "crewagent:",
        "crewagent:run/run-1",
        "crewagent:/run/run-1",
        "crewagent://",
        "crewagent://run",
        "crewagent://run/",
        "crewagent://run/run-1/",
        "crewagent://run/run-1/more",
        "crewagent://run//run-1",
        "crewagent:///run/run-1",
        "crewagent://run/..",
        "crewagent://run/../package/p",
        "crewagent://run/..%2f..%2fetc",
        "crewagent://run/run%2D1",
        "crewagent://run/%2Fetc%2Fpasswd",
        "crewagent://run/run-1?x=1",
        "crewagent://run/run-1#x",
        "crewagent://ann@run/run-1",
        "crewagent://run:80/run-1",
        "crewagent://run/run-1 --demo",
        "crewagent://run/run-1\n",
        "crewagent://run/运行",
        "crewagent://install/x.bmad",
        "crewagent://package/../../x",
        "CREWAGENT:///home/ann/a.bmad",
        "crewagent:运行",
        long.as_str(),
    ] {
        assert_eq!(links(&[hostile]), [], "{hostile}");
        assert_eq!(links(&["--", hostile]), [], "{hostile}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_text_is_a_file_and_no_link() {
    use std::os::unix::ffi::OsStringExt as _;
    let link = OsString::from_vec(b"crewagent://run/run-\xff".to_vec());
    let file = OsString::from_vec(b"/x/\xff.bmad".to_vec());
    let named = arguments(["program".into(), link, file.clone()], Path::new("/"));
    assert_eq!(named, [Argument::Place(PathBuf::from(file))]);
}

#[test]
fn a_folder_is_a_project_unless_it_is_a_package() {
    let temp = tempfile::tempdir().unwrap();
    let make = |name: &str| {
        let folder = temp.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    };
    let (plain, packed, unpacked) = (make("plain"), make("a.BMAD"), make("unpacked"));
    std::fs::write(unpacked.join(MANIFEST_FILE), "{}").unwrap();
    // A folder of that name makes no package of the one around it.
    let odd = make("odd");
    std::fs::create_dir(odd.join(MANIFEST_FILE)).unwrap();
    let file = temp.path().join("notes.md");
    std::fs::write(&file, "x").unwrap();
    let missing = temp.path().join("missing");
    let as_package = |path: &Path| OpenedOutside::PackageFile(path.to_str().unwrap().to_owned());
    let as_folder = |path: &Path| OpenedOutside::Folder(path.to_str().unwrap().to_owned());
    let wanted = [
        as_folder(&plain),
        as_package(&packed),
        as_package(&unpacked),
        as_folder(&odd),
        as_package(&file),
        as_package(&missing),
    ];
    let places = [plain, packed, unpacked, odd, file, missing];
    assert_eq!(opened(places.map(Argument::Place).to_vec()), wanted);
}
