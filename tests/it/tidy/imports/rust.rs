//! The modules of Rust crates as their files declare them: which names each has, and which names
//! it uses. What only tests compile is left out.

use super::Sources;
use super::tokens::{self, Path};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, UseTree, Visibility};

/// A crate: its first file, and the names it has for other crates.
#[derive(Debug, Clone)]
pub(super) struct Crate {
    pub(super) name: String,
    pub(super) root: String,
    /// The crate behind each name: `kernel = { package = "crewagent-kernel" }`.
    pub(super) knows: BTreeMap<String, String>,
}

/// Where a module stands: its crate, then the names down to it.
pub(super) type Place = Vec<String>;

/// A module: the file it lies in, what it declares, and what it uses.
#[derive(Default)]
pub(super) struct Module {
    pub(super) file: String,
    pub(super) children: BTreeSet<String>,
    pub(super) items: BTreeSet<String>,
    pub(super) uses: Vec<Use>,
    pub(super) paths: Vec<Path>,
    pub(super) macros: Vec<Path>,
    pub(super) impls: Vec<Impl>,
}

/// One name that a `use` brings in; `*` stands for all names of a module.
pub(super) struct Use {
    pub(super) name: String,
    pub(super) path: Path,
    /// Whether it hands the name on: `pub use`, also `pub(super) use`.
    pub(super) hands_on: bool,
}

/// A block of methods: of which type, which, and what they call on `self` and `Self`.
pub(super) struct Impl {
    pub(super) of: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) calls: Vec<Path>,
}

/// All modules of some crates.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) modules: BTreeMap<Place, Module>,
    pub(super) knows: BTreeMap<String, BTreeMap<String, String>>,
    /// The file of each `macro_rules!`; they have one name in a whole crate.
    pub(super) macros: BTreeMap<String, String>,
}

impl Tree {
    /// Reads crates, each from its first file downwards.
    ///
    /// # Errors
    /// When a file is missing or is no Rust.
    pub(super) fn read(crates: &[Crate], sources: &Sources) -> Result<Self, String> {
        let mut tree = Self::default();
        for one in crates {
            tree.knows.insert(one.name.clone(), one.knows.clone());
            let folder = one.root.rsplit_once('/').map_or("", |(folder, _)| folder);
            tree.file(std::slice::from_ref(&one.name), &one.root, folder, sources)?;
        }
        Ok(tree)
    }

    /// Each file with the module that it is, as its crate and the names down to it.
    pub(super) fn files(&self) -> BTreeMap<String, Place> {
        // Modules inside a file come after the module that the file is.
        let places = self.modules.iter().rev();
        places.map(|(place, module)| (module.file.clone(), place.clone())).collect()
    }

    fn file(
        &mut self,
        place: &[String],
        path: &str,
        folder: &str,
        sources: &Sources,
    ) -> Result<(), String> {
        let text = sources.get(path).ok_or_else(|| format!("{path} is missing"))?;
        let tokens = text.parse().map_err(|error| format!("{path}: {error}"))?;
        let file: syn::File = syn::parse2(tokens::without_tests(tokens))
            .map_err(|error| format!("{path}:{}: {error}", error.span().start().line))?;
        self.module(place, path, folder, file.items, sources)
    }

    fn module(
        &mut self,
        place: &[String],
        path: &str,
        folder: &str,
        items: Vec<Item>,
        sources: &Sources,
    ) -> Result<(), String> {
        let mut module = Module { file: path.to_owned(), ..Module::default() };
        let mut below = Vec::new();
        for item in items {
            match item {
                Item::Mod(child) => {
                    module.children.insert(child.ident.to_string());
                    below.push(child);
                }
                Item::Use(item) => module.uses.extend(uses(&item)),
                item => self.item(&mut module, &item),
            }
        }
        self.modules.insert(place.to_vec(), module);
        for child in below {
            let name = child.ident.to_string();
            let place = [place, std::slice::from_ref(&name)].concat();
            let folder = format!("{folder}/{name}");
            if let Some((_, items)) = child.content {
                self.module(&place, path, &folder, items, sources)?;
                continue;
            }
            let (beside, inside) = (format!("{folder}.rs"), format!("{folder}/mod.rs"));
            let path = if sources.contains_key(&inside) { inside } else { beside };
            self.file(&place, &path, &folder, sources)?;
        }
        Ok(())
    }

    fn item(&mut self, module: &mut Module, item: &Item) {
        if let Item::Macro(item) = item
            && let Some(name) = &item.ident
        {
            self.macros.insert(name.to_string(), module.file.clone());
        }
        module.items.extend(name(item));
        module.impls.extend(methods(item));
        let written = tokens::written(item.to_token_stream());
        module.paths.extend(written.paths);
        module.macros.extend(written.macros);
        module.uses.extend(written.uses.iter().flat_map(uses));
    }
}

fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn methods(item: &Item) -> Option<Impl> {
    let Item::Impl(block) = item else { return None };
    let syn::Type::Path(of) = &*block.self_ty else { return None };
    let of = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let own = block.items.iter().filter_map(|one| match one {
        syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
        syn::ImplItem::Const(constant) => Some(constant.ident.to_string()),
        _ => None,
    });
    // What a trait asks for is called by the trait's name.
    let methods = if block.trait_.is_none() { own.collect() } else { Vec::new() };
    Some(Impl { of, methods, calls: tokens::own_calls(block.to_token_stream()) })
}

/// Every name of a `use` declaration.
fn uses(item: &syn::ItemUse) -> Vec<Use> {
    let hands_on = !matches!(item.vis, Visibility::Inherited);
    let mut found = Vec::new();
    flatten(&item.tree, &mut Vec::new(), &mut |name, segments, line| {
        found.push(Use { name, path: Path { segments, line }, hands_on });
    });
    found
}

fn flatten(
    tree: &UseTree,
    before: &mut Vec<String>,
    push: &mut impl FnMut(String, Vec<String>, usize),
) {
    let line = |ident: &syn::Ident| ident.span().start().line;
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, push);
            before.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, before, push));
        }
        UseTree::Name(name) if name.ident == "self" => {
            push(before.last().cloned().unwrap_or_default(), before.clone(), line(&name.ident));
        }
        UseTree::Name(name) => {
            let segments = [&before[..], &[name.ident.to_string()]].concat();
            push(name.ident.to_string(), segments, line(&name.ident));
        }
        UseTree::Rename(renamed) => {
            let mut segments = before.clone();
            if renamed.ident != "self" {
                segments.push(renamed.ident.to_string());
            }
            push(renamed.rename.to_string(), segments, line(&renamed.ident));
        }
        UseTree::Glob(glob) => {
            push("*".to_owned(), before.clone(), glob.star_token.spans[0].start().line);
        }
    }
}
