//! What was asked of a model: every request of every story, in every way that stories run, is built
//! again from the journal as it was sent.

use crate::world::World;
use host::crewrun::request_hash;
use kernel::engine::{Env, Limits};
use kernel::requests::{Built, Rebuilding, RequestEnd, SentRequest, SentRequests};

pub(crate) fn every_request_can_be_seen_again(world: &World) {
    let mut count = SentRequests::default();
    let sent: Vec<SentRequest> = world.journal.iter().filter_map(|line| count.line(line)).collect();
    assert!(sent.iter().map(|it| it.row.number).eq(1..=sent.len() as u64));
    // The settings are those of the journal.
    let env = Env { limits: Limits::default(), ..world.env().clone() };
    let mut rebuilding = Rebuilding::new(world.conversation().clone(), env, &sent);
    let mut done = sent.is_empty();
    for line in &world.journal {
        done = rebuilding.line(line);
    }
    assert!(done, "every request was built");
    for one in &sent {
        let SentRequest { row, sha256, .. } = one;
        let rebuilt = rebuilding.take(row.seq);
        let rebuilt = rebuilt.unwrap_or_else(|| panic!("{:?}: nothing led to {one:?}", world.way));
        let Some(sha256) = sha256 else {
            assert!(!matches!(row.end, RequestEnd::NotAccepted), "{one:?}");
            continue;
        };
        let Built::Turn { request, messages } = rebuilt.unwrap().built else {
            panic!("a summary has no hash: {one:?}")
        };
        assert_eq!(request_hash(&request), *sha256, "{:?}: {row:?}", world.way);
        assert!(world.requests.contains(&request), "it is one that was sent");
        assert!(messages.iter().map(|it| &it.message).eq(&request.messages));
    }
    let replied = |row: &&SentRequest| row.sha256.is_some();
    assert_eq!(sent.iter().filter(replied).count() as u64, world.replies());
}
