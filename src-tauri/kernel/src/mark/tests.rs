use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;
use strum::VariantArray as _;

fn home(name: u32, how: &str) -> Mark<'_> {
    Mark { folder: Folder::Home, name, how }
}

#[test]
fn a_text_is_split_into_marks_and_what_is_between_them() {
    let text = "a ⟦folder:home⟧/x ⟦folder:=home⟧ ⟦folder:nowhere⟧ ⟦e⟧ ⟦folder:home2~3r.pu⟧";
    let found: Vec<Piece<'_>> = pieces(text).collect();
    let wanted = [
        Piece::Text("a "),
        Piece::Mark(home(1, "")),
        Piece::Text("/x "),
        Piece::Literal,
        Piece::Text("home⟧ "),
        Piece::Unknown("⟦folder:nowhere⟧"),
        Piece::Text(" ⟦e⟧ "),
        Piece::Mark(home(2, "3r.pu")),
    ];
    assert_eq!(found, wanted);
}

#[rstest]
#[case("⟦folder:⟧")]
#[case("⟦folder:home")]
#[case("⟦folder:home\n⟧")]
#[case("⟦folder:home1⟧")]
#[case("⟦folder:home02⟧")]
#[case("⟦folder:home99999999999⟧")]
#[case("⟦folder:home~⟧")]
#[case("⟦folder:Home⟧")]
#[case("⟦folder: home⟧")]
fn what_is_almost_a_mark_is_unknown(#[case] text: &str) {
    assert!(unknown(text).is_some(), "{text}");
}

#[test]
fn every_mark_is_read_as_it_is_written() {
    for &folder in Folder::VARIANTS {
        for (name, how) in [(1, ""), (2, ""), (1, "3r.pu"), (3, "b")] {
            let mark = Mark { folder, name, how };
            let text = mark.to_string();
            assert_eq!(pieces(&text).collect::<Vec<_>>(), [Piece::Mark(mark)], "{text}");
        }
    }
}

#[test]
fn a_path_may_begin_with_the_mark_of_a_mount() {
    assert_eq!(as_alias("⟦folder:project⟧/a.md").as_deref(), Some("@project/a.md"));
    assert_eq!(as_alias(" ⟦folder:package⟧").as_deref(), Some("@pkg"));
    assert_eq!(as_alias(r"⟦folder:state⟧\logs").as_deref(), Some(r"@state\logs"));
    for other in ["⟦folder:home⟧/a", "⟦folder:project⟧x", "@project/⟦folder:project⟧", ""]
    {
        assert_eq!(as_alias(other), None, "{other}");
    }
}

#[test]
fn a_text_is_not_cut_inside_a_mark() {
    let text = "ab ⟦folder:home⟧/data and more";
    assert_eq!(ellipsis(text, 12), "ab …");
    assert_eq!(ellipsis(text, 24), "ab ⟦folder:home⟧/dat…");
    assert_eq!(ellipsis(text, 99), text);
    assert_eq!(ellipsis("x ⟦math and more", 8), "x ⟦mat…");
}

#[test]
fn marks_are_seen_anywhere_in_a_value() {
    assert!(occurs_in_value(&json!({"a": [1, {"b": "x ⟦folder:home⟧"}]})));
    assert!(occurs_in_value(&json!({"⟦folder:home⟧": 1})));
    assert!(!occurs_in_value(&json!({"a": ["⟦e⟧", null]})));
}

proptest! {
    #[test]
    fn the_pieces_of_a_text_are_the_text(text in "(⟦folder:|home|⟧|=|~|[a-z⟦\n]){0,20}") {
        let again: String = pieces(&text)
            .map(|piece| match piece {
                Piece::Text(t) | Piece::Unknown(t) => t.to_owned(),
                Piece::Literal => format!("{OPEN}{LITERAL}"),
                Piece::Mark(mark) => mark.to_string(),
            })
            .collect();
        prop_assert_eq!(again, text);
    }
}
