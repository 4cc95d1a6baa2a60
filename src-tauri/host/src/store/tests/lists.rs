use std::fs;

use kernel::code::ErrorCode;
use kernel::event::{Phase, Reason};
use kernel::ids::ProjectId;

use super::super::{Holder, ProjectRow};
use super::*;
use crate::atomic::{self, AtomicFile};

fn project(id: &str, location: &str, opened: i64) -> ProjectRow {
    ProjectRow {
        project_id: id.parse().unwrap(),
        name: id.to_uppercase(),
        location: location.into(),
        former_places: Vec::new(),
        last_opened_at: Time::from_millis(opened),
    }
}

#[tokio::test]
async fn a_forgotten_project_leaves_the_list_and_comes_back_with_its_runs_when_opened_again() {
    let root = root();
    let store = open(&root);
    store.upsert_project(project("p1", "/a", 1)).await.unwrap();
    store.upsert_project(project("p2", "/b", 2)).await.unwrap();
    begin(&store, "r1").await;
    let names = |rows: Vec<ProjectRow>| rows.into_iter().map(|r| r.name).collect::<Vec<_>>();
    assert_eq!(names(store.projects().await.unwrap()), ["P2", "P1"]);

    let p1: ProjectId = "p1".parse().unwrap();
    store.forget_project(&p1).await.unwrap();
    assert_eq!(names(store.projects().await.unwrap()), ["P2"]);
    let again = store.forget_project(&p1).await.unwrap_err();
    assert_eq!(again.code, ErrorCode::ProjectNotFound);

    let found = store.project_at("/a").await.unwrap().unwrap();
    assert_eq!(found.project_id, p1);
    store.upsert_project(project("p1", "/moved", 3)).await.unwrap();
    assert_eq!(names(store.projects().await.unwrap()), ["P1", "P2"]);
    assert_eq!(store.project(&p1).await.unwrap().location, "/moved");
    assert_eq!(store.run_counts().await.unwrap().get(&p1), Some(&1));
    assert!(!format!("{:?}", store.project(&p1).await.unwrap()).contains("/moved"));
}

#[tokio::test]
async fn packages_are_registered_listed_and_dropped() {
    let root = root();
    let store = open(&root);
    let one = package("demo-1.0.0-aaaaaaaaaaaa");
    store.register_package(one.clone()).await.unwrap();
    store.register_package(one.clone()).await.unwrap();
    assert_eq!(store.packages().await.unwrap(), std::slice::from_ref(&one));
    assert_eq!(store.package(&one.package_id).await.unwrap(), one);
    assert_eq!(store.unregister_package(&one.package_id).await.unwrap(), []);
    assert_eq!(store.packages().await.unwrap(), []);
    let missing = [
        store.package(&one.package_id).await.unwrap_err().code,
        store.unregister_package(&one.package_id).await.unwrap_err().code,
    ];
    assert_eq!(missing, [ErrorCode::PackageNotFound; 2]);
}

