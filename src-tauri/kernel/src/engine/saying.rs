//! What the person says.

use super::draft::LineDraft;
use super::input::{Refusal, WordsWithFiles, may_be_said, refusal};
use crate::bounds::{GIVEN_FILES, MENTIONS};
use crate::code::{ErrorCode, Failure};
use crate::event::{Event, UserSaid};
use crate::ids::NodeId;
use crate::mention::{GivenFile, Withheld};
use crate::phrase::engine as said;

impl LineDraft<'_> {
    /// The person says something while it is their move.
    pub(super) fn say(&mut self, words: &WordsWithFiles) -> Result<(), Refusal> {
        self.must_rest()?;
        if words.text.trim().is_empty() {
            return Err(refusal(ErrorCode::BadRequest, said::nothing_to_send()));
        }
        if words.to.as_ref().is_some_and(|to| *to != self.core.mode) {
            let failure = Failure::new(ErrorCode::NotNow, said::said_to_another());
            return Err(Refusal(failure.with_action(said::look_and_say_again())));
        }
        self.close_queue(
            ErrorCode::Interrupted,
            "the call was not run: the user wrote something new",
        );
        let for_node_id = self.named_node();
        self.say_from(words, for_node_id)
    }

    /// The same at a node, without a look at whose move it is.
    pub(super) fn say_from(
        &mut self,
        words: &WordsWithFiles,
        for_node_id: Option<NodeId>,
    ) -> Result<(), Refusal> {
        let told = words.told.as_ref().map_or(0, String::len);
        may_be_said(words.text.len().max(told))?;
        self.push(Event::UserSaid(UserSaid {
            message_id: self.message_id(),
            text: words.text.clone(),
            told: words.told.clone(),
            for_node_id,
            files: given(&words.files),
        }));
        Ok(())
    }
}

/// No more files than one input may mention, and nothing of more than it may bring.
pub(super) fn given(files: &[GivenFile]) -> Vec<GivenFile> {
    let mut shown = 0;
    let mut bounded = |file: &GivenFile| {
        shown += usize::from(file.withheld.is_none());
        if file.withheld.is_some() || shown <= GIVEN_FILES {
            return file.clone();
        }
        GivenFile::withheld(file.path.clone(), Withheld::TooMany)
    };
    files.iter().take(MENTIONS).map(&mut bounded).collect()
}
