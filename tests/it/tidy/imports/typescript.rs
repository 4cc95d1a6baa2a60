//! Which file of the page uses which: relative imports, those of types among them, are followed
//! through files that hand names on. The formatter begins every import at the start of a line.

use super::{Import, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// What one file says about names.
#[derive(Default)]
struct File {
    imports: Vec<Named>,
    /// The names it hands on, by the names it gives them; `*` for all of a file.
    hands_on: Vec<(String, Named)>,
    /// The names that it declares itself.
    declares: BTreeSet<String>,
}

/// A name of another file; `*` for the whole file.
#[derive(Clone)]
struct Named {
    name: String,
    local: String,
    file: String,
    line: usize,
    written: String,
}

/// What the files of a page use of each other, one line for each pair.
///
/// # Errors
/// When a relative import leads to no file.
pub(super) fn imports(sources: &Sources) -> Result<Vec<Import>, String> {
    let mut files = BTreeMap::new();
    for (path, text) in sources {
        files.insert(path.clone(), read(path, text, sources)?);
    }
    let mut found = BTreeMap::new();
    for (path, file) in &files {
        for named in &file.imports {
            let to = defined_in(&named.file, &named.name, &files, &mut BTreeSet::new());
            if to != *path {
                let written = (named.line, named.written.clone());
                found.entry((path.clone(), to)).or_insert(written);
            }
        }
    }
    let import = |((from, to), (line, path))| Import { from, to, line, path };
    Ok(found.into_iter().map(import).collect())
}

/// The file that declares what `name` of `file` is.
fn defined_in(
    file: &str,
    name: &str,
    files: &BTreeMap<String, File>,
    seen: &mut BTreeSet<(String, String)>,
) -> String {
    let Some(read) = files.get(file) else { return file.to_owned() };
    if name == "*" || read.declares.contains(name) || !seen.insert((file.into(), name.into())) {
        return file.to_owned();
    }
    let named = read.hands_on.iter().find(|(given, _)| given == name);
    if let Some((_, to)) = named {
        return defined_in(&to.file, &to.name, files, seen);
    }
    let stars = read.hands_on.iter().filter(|(given, _)| given == "*");
    for (_, to) in stars {
        let through = defined_in(&to.file, name, files, seen);
        if files.get(&through).is_some_and(|file| file.declares.contains(name)) {
            return through;
        }
    }
    file.to_owned()
}

fn read(path: &str, text: &str, sources: &Sources) -> Result<File, String> {
    let mut file = File::default();
    for (line, statement) in statements(text) {
        let words = statement.trim_start_matches("import").trim_start_matches("export");
        let words = words.trim_start().trim_start_matches("type ").trim();
        let exports = statement.starts_with("export");
        let Some((clause, module)) = from(words) else {
            if exports {
                file.declare(words);
            }
            continue;
        };
        let Some(target) = target(path, &module, sources)? else { continue };
        for (name, local) in names(&clause) {
            let written = format!("{name} from '{module}'");
            let named = Named { name, local: local.clone(), file: target.clone(), line, written };
            if exports {
                file.hands_on.push((local, named));
            } else {
                file.imports.push(named);
            }
        }
    }
    for (at, _) in text.match_indices("import('") {
        let module: String = text[at + 8..].chars().take_while(|c| *c != '\'').collect();
        if let Some(target) = target(path, &module, sources)? {
            file.imports.push(Named {
                name: "*".to_owned(),
                local: String::new(),
                file: target,
                line: text[..at].matches('\n').count() + 1,
                written: format!("import('{module}')"),
            });
        }
    }
    file.hand_on_what_is_imported();
    Ok(file)
}

/// The words before the name of what is exported.
const KINDS: [&str; 10] = [
    "async",
    "function",
    "function*",
    "const",
    "let",
    "class",
    "abstract",
    "interface",
    "enum",
    "type",
];

impl File {
    /// `export { a, b as c }`, and `export const a`.
    fn declare(&mut self, words: &str) {
        if let Some(list) = words.strip_prefix('{') {
            let list = names(&format!("{{{}", list.split('}').next().unwrap_or_default()));
            let list = list.into_iter().map(|(_, given)| given);
            self.declares.extend(list.chain(["}".to_owned()]).filter(|name| name != "}"));
            return;
        }
        let name = words.split_whitespace().find(|word| !KINDS.contains(word));
        let name = name.unwrap_or_default();
        let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        self.declares.insert(name[..end.unwrap_or(name.len())].to_owned());
    }

    /// `import { a } from …` and `export { a }` together hand `a` on.
    fn hand_on_what_is_imported(&mut self) {
        for named in &self.imports {
            if self.declares.remove(&named.local) {
                self.hands_on.push((named.local.clone(), named.clone()));
            }
        }
    }
}

/// Every statement that imports or exports, without comments, each with its first line.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if !line.starts_with("import ") && !line.starts_with("export ") {
            continue;
        }
        let mut statement = line.to_owned();
        let listed = ["import ", "export {", "export type {", "export *"];
        let is_list = listed.iter().any(|start| line.starts_with(start));
        while is_list && !statement.trim_end().ends_with(';') {
            let Some((_, line)) = lines.next() else { break };
            statement.push(' ');
            statement.push_str(line.split("//").next().unwrap_or_default().trim());
        }
        found.push((number + 1, statement));
    }
    found
}

/// The part before `from '…'` and what is named there; `import '…'` names nothing.
fn from(words: &str) -> Option<(String, String)> {
    let words = words.trim_end_matches(';').trim_end();
    let text = words.strip_suffix(['\'', '"'])?;
    let (clause, module) = text.rsplit_once(['\'', '"'])?;
    let clause = clause.trim_end();
    if clause.is_empty() {
        return Some((String::new(), module.to_owned()));
    }
    Some((clause.strip_suffix("from")?.trim().to_owned(), module.to_owned()))
}

/// The names of an import clause: what each is called there, and here.
fn names(clause: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (before, listed) = clause.split_once('{').unwrap_or((clause, ""));
    for word in before.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match word.strip_prefix('*') {
            Some(renamed) => {
                let local = renamed.trim().strip_prefix("as").map_or("*", str::trim);
                found.push(("*".to_owned(), local.to_owned()));
            }
            None => found.push(("default".to_owned(), word.to_owned())),
        }
    }
    for word in listed.trim_end().trim_end_matches('}').split(',') {
        let word = word.trim().trim_start_matches("type ").trim();
        let (name, local) = word.split_once(" as ").unwrap_or((word, word));
        if !name.is_empty() {
            found.push((name.trim().to_owned(), local.trim().to_owned()));
        }
    }
    found
}

/// The file a relative import leads to; none for packages and for what is no code.
fn target(path: &str, module: &str, sources: &Sources) -> Result<Option<String>, String> {
    if !module.starts_with('.') {
        return Ok(None);
    }
    let mut place: Vec<&str> = path.split('/').collect();
    place.pop();
    for part in module.split('/') {
        match part {
            "." => {}
            ".." => drop(place.pop()),
            part => place.push(part),
        }
    }
    let place = place.join("/");
    let last = place.rsplit('/').next().unwrap_or_default();
    if [".css", ".json", ".svg", ".png"].iter().any(|end| last.ends_with(end)) {
        return Ok(None);
    }
    let candidates = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];
    let found = candidates.iter().map(|end| format!("{place}{end}"));
    match found.into_iter().find(|path| sources.contains_key(path)) {
        Some(found) => Ok(Some(found)),
        None => Err(format!("{path}: `{module}` leads to no file")),
    }
}
