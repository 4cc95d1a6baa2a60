use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;

/// What a text may mention: the candidates of a mention with `|` between them.
fn found(text: &str) -> Vec<String> {
    let joined = |mention: &Mention| {
        let paths: Vec<String> = mention.candidates.iter().map(ToString::to_string).collect();
        paths.join("|")
    };
    mentions(text).iter().map(joined).collect()
}

#[rstest]
#[case("Read @notes.md", &["@project/notes.md"])]
#[case("@docs/a-b_c.md, then (@b.md) and `@c.md`.", &["@project/docs/a-b_c.md", "@project/b.md", "@project/c.md"])]
#[case("See @notes.md.", &["@project/notes.md"])]
#[case("Is it @notes.md? Or @b.md!", &["@project/notes.md", "@project/b.md"])]
#[case("**@notes.md** and [text](@b.md)", &["@project/notes.md", "@project/b.md"])]
#[case("@src/a.rs:12 fails", &["@project/src/a.rs"])]
#[case("@report(1).pdf", &["@project/report(1).pdf"])]
#[case("@\"my notes/day one.md\" please", &["@project/my notes/day one.md"])]
#[case("@“我的 笔记.md”", &["@project/我的 笔记.md"])]
#[case("请看@笔记.md，谢谢", &["@project/笔记.md"])]
#[case("@./docs/../x", &[])]
#[case("@../secret @/etc/passwd @~/x @C:\\x", &["@project/C"])]
#[case("@pkg/steps/ask.md @state/workflow.md @project/a.md", &["@pkg/steps/ask.md", "@state/workflow.md", "@project/a.md"])]
#[case("@\"@project/a b.md\" @\"pkg/c d.md\"", &["@project/a b.md", "@pkg/c d.md"])]
#[case("the @project, the @pkg/ and @state", &[])]
#[case("write to mia@example.com, me+you@b.org", &[])]
#[case("thanks @mia", &["@project/mia"])]
#[case("@notes.md and @notes.md", &["@project/notes.md"])]
#[case("@ nothing, @@@ and @", &["@project/@@"])]
#[case("@\"open @b.md", &["@project/b.md"])]
#[case("@docs\\a.md", &["@project/docs/a.md"])]
#[case("@notes.md's end", &["@project/notes.md's|@project/notes.md"])]
#[case("@notes.md的内容", &["@project/notes.md的内容|@project/notes.md"])]
fn what_looks_like_a_file_is_looked_for(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(found(text), expected, "{text}");
}

#[test]
fn only_so_many_are_looked_for() {
    let names: Vec<String> = (0..200).map(|n| format!("@file{n}.md")).collect();
    assert_eq!(mentions(&names.join(" ")).len(), MENTIONS);
}

#[rstest]
#[case(WidgetKind::Form, json!({ "a": "one", "b": 2, "c": "two" }), "one\ntwo")]
#[case(WidgetKind::Feedback, json!({ "i": "good" }), "good")]
#[case(WidgetKind::PlanReview, json!({ "decision": "request_changes", "feedback": "x" }), "x")]
#[case(WidgetKind::PlanReview, json!({ "decision": "approve" }), "")]
#[case(WidgetKind::Selection, json!(["@a.md"]), "")]
#[case(WidgetKind::ActionSelection, json!("@a.md"), "")]
#[case(WidgetKind::Form, json!(null), "")]
fn what_was_chosen_is_not_the_persons_own_word(
    #[case] kind: WidgetKind,
    #[case] value: Value,
    #[case] words: &str,
) {
    assert_eq!(words_of(kind, &value), words);
}

/// Hostile texts: one sign over and over, up to the longest input.
#[rstest]
#[case("@\"")]
#[case("@“")]
#[case("@))))")]
#[case(" @a(]})")]
#[case("@'")]
#[case("@a\u{202e}")]
#[case(" @")]
#[case("中@")]
fn the_longest_words_are_gone_through_in_one_pass(#[case] piece: &str) {
    let text = piece.repeat(crate::bounds::INPUT_BYTES / piece.len());
    // Whoever went back for each of them would not come to an end in minutes.
    assert!(mentions(&text).len() <= MENTIONS);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_every_candidate_is_a_path(
        text in "([@\"“”'.()/a-z中\\s\u{202e}\\\\:]|@project/|@pkg/|\\PC){0,80}",
    ) {
        for mention in mentions(&text) {
            prop_assert!((1..=2).contains(&mention.candidates.len()));
            for path in mention.candidates {
                prop_assert!(!path.rel().is_empty());
                prop_assert_eq!(AliasPath::parse(&path.to_string()), Ok(path));
            }
        }
    }

    #[test]
    fn a_path_in_quotes_is_found_as_it_is(
        before in "[a-z ]{0,5}",
        rel in "[a-z][a-z ]{0,8}[a-z](/[a-z]{1,5}){0,3}\\.md",
    ) {
        let found = mentions(&format!("{before} @\"{rel}\" and more"));
        prop_assert_eq!(&found[0].candidates, &[AliasPath::new(Mount::Project, &rel).unwrap()]);
    }
}
