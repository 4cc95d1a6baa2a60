//! Folders planted in texts in every spelling: nothing of them is shown, and what was shown gives
//! the very bytes back.

use kernel::bounds::ROOT_FORKS;
use kernel::mark::{self, Folder, Piece};
use proptest::prelude::*;
use rstest::rstest;
use std::path::PathBuf;

use super::Marks;

const ROOTS: [&str; 6] = [
    "/w",
    "/root",
    "/srv/ada",
    "/srv/my own project",
    "/mnt/100% é/中 (a&b)_c",
    "/home/ada/.local/share/x.y",
];

/// A separator in each of its spellings.
const SEPARATORS: [&str; 42] = [
    "/",
    "//",
    "/./",
    "/././",
    "\\",
    "\\\\",
    "\\/",
    "\\.\\",
    "%2f",
    "%2F",
    "%252F",
    "%5c",
    "%2F%2e%2F",
    "\\u002f",
    "\\\\u002F",
    "\\u005C",
    "\\x2f",
    "\\x2F",
    "\\\\x2f",
    "\\x5c",
    "\\x5C\\x5C",
    "\\057",
    "\\\\057",
    "\\134",
    "\\057\\056\\057",
    "&#47;",
    "&#047;",
    "&#x2f;",
    "&#x2F;",
    "&#X2F;",
    "&#x00002f;",
    "&#92;",
    "&sol;",
    "&bsol;",
    "&amp;#47;",
    "&amp;amp;#x2F;",
    "&sol;&period;&sol;",
    "\\u{2f}",
    "\\u{00002F}",
    "\\x{2F}",
    "\\U0000002f",
    "\\\\U0000002F",
];

/// How the other characters are spelt.
#[derive(Debug, Clone, Copy)]
enum NameSpelling {
    Plain,
    Percent(usize),
    Json(usize),
    Hex(usize),
    Latin,
    Octal(usize),
    Shell(usize),
    Decimal(usize),
    Hexadecimal,
    Braced,
    Long,
    Plus,
    NoBreak,
    NoBreakPercent,
    NoBreakNamed,
}

const NAMES: [NameSpelling; 21] = [
    NameSpelling::Plain,
    NameSpelling::Percent(0),
    NameSpelling::Percent(1),
    NameSpelling::Percent(3),
    NameSpelling::Json(1),
    NameSpelling::Json(2),
    NameSpelling::Json(4),
    NameSpelling::Hex(1),
    NameSpelling::Hex(2),
    NameSpelling::Latin,
    NameSpelling::Octal(1),
    NameSpelling::Octal(2),
    NameSpelling::Shell(1),
    NameSpelling::Shell(3),
    NameSpelling::Decimal(0),
    NameSpelling::Decimal(2),
    NameSpelling::Hexadecimal,
    NameSpelling::Braced,
    NameSpelling::Long,
    NameSpelling::Plus,
    NameSpelling::NoBreak,
];

impl NameSpelling {
    fn spelt(self, c: char, capitals: bool) -> String {
        let case = |text: String| if capitals { text.to_uppercase() } else { text };
        let bytes = c.to_string().into_bytes();
        let number = u32::from(c);
        let each = |byte: &dyn Fn(u8) -> String| bytes.iter().map(|b| byte(*b)).collect::<String>();
        let slashes = |count: usize| "\\".repeat(count);
        match self {
            Self::Percent(depth) => {
                each(&|b| format!("%{}{}", "25".repeat(depth), case(format!("{b:02x}"))))
            }
            Self::Json(depth) => format!("{}u{}", slashes(depth), case(format!("{number:04x}"))),
            Self::Hex(depth) => {
                each(&|b| format!("{}x{}", slashes(depth), case(format!("{b:02x}"))))
            }
            Self::Latin if number < 256 => format!("\\x{}", case(format!("{number:02x}"))),
            Self::Octal(depth) => each(&|b| format!("{}{b:03o}", slashes(depth))),
            Self::Shell(depth) if c == ' ' || c.is_ascii_punctuation() => {
                format!("{}{c}", slashes(depth))
            }
            Self::Decimal(zeros) => format!("&#{}{number};", "0".repeat(zeros)),
            Self::Hexadecimal => format!("&#x{};", case(format!("{number:x}"))),
            Self::Braced => format!("\\u{{{}}}", case(format!("{number:x}"))),
            Self::Long => format!("\\U{}", case(format!("{number:08x}"))),
            Self::Plus if c == ' ' => "+".to_owned(),
            Self::NoBreak if c == ' ' => "\u{a0}".to_owned(),
            Self::NoBreakPercent if c == ' ' => "%C2%A0".to_owned(),
            Self::NoBreakNamed if c == ' ' => "&nbsp;".to_owned(),
            _ => c.to_string(),
        }
    }
}

