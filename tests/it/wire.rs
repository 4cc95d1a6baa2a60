//! The window's TypeScript is made from the kernel's wire types (spec 09 "IPC contract").

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use kernel::code::Failure;
use kernel::restore::Restored;
use kernel::settings::Settings;
use kernel::tool::{BUILT_IN, FailedResult};
use kernel::wire::{Answer, Command, Frame, Query, Receipt};
use ts_rs::{Config, TS, TypeVisitor};

const HEAD: &str = "\
// Generated from the kernel's wire types. Do not edit; make it again with
// UPDATE_WIRE=1 cargo test -p crewagent-tests --test it wire
";

/// Every type that is reached, by name, with its declaration.
struct Declarations<'a> {
    config: &'a Config,
    seen: BTreeSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only types with a file of their own can be declared; the others are written in place.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = format!("{docs}export {}\n", T::decl(self.config));
            let text = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
            let before = self.by_name.insert(T::ident(self.config), text.clone());
            assert!(before.is_none_or(|b| b == text), "two wire types share a name: {text}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn typescript() -> String {
    let config = Config::new();
    let mut all = Declarations { config: &config, seen: BTreeSet::new(), by_name: BTreeMap::new() };
    all.visit::<Command>();
    all.visit::<Receipt>();
    all.visit::<Query>();
    all.visit::<Answer>();
    all.visit::<Frame>();
    all.visit::<kernel::wire::WatchTarget>();
    all.visit::<kernel::wire::Noticed>();
    all.visit::<Failure>();
    all.visit::<Settings>();
    // What the window shows of results, which the wire has as they were journaled.
    all.visit::<FailedResult>();
    all.visit::<Restored>();
    let names: Vec<String> = BUILT_IN.iter().map(|tool| format!("{:?}", tool.name)).collect();
    let names = format!(
        "/**\n * The tools of the runtime itself.\n */\nexport type ToolName = {};\n",
        names.join(" | ")
    );
    assert!(all.by_name.insert("ToolName".to_owned(), names).is_none());
    let mut out = HEAD.to_owned();
    for declaration in all.by_name.values() {
        out.push('\n');
        out.push_str(declaration);
    }
    out
}

#[test]
fn typescript_of_the_wire_is_current() {
    is_current("wire.ts", &typescript());
}

#[test]
fn what_the_window_shows_as_signs_is_what_the_terminal_does() {
    is_current("hidden.ts", &kernel::visible::ui_hidden_table());
}

fn is_current(name: &str, fresh: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/bridge").join(name);
    if std::env::var_os("UPDATE_WIRE").is_some() {
        std::fs::write(&file, fresh).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == fresh,
        "ui/src/bridge/{name} is not what the kernel says. Make it again with\n  \
         UPDATE_WIRE=1 cargo test -p crewagent-tests --test it wire"
    );
}
