//! Servers of models, what they say, and what is kept of it.

/// Bytes of an answer, as it comes: a longer one is none.
pub const ANSWER_BYTES: usize = 8 * 1024 * 1024;
/// Values of one JSON document of a server; an answer of a model has some hundreds.
pub const ANSWER_VALUES: usize = 100_000;
/// Bytes that are read of the body of an error.
pub const ERROR_BYTES: usize = 64 * 1024;
/// Characters of a server's words in a message.
pub const SERVER_WORDS: usize = 500;
/// Bytes of a server's list of models, or of what it tells of one: the largest list known has some
/// hundred models.
pub const FACTS_BYTES: usize = 4 * 1024 * 1024;
/// The same of a server on this machine that is looked for.
pub const LOCAL_LIST_BYTES: usize = 1024 * 1024;
/// Models that a test lists.
pub const MODELS: usize = 200;
/// How often in a row a model is let go on by itself with words that were cut at the output limit.
pub const CUT_REPLIES: u32 = 2;
/// Models that a person may give prices of.
pub const MODEL_PRICES: usize = 200;
/// Bytes of the name that such a price is given for.
pub const PRICED_NAME_BYTES: usize = 200;
/// Models of a conversation that are counted apart.
pub const COUNTED_MODELS: usize = 16;
/// Servers of which is kept what they taught, the newest.
pub const TAUGHT_SERVERS: usize = 200;
/// Days for which that is kept: a server may learn to take what it refused.
pub const TAUGHT_DAYS: i64 = 30;
/// Bytes of the file with it.
pub const TAUGHT_BYTES: u64 = 1024 * 1024;
/// Models that answered are remembered so many; the last to answer are kept.
pub const KNOWN_MODELS: usize = 8;
/// Bytes of what is remembered of one: a longer one is not remembered.
pub const KNOWN_MODEL_BYTES: usize = 4 * 1024;
/// The file that remembers them.
pub const KNOWN_MODELS_BYTES: u64 = 64 * 1024;
/// Requests of a conversation that are listed, the newest.
pub const LISTED_REQUESTS: usize = 1000;
/// Bytes of a request to the demo server.
pub const SERVED_REQUEST_BYTES: usize = 32 * 1024 * 1024;
/// Requests that the demo server remembers.
pub const SERVED_REQUESTS: usize = 64;

/// How many tokens a model may be said to read, at least and at most.
pub const CONTEXT_TOKENS: (u32, u32) = (512, 100_000_000);

/// Rules of a demo trace: each is looked at for every request.
pub const TRACE_RULES: usize = 500;