fn marks(root: &str) -> Marks {
    Marks::new(vec![(PathBuf::from(root), Folder::Project)])
}

/// The planted name is one mark, nothing else changed, and every byte comes back.
fn check(root: &str, before: &str, planted: &str, after: &str) {
    let marks = marks(root);
    let text = format!("{before}{planted}{after}");
    let shown = marks.shown(&text).into_owned();
    let middle = shown.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    let middle = middle.unwrap_or_else(|| panic!("{text:?} is shown as {shown:?}"));
    let pieces: Vec<Piece<'_>> = mark::pieces(middle).collect();
    assert!(matches!(pieces[..], [Piece::Mark(_)]), "{text:?} is shown as {shown:?}");
    let back = marks.restored(&shown, usize::MAX);
    assert_eq!(back.as_deref(), Ok(text.as_str()), "{shown:?}");
    assert_eq!(marks.hidden(&shown), shown, "it is not marked twice");
}

/// Cut anywhere, nothing of the name is left.
fn check_cut(root: &str, before: &str, planted: &str) {
    let marks = marks(root);
    let text = format!("{before}{planted}");
    for cut in (before.len() + 1..text.len()).filter(|cut| text.is_char_boundary(*cut)) {
        let left = marks.shown(marks.uncut(&text[..cut]));
        let rest = left.strip_prefix(before).unwrap_or_default();
        // Some are whole already: the last `;` of HTML may be left out.
        let whole = matches!(mark::pieces(rest).collect::<Vec<_>>()[..], [] | [Piece::Mark(_)]);
        assert!(whole, "{left:?} of {text:?}");
    }
}

#[test]
fn each_spelling_of_each_folder_is_one_mark_and_comes_back() {
    for root in ROOTS {
        for separator in SEPARATORS {
            for name in
                NAMES.into_iter().chain([NameSpelling::NoBreakPercent, NameSpelling::NoBreakNamed])
            {
                let spelt = |c| match c {
                    '/' => separator.to_owned(),
                    c => name.spelt(c, separator.len().is_multiple_of(2)),
                };
                let planted: String = root.chars().map(spelt).collect();
                check(root, "in ", &planted, "/x");
            }
        }
    }
}

#[rstest]
// Backslashes before what looks like an escape, and is the name.
#[case(r"C:\101 dogs\x41\u0041", r"C:\\101 dogs\\x41\\u0041")]
#[case(r"C:\101 dogs\x41\u0041", r"C:\101 dogs\x41\u0041")]
#[case(r"C:\101 dogs\x41\u0041", r"C:\\u0031\x301 dogs/\u00784\061/u0041")]
#[case(r"C:\.config\x", r"C:\\.config\\x")]
#[case(r"C:\a\u002fb\x5c", r"C:\a\u002fb\x5c")]
#[case("/srv/ada", r"\\srv\\\x61da")]
#[case("/srv/.a/b", r"\.\srv\.\\u002ea/b")]
// Signs that begin escapes, in names.
#[case("/srv/a%20b", "/srv/a%2520b")]
#[case("/srv/a%zz", "%2Fsrv%2Fa%25zz")]
#[case("/srv/a&b;c", "/srv/a&amp;b;c")]
#[case("/srv/a&lt;", "/srv/a&amp;lt&#59;")]
#[case("/srv/a\"b", r#"/srv/a\\\"b"#)]
fn what_can_be_read_in_two_ways_is_found_in_both(#[case] root: &str, #[case] planted: &str) {
    check(root, "in ", planted, " ");
    check_cut(root, "in ", planted);
}

