//! What was asked of a model: the requests of a conversation, and one of them as it was sent.

use kernel::bounds::LISTED_REQUESTS;
use kernel::code::{ErrorCode, Failure};
use kernel::ids::ConversationId;
use kernel::phrase::projects;
use kernel::requests::{
    Rebuilding, RequestList, RequestPurpose, RequestView, SentRequest, SentRequests,
};
use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::Sessions;
use crate::blocking::on_disk;
use crate::requests::shown::{PastRequests, RequestPair};

impl Sessions {
    /// The requests of a conversation, from its journal alone.
    pub(crate) async fn requests(
        &self,
        conversation: &ConversationId,
    ) -> Result<RequestList, Failure> {
        let listed = (SentRequests::default(), VecDeque::new());
        let (_, newest) = (self.store)
            .fold_lines(conversation, listed, |(count, newest), line| {
                if let Some(sent) = count.line(line) {
                    if newest.len() == LISTED_REQUESTS {
                        newest.pop_front();
                    }
                    newest.push_back(sent.row);
                }
                ControlFlow::Continue(())
            })
            .await?;
        let earlier = newest.front().map_or(0, |first| first.number - 1);
        Ok(RequestList { requests: newest.into(), earlier })
    }

    /// One request as it was sent: built again from the lines before it.
    pub(crate) async fn request(
        &self,
        conversation: &ConversationId,
        number: u64,
    ) -> Result<RequestView, Failure> {
        let wanted = self.find(conversation, number).await?.ok_or_else(|| {
            Failure::new(ErrorCode::RequestNotFound, projects::no_such_request(number))
                .with_action(projects::list_the_requests())
        })?;
        let run = self.conversation_ref(conversation).await?;
        let env = self.factory.bare_env(&run).await?;
        let (marks, former_marks) = self.factory.marks(&run).await?;
        let past = PastRequests { marks, former_marks, composer: env.composer.clone() };
        let rebuilding = Rebuilding::new(conversation.clone(), env, wanted.all());
        let rebuilding = self.store.fold_lines(conversation, rebuilding, |rebuilding, line| {
            if rebuilding.line(line) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut rebuilding = Box::pin(rebuilding).await?;
        on_disk(move || past.show(wanted, &mut rebuilding)).await
    }

    /// The request with this number, and the one before that it is compared with.
    async fn find(
        &self,
        conversation: &ConversationId,
        number: u64,
    ) -> Result<Option<RequestPair>, Failure> {
        let found: (SentRequests, Option<SentRequest>, Option<SentRequest>) = Default::default();
        let (_, before, request) = (self.store)
            .fold_lines(conversation, found, move |(count, before, request), line| {
                match count.line(line) {
                    Some(sent) if sent.row.number == number => {
                        *request = Some(sent);
                        return ControlFlow::Break(());
                    }
                    Some(sent) if sent.row.purpose == RequestPurpose::Reply => *before = Some(sent),
                    _ => {}
                }
                ControlFlow::Continue(())
            })
            .await?;
        Ok(request.map(|request| {
            let before = before.filter(|_| request.row.purpose == RequestPurpose::Reply);
            RequestPair { request, before }
        }))
    }
}