#[tokio::test]
async fn packages_of_a_name_are_listed_last_installed_first_whatever_the_clock_says() {
    let root = root();
    let store = open(&root);
    let at = |id: &str, millis: i64| {
        let mut row = package(id);
        row.installed_at = Time::from_millis(millis);
        row
    };
    // The same moment, then a clock that was set back: neither changes the order.
    for row in [at("demo-b", 5_000), at("demo-a", 5_000), at("demo-c", 1_000)] {
        store.register_package(row).await.unwrap();
    }
    let mut other = at("other-z", 2_000);
    other.name = "other".into();
    store.register_package(other.clone()).await.unwrap();
    let ids = async || {
        let rows = store.packages().await.unwrap();
        rows.into_iter().map(|row| row.package_id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids().await, ["demo-c", "demo-a", "demo-b", "other-z"]);
    assert_eq!(store.package(&other.package_id).await.unwrap(), other, "a time of its own name");
    store.register_package(at("demo-b", 3_000)).await.unwrap();
    assert_eq!(ids().await, ["demo-b", "demo-c", "demo-a", "other-z"], "installed again is last");
}

#[tokio::test]
async fn runs_are_listed_newest_first_by_project_and_by_package() {
    let root = root();
    let store = open(&root);
    for (n, (run, project)) in [("r1", "p1"), ("r2", "p2"), ("r3", "p1")].iter().enumerate() {
        let mut run = new_run(run);
        run.project_id = project.parse().unwrap();
        run.created_at = Time::from_millis(1000 + i64::try_from(n).unwrap());
        create(&store, run).await;
    }
    let ids = |rows: Vec<kernel::wire::RunSummary>| {
        rows.into_iter().map(|r| r.run_id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(store.runs(&"p1".parse().unwrap()).await.unwrap()), ["r3", "r1"]);
    assert_eq!(ids(store.all_runs().await.unwrap()), ["r3", "r2", "r1"]);
    let package = new_run("r1").package_id;
    let needed = store.unregister_package(&package).await.unwrap();
    assert_eq!(ids(needed), ["r3", "r2", "r1"]);
    assert!(store.package(&package).await.is_ok(), "it is needed");
    let of = store.run_of_conversation(&"run-r2".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(of.run_id.as_str(), "r2");
    let missing = store.run(&"r9".parse().unwrap()).await.unwrap_err();
    assert_eq!(missing.code, ErrorCode::RunNotFound);
}

#[tokio::test]
async fn one_bad_row_does_not_hide_the_others() {
    let root = root();
    let store = open(&root);
    begin(&store, "r1").await;
    begin(&store, "r2").await;
    raw(root.path()).execute("UPDATE runs SET package_id = '../x' WHERE id = 'r1'", []).unwrap();
    let runs = store.all_runs().await.unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].run_id.as_str(), "r2");
}

#[tokio::test]
async fn recovery_interrupts_runs_nobody_works_on_and_sweeps_temporary_folders() {
    let root = root();
    let store = open(&root);
    let left = begin(&store, "left").await;
    let busy = begin(&store, "busy").await;
    let done = begin(&store, "done").await;
    let end = json!([{ "event": "turn_finished",
                       "data": { "phase": "completed", "reason": "completed" } }]);
    store.append(&done, &line(2, &end)).await.unwrap();
    let _lease = store.acquire(&busy, Holder::this_process("window")).await.unwrap();
    let temporary = ["packages/x.tmp-1/deep", "projects/p.tmp-2", "projects/p1/runs/r.tmp-3/state"];
    let kept = ["packages/x/steps.tmp-9", "projects/p1/runs/r/state"];
    for folder in temporary.iter().chain(&kept) {
        fs::create_dir_all(root.path().join(folder)).unwrap();
    }

    assert_eq!(store.recover().await.unwrap(), 1);
    let run = store.run_of_conversation(&left).await.unwrap().unwrap();
    assert_eq!((run.phase, run.reason), (Phase::WaitingUser, Some(Reason::Interrupted)));
    let run = store.run_of_conversation(&busy).await.unwrap().unwrap();
    assert_eq!(run.phase, Phase::Running);
    let run = store.run_of_conversation(&done).await.unwrap().unwrap();
    assert_eq!(run.phase, Phase::Completed);
    assert_eq!(store.lines(&left, 0).await.unwrap().len(), 1, "the journal is untouched");
    for folder in temporary {
        assert!(!root.path().join(folder).exists(), "{folder}");
    }
    for folder in kept {
        assert!(root.path().join(folder).exists(), "{folder}");
    }
    assert_eq!(store.recover().await.unwrap(), 0);
}

/// The settings are changed by commands that do not open the store.
#[tokio::test]
async fn a_file_that_somebody_is_writing_is_not_swept() {
    use std::io::Write as _;
    let root = root();
    let store = open(&root);
    fs::write(root.path().join(".crewagent.tmp-left"), "half").unwrap();
    let folder = atomic::folder_of(&root.path().join("settings.json")).unwrap();
    let mut writing = AtomicFile::new(&folder, None).unwrap();
    writing.write_all(b"{}").unwrap();
    store.recover().await.unwrap();
    writing.flushed().unwrap().replace("settings.json").unwrap();
    assert_eq!(fs::read_to_string(root.path().join("settings.json")).unwrap(), "{}");
    assert!(!root.path().join(".crewagent.tmp-left").exists());
}

#[tokio::test]
async fn folders_are_not_swept_while_another_program_has_the_store_open() {
    let root = root();
    let store = open(&root);
    let other = open(&root);
    let installing = root.path().join("packages/x.tmp-1");
    fs::create_dir_all(&installing).unwrap();
    store.recover().await.unwrap();
    assert!(installing.exists());
    drop(other);
    store.recover().await.unwrap();
    assert!(!installing.exists());
}
