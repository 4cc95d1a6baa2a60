//! Streams of events are given to their reader line by line.

use bytes::{Buf as _, Bytes};
use futures_util::{Stream, StreamExt as _, stream};
use std::iter;

/// Whether a line is passed over, as the format wants it of one without a meaning: a field that
/// nobody knows, no field at all, a wait that is no number.
pub(crate) fn is_skipped(line: &sse_stream::Error) -> bool {
    use sse_stream::Error::{
        DuplicatedEventLine, DuplicatedIdLine, DuplicatedRetry, IntParse, InvalidLine,
    };
    matches!(
        line,
        InvalidLine | DuplicatedEventLine | DuplicatedIdLine | DuplicatedRetry | IntParse(_)
    )
}

/// The lines of a body, one by one: of a line that is none the library would forget the rest of the
/// piece, and with it the second half of a line end.
pub(crate) fn lines<E: Send>(
    body: impl Stream<Item = Result<Bytes, E>> + Send,
) -> impl Stream<Item = Result<Bytes, E>> + Send {
    let mut half_ended = false;
    let whole_ends = body.map(move |piece| {
        let mut bytes = piece?;
        if half_ended && bytes.starts_with(b"\n") {
            bytes.advance(1);
        }
        half_ended = bytes.last().map_or(half_ended, |last| *last == b'\r');
        Ok(bytes)
    });
    whole_ends.flat_map(|piece| stream::iter(lines_of(piece)))
}

/// The lines of a piece.
fn lines_of<E>(piece: Result<Bytes, E>) -> impl Iterator<Item = Result<Bytes, E>> {
    let mut rest = Some(piece);
    iter::from_fn(move || {
        let mut bytes = match rest.take()? {
            Ok(bytes) => bytes,
            cut @ Err(_) => return Some(cut),
        };
        let end = memchr::memchr2(b'\n', b'\r', &bytes).map(|at| {
            let pair = bytes[at..].starts_with(b"\r\n");
            at + 1 + usize::from(pair)
        });
        let Some(end) = end.filter(|end| *end < bytes.len()) else { return Some(Ok(bytes)) };
        let line = bytes.split_to(end);
        rest = Some(Ok(bytes));
        Some(Ok(line))
    })
}
