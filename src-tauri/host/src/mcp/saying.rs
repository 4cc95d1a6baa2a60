//! What a server says during a call to whoever called it.

use super::client::ServerQuestion;
use super::progress::CallProgress;

/// What is heard of a server while it works on a call.
pub(crate) enum Saying {
    /// It asks the person.
    Question(ServerQuestion),
    /// How far it is.
    Progress(CallProgress),
}
