use super::*;
use Tokenizer::{Cl100k, Estimate, O200k};
use rstest::rstest;

#[rstest]
#[case("gpt-4o", O200k)]
#[case("GPT-4o-mini-2024-07-18", O200k)]
#[case("openai/gpt-4o:extended", O200k)]
#[case("openrouter/openai/gpt-5.1-codex", O200k)]
#[case("gpt-4.1-nano", O200k)]
#[case("gpt-4.5-preview", O200k)]
#[case("gpt-5", O200k)]
#[case("gpt-5-mini", O200k)]
#[case("chatgpt-4o-latest", O200k)]
#[case("o1", O200k)]
#[case("openai/o3-pro", O200k)]
#[case("o4-mini-high", O200k)]
#[case("gpt-oss:20b", O200k)]
#[case("unsloth/gpt-oss-20b-GGUF", O200k)]
#[case("ft:gpt-4o-mini-2024-07-18:acme::1", O200k)]
#[case(" gpt-4 ", Cl100k)]
#[case("gpt-4-turbo", Cl100k)]
#[case("gpt-4-32k-0613", Cl100k)]
#[case("openai/gpt-3.5-turbo", Cl100k)]
#[case("azure/gpt-35-turbo", Cl100k)]
#[case("ft:gpt-3.5-turbo:acme", Cl100k)]
#[case("", Estimate)]
#[case("gpt-4.7", Estimate)]
#[case("gpt-4oo", Estimate)]
#[case("gpt-6", Estimate)]
#[case("gpt4all-13b", Estimate)]
#[case("gpt-2", Estimate)]
#[case("o1x", Estimate)]
#[case("o", Estimate)]
#[case("somebody/gpt-4-distilled", Estimate)]
#[case("anthropic/claude-sonnet-4.5", Estimate)]
#[case("qwen2.5:7b", Estimate)]
#[case("openai/", Estimate)]
fn a_model_is_known_by_its_name(#[case] name: &str, #[case] tokenizer: Tokenizer) {
    assert_eq!(Tokenizer::of_model(name), tokenizer);
}

/// What OpenAI's own tokenizers count.
#[rstest]
#[case("", [0, 0, 0])]
#[case("hello world", [3, 2, 2])]
#[case("Hello, world!", [4, 4, 4])]
#[case("tiktoken is great!", [5, 6, 6])]
#[case("antidisestablishmentarianism", [7, 6, 6])]
#[case("2 + 2 = 4", [3, 7, 7])]
#[case("お誕生日おめでとう", [9, 9, 8])]
#[case("<|endoftext|>", [4, 7, 7])]
fn texts_have_known_counts(#[case] text: &str, #[case] counts: [u64; 3]) {
    assert_eq!([Estimate, Cl100k, O200k].map(|it| it.count(text)), counts, "{text:?}");
}

/// The last texts are as long as the longest results of tools.
#[rstest]
#[case("a", 1_000_000, [125_000, 125_000])]
#[case("_", 1_000_000, [15_625, 15_625])]
#[case(" ", 1_000_000, [7_813, 7_813])]
#[case("\n", 1_000_000, [31_250, 62_500])]
#[case("1", 1_000_000, [333_334, 333_334])]
#[case("=", 1_000_000, [15_625, 15_625])]
#[case("\u{1f600}", 250_000, [500_000, 250_000])]
#[case("a\u{301}", 300_000, [600_000, 600_000])]
#[case("\n ", 500_000, [250_001, 250_001])]
#[case("a", 16 << 20, [2_097_152, 2_097_152])]
#[case("The quick brown fox. ", 800_000, [4_000_001, 4_000_001])]
fn hostile_texts_are_counted(#[case] unit: &str, #[case] times: usize, #[case] counts: [u64; 2]) {
    let text = unit.repeat(times);
    assert_eq!([Cl100k, O200k].map(|it| it.count(&text)), counts);
}

#[test]
fn a_text_is_counted_once_by_each_tokenizer() {
    let text = CountedText::new("hello world");
    assert_eq!([Estimate, Cl100k, O200k].map(|it| text.tokens(it)), [3, 2, 2]);
    assert_eq!(text.counts.map(|it| it.get_or_count(|| unreachable!())), [3, 2, 2]);
}

#[test]
fn a_text_with_fewer_bytes_than_there_is_room_is_not_counted() {
    let text = CountedText::new("hello world");
    assert_eq!(text.tokens_above(11, O200k), None);
    assert_eq!(text.counts[2].get_or_count(|| 7), 7, "nobody has counted it");
    let text = CountedText::new("hello world");
    assert_eq!([1, 2].map(|room| text.tokens_above(room, O200k)), [Some(2), None]);
}

#[test]
fn texts_that_come_again_are_counted_as_if_they_were_new() {
    let texts = RecurringTexts::default();
    let requests = [vec!["hello world", "a"], vec!["hello world", "b", "b"], vec![], vec!["a"]];
    for tokenizer in [O200k, O200k, Estimate, Cl100k, O200k] {
        for request in &requests {
            let counted: u64 = request.iter().map(|text| tokenizer.count(text)).sum();
            assert_eq!(texts.tokens(tokenizer, request.iter().copied()), counted, "{request:?}");
        }
    }
    assert_eq!(texts.0.into_inner().unwrap().1.len(), 1, "of the last request only");
}

#[test]
fn a_number_that_nobody_has_asked_for_stays_open() {
    let mut count = TokenCount::default();
    count.add(|| unreachable!("it is not known what it is added to"));
    assert_eq!(count.get_or_count(|| 3), 3);
    count.add(|| 4);
    assert_eq!(count.get_or_count(|| unreachable!()), 7);
}

#[test]
fn a_setting_of_an_older_journal_is_the_estimate() {
    let names = [Estimate, Cl100k, O200k].map(|it| serde_json::to_string(&it).unwrap());
    assert_eq!(names, [r#""estimate""#, r#""cl100k""#, r#""o200k""#]);
    assert_eq!(Tokenizer::default(), Estimate);
}
