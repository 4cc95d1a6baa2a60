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

/// The lines of a body, one by one, each ended by a line feed, whatever ended it: of a line that is
/// none the library would forget the rest of the piece, and of a line end that is cut in two it
/// would take the line feed after it for the second half.
pub(crate) fn lines<E: Send>(
    body: impl Stream<Item = Result<Bytes, E>> + Send,
) -> impl Stream<Item = Result<Bytes, E>> + Send {
    let mut half_ended = false;
    let whole_ends = body.map(move |piece| {
        let mut bytes = piece?;
        let Some(last) = bytes.last().copied() else { return Ok(bytes) };
        if half_ended && bytes.starts_with(b"\n") {
            bytes.advance(1);
        }
        half_ended = last == b'\r';
        Ok(bytes)
    });
    whole_ends.flat_map(|piece| stream::iter(lines_of(piece)))
}

/// The lines of a piece. What ends one with a carriage return comes by itself, as a line feed.
fn lines_of<E>(piece: Result<Bytes, E>) -> impl Iterator<Item = Result<Bytes, E>> {
    let mut rest = Some(piece);
    iter::from_fn(move || {
        let mut bytes = match rest.take()? {
            Ok(bytes) => bytes,
            cut @ Err(_) => return Some(cut),
        };
        let next = match memchr::memchr2(b'\n', b'\r', &bytes) {
            None if bytes.is_empty() => return None,
            None => return Some(Ok(bytes)),
            Some(0) => {
                let pair = bytes.starts_with(b"\r\n");
                bytes.advance(1 + usize::from(pair));
                Bytes::from_static(b"\n")
            }
            Some(at) => bytes.split_to(at + usize::from(bytes[at] == b'\n')),
        };
        rest = Some(Ok(bytes));
        Some(Ok(next))
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use sse_stream::SseStream;

    use super::*;

    /// The data of the events in a body that comes in these pieces.
    async fn events(pieces: Vec<Bytes>) -> Vec<Option<String>> {
        let body = stream::iter(pieces.into_iter().map(Ok::<_, Infallible>));
        let events = SseStream::from_bytes_stream(Box::pin(lines(body)));
        events.filter_map(async |event| event.ok().map(|event| event.data)).collect().await
    }

    /// Five parts after a line of data, wherever they are cut: each of the three line ends is one.
    #[tokio::test]
    async fn line_ends_are_counted_alike_however_a_body_is_cut() {
        const PARTS: [&str; 4] = ["\r", "\n", "data:b", "no line"];
        let choices = (0..4_usize.pow(5)).map(|n| (0..5).map(move |at| PARTS[n >> (2 * at) & 3]));
        for parts in choices.map(|parts| iter::once("data:a").chain(parts).collect::<Vec<_>>()) {
            let plain = parts.concat().replace("\r\n", "\n").replace('\r', "\n");
            let expected = events(vec![Bytes::from(plain)]).await;
            for cuts in 0..1 << 5 {
                let cut = (1..6).filter(|at| cuts >> (at - 1) & 1 == 1);
                let ends = cut.chain(iter::once(6));
                let pieces = ends.scan(0, |from, to| {
                    let piece = parts[*from..to].concat();
                    *from = to;
                    Some(Bytes::from(piece))
                });
                let pieces: Vec<Bytes> = pieces.collect();
                assert_eq!(events(pieces.clone()).await, expected, "{pieces:?}");
            }
        }
    }
}
