//! Widgets a model wrote into its text as fenced `widget` blocks instead of calling `ui.ask_user`
//! (spec 05 "Widgets"). Fences are read as CommonMark has them, so that a block inside a sample
//! of another fence is not one.

/// An open fence: its character, how many of them, and whether it is a widget.
struct Fence {
    mark: char,
    length: usize,
    is_widget: bool,
}

/// The text without its `widget` blocks, and what stood in each, in order.
pub fn fenced(text: &str) -> (String, Vec<String>) {
    let mut rest = String::with_capacity(text.len());
    let mut blocks: Vec<String> = Vec::new();
    let mut open: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        let kept = match &open {
            Some(fence) if closes(line, fence) => {
                let kept = !fence.is_widget;
                open = None;
                kept
            }
            Some(fence) if fence.is_widget => {
                if let Some(block) = blocks.last_mut() {
                    block.push_str(line);
                }
                false
            }
            Some(_) => true,
            None => {
                open = opens(line);
                let begins = open.as_ref().is_some_and(|fence| fence.is_widget);
                if begins {
                    blocks.push(String::new());
                }
                !begins
            }
        };
        if kept {
            rest.push_str(line);
        }
    }
    if blocks.is_empty() {
        return (text.to_owned(), blocks);
    }
    (rest.trim().to_owned(), blocks.into_iter().map(|b| b.trim().to_owned()).collect())
}

/// The run of fence characters a line begins with, at most three spaces in, and what follows it.
fn run(line: &str) -> Option<(char, usize, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let line = &line[indent..];
    let mark = line.chars().next().filter(|c| ['`', '~'].contains(c))?;
    let after = line.trim_start_matches(mark);
    let length = line.len() - after.len();
    (indent <= 3 && length >= 3).then_some((mark, length, after))
}

fn opens(line: &str) -> Option<Fence> {
    let (mark, length, info) = run(line)?;
    if mark == '`' && info.contains('`') {
        return None;
    }
    let word = info.split_whitespace().next().unwrap_or_default();
    Some(Fence { mark, length, is_widget: word.eq_ignore_ascii_case("widget") })
}

fn closes(line: &str, fence: &Fence) -> bool {
    run(line).is_some_and(|(mark, length, after)| {
        mark == fence.mark && length >= fence.length && after.trim().is_empty()
    })
}
