//! How far a server is with a call, as it says itself: as often as somebody can read it.

use kernel::bounds::{MCP_PROGRESS_BYTES, MCP_PROGRESS_MILLIS};
use kernel::text::prefix;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use std::time::Duration;
use tokio::time::Instant;

/// How often what stands there is longer than what is shown: a path or a key is found whole.
const BEYOND: usize = 8;

/// What a server says of a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidProgress {
    token: ProgressToken,
    done: f64,
    progress: CallProgress,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallProgress {
    /// How much is done, of 100, where it says how much there is.
    pub(crate) percent: Option<u8>,
    /// What it does, in its words.
    pub(crate) message: Option<String>,
}

impl From<ProgressNotificationParam> for SaidProgress {
    fn from(said: ProgressNotificationParam) -> Self {
        let share = said.total.map(|total| said.progress / total * 100.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is clamped"
        )]
        let percent = share.filter(|share| share.is_finite()).map(|it| it.clamp(0.0, 100.0) as u8);
        let short = |text: String| prefix(&text, MCP_PROGRESS_BYTES * BEYOND).to_owned();
        let progress = CallProgress { percent, message: said.message.map(short) };
        Self { token: said.progress_token, done: said.progress, progress }
    }
}

/// The progress of one call.
pub(super) struct Pace {
    token: ProgressToken,
    done: f64,
    /// What was said last, and not told yet.
    pending: Option<CallProgress>,
    /// When somebody may be told next.
    next: Instant,
}

impl Pace {
    /// Of the request with this token.
    pub(super) fn new(token: ProgressToken) -> Self {
        Self { token, done: f64::NEG_INFINITY, pending: None, next: Instant::now() }
    }

    /// Takes what a server says; whether it is about this call. What comes late says nothing.
    pub(super) fn take(&mut self, said: SaidProgress) -> bool {
        if said.token != self.token {
            return false;
        }
        if said.done >= self.done {
            self.done = said.done;
            self.pending = Some(said.progress);
        }
        true
    }

    /// Waits until somebody is to be told something.
    pub(super) async fn due(&mut self) -> CallProgress {
        tokio::time::sleep_until(self.next).await;
        match self.pending.take() {
            Some(progress) => {
                self.next = Instant::now() + Duration::from_millis(MCP_PROGRESS_MILLIS);
                progress
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::NumberOrString;

    fn said(token: i64, done: f64, total: Option<f64>) -> SaidProgress {
        let token = ProgressToken(NumberOrString::Number(token));
        let mut param = ProgressNotificationParam::new(token, done);
        param.total = total;
        param.into()
    }

    #[test]
    fn a_share_is_a_number_of_a_hundred_or_none() {
        let percent = |done, total| said(1, done, total).progress.percent;
        assert_eq!(percent(1.0, Some(4.0)), Some(25));
        assert_eq!(percent(9.0, Some(4.0)), Some(100));
        assert_eq!(percent(-1.0, Some(4.0)), Some(0));
        for (done, total) in
            [(1.0, None), (0.0, Some(0.0)), (f64::NAN, Some(1.0)), (1.0, Some(0.0))]
        {
            assert_eq!(percent(done, total), None, "{done} of {total:?}");
        }
    }

    #[tokio::test]
    async fn the_newest_is_told_and_not_each_of_many() {
        let mut pace = Pace::new(ProgressToken(NumberOrString::Number(1)));
        assert!(!pace.take(said(2, 90.0, Some(100.0))), "that of another request");
        for done in [1.0, 2.0, 3.0, 2.0] {
            assert!(pace.take(said(1, done, Some(100.0))));
        }
        let begun = Instant::now();
        assert_eq!(pace.due().await.percent, Some(3));
        pace.take(said(1, 4.0, Some(100.0)));
        assert_eq!(pace.due().await.percent, Some(4));
        assert!(begun.elapsed() >= Duration::from_millis(MCP_PROGRESS_MILLIS));
        let more = tokio::time::timeout(2 * (Instant::now() - begun), pace.due()).await;
        assert!(more.is_err(), "there is nothing to tell");
    }
}
