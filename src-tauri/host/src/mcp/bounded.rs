//! What a server writes, as far as it is read: a stranger may write for ever.

use kernel::bounds::{MCP_CALL_BYTES, MCP_CALL_MESSAGES, MCP_LOG_BYTES, MCP_MESSAGE_BYTES};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt as _, ReadBuf};

/// Lines that are no messages before the first one that is: more than any program says at its start.
const STRAY_LINES: usize = 1000;

/// What was seen of a server's output.
#[derive(Debug, Default)]
pub(super) struct SeenOutput {
    /// Bytes since a call began.
    bytes: AtomicUsize,
    messages: AtomicUsize,
    /// Messages before that.
    before: AtomicUsize,
    stray: AtomicUsize,
    flooded: AtomicBool,
}

impl SeenOutput {
    /// A call begins: what the server says is counted from here.
    pub(super) fn begin(&self) {
        self.bytes.store(0, Ordering::Relaxed);
        self.before.store(self.messages.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Whether the server said more than is read.
    pub(super) fn flooded(&self) -> bool {
        self.flooded.load(Ordering::Relaxed)
    }

    /// Whether it has only ever written what is no message.
    pub(super) fn only_stray(&self) -> bool {
        self.messages.load(Ordering::Relaxed) == 0 && self.stray.load(Ordering::Relaxed) > 0
    }

    /// Takes note of an event with one message in it, or with what is none.
    ///
    /// # Errors
    /// When that is more than is read.
    pub(super) fn heard(&self, bytes: usize, is_message: bool) -> io::Result<()> {
        let counted = if is_message { &self.messages } else { &self.stray };
        counted.fetch_add(1, Ordering::Relaxed);
        self.within(bytes, bytes)
    }

    /// Counts bytes that were read, of a message that has `one` of them so far.
    fn within(&self, bytes: usize, one: usize) -> io::Result<()> {
        let all = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let stray = self.only_stray() && self.stray.load(Ordering::Relaxed) > STRAY_LINES;
        let messages = self.messages.load(Ordering::Relaxed);
        let many = messages > self.before.load(Ordering::Relaxed) + MCP_CALL_MESSAGES;
        if one > MCP_MESSAGE_BYTES || all > MCP_CALL_BYTES || many || stray {
            return Err(self.flood());
        }
        Ok(())
    }

    /// Takes note that the server said more than is read.
    pub(super) fn flood(&self) -> io::Error {
        self.flooded.store(true, Ordering::Relaxed);
        io::Error::other("more than is read")
    }
}

/// The output of a server up to where it is too much.
pub(super) struct Bounded<R> {
    inner: R,
    seen: Arc<SeenOutput>,
    /// Bytes of the line that is being read, and its first and last one that is no space.
    line: usize,
    ends: Option<(u8, u8)>,
}

impl<R> Bounded<R> {
    pub(super) fn new(inner: R, seen: Arc<SeenOutput>) -> Self {
        Self { inner, seen, line: 0, ends: None }
    }

    /// Counts what was read.
    fn count(&mut self, read: &[u8]) -> io::Result<()> {
        for piece in read.split_inclusive(|byte| *byte == b'\n') {
            let seen = piece.trim_ascii();
            if let (Some(first), Some(last)) = (seen.first(), seen.last()) {
                self.ends = Some((self.ends.map_or(*first, |(first, _)| first), *last));
            }
            self.line += piece.len();
            if piece.ends_with(b"\n") {
                self.line = 0;
                match self.ends.take() {
                    Some((b'{', b'}')) => _ = self.seen.messages.fetch_add(1, Ordering::Relaxed),
                    Some(_) => _ = self.seen.stray.fetch_add(1, Ordering::Relaxed),
                    None => {}
                }
            }
        }
        self.seen.within(read.len(), self.line)?;
        Ok(())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(cx, buf))?;
        let read = buf.filled()[before..].to_vec();
        Poll::Ready(self.count(&read))
    }
}

/// The last of what a server wrote to its standard error.
#[derive(Debug, Clone, Default)]
pub(super) struct LogTail(Arc<Mutex<Vec<u8>>>);

impl LogTail {
    /// Reads a stream to its end and keeps the last of it: its writer goes on whatever it writes.
    pub(super) fn read(&self, mut stream: impl AsyncRead + Send + Unpin + 'static) {
        let kept = Arc::clone(&self.0);
        tokio::spawn(async move {
            let mut piece = vec![0; 16 * 1024];
            while let Ok(read @ 1..) = stream.read(&mut piece).await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&piece[..read]);
                let over = kept.len().saturating_sub(MCP_LOG_BYTES);
                kept.drain(..over);
            }
        });
    }

    /// What there is of it. A beginning that may be the end of a key or a path is left out.
    pub(super) fn text(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept).into_owned();
        if kept.len() < MCP_LOG_BYTES {
            return text;
        }
        text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
    }
}
