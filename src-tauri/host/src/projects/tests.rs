use super::*;
use rstest::rstest;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

#[derive(Default)]
struct CountingIds(AtomicU32);

impl Ids for CountingIds {
    fn uuid(&self) -> String {
        format!("id-{}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> kernel::time::Time {
        kernel::time::Time::from_millis(1_763_769_600_000)
    }
}

fn open_at(path: &Path) -> Result<Project, Failure> {
    open(path, false, &CountingIds::default(), &Noon)
}

fn with_file(text: &str) -> TempDir {
    let temp = TempDir::new().unwrap();
    fs::write(temp.path().join(PROJECT_FILE), text).unwrap();
    temp
}

fn saved(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join(PROJECT_FILE)).unwrap()).unwrap()
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_project_file_is_refused_at_once() {
    let temp = TempDir::new().unwrap();
    let pipe = temp.path().join(PROJECT_FILE);
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    assert_eq!(open_at(temp.path()).unwrap_err().code, ErrorCode::ProjectFileInvalid);
    assert_eq!(peek(temp.path()).unwrap_err().code, ErrorCode::ProjectFileInvalid);
}

#[test]
fn a_folder_becomes_a_project_on_first_open_and_stays_the_same_one() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path().join("garden");
    assert_eq!(open_at(&folder).unwrap_err().code, ErrorCode::ProjectRootInvalid);
    let ids = CountingIds::default();
    let project = open(&folder, true, &ids, &Noon).unwrap();
    assert_eq!(project.project_id.as_str(), "id-0");
    assert_eq!((project.name.as_str(), project.artifacts_dir.as_str()), ("garden", "artifacts"));
    assert_eq!(project.root.as_path(), folder.canonicalize().unwrap());
    assert_eq!(
        saved(&folder),
        json!({"schemaVersion": "1", "projectId": "id-0", "projectName": "garden",
            "artifactsDir": "artifacts/", "createdAt": "2025-11-22T00:00:00.000Z",
            "updatedAt": "2025-11-22T00:00:00.000Z"})
    );
    assert_eq!(open(&folder, false, &ids, &Noon).unwrap(), project);
    let moved = temp.path().join("moved");
    fs::rename(&folder, &moved).unwrap();
    let again = open(&moved, false, &ids, &Noon).unwrap();
    assert_eq!((again.project_id, again.name), (project.project_id, "garden".into()));
    assert_eq!(fs::read_dir(&moved).unwrap().count(), 1, "nothing else is left in the folder");
}

#[test]
fn an_older_file_gets_an_id_and_keeps_what_it_has() {
    let text =
        r#"{"z": [1], "projectName": "Old", "artifactsDir": "out/docs", "activePackageId": null}"#;
    let temp = with_file(text);
    let project = open_at(temp.path()).unwrap();
    assert_eq!((project.name.as_str(), project.artifacts_dir.as_str()), ("Old", "out/docs"));
    let keys: Vec<String> = saved(temp.path()).as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        keys,
        ["z", "projectName", "artifactsDir", "activePackageId", "projectId", "updatedAt"]
    );
}

#[test]
fn a_complete_file_is_not_written_again() {
    let text = "{ \"projectId\":\"p-1\" }";
    let temp = with_file(text);
    assert_eq!(open_at(temp.path()).unwrap().project_id.as_str(), "p-1");
    assert_eq!(fs::read_to_string(temp.path().join(PROJECT_FILE)).unwrap(), text);
}

