//! Demo traces of a package: one that cannot be read warns, as only the demo needs it.

use super::files::PackageReader;
use crate::bounds::TRACES;
use crate::phrase::{advice, findings};
use crate::trace::{Trace, is_trace};

/// Warns of traces that cannot be read.
pub(super) fn check(reading: &mut PackageReader<'_>) {
    let traces = reading.paths().filter(|path| is_trace(path)).take(TRACES);
    let paths: Vec<String> = traces.map(str::to_owned).collect();
    for path in paths {
        // What is too long or no text is told when it is played.
        let Some(Err(failure)) = reading.quiet_text(&path).map(|text| Trace::parse(&text)) else {
            continue;
        };
        let says = findings::demo_unusable(failure.to_part());
        reading.warning(&path, "demo-trace", says, advice::correct_trace());
    }
}
