//! Texts that are hard to show: what a model or a file says to bring a window down.

use std::fmt::Write as _;

/// The words that the conversation with them begins with.
pub(super) const ASKED: &str = "Show me what is hard.";
/// The last text.
const LAST: &str = "It ends here.";

/// Each as the model's answer of one turn, the last one short.
pub(super) fn texts() -> [String; 9] {
    [
        nested(),
        table(),
        format!("```js\n{}```\n", "const x = { a: [1, 2, 3], b: 'some text' };\n".repeat(24_000)),
        "a\u{202e}gnp.exe\u{2066}\u{200b}\u{1b}[31mred\u{1b}[0m\u{7} ".repeat(2_000),
        "<script>document.body.dataset.hacked = 1</script><img src=x onerror=alert(1)>\n\n"
            .repeat(1_000),
        "word".repeat(100_000),
        "A paragraph with **bold words**, `code` and [a link](https://example.org).\n\n"
            .repeat(2_500),
        "A line of plain words, as long as a line of text is.\n\n".repeat(190_000),
        LAST.to_owned(),
    ]
}

/// Quotes and lists in each other, deeper than anybody writes.
fn nested() -> String {
    let mut text = format!("{} deep\n\n", ">".repeat(5_000));
    for depth in 0..500 {
        // Writing to a string does not fail.
        _ = writeln!(text, "{}- {}item", "  ".repeat(depth), "**".repeat(depth % 40));
    }
    text
}

fn table() -> String {
    let mut text = "| a | b | c | d |\n|---|---|---|---|\n".to_owned();
    for row in 0..3_000 {
        _ = writeln!(text, "| {row} | `code` | **bold** | [link](https://example.org/{row}) |");
    }
    text
}
