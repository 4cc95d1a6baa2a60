//! `docs/errors.md` and `docs/errors.zh.md` say of every code what it means, why it comes and what to do,
//! by the catalogues of words. `UPDATE_DOCS=1` writes them.

use kernel::code::ErrorCode;
use kernel::words::{Lang, words};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use support::program::root;

/// What a page says beside the words of the catalogues.
struct Page {
    lang: Lang,
    file: &'static str,
    head: &'static str,
    why: &'static str,
    action: &'static str,
}

const PAGES: [Page; 2] = [
    Page {
        lang: Lang::En,
        file: "docs/errors.md",
        head: "# Errors\n\nEvery code that the program gives, in the window, in the terminal and to \
               models: what it means, why it comes, and what to do. What a failure says of one case \
               stands in its message and its details. [中文](errors.zh.md)\n",
        why: "Why:",
        action: "What to do:",
    },
    Page {
        lang: Lang::Zh,
        file: "docs/errors.zh.md",
        head: "# 错误代码\n\n程序在窗口、终端以及对模型给出的每个代码：含义、原因和处理办法。具体情况见错误消息及其详细信息。\
               [English](errors.md)\n",
        why: "原因：",
        action: "处理办法：",
    },
];

fn text(page: &Page) -> String {
    let causes = root().join("templates/locales").join(page.lang.tag()).join("causes.json");
    let causes: BTreeMap<String, String> =
        serde_json::from_str(&std::fs::read_to_string(causes).unwrap()).unwrap();
    assert_eq!(causes.len(), ErrorCode::ALL.len(), "a cause for each code, and for nothing else");
    let mut text = page.head.to_owned();
    for code in ErrorCode::ALL {
        let said = words(*code, page.lang);
        let cause = &causes[code.as_str()];
        let (why, action) = (page.why, page.action);
        write!(text, "\n## {}\n\n{}\n\n", code.as_str(), said.title).unwrap();
        writeln!(text, "- **{why}** {cause}\n- **{action}** {}", said.action).unwrap();
    }
    text
}

#[test]
fn every_code_is_explained_in_both_languages() {
    for page in &PAGES {
        let (path, text) = (root().join(page.file), text(page));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{} is out of date: UPDATE_DOCS=1 writes it", page.file);
    }
}
