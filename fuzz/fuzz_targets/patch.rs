//! A diff, as a model may write it, on a text: no panic, no hang, and never more or less than it
//! says.

#![no_main]

use kernel::patch::unified;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(data) = std::str::from_utf8(data) else { return };
    let Some((text, diff)) = data.split_once('\u{1}') else { return };
    let Ok(applied) = unified(text, diff) else { return };
    assert!(applied.hunks > 0, "a diff without hunks is no success");
    let signs = |sign: char| diff.lines().filter(|line| line.starts_with(sign)).count();
    let (old, new) = (text.lines().count(), applied.text.lines().count());
    assert!(new <= old + signs('+'), "lines came from nowhere: {:?}", applied.text);
    assert!(old <= new + signs('-'), "lines went that nobody deleted: {:?}", applied.text);
});