#[test]
fn a_name_that_follows_a_mark_belongs_to_its_path() {
    let marks =
        Marks::new(vec![("/home/ada".into(), Folder::Home), ("/w".into(), Folder::Project)]);
    let shown = marks.shown("/home/ada/w/x ⟧/w/x");
    assert_eq!(shown, "⟦folder:home⟧/w/x ⟧⟦folder:project⟧/x", "what a file holds is no mark");
    assert_eq!(marks.hidden("⟦folder:home⟧/w/x"), "⟦folder:home⟧/w/x");
    assert_eq!(
        marks.hidden("⟦folder:homes⟧/w/x ⟧/w"),
        "⟦folder:homes⟧⟦folder:project⟧/x ⟧⟦folder:project⟧"
    );
    assert_eq!(marks.hidden("⟦folder:home⟧/w /w"), "⟦folder:home⟧/w ⟦folder:project⟧");
    assert_eq!(
        marks.hidden("⟦folder:project⟧/home/ada/x"),
        "⟦folder:project⟧⟦folder:home⟧/x",
        "a name of several parts is that folder's wherever it stands"
    );
}

#[rstest]
#[case("", "⟦folder:home⟧/x", "/home/ada/x", false)]
#[case("", "⟦folder:home⟧x", "/home/adax", true)]
#[case("", "⟦folder:home⟧-x", "a /home/ada-x", true)]
#[case("b /home/adax", "a", "a /home/adax", false)]
#[case("b /home/adax", "a", "a /home/aday", true)]
#[case("", "a /home/adax", "a /home/adax", false)]
#[case("", "⟦folder:project⟧2", "/home/ada/p2", true)]
#[case("", "⟦folder:home⟧/p2", "/home/ada/p2", false)]
#[case("", "é⟦folder:project⟧ ⟦folder:home⟧_", "é/home/ada/p /home/ada_", true)]
#[case("", "a⟦folder:store⟧", "a/w", true)]
#[case("", "b/w", "a/w", true)]
#[case("", "a/w", "a/w", false)]
#[case("", "é⟦folder:store⟧", "é/w", false)]
// What becomes whole is a mark, and so nothing is bare.
#[case("/ada", "/home", "/home/ada", false)]
// What stood there stays, also right before what the file has for a mark.
#[case("b /home/adax", "⟦folder:=", "b /home/adax⟦folder:", false)]
#[case("b", "⟦folder:=", "b /home/adax⟦folder:", true)]
fn a_letter_beside_a_mark_lays_its_name_bare(
    #[case] before: &str,
    #[case] sent: &str,
    #[case] after: &str,
    #[case] bare: bool,
) {
    let folders =
        [("/home/ada", Folder::Home), ("/home/ada/p", Folder::Project), ("/w", Folder::Store)];
    let marks = Marks::new(folders.map(|(path, folder)| (path.into(), folder)).to_vec());
    assert_eq!(marks.lays_bare(before, sent, after), bare);
}

#[rstest]
#[case("/ada/x", "/home/somebody-of-a-long-name/ada/x", "⟦folder:home⟧/x")]
#[case("/x/home/some", "/x/home/somebody-of-a-long-name/ada", "/x⟦folder:home⟧")]
fn a_name_that_begins_or_ends_within_a_mark_is_bare_beside_it(
    #[case] store: &str,
    #[case] after: &str,
    #[case] shown: &str,
) {
    let home = "/home/somebody-of-a-long-name/ada";
    let marks = Marks::new(vec![(home.into(), Folder::Home), (store.into(), Folder::Store)]);
    assert_eq!(marks.shown(after), shown);
    assert!(marks.lays_bare("", "/x", after));
    assert!(!marks.lays_bare("", shown, after), "it was sent so");
    assert!(!marks.lays_bare(after, "/x", after), "it was there");
}

