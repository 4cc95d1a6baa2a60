//! The book: docs/spec, docs/adr, the glossary and the laws of ARCHITECTURE.md. What comments cite
//! of it has to be there, and what they explain has to be explained.

use super::none;
use super::source::{Source, all, line_of, root};
use kernel::policy::{SystemTools, ToolPolicy};
use std::collections::{BTreeMap, BTreeSet};

/// A comment that is sent to models as the description of an argument, and is kept as it is: a
/// change would change every request.
const SENT_TO_MODELS: (&str, &str) = ("src-tauri/kernel/src/tool/patch.rs", "One.");

/// The files that cite the book. This one holds what it forbids.
fn citing() -> Vec<Source> {
    let mut sources = all();
    sources.retain(|s| {
        s.is(&["rs", "ts", "tsx", "mjs", "css", "md", "toml", "sql", "sh", "yml", "yaml", "c"])
            && s.path != "tests/it/tidy/book.rs"
    });
    sources
}

/// A text without line breaks and the marks of comments, and where each of its bytes comes from.
struct Prose {
    text: String,
    /// The byte at which each line begins.
    lines: Vec<usize>,
}

impl Prose {
    fn of(text: &str) -> Self {
        let mut prose = Self { text: String::new(), lines: Vec::new() };
        for line in text.lines() {
            prose.lines.push(prose.text.len());
            let line = line.trim();
            let marks = ["//!", "///", "//", "/**", "*", "#", "--"];
            let bare = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
            prose.text.push_str(bare.trim());
            prose.text.push(' ');
        }
        prose
    }

    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|begin| *begin <= at)
    }
}

/// A page of the specification that somebody cites, and the sections that are quoted with it.
#[derive(Debug, PartialEq)]
struct Citation {
    at: usize,
    page: String,
    sections: Vec<String>,
}

/// `spec 05`, `spec 05 "Limits"`, `spec 05 "Limits", "Widgets"`; `page 5` within the pages.
fn citations(text: &str, word: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(word) {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || "_-/.".contains(c)) {
            continue;
        }
        let rest = &text[at + word.len()..];
        let page: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if page.is_empty() {
            continue;
        }
        let mut rest = &rest[page.len()..];
        let mut sections = Vec::new();
        while let Some((section, after)) = quoted(rest) {
            sections.push(section.to_owned());
            rest = after;
        }
        let page = format!("{page:0>2}");
        found.push(Citation { at, page, sections });
    }
    found
}

/// The quotation that a text begins with, after a comma or a space, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(',').unwrap_or(text).strip_prefix(' ')?;
    text.strip_prefix('"')?.split_once('"')
}

/// The headings of each page, by its two digits.
fn pages() -> BTreeMap<String, BTreeSet<String>> {
    let mut pages = BTreeMap::new();
    for source in all() {
        let Some(name) = source.path.strip_prefix("docs/spec/") else { continue };
        let number: String = name.chars().take_while(char::is_ascii_digit).collect();
        if number.len() == 2 && source.is(&["md"]) {
            pages.insert(number, headings(&source.text).map(str::to_owned).collect());
        }
    }
    assert!(pages.len() >= 11, "the pages of docs/spec were not found: {pages:?}");
    pages
}

fn headings(markdown: &str) -> impl Iterator<Item = &str> {
    let lines = markdown.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim())
}

#[test]
fn every_cited_page_of_the_specification_exists_and_has_the_section_that_is_quoted() {
    let (pages, mut dead, mut seen) = (pages(), Vec::new(), 0);
    for source in citing() {
        let prose = Prose::of(&source.text);
        let within = if source.below("docs/spec/") { "page " } else { "spec " };
        for citation in citations(&prose.text, within) {
            seen += 1;
            let place = format!("{}:{}", source.path, prose.line(citation.at));
            let Some(headings) = pages.get(&citation.page) else {
                dead.push(format!("{place}: there is no page {}", citation.page));
                continue;
            };
            let missing = citation.sections.iter().filter(|s| !headings.contains(*s));
            dead.extend(missing.map(|s| format!("{place}: page {} has no \"{s}\"", citation.page)));
        }
    }
    assert!(seen > 100, "the citations were not found");
    none("what is cited of docs/spec is there", &dead);
}

/// `ARCHITECTURE.md, "Map"`, and the same of CONTRIBUTING.
#[test]
fn every_quoted_section_of_the_other_documents_exists() {
    let (mut dead, mut seen) = (Vec::new(), 0);
    for document in ["ARCHITECTURE", "CONTRIBUTING"] {
        let text = std::fs::read_to_string(root().join(format!("{document}.md"))).unwrap();
        let headings: BTreeSet<&str> = headings(&text).collect();
        for source in citing() {
            let prose = Prose::of(&source.text);
            for (at, _) in prose.text.match_indices(document) {
                let rest = &prose.text[at + document.len()..];
                let Some((section, _)) = quoted(rest.strip_prefix(".md").unwrap_or(rest)) else {
                    continue;
                };
                seen += 1;
                if !headings.contains(section) {
                    dead.push(format!("{}:{}: \"{section}\"", source.path, prose.line(at)));
                }
            }
        }
    }
    assert!(seen > 4, "the citations were not found");
    none("what is cited of ARCHITECTURE.md and CONTRIBUTING.md is there", &dead);
}

