//! The trace of a demo, as an author may write it, and a request that it is to answer: no panic, no
//! hang, the same answer each time, and what is read is written as it was.

#![no_main]

use kernel::chat::ChatRequest;
use kernel::trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let (trace, request) = data.split_once('\u{1}').unwrap_or((data, ""));
    let Ok(trace) = Trace::parse(trace) else { return };
    let written = serde_json::to_string(&trace).unwrap_or_default();
    assert_eq!(Trace::parse(&written).ok().as_ref(), Some(&trace), "{written}");
    let Ok(request) = serde_json::from_str::<ChatRequest>(request) else { return };
    let reply = trace.reply_to(&request);
    assert_eq!(trace.reply_to(&request), reply);
    assert!(reply.is_ok() || !trace.is_over(&request), "a script that is over says so");
});
