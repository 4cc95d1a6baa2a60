//! The table of scenarios. Each is the good server but for what its row says.

use serde_json::Value;

use crate::server::{Request, Server};
use crate::{hello, lifetime, offers, questions, results, tools, trouble};

/// What a scenario does with a request.
type Act = fn(&Server, &Request);

/// What a server does at each turn.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Before anything is read.
    pub(crate) start: fn(&Server),
    pub(crate) initialize: Act,
    /// When the client has said that it is ready.
    pub(crate) initialized: fn(&Server),
    /// How the list of tools is answered.
    pub(crate) list: Act,
    /// The tools that `list` tells of, where it tells of any.
    pub(crate) tools: fn(&Server) -> Vec<Value>,
    /// How a call is answered, in a thread of its own.
    pub(crate) call: Act,
    /// The result that `call` answers with, where it answers with one.
    pub(crate) result: fn(&Server, &Request) -> Value,
    /// When the client has cancelled the request of this id.
    pub(crate) cancelled: fn(&Server, &Value),
    /// Every other request, by its method.
    pub(crate) other: fn(&Server, &str, &Request),
    /// When the client has closed standard input, or reads no longer.
    pub(crate) end: fn(),
    pub(crate) writes: Writes,
}

/// How bytes are written.
#[derive(PartialEq, Eq)]
pub(crate) enum Writes {
    Lines,
    CrlfLines,
    /// One byte at a time, each so many milliseconds after the one before.
    Dripping,
}

const fn good(name: &'static str) -> Scenario {
    Scenario {
        name,
        start: |_| {},
        initialize: hello::good,
        initialized: |_| {},
        list: tools::list,
        tools: tools::good,
        call: results::answer,
        result: results::good,
        cancelled: |_, _| {},
        other: offers::none,
        end: || {},
        writes: Writes::Lines,
    }
}

const fn starts(name: &'static str, start: fn(&Server)) -> Scenario {
    Scenario { start, ..good(name) }
}

const fn greets(name: &'static str, initialize: Act) -> Scenario {
    Scenario { initialize, ..good(name) }
}

const fn lists(name: &'static str, list: Act) -> Scenario {
    Scenario { list, ..good(name) }
}

const fn offers(name: &'static str, tools: fn(&Server) -> Vec<Value>) -> Scenario {
    Scenario { tools, ..good(name) }
}

const fn calls(name: &'static str, call: Act) -> Scenario {
    Scenario { call, ..good(name) }
}

const fn says(name: &'static str, result: fn(&Server, &Request) -> Value) -> Scenario {
    Scenario { result, ..good(name) }
}

const fn writes(name: &'static str, writes: Writes) -> Scenario {
    Scenario { writes, ..good(name) }
}

pub(crate) static SCENARIOS: &[Scenario] = &[
    good("good"),
    // Starting and greeting.
    starts("exits-at-once", lifetime::exit),
    starts("exits-nonzero-with-words-on-stderr", lifetime::exit_with_words),
    greets("exits-after-initialize", hello::and_exit),
    greets("never-answers-initialize", |_, _| {}),
    starts("garbage-before-initialize", trouble::garbage),
    starts("only-garbage", trouble::only_garbage),
    greets("unknown-protocol-version", hello::unknown_version),
    greets("initialize-error", hello::error),
    greets("capability-less", hello::capability_less),
    // Listing tools.
    lists("list-never-answers", |_, _| {}),
    lists("list-error", tools::list_error),
    lists("list-endless-pages", tools::list_endless_pages),
    lists("list-same-cursor", tools::list_same_cursor),
    offers("ten-thousand-tools", tools::ten_thousand),
    offers("huge-description", tools::huge_description),
    Scenario { result: results::name, ..offers("odd-names", tools::odd_names) },
    lists("deep-schema", tools::list_deep_schema),
    offers("schema-no-object", tools::schema_no_object),
    Scenario {
        call: tools::change_and_answer,
        ..offers("changes-tools-in-call", tools::changing_description_and_hints)
    },
    // The first option is the path of a file, in which the starts are counted.
    Scenario {
        start: tools::count_start,
        ..offers("changes-tools-at-restart", tools::changing_description)
    },
    // Calls that do not end as they should.
    calls("dies-in-call", |_, _| std::process::exit(1)),
    calls("hangs-in-call", |_, _| {}),
    calls("hangs-but-makes-progress", trouble::progress_without_end),
    calls("wrong-id", results::answer_to_nobody),
    calls("answers-twice", results::answer_twice),
    calls("request-with-our-id", questions::with_the_clients_id),
    calls("rpc-error-result", results::rpc_error),
    // A cancelled call is answered nonetheless, and no call without that.
    Scenario { cancelled: results::answer_cancelled, ..calls("ignores-cancel", |_, _| {}) },
    // Results that are no results.
    says("malformed-result", results::malformed),
    says("null-result", |_, _| Value::Null),
    calls("invalid-utf8", results::invalid_utf8),
    calls("deep-structured-content", results::deep_structured_content),
    // Results of every kind.
    says("tool-error", results::tool_error),
    says("forged-words", results::forged_words),
    says("echo-environment", results::environment),
    says("real-paths", results::real_paths),
    says("resource-result", results::resources),
    // Too much of everything. The first option of the two floods of notifications is after how many
    // the call is answered; without it they go on until it is cancelled.
    says("huge-result", results::huge),
    says("image-result", results::image),
    says("many-content-items", results::many_items),
    calls("endless-line", trouble::endless_line),
    calls("notification-flood", trouble::notification_flood),
    calls("progress-flood", trouble::progress_flood),
    // The first option is how many MiB a call writes.
    Scenario { start: trouble::stderr_drops, ..calls("stderr-flood", trouble::stderr_flood) },
    // Questions to the client.
    says("echo-roots", questions::roots),
    says("asks-sampling", questions::sampling),
    says("elicits", questions::form),
    says("elicits-url", questions::url),
    // With the option `at-once`, before the first is answered.
    says("elicits-hundred-times", questions::hundred_forms),
    // The options are its parts: `nested`, `many`, `password`, `invisible`. Without any it has all.
    says("elicits-hostile-schema", questions::hostile_form),
    Scenario {
        initialized: questions::form_without_a_call,
        ..says("elicits-without-a-call", questions::what_was_heard)
    },
    calls("elicits-and-hangs", questions::form_and_hang),
    // Bytes.
    writes("crlf-lines", Writes::CrlfLines),
    // The first option is how many milliseconds each byte takes.
    writes("slow-drip", Writes::Dripping),
    // Offering more than tools.
    Scenario {
        other: offers::resources_and_prompts,
        ..greets("resources-and-prompts", hello::with_resources_and_prompts)
    },
    Scenario {
        other: offers::hostile_prompts,
        ..greets("hostile-prompts", hello::with_resources_and_prompts)
    },
    Scenario {
        other: |_, _, _| {},
        ..greets("prompts-never-listed", hello::with_resources_and_prompts)
    },
    // The first option is the path of a file, into which the process ids are written.
    Scenario { end: lifetime::stay, ..starts("ignores-end", lifetime::deaf_with_child) },
];