#[test]
fn each_page_of_the_specification_says_what_is_not_built() {
    let silent = pages().into_iter().filter(|(_, headings)| !headings.contains("Not built yet"));
    none("each page ends with what is not built yet", &silent.map(|p| p.0).collect::<Vec<_>>());
}

#[test]
fn no_comment_points_to_a_document_that_is_not_here() {
    let mut found = Vec::new();
    for source in citing() {
        let prose = Prose::of(&source.text);
        let lower = prose.text.to_lowercase();
        let seeds = lower.match_indices("seed ").map(|(at, word)| (at, at + word.len()));
        let seeds = seeds
            .filter(|(_, end)| lower[*end..].chars().take_while(char::is_ascii_digit).count() == 3);
        let references = lower.match_indices("reference §").map(|(at, word)| (at, at + word.len()));
        let places = seeds.chain(references).map(|(at, _)| prose.line(at));
        found.extend(places.map(|line| format!("{}:{line}", source.path)));
    }
    none("cite docs/spec or docs/adr, or say it in words", &found);
}

/// Comments of arguments become descriptions in a tool's schema.
#[test]
fn what_a_model_is_told_of_its_tools_cites_no_document() {
    let policy = ToolPolicy::merge(&SystemTools::default(), None);
    let tools = kernel::tool::specs(&policy);
    assert!(tools.len() >= 10, "the tools were not found");
    let told = tools.iter().map(|tool| format!("{}: {}", tool.description, tool.parameters));
    let citing = told.filter(|told| !citations(told, "spec ").is_empty() || told.contains('§'));
    none("a model cannot read the book", &citing.collect::<Vec<_>>());
}

/// The letters of the laws in ARCHITECTURE.md.
fn laws() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = text.split("## Laws of the code").nth(1).unwrap_or_default();
    let table = table.split("\n## ").next().unwrap_or_default();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    rows.map(|(name, _)| name.to_owned()).filter(|name| name.len() == 1 && name != "#").collect()
}

/// What is cited as a law: `law A`, `laws C, D and E`, `laws A–J`, and a number by mistake.
fn cited_laws(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in text.to_ascii_lowercase().match_indices("law") {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &text[at + "law".len()..];
        let Some(rest) = rest.strip_prefix('s').unwrap_or(rest).strip_prefix(' ') else { continue };
        for name in rest.split(", ").flat_map(|part| part.split(" and ")).flat_map(|p| p.split('–'))
        {
            let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            let is_number = !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
            let is_letter = name.len() == 1 && name.chars().all(|c| c.is_ascii_uppercase());
            if !is_number && !is_letter {
                break;
            }
            found.push((at, name.to_owned()));
            if !after.is_empty() {
                break;
            }
        }
    }
    found
}

#[test]
fn no_law_is_cited_that_the_book_does_not_hold() {
    let (laws, mut unknown, mut seen) = (laws(), Vec::new(), 0);
    assert!(laws.len() >= 10, "the table of laws was not found: {laws:?}");
    for source in citing() {
        let prose = Prose::of(&source.text);
        for (at, law) in cited_laws(&prose.text) {
            seen += 1;
            if !laws.contains(&law) {
                unknown.push(format!("{}:{}: law {law}", source.path, prose.line(at)));
            }
        }
    }
    assert!(seen > 20, "the citations were not found");
    none("only laws of ARCHITECTURE.md are cited", &unknown);
}

/// Comments that document something, each whole, with the line it begins on.
fn docstrings(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let words = line
            .strip_prefix("///")
            .or_else(|| line.strip_prefix("//!"))
            .or_else(|| line.strip_prefix("/**").and_then(|rest| rest.strip_suffix("*/")));
        match (words, found.last_mut().filter(|_| open)) {
            (Some(words), Some((_, all))) => {
                all.push(' ');
                all.push_str(words.trim());
            }
            (Some(words), None) => found.push((number + 1, words.trim().to_owned())),
            (None, _) => {}
        }
        open = words.is_some();
    }
    found
}

/// Words that ask what the comment should answer.
const ASKING: [&str; 9] = ["How", "What", "When", "Where", "Which", "Who", "Whom", "Whose", "Why"];

/// `Which.`, `Bytes.`, `Which run.`
fn says_nothing(words: &str) -> bool {
    let Some(words) = words.strip_suffix(['.', '?']) else { return false };
    let words: Vec<&str> = words.split(' ').collect();
    let plain = words.iter().all(|w| !w.is_empty() && w.chars().all(char::is_alphabetic));
    plain && (words.len() == 1 || words.len() == 2 && ASKING.contains(&words[0]))
}

