//! A project, a package and a run's state folder in a temporary folder, and a tool host on them.

use kernel::code::Failure;
use kernel::effect::{Began, Called, Permit};
use kernel::mark::Folder;
use kernel::policy::{SystemTools, ToolPolicy};
use kernel::tool::parse_call;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tokio_util::sync::CancellationToken;

use crate::real_path::RealPath;
use crate::redact::Private;
use crate::tools::access::Access;
use crate::tools::{MountRoots, ToolHost};

pub(in crate::tools) struct Fixture {
    pub(in crate::tools) temp: tempfile::TempDir,
    pub(in crate::tools) host: ToolHost,
    pub(in crate::tools) policy: ToolPolicy,
}

impl Fixture {
    pub(in crate::tools) fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// On a disk in memory where there is one: for tests that make very many small files.
    pub(in crate::tools) fn in_memory() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(temp: tempfile::TempDir) -> Self {
        for folder in ["project", "pkg", "state", "outside"] {
            fs::create_dir(temp.path().join(folder)).unwrap();
        }
        let policy = ToolPolicy::merge(&SystemTools::default(), None);
        Self { host: open(&temp).unwrap(), temp, policy }
    }

    /// A path below the temporary folder, `project/a.md`.
    pub(in crate::tools) fn real(&self, rel: &str) -> PathBuf {
        self.temp.path().join(rel)
    }

    pub(in crate::tools) fn put(&self, rel: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.real(rel);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub(in crate::tools) fn get(&self, rel: &str) -> String {
        fs::read_to_string(self.real(rel)).unwrap()
    }

    pub(in crate::tools) fn permit(
        &self,
        tool: &str,
        args: &Value,
        began: Option<Began>,
    ) -> Permit {
        let call = parse_call(tool, &args.to_string()).unwrap();
        Permit::for_test("call_1", call, self.policy.clone(), "analyst", began)
    }

    /// What a tool looks at the disk through.
    pub(in crate::tools) fn access(&self) -> Access<'_> {
        Access::new(&self.host.mounts, &self.host.private.marks, &self.policy)
    }

    pub(in crate::tools) fn prepare(&self, tool: &str, args: &Value) -> Result<Began, Failure> {
        self.host.prepare(&self.permit(tool, args, None))
    }

    pub(in crate::tools) fn perform(
        &self,
        tool: &str,
        args: &Value,
        began: Option<Began>,
    ) -> Called {
        self.host.perform(&self.permit(tool, args, began), &CancellationToken::new())
    }

    /// Runs a call as the engine would: a mutating one is prepared first.
    pub(in crate::tools) fn call(&self, tool: &str, args: &Value) -> Value {
        let class = self.permit(tool, args, None).class();
        let mutating = class == kernel::tool::EffectClass::WriteProject;
        let began = match mutating.then(|| self.prepare(tool, args)).transpose() {
            Ok(began) => began,
            Err(failure) => return failure.to_tool_result(),
        };
        self.perform(tool, args, began).result
    }

    /// The program keeps its data there from now on.
    pub(in crate::tools) fn keep_data_in(&mut self, rel: &str) {
        let root = |rel: &str, alias| RealPath::new(self.real(rel), alias);
        let roots = MountRoots {
            project: root("project", "@project"),
            pkg: Some(root("pkg", "@pkg")),
            state: root("state", "@state"),
            store: root(rel, "[store]"),
        };
        self.host = ToolHost::open(roots, Private::default()).unwrap();
    }

    /// Works in another folder from now on.
    pub(in crate::tools) fn open_project_at(&mut self, folder: &str) {
        let roots = MountRoots {
            project: RealPath::new(folder, "@project"),
            pkg: Some(RealPath::new(self.real("pkg"), "@pkg")),
            state: RealPath::new(self.real("state"), "@state"),
            store: RealPath::new(self.real("store"), "[store]"),
        };
        let private = Private::new(vec![(folder.into(), Folder::Project)]);
        self.host = ToolHost::open(roots, private).unwrap();
    }

    /// Every file below the project that is not one of those the test made.
    pub(in crate::tools) fn names(&self, rel: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.real(rel))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

pub(in crate::tools) fn open(temp: &tempfile::TempDir) -> Result<ToolHost, Failure> {
    let root = |rel: &str, alias| RealPath::new(temp.path().join(rel), alias);
    let private = Private::new(vec![
        (temp.path().join("project"), Folder::Project),
        (temp.path().join("pkg"), Folder::Package),
        (temp.path().join("state"), Folder::State),
        (temp.path().to_owned(), Folder::Home),
    ]);
    let roots = MountRoots {
        project: root("project", "@project"),
        pkg: Some(root("pkg", "@pkg")),
        state: root("state", "@state"),
        store: root("store", "[store]"),
    };
    ToolHost::open(roots, private)
}

pub(in crate::tools) fn code(result: &Value) -> &str {
    assert_eq!(result["ok"], false, "{result}");
    result["error"]["code"].as_str().unwrap()
}
