//! How much is taken of servers of the Model Context Protocol.

/// Servers that a person sets up.
pub const MCP_SERVERS: usize = 100;
/// Bytes of the name of a server.
pub const MCP_NAME_BYTES: usize = 64;
/// Bytes of a command, an argument, an address or a value.
pub const MCP_TEXT_BYTES: usize = 32 * 1024;
/// Arguments of a command.
pub const MCP_ARGUMENTS: usize = 200;
/// Names that are added to an environment, or headers.
pub const MCP_ENVIRONMENT: usize = 200;
/// Tools of one server. Models choose badly among more.
pub const MCP_TOOLS: usize = 200;
/// Pages of a list of tools that are asked for.
pub const MCP_PAGES: usize = 50;
/// Bytes of the name of a tool.
pub const MCP_TOOL_NAME_BYTES: usize = 128;
/// Bytes of what a tool says it does; the rest is cut.
pub const MCP_DESCRIPTION_BYTES: usize = 4096;
/// Bytes of the schema of a tool.
pub const MCP_SCHEMA_BYTES: usize = 64 * 1024;
/// Levels of the schema of a tool.
pub const MCP_SCHEMA_LEVELS: usize = 32;
/// Bytes of the descriptions and schemas of all tools of a server.
pub const MCP_TOOLS_BYTES: usize = 1024 * 1024;
/// Prompts of one server; the others are left out.
pub const MCP_PROMPTS: usize = 200;
/// Arguments of a prompt.
pub const MCP_PROMPT_ARGUMENTS: usize = 50;
/// Bytes of the text that a prompt is.
pub const MCP_PROMPT_BYTES: usize = 64 * 1024;
/// Resources of one server; the others are left out.
pub const MCP_RESOURCES: usize = 200;
/// Bytes of the address of a resource.
pub const MCP_URI_BYTES: usize = 2048;
/// Bytes of what a prompt or a resource says of itself; the rest is cut.
pub const MCP_OFFER_BYTES: usize = 500;
/// Seconds that a server has to list its prompts, and its resources.
pub const MCP_OFFER_SECONDS: u64 = 5;
/// Messages to a server of the first version that may be on their way at a time.
pub const MCP_POSTS: usize = 8;
/// Seconds that it may take to take one.
pub const MCP_POST_SECONDS: u64 = 30;
/// Bytes of all that a server says of its prompts and resources; the rest is left out.
pub const MCP_OFFERS_BYTES: usize = 256 * 1024;
/// Bytes of what a server says that it does in a call; the rest is cut.
pub const MCP_PROGRESS_BYTES: usize = 300;
/// Milliseconds that what it says so stands at least.
pub const MCP_PROGRESS_MILLIS: u64 = 100;
/// Bytes of what a server says of how one signs in there, when it lets nobody in.
pub const MCP_CHALLENGE_BYTES: usize = 8 * 1024;
/// Bytes of an answer of whoever lets the person sign in at a server.
pub const MCP_SIGN_IN_BYTES: usize = 256 * 1024;
/// Questions that are asked before the person is shown where they sign in, and after it.
pub const MCP_SIGN_IN_REQUESTS: usize = 64;
/// Seconds that an answer to one of them may take.
pub const MCP_SIGN_IN_REQUEST_SECONDS: u64 = 20;
/// Seconds that all may take until the person is shown where they sign in.
pub const MCP_SIGN_IN_PAGE_SECONDS: u64 = 60;
/// Bytes of the address of the page where they do.
pub const MCP_SIGN_IN_URL_BYTES: usize = 8 * 1024;
/// Seconds that the person has to sign in.
pub const MCP_SIGN_IN_WAIT_SECONDS: u64 = 600;
/// Bytes of what is kept of a person who is signed in at a server.
pub const MCP_ACCOUNT_BYTES: usize = 64 * 1024;
/// Seconds that another program may take to renew a token.
pub const MCP_TOKEN_LOCK_SECONDS: u64 = 30;
/// Bytes of one message of a server.
pub const MCP_MESSAGE_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of all that a server says during one call.
pub const MCP_CALL_BYTES: usize = 64 * 1024 * 1024;
/// Messages of a server during one call.
pub const MCP_CALL_MESSAGES: usize = 20_000;
/// Bytes that are kept of what a server writes to its standard error: the last ones.
pub const MCP_LOG_BYTES: usize = 64 * 1024;
/// Seconds that a server has to start, and to list its tools.
pub const MCP_START_SECONDS: u64 = 60;
/// Seconds that a call may take without a sign of life, and in all.
pub const MCP_CALL_SECONDS: u64 = 120;
/// See [`MCP_CALL_SECONDS`].
pub const MCP_CALL_SECONDS_IN_ALL: u64 = 3600;
/// Items of the result of a call.
pub const MCP_CONTENTS: usize = 1000;
/// Questions that a server asks the person during one call.
pub const MCP_QUESTIONS: usize = 10;