#[rstest]
#[case("artifacts", "artifacts")]
#[case("./out//docs/", "out/docs")]
#[case("out\\\\docs", "out/docs")]
#[case("@project/out/", "out")]
fn the_artifacts_folder_is_normalised(#[case] written: &str, #[case] expected: &str) {
    let temp = with_file(&format!(r#"{{"projectId":"p","artifactsDir":"{written}"}}"#));
    let project = open_at(temp.path()).unwrap();
    assert_eq!(project.artifacts_dir, expected);
    project.ensure_artifacts_dir().unwrap();
    assert!(temp.path().join(expected).is_dir());
}

#[rstest]
#[case("{", None)]
#[case("[1]", None)]
#[case(r#"{"projectId": 7}"#, Some("projectId"))]
#[case(r#"{"projectId": "../x"}"#, Some("projectId"))]
#[case(r#"{"artifactsDir": "../out"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "/srv/out"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "C:\\out"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": ""}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "."}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": ".github/workflows"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "docs/.vscode"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "@project/.git/hooks"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": "doc\u200bs"}"#, Some("artifactsDir"))]
#[case(r#"{"artifactsDir": 3}"#, Some("artifactsDir"))]
fn a_wrong_project_file_is_told_and_left_alone(#[case] text: &str, #[case] key: Option<&str>) {
    let temp = with_file(text);
    let failure = open_at(temp.path()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ProjectFileInvalid, "{failure}");
    assert_eq!(failure.details.as_ref().unwrap()["key"].as_str(), key);
    assert!(failure.message.starts_with("@project/.crewagent.json"), "{failure}");
    let said = serde_json::to_string(&failure).unwrap();
    assert!(!said.contains(temp.path().to_str().unwrap()), "{said}");
    assert_eq!(fs::read_to_string(temp.path().join(PROJECT_FILE)).unwrap(), text);
}

#[test]
fn a_file_is_no_project_folder() {
    let temp = with_file("{}");
    let failure = open_at(&temp.path().join(PROJECT_FILE)).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ProjectRootInvalid);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_told_clearly() {
    use std::os::unix::fs::PermissionsExt as _;
    let temp = TempDir::new().unwrap();
    let set = |mode| fs::set_permissions(temp.path(), fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    let opened = open_at(temp.path());
    set(0o755);
    // The super-user may write anywhere; then the project simply opens.
    match opened {
        Ok(_) => assert!(temp.path().join(PROJECT_FILE).is_file()),
        Err(failure) => {
            assert_eq!(failure.code, ErrorCode::ProjectRootInvalid);
            assert!(failure.action.unwrap().contains("writable"));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_project_file_that_links_out_of_the_project_is_not_followed() {
    let temp = TempDir::new().unwrap();
    let outside = with_file(r#"{"projectId":"stolen"}"#);
    let link = temp.path().join(PROJECT_FILE);
    std::os::unix::fs::symlink(outside.path().join(PROJECT_FILE), link).unwrap();
    assert_eq!(open_at(temp.path()).unwrap_err().code, ErrorCode::ProjectFileInvalid);
}

/// Several programs open a folder at the same moment; the ids they end with.
fn at_once(folder: &Path) -> Vec<ProjectId> {
    let start = std::sync::Barrier::new(4);
    let open_one = |program: usize| {
        let ids = CountingIds(AtomicU32::new(u32::try_from(program * 100).unwrap()));
        start.wait();
        open(folder, false, &ids, &Noon).unwrap().project_id
    };
    std::thread::scope(|scope| {
        let (open_one, programs) = (&open_one, 0..4);
        let programs: Vec<_> = programs.map(|n| scope.spawn(move || open_one(n))).collect();
        programs.into_iter().map(|program| program.join().unwrap()).collect()
    })
}

#[test]
fn programs_that_open_a_fresh_folder_at_once_open_one_project() {
    for _ in 0..50 {
        let temp = TempDir::new().unwrap();
        let ids = at_once(temp.path());
        assert!(ids.iter().all(|id| saved(temp.path())["projectId"] == id.as_str()), "{ids:?}");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1, "nothing else is left");
    }
}

#[cfg(unix)]
#[test]
fn a_project_file_that_leads_nowhere_is_told() {
    let temp = TempDir::new().unwrap();
    std::os::unix::fs::symlink("gone.json", temp.path().join(PROJECT_FILE)).unwrap();
    let failure = open_at(temp.path()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::ProjectRootInvalid, "{failure}");
}