#[test]
fn part_of_a_mark_is_no_place_of_a_text() {
    let marks = marks("/w");
    let text = "ab /w/ab ⟦folder:x ab";
    let path = "@project/a.md".parse().unwrap();
    let lens = marks.lens(&path, 4096);
    let view = lens.view(text);
    assert_eq!(view.shown(), "ab ⟦folder:project⟧/ab ⟦folder:=x ab");
    let real = |sent: &str| view.places(sent).map(|place| &text[place.real]).collect::<Vec<_>>();
    assert_eq!(real("ab"), ["ab", "ab", "ab"]);
    assert_eq!(real("⟦folder:project⟧/a"), ["/w/a"]);
    assert_eq!(real("b ⟦folder:=x"), ["b ⟦folder:x"]);
    for part in ["project", "o", "⟦", "⟧", "folder:=x", "=x", "w", "/w", " ⟦folder:proj"] {
        assert_eq!(real(part), [""; 0], "{part}");
    }
    assert_eq!(real("/"), ["/"]);
    assert_eq!((view.outside(3), view.outside(4), view.outside(5)), (3, 3, 5));
    assert!(!view.is_plain() && lens.view("ab").is_plain());
    let each = lens.view("éééé").places("é").map(|place| place.real.start).collect::<Vec<_>>();
    assert_eq!(each, [0, 2, 4, 6]);
}

#[test]
fn texts_of_half_escapes_are_looked_through_at_once() {
    let marks = marks("/home/ada");
    for piece in [
        "/./",
        "/home/.",
        "\\x2f",
        "\\057",
        "&#47;",
        "&amp;",
        "&#x0",
        "%25",
        "\\x",
        "\\.",
        "/home\\u002f",
    ] {
        let text = piece.repeat(128 * 1024 / piece.len());
        let shown = marks.shown(&text);
        assert!(marks.restored(&shown, usize::MAX).unwrap() == text, "{piece}");
        marks.uncut(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_mixture_of_spellings_is_one_mark_and_comes_back(
        root in prop::sample::select(ROOTS.to_vec()),
        separators in prop::collection::vec(prop::sample::select(SEPARATORS.to_vec()), 8),
        names in prop::collection::vec((prop::sample::select(NAMES.to_vec()), any::<bool>()), 40),
        before in "(.{0,6}[ \"'(=:：中_.~\n])?",
        after in "([/ \"')：中\n][A-Z0-9:]{0,6})?",
    ) {
        prop_assume!(!before.contains('/') && !before.contains('\\'));
        let mut separators = separators.into_iter();
        let mut names = names.into_iter();
        let spelt = |c| match c {
            '/' => separators.next().unwrap_or("/").to_owned(),
            c => names.next().map_or(c.to_string(), |(name, capitals)| name.spelt(c, capitals)),
        };
        let planted: String = root.chars().map(spelt).collect();
        check(root, &before, &planted, &after);
        check_cut(root, &before, &planted);
    }

    #[test]
    fn what_is_shown_names_no_folder_and_comes_back(
        text in "([/.\\\\%&#;xuU{}0-9a-f]|amp;|sol;|nbsp;|\\\\u00|&#x2f;|%2F|/w|/srv/ada|⟦folder:|⟧|m|\\[){0,40}"
    ) {
        for root in ["/w", "/srv/ada"] {
            let marks = marks(root);
            let shown = marks.shown(&text).into_owned();
            prop_assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text.as_str());
            let twice = marks.hidden(&shown).into_owned();
            prop_assert_eq!(&twice, &shown);
        }
    }
}

#[test]
fn an_escape_has_at_most_so_many_backslashes_and_each_byte_has_its_own() {
    for (slashes, found) in [(1, true), (63, true), (64, true), (65, false)] {
        let planted = format!("/srv/a{}u00e9", "\\".repeat(slashes));
        let marks = marks("/srv/aé");
        let shown = marks.shown(&planted).into_owned();
        assert_eq!(shown != planted, found, "{shown}");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), planted);
    }
    let marks = marks("/srv/é😀");
    for other in [
        r"\303251😀",
        r"\xc3a9😀",
        r"\xc3xa9😀",
        r"\xc3\ya9😀",
        "%c3a9😀",
        r"\u00e😀",
        "&#23;😀",
        "&#x",
        r"é\ud83dude00",
        r"é\ud83d\xde00",
        r"é\ud83d",
    ] {
        let other = format!("/srv/{other}");
        assert_eq!(marks.shown(&other), other);
    }
    assert_eq!(marks.shown(r"/srv/\xc3\xa9\ud83d\ude00"), "⟦folder:project~5r.h1a1a.e1a1a⟧");
}

