//! A package that somebody removes while somebody else starts a run of it.

use super::*;
use crate::clock::SystemClock;
use crate::private;
use crate::store::tests::{new_run, open, root, started};
use crate::store::{NewRun, ProjectRow};
use kernel::time::Time;
use std::fs;
use std::time::Duration;

/// A store with one package and a project. Folders of packages are read-only, and the store's goes
/// with what is in it.
struct StoreWithPackage {
    root: tempfile::TempDir,
    store: RuntimeStore,
    installed: Arc<InstalledPackages>,
    id: PackageId,
}

impl Drop for StoreWithPackage {
    fn drop(&mut self) {
        _ = packages::remove_folder(self.root.path());
    }
}

impl StoreWithPackage {
    async fn new() -> Self {
        let root = root();
        let store = open(&root);
        let installed = InstalledPackages::new(store.clone(), Arc::new(SystemClock));
        let id = installed.install_bundled("hello-linear".into()).await.unwrap();
        let project = ProjectRow {
            project_id: "p1".parse().unwrap(),
            name: "One".into(),
            location: "/one".into(),
            former_places: Vec::new(),
            last_opened_at: Time::from_millis(1),
        };
        store.upsert_project(project).await.unwrap();
        Self { root, store, installed: Arc::new(installed), id }
    }

    fn a_run(&self) -> NewRun {
        NewRun { package_id: self.id.clone(), ..new_run("r1") }
    }

    async fn begin(&self) -> Result<(), Failure> {
        let run = self.a_run();
        self.store.create_run(run.clone(), &started(&run)).await
    }

    /// The package is in the list and its folder is whole, or both are gone; nothing else lies there.
    async fn assert_there(&self, there: bool) {
        let listed: Vec<PackageId> =
            self.installed.list().await.unwrap().into_iter().map(|row| row.package_id).collect();
        let found = fs::read_dir(self.installed.folder()).unwrap();
        let found: Vec<String> =
            found.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        if there {
            assert_eq!((&*listed, &*found), (&[self.id.clone()][..], &[self.id.to_string()][..]));
            self.installed.load(&self.id).await.unwrap();
        } else {
            assert_eq!((&*listed, &*found), (&[][..], &[][..]));
        }
    }
}

#[tokio::test]
async fn a_run_that_begins_while_a_removal_waits_keeps_its_package() {
    let home = StoreWithPackage::new().await;
    // Another program is installing something: whoever removes has to wait.
    let lock = private::file(&home.installed.folder().with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let (installed, id) = (Arc::clone(&home.installed), home.id.clone());
    let removing = tokio::spawn(async move { installed.remove(&id).await });
    // It has time to ask for runs, if it asks for them now.
    tokio::time::sleep(Duration::from_millis(300)).await;
    home.begin().await.unwrap();
    drop(lock);
    let failure = removing.await.unwrap().unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageInUse);
    assert_eq!(failure.details.unwrap()["runs"][0]["runId"], "r1");
    home.assert_there(true).await;
}

#[tokio::test]
async fn a_run_whose_package_went_before_it_began_is_refused_and_leaves_no_rows() {
    let home = StoreWithPackage::new().await;
    home.installed.remove(&home.id).await.unwrap();
    let failure = home.begin().await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::PackageNotFound);
    assert_eq!(failure.said.as_deref(), Some(&phrase::store::package_went(&home.id)));
    home.assert_there(false).await;
    let run = home.a_run();
    assert!(!home.store.has_conversation(&run.conversation_id).await.unwrap());
    assert_eq!(home.store.runs(&run.project_id).await.unwrap(), []);
    // The same content has the same id.
    home.installed.install_bundled("hello-linear".into()).await.unwrap();
    home.begin().await.unwrap();
    home.assert_there(true).await;
}

#[tokio::test]
async fn a_package_that_a_crash_left_pending_stays_only_where_a_row_names_it() {
    let home = StoreWithPackage::new().await;
    let pending = || fs::write(home.installed.folder().join(format!(".pending-{}", home.id)), "");
    // It was listed, and the program died before it took the mark away.
    pending().unwrap();
    home.store.recover().await.unwrap();
    home.assert_there(true).await;
    // Its row is lost, as after damage, and a run is pinned to it.
    home.begin().await.unwrap();
    let forget = || {
        let db = crate::store::tests::raw(home.root.path());
        db.execute("DELETE FROM packages", []).unwrap()
    };
    forget();
    pending().unwrap();
    home.store.recover().await.unwrap();
    home.installed.load(&home.id).await.unwrap();
    // No row names it.
    let conversation = home.a_run().conversation_id;
    home.store.delete_conversations(vec![conversation]).await.unwrap();
    pending().unwrap();
    home.store.recover().await.unwrap();
    home.assert_there(false).await;
    // Nobody was asked about a folder without a mark.
    home.installed.install_bundled("hello-linear".into()).await.unwrap();
    forget();
    home.store.recover().await.unwrap();
    home.installed.load(&home.id).await.unwrap();
}
