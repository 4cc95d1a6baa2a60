use super::*;
use crate::ids::CallId;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

fn call(args: &str) -> ReceivedCall {
    let (id, name) = (CallId::new("c"), "fs_read".into());
    ReceivedCall::new(ToolCall { id, name, arguments: args.into() })
}

/// A call of a file by number, whether it went well, and what it said.
type Made = (u32, bool, u32);

fn note(detector: &mut LoopDetector, (file, ok, said): Made) {
    let args = json!({ "path": format!("@project/{file}.md") }).to_string();
    detector.note(&call(&args), ok, &json!({ "said": said }));
}

/// After how many of these calls a loop was found, and how many rounds it had.
fn found_after(made: impl IntoIterator<Item = Made>) -> Option<(usize, usize)> {
    let mut detector = LoopDetector::default();
    made.into_iter().enumerate().find_map(|(n, made)| {
        note(&mut detector, made);
        detector.found().map(|found| (n + 1, found.times))
    })
}

#[test]
fn three_identical_failures_in_a_row_are_a_loop_whatever_the_order_of_keys() {
    let mut d = LoopDetector::default();
    d.note(&call(r#"{"a":1,"b":2}"#), false, &json!({"n": 1}));
    d.note(&call(r#"{"b":2,"a":1}"#), false, &json!({"n": 2}));
    assert_eq!(d.found(), None);
    d.note(&call(r#"{"a":1, "b":2}"#), false, &json!({"n": 3}));
    assert_eq!(d.found(), Some(&Loop { tools: vec!["fs_read".into()], times: 3 }));
}

#[test]
fn a_success_or_another_call_starts_again() {
    let tried = [false, false, true, false, false].map(|ok| (0, ok, 0));
    assert_eq!(found_after(tried), None);
    assert_eq!(found_after(tried.into_iter().chain([(1, false, 0)])), None);
}

#[rstest]
#[case::the_same_answer_five_times(1, true, 5, 5)]
#[case::two_alternating_failures(2, false, 6, 3)]
#[case::three_failures_in_turn(3, false, 9, 3)]
#[case::four_failures_in_turn(4, false, 12, 3)]
#[case::two_alternating_answers(2, true, 10, 5)]
#[case::four_answers_in_turn(4, true, 20, 5)]
fn a_round_of_up_to_four_calls_is_a_loop(
    #[case] round: u32,
    #[case] ok: bool,
    #[case] calls: usize,
    #[case] times: usize,
) {
    assert_eq!(found_after((0..40).map(|n| (n % round, ok, n % round))), Some((calls, times)));
}

#[test]
fn a_failure_and_an_unchanged_answer_in_turn_are_a_loop() {
    assert_eq!(found_after((0..40).map(|n| (n % 2, n % 2 == 0, 0))), Some((10, 5)));
}

#[test]
fn all_tools_of_a_round_are_named_once() {
    let mut d = LoopDetector::default();
    for name in ["fs_read", "fs_list", "fs_read"].iter().cycle().take(9) {
        let args = r#"{"path":"@project/x"}"#.to_owned();
        let call = ToolCall { id: CallId::new("c"), name: (*name).into(), arguments: args };
        d.note(&ReceivedCall::new(call), false, &json!(null));
    }
    assert_eq!(d.found().unwrap().tools, ["fs_read", "fs_list"]);
}

/// Replies of several reading calls that end in any order.
fn ended_in(orders: &[Vec<usize>], round: &[Made]) -> Option<usize> {
    let mut detector = LoopDetector::default();
    orders.iter().enumerate().find_map(|(reply, order)| {
        let call = |at: usize| {
            let args = json!({ "path": format!("@project/{}.md", round[at].0) }).to_string();
            let id = CallId::new(&format!("c{reply}-{at}"));
            ToolCall { id, name: "fs_read".into(), arguments: args }
        };
        let calls: Vec<ToolCall> = (0..round.len()).map(call).collect();
        detector.begin(&calls);
        let found = order.iter().any(|&at| {
            detector.note(
                &ReceivedCall::new(calls[at].clone()),
                round[at].1,
                &json!({ "said": round[at].2 }),
            );
            detector.found().is_some()
        });
        found.then_some(reply + 1)
    })
}

#[test]
fn a_loop_in_the_middle_of_a_reply_is_not_hidden_by_what_ends_before() {
    let round = [(0, false, 0), (0, false, 0), (0, false, 0), (1, true, 0)];
    assert_eq!(ended_in(&[vec![3, 2, 1, 0]], &round), Some(1));
    assert_eq!(ended_in(&[vec![0, 1, 2, 3]], &round), Some(1));
}

#[test]
fn a_guide_that_is_read_before_each_of_many_chapters_is_work() {
    let made = (0..50).flat_map(|n| [(0, true, 0), (n + 1, true, 0)]);
    assert_eq!(found_after(made), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Different calls, in any number, with whatever outcome.
    #[test]
    fn calls_that_differ_are_work(outcomes in prop::collection::vec((any::<bool>(), 0..2_u32), 0..80)) {
        let made = (0..).zip(outcomes).map(|(n, (ok, said))| (n, ok, said));
        prop_assert_eq!(found_after(made), None);
    }

    /// Waiting for something: the answer stays the same up to four times, then it is another.
    #[test]
    fn waiting_for_a_change_that_comes_is_work(waits in prop::collection::vec(1..5_usize, 1..30)) {
        let made = waits.iter().zip(0..).flat_map(|(times, said)| {
            std::iter::repeat_n((0, true, said), *times)
        });
        prop_assert_eq!(found_after(made), None);
    }

    /// A change between two looks: what was changed is another thing each time.
    #[test]
    fn looking_again_after_a_change_is_work(
        looks in prop::collection::vec((0..3_u32, any::<bool>(), 1..3_usize), 1..40),
    ) {
        let made = looks.iter().zip(100..).flat_map(|((file, ok, times), change)| {
            let look = std::iter::repeat_n((*file, *ok, 0), *times);
            std::iter::once((change, true, 0)).chain(look)
        });
        prop_assert_eq!(found_after(made), None);
    }

    /// Reading calls of one reply run at once.
    #[test]
    fn calls_made_at_once_count_in_the_order_they_were_made_in(
        fails in any::<bool>(),
        orders in prop::collection::vec(Just((0..4).collect::<Vec<usize>>()).prop_shuffle(), 5..6),
    ) {
        let round: Vec<Made> = (0..4).map(|file| (file, !fails, 0)).collect();
        prop_assert_eq!(ended_in(&orders, &round), Some(if fails { FAILING } else { UNCHANGED }));
    }

    /// Whatever came before, a round that goes on is seen, within its fifth time at the latest.
    #[test]
    fn a_round_is_seen_whatever_came_before(
        before in prop::collection::vec((0..4_u32, any::<bool>(), 0..3_u32), 0..30),
        round in prop::collection::vec((0..4_u32, any::<bool>(), 0..2_u32), 1..5),
    ) {
        let all_fail = round.iter().all(|(_, ok, _)| !ok);
        let times = if all_fail { FAILING } else { UNCHANGED };
        let again = std::iter::repeat_n(round.clone(), times).flatten();
        let made: Vec<Made> = before.iter().copied().chain(again).collect();
        prop_assert!(found_after(made).is_some());
    }
}
