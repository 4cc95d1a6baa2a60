//! What a journal tells of a run's evidence: judgements, answers of the person, and when facts were
//! found (spec 06 "What clients see").

use crate::talk::{Talk, call, write};
use kernel::decision::DecisionStatus;
use kernel::engine::{Input, Limits};
use kernel::ids::MessageId;
use kernel::journal_snapshot::Page;
use kernel::policy::ApproveWrites;
use kernel::view::{GatheredEvidence, View};
use kernel::wire::{EvidenceView, Item};
use serde_json::json;

const NOTE: &str = "@project/docs/note.md";

fn gathered(talk: &Talk, mut gathered: GatheredEvidence) -> EvidenceView {
    talk.journal.iter().for_each(|line| gathered.line(line));
    gathered.into_view()
}

fn told(talk: &Talk) -> EvidenceView {
    gathered(talk, GatheredEvidence::default())
}

/// The items of the conversation, as a window has them.
fn items(talk: &Talk) -> Vec<Item> {
    let (mut view, mut page) = (View::default(), Page::new(0));
    for line in &talk.journal {
        page.take(view.project(line));
    }
    page.into_items()
}

fn asking() -> Talk {
    Talk::new(Limits { approve_writes: ApproveWrites::Ask, ..Limits::default() })
}

/// The model says that it is done until nobody asks it any more, and it is not.
fn claims() -> Talk {
    let mut talk = Talk::new(Limits::default());
    talk.reply("Which topic?", &[]);
    talk.say("Rain.");
    let add = json!({ "action": "add", "item": { "content": "Look" } });
    talk.reply("", &[call("todo_write", &add)]);
    while talk.thinks() {
        talk.reply("It is done.", &[]);
    }
    talk
}

#[test]
fn every_judgement_leads_to_the_item_that_shows_it() {
    let mut talk = claims();
    let rejected = talk.engine.record().rejected.clone().expect("words that were not accepted");
    talk.input(Input::AcceptAnyway(rejected.message_id.clone())).unwrap();
    let view = told(&talk);
    let statuses: Vec<DecisionStatus> = view.judgements.iter().map(|j| j.decision.status).collect();
    assert_eq!(statuses.first(), Some(&DecisionStatus::Incomplete), "the newest stands first");
    assert_eq!(statuses.last(), Some(&DecisionStatus::Accepted));
    assert!(statuses.contains(&DecisionStatus::Continue), "{statuses:?}");
    let items = items(&talk);
    for judgement in &view.judgements {
        let item = judgement.item.as_ref().expect("an item");
        assert!(items.iter().any(|it| it.id == *item), "{judgement:#?}");
        let line = talk.journal.iter().rfind(|line| line.seq <= judgement.seq).unwrap();
        assert_eq!(judgement.at, line.at);
    }
    let overruled: Vec<Option<&MessageId>> =
        view.judgements.iter().filter(|j| j.overruled).map(|j| j.item.as_ref()).collect();
    assert_eq!(overruled, [Some(&rejected.message_id)]);
}

#[test]
fn of_many_judgements_the_newest_are_told_and_how_many_there_are_before() {
    let talk = claims();
    let all = told(&talk).judgements;
    let few = gathered(&talk, GatheredEvidence::with_judgements(2));
    assert_eq!(few.judgements, all[..2]);
    assert_eq!(few.earlier_judgements, all.len() - 2);
}

#[test]
fn what_the_person_allowed_and_refused_is_told_with_the_change_and_where_it_was_asked() {
    let mut talk = asking();
    talk.reply("", &[write(NOTE, "one\n"), write("@project/other.md", "two\n")]);
    talk.answer(json!({ "confirmed": true }));
    talk.answer(json!({ "confirmed": false }));
    let view = told(&talk);
    let [refused, allowed] = &view.answers[..] else { panic!("two answers: {view:#?}") };
    assert_eq!(allowed.answer, json!({ "confirmed": true }));
    assert_eq!(refused.answer, json!({ "confirmed": false }));
    let change = allowed.change.as_ref().expect("the change that was shown");
    assert_eq!((change.path.to_string().as_str(), change.diff.as_str()), (NOTE, ""));
    let approvals = talk.snapshot().approvals;
    let known = approvals.iter().find(|it| it.change_id.as_ref() == Some(&change.id)).unwrap();
    assert_eq!(known.at, allowed.at);
    let items = items(&talk);
    for answer in [refused, allowed] {
        let item = items.iter().find(|it| it.id == answer.item).expect("the question");
        assert_eq!(item.seq, answer.seq);
    }
}

#[test]
fn a_question_that_nobody_answered_is_no_decision_of_the_person() {
    let mut talk = asking();
    talk.reply("", &[write(NOTE, "one\n")]);
    assert_eq!(told(&talk).answers, []);
}

#[test]
fn a_fact_says_when_it_was_found_and_by_which_tool() {
    let mut talk = Talk::new(Limits::default());
    talk.reply("", &[write("@project/artifacts/note.md", "one\n")]);
    let facts = talk.snapshot().facts;
    let fact = facts.iter().find(|it| it.tool.is_some()).expect("a fact of a call");
    assert_eq!(fact.tool.as_deref(), Some("fs.write"));
    let line = talk.journal.iter().rfind(|line| line.seq <= fact.seq).unwrap();
    assert_eq!(fact.at, line.at);
    assert!(facts.iter().all(|it| it.at.millis() > 0));
}
