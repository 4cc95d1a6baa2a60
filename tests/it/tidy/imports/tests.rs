//! What the resolver finds in small crates that are known by heart.

use super::rust::{Crate, Tree};
use super::{Imports, Sources, typescript};

fn sources(files: &[(&str, &str)]) -> Sources {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// The imports of crates whose first files are `NAME/lib.rs`; each knows the one before it, by the
/// name `renamed`.
fn of(files: &[(&str, &str)]) -> Imports {
    let mut crates: Vec<Crate> = Vec::new();
    for (path, _) in files {
        if let Some(name) = path.strip_suffix("/lib.rs") {
            let before = crates.last().map(|one| ("renamed".to_owned(), one.name.clone()));
            let knows = before.into_iter().collect();
            crates.push(Crate { name: name.to_owned(), root: (*path).to_owned(), knows });
        }
    }
    let tree = Tree::read(&crates, &sources(files)).unwrap();
    Imports { all: tree.imports(), places: tree.files() }
}

fn arrows(imports: &Imports) -> Vec<String> {
    let short = |path: &str| path.trim_end_matches(".rs").to_owned();
    imports.all.iter().map(|i| format!("{} -> {}", short(&i.from), short(&i.to))).collect()
}

fn circles(imports: &Imports) -> Vec<String> {
    let joined = |circle: std::collections::BTreeSet<String>| {
        circle.into_iter().collect::<Vec<_>>().join(" ")
    };
    imports.circles().into_iter().map(joined).collect()
}

#[test]
fn a_path_leads_to_the_file_that_defines_the_item() {
    let imports = of(&[
        ("a/lib.rs", "pub mod room; mod user; pub use room::Found as Renamed;"),
        ("a/room.rs", "mod inner; pub use inner::{Found, words::Word};"),
        ("a/room/inner.rs", "pub struct Found; pub mod words { pub struct Word; }"),
        ("a/user.rs", "fn f(a: crate::Renamed) -> Vec<crate::room::Word> { todo!() }"),
    ]);
    assert_eq!(arrows(&imports), ["a/user -> a/room/inner"]);
}

#[test]
fn a_renamed_crate_is_followed_into_its_files() {
    let imports = of(&[
        ("low/lib.rs", "pub mod code;"),
        ("low/code.rs", "mod failure; pub use failure::Failure; codes! { enum Code { A } }"),
        ("low/code/failure.rs", "pub struct Failure;"),
        ("high/lib.rs", "mod one; mod two; mod three;"),
        ("high/one.rs", "use renamed::code::{self, Failure}; type F = Failure;"),
        ("high/two.rs", "use renamed as below; fn f() -> below::code::Failure { todo!() }"),
        // What a macro makes is where the macro is called.
        ("high/three.rs", "fn f(code: renamed::code::Code) {}"),
    ]);
    let expected =
        ["high/one -> low/code/failure", "high/three -> low/code", "high/two -> low/code/failure"];
    assert_eq!(arrows(&imports), expected);
}

#[test]
fn a_circle_is_found_through_a_third_file_and_a_re_export() {
    let imports = of(&[
        ("a/lib.rs", "mod one; mod two; mod three; mod apart; pub use three::Third;"),
        ("a/one.rs", "use super::two::Second; pub struct First(Second);"),
        ("a/two.rs", "pub struct Second(crate::Third);"),
        ("a/three.rs", "use crate::one; pub struct Third(Box<one::First>);"),
        ("a/apart.rs", "use crate::one::First; fn f(_: First) {}"),
    ]);
    let expected = ["a/one.rs a/three.rs a/two.rs", "a::one a::three a::two"];
    assert_eq!(circles(&imports), expected);
    let inside = imports.inside(&imports.circles()[0]);
    assert_eq!(inside[0], "a/one.rs:1: super::two::Second is in a/two.rs");
    assert_eq!(inside.len(), 3, "{inside:?}");
}

#[test]
fn modules_can_form_a_circle_where_no_files_do() {
    let imports = of(&[
        ("a/lib.rs", "mod left; mod right;"),
        ("a/left.rs", "mod up; mod down;"),
        ("a/left/up.rs", "use crate::right::up::R; pub struct L(R);"),
        ("a/left/down.rs", "pub struct D;"),
        ("a/right.rs", "pub mod up; mod down;"),
        ("a/right/up.rs", "pub struct R;"),
        ("a/right/down.rs", "use crate::left::down::D; pub struct R(D);"),
    ]);
    assert_eq!(circles(&imports), ["a::left a::right"]);
}

#[test]
fn a_parent_that_uses_its_child_and_is_used_by_it_is_a_circle() {
    let imports = of(&[
        ("a/lib.rs", "mod shared; mod leading; mod both;"),
        ("a/shared.rs", "mod child; pub use child::Child; pub struct Shared;"),
        ("a/shared/child.rs", "use super::Shared; pub struct Child(Shared);"),
        ("a/leading.rs", "mod child; use child::Child; struct Leading(Child);"),
        ("a/leading/child.rs", "pub struct Child;"),
        ("a/both.rs", "mod child; pub(super) use child::Child; pub struct Both(Option<Child>);"),
        ("a/both/child.rs", "use super::Both; pub struct Child(Both);"),
    ]);
    assert_eq!(circles(&imports), ["a/both.rs a/both/child.rs"]);
}

#[test]
fn a_method_is_in_the_file_that_holds_it() {
    let imports = of(&[
        ("a/lib.rs", "mod desk; mod lamp; mod room;"),
        (
            "a/desk.rs",
            "pub struct Desk; impl Desk { fn tidy(&self) { self.light(); self.own() } fn own(&self) {} }",
        ),
        (
            "a/lamp.rs",
            "use super::desk::Desk; impl Desk { pub fn light(&self) {} pub fn new() {} }",
        ),
        ("a/room.rs", "fn f() { crate::desk::Desk::new(); }"),
    ]);
    assert_eq!(arrows(&imports), ["a/desk -> a/lamp", "a/lamp -> a/desk", "a/room -> a/lamp"]);
}

#[test]
fn what_is_in_macros_bodies_and_attributes_is_found_and_what_tests_use_is_not() {
    let imports = of(&[
        (
            "a/lib.rs",
            "macro_rules! told { () => {} }\nmod one; mod two; mod three; mod four; mod user;",
        ),
        ("a/one.rs", "pub fn one() {}"),
        ("a/two.rs", "pub fn two() {}"),
        ("a/three.rs", "pub fn three() {}"),
        ("a/four.rs", "pub fn four() {}"),
        (
            "a/user.rs",
            "/// See [`crate::four::four`].\n#[cfg(test)]\nfn g<A, B>() { crate::four::four() }\n\
             #[serde(default = \"crate::one::one\")]\nstruct S { pub(super) one: u8,\n\
             #[cfg(test)] four: crate::four::Four, }\n\
             fn f(one: S) { use crate::two::two; told!(\"{}\", crate::three::three()); two(); one.one; }\n\
             #[cfg(test)]\nmod tests { use crate::four::four; }",
        ),
    ]);
    let expected = ["a/user -> a/lib", "a/user -> a/one", "a/user -> a/three", "a/user -> a/two"];
    assert_eq!(arrows(&imports), expected);
}

#[test]
fn imports_of_the_page_are_followed_through_files_that_hand_names_on() {
    let files = sources(&[
        (
            "ui/src/a.ts",
            "import type { B, C } from './room';\nimport './a.css';\nimport x from 'x';\n",
        ),
        (
            "ui/src/room/index.ts",
            "import { D } from './d';\nexport { B } from './b';\nexport * from './c';\nexport { D };\n",
        ),
        ("ui/src/room/b.ts", "// import { Nobody } from './nobody';\nexport const B = 1;\n"),
        ("ui/src/room/c.tsx", "export interface C {\n  b: number;\n}\n"),
        (
            "ui/src/room/d.ts",
            "export function D(): void {}\nconst lazy = () => import('../late');\n",
        ),
        (
            "ui/src/late.ts",
            "import {\n  // the one\n  D as E,\n} from './room';\nexport default E;\n",
        ),
    ]);
    let all = typescript::imports(&files).unwrap();
    let arrow = |i: &super::Import| format!("{}:{} -> {}", &i.from[7..], i.line, &i.to[7..]);
    let expected = [
        "a.ts:1 -> room/b.ts",
        "a.ts:1 -> room/c.tsx",
        "late.ts:1 -> room/d.ts",
        "room/d.ts:2 -> late.ts",
        "room/index.ts:1 -> room/d.ts",
    ];
    assert_eq!(all.iter().map(arrow).collect::<Vec<_>>(), expected);
}

#[test]
fn an_import_of_the_page_that_leads_nowhere_is_told() {
    let files = sources(&[("ui/src/a.ts", "import { b } from './b';\n")]);
    assert_eq!(typescript::imports(&files).unwrap_err(), "ui/src/a.ts: `./b` leads to no file");
}
