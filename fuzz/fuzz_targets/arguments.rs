//! The arguments of a call, as a model may write them: no panic, and what is accepted stays
//! accepted in the form it was given and names no place outside the mounts.

#![no_main]

use kernel::path::AliasPath;
use kernel::tool::{BUILT_IN, ToolInput, parse_call};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((choice, rest)) = data.split_first() else { return };
    let Ok(arguments) = std::str::from_utf8(rest) else { return };
    let name = BUILT_IN[usize::from(*choice) % BUILT_IN.len()].name;
    let call = match parse_call(name, arguments) {
        Ok(call) => call,
        Err(failure) => {
            assert!(!failure.message.is_empty());
            return;
        }
    };
    let again = parse_call(name, &call.args().to_string());
    assert_eq!(again.as_ref(), Ok(&call), "the checked form is accepted and means the same");
    for path in call.paths() {
        assert!(path.rel().split('/').all(|segment| segment != ".."));
        assert_eq!(AliasPath::parse(&path.to_string()).as_ref(), Ok(path));
    }
    if let ToolInput::Glob(call) = &call.input {
        let pattern = &call.args.pattern;
        assert!(!pattern.starts_with('/') && pattern.split('/').all(|segment| segment != ".."));
    }
});