#[test]
fn a_docstring_says_more_than_one_word_or_a_question() {
    let mut found = Vec::new();
    for source in citing() {
        if !source.is(&["rs", "ts", "tsx"]) {
            continue;
        }
        for (line, words) in docstrings(&source.text) {
            if says_nothing(&words) && (source.path.as_str(), words.as_str()) != SENT_TO_MODELS {
                found.push(format!("{}:{line}: {words}", source.path));
            }
        }
    }
    none("say what it means, in which unit, of which shape", &found);
}

#[test]
fn the_glossary_names_identifiers_that_exist() {
    let sources = all();
    let glossary = sources.iter().find(|s| s.path == "docs/glossary.md").unwrap();
    let mut code: BTreeSet<&str> = BTreeSet::new();
    for source in sources.iter().filter(|s| s.is(&["rs", "ts", "tsx", "sql"])) {
        code.extend(source.text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    }
    let rows = glossary.text.lines().filter(|line| line.starts_with("| "));
    let names = rows.filter_map(|row| row.split(" | ").nth(1)).flat_map(|c| c.split(", "));
    let names: Vec<&str> = names.filter_map(|n| n.strip_prefix('`')?.strip_suffix('`')).collect();
    assert!(names.len() > 50, "the identifiers of the glossary were not found");
    let gone = names.iter().filter(|name| !code.contains(**name)).map(|name| (*name).to_owned());
    none("a rename changes docs/glossary.md as well", &gone.collect::<Vec<_>>());
}

#[test]
fn decisions_are_numbered_listed_and_say_why() {
    let sources = all();
    let list = sources.iter().find(|s| s.path == "docs/adr/README.md").unwrap();
    let mut wrong = Vec::new();
    let decisions = sources.iter().filter(|s| s.below("docs/adr/") && s.path != list.path);
    let mut files: Vec<&Source> = decisions.collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() >= 12, "the decisions were not found");
    for (number, file) in (1..).zip(files) {
        let name = file.path.trim_start_matches("docs/adr/");
        let title = file.text.lines().next().unwrap_or_default();
        if !name.starts_with(&format!("{number:04}-")) {
            wrong.push(format!("{name}: number {number} is missing or stands twice"));
        }
        let Some(title) = title.strip_prefix(&format!("# {number}. ")) else {
            wrong.push(format!("{name}: the title is not `# {number}. …`"));
            continue;
        };
        if !list.text.contains(&format!("| {number} | [{title}]({name}) |")) {
            wrong.push(format!("{name}: docs/adr/README.md does not list it by its title"));
        }
        let sections: Vec<&str> = headings(&file.text).skip(1).collect();
        if sections != ["Context", "Decision", "Consequences"] {
            wrong.push(format!("{name}: sections are {sections:?}"));
        }
    }
    none("a decision has its number, its place in the list, its reasons and consequences", &wrong);
}

/// What a link of Markdown leads to, as written, with the line it is on.
fn links(markdown: &str) -> Vec<(usize, &str)> {
    let found = markdown.match_indices("](");
    let link = |at: usize| markdown[at + 2..].split([')', ' ', '\n']).next().unwrap_or_default();
    found.map(|(at, _)| (line_of(markdown, at), link(at))).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut dead = Vec::new();
    let documents = all();
    let written = |s: &&Source| s.is(&["md"]) && !s.is_aside() && !s.below("templates/packages/");
    for source in documents.iter().filter(written) {
        let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, link) in links(&source.text) {
            let target = link.split('#').next().unwrap_or_default();
            if link.contains("://") || target.is_empty() {
                continue;
            }
            if !root().join(folder).join(target).exists() {
                dead.push(format!("{}:{line}: {link}", source.path));
            }
        }
    }
    none("links lead to files that are here", &dead);
}

#[test]
fn citations_are_found_across_lines_and_with_their_sections() {
    let prose =
        Prose::of("//! A thing (spec 05\n//! \"Effects\n//! journal\", spec 06), not myspec 07.");
    let found = citations(&prose.text, "spec ");
    let told: Vec<(&str, &[String])> =
        found.iter().map(|c| (c.page.as_str(), c.sections.as_slice())).collect();
    assert_eq!(told, [("05", &["Effects journal".to_owned()][..]), ("06", &[][..])]);
    assert_eq!(prose.line(found[0].at), 1);
    let laws = |text| cited_laws(text).into_iter().map(|(_, law)| law).collect::<Vec<_>>();
    assert_eq!(laws("laws C, D and E; flaw X; the law; law 12."), ["C", "D", "E", "12"]);
    assert_eq!(laws("Laws A–J of the code, law of nature"), ["A", "J"]);
}