#[test]
fn a_number_has_at_most_so_many_zeros() {
    let marks = marks("/srv/aé");
    for (zeros, found) in [(0, true), (15, true), (16, true), (17, false), (200, false)] {
        let planted = format!("/srv/a&#x{}e9;", "0".repeat(zeros));
        let shown = marks.shown(&planted).into_owned();
        assert_eq!(shown != planted, found, "{shown}");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), planted);
    }
}

#[test]
fn a_name_is_read_in_two_ways_at_so_many_places_and_no_more() {
    for (signs, found) in [(1, true), (ROOT_FORKS, true), (ROOT_FORKS + 1, false)] {
        let marks = marks(&format!("/srv/{}", "%".repeat(signs)));
        let planted = format!("/srv/{}", "%25".repeat(signs));
        assert_eq!(marks.shown(&planted) != planted, found, "{signs}");
    }
}

#[test]
fn a_letter_of_a_drive_in_a_rare_case_comes_back() {
    let marks = marks(r"K:\dark\ski");
    // The Kelvin sign is a K in another case.
    for text in ["\u{212a}:/dark/ski", "k:/DAR\u{212a}/ski", r"\u212a:\\dar%e2%84%aa\ski"] {
        let shown = marks.shown(text);
        assert!(shown.starts_with("⟦folder:project~v"), "{shown}");
        assert_eq!(marks.restored(&shown, usize::MAX).unwrap(), text);
    }
}

#[test]
fn marks_say_how_a_name_is_spelt_in_a_code_that_stays() {
    let marks = marks("/a b");
    for (planted, how) in [
        (r"\/a b", "bf.3r"),
        ("/./a b", "fdf.3r"),
        (r"/a\ b", "2r.q1.r"),
        ("/a+b", "2r.w.r"),
        ("/a\u{a0}b", "2r.v2r.r"),
        ("/a&nbsp;b", "2r.v2n0a.r"),
        ("/a&amp;nbsp;b", "2r.v2n1a.r"),
        (r"/a\040b", "2r.o1a.r"),
        (r"/a\\x20b", "2r.h2a.r"),
        ("/a&#032;b", "2r.c0a1a.r"),
        ("/a&#xA0;b", "2r.v2c0c0b.r"),
        (r"/a\u{20}b", "2r.c1g0a.r"),
        (r"\U0000002Fa b", "cf1i6c.3r"),
        ("%2Fa%2520b", "pf0c.r.p1a.r"),
        (r"\u002fa b", "ef1a.3r"),
    ] {
        let mark = format!("⟦folder:project~{how}⟧");
        assert_eq!(marks.shown(planted), mark);
        assert_eq!(marks.restored(&mark, usize::MAX).unwrap(), planted);
    }
}
