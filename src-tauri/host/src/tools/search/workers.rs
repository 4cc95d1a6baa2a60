//! Threads that look into files, in batches. The batches are numbered and put together in their
//! order; a batch is never looked at in a result before all those before it.

use cap_std::fs::Dir;
use kernel::path::AliasPath;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use tokio_util::sync::CancellationToken;

use super::look::{Found, Wanted, search_file, searcher};
use super::sought::Sought;
use crate::tools::walk;

/// Files in one batch.
const BATCH: usize = 32;
/// Batches that wait. Each file holds its folder open.
const WAITING: usize = 4;
/// Threads beside the one that goes through the folders.
const MOST_THREADS: usize = 3;

struct Job {
    folder: Arc<Dir>,
    name: String,
    path: AliasPath,
}

/// See the module.
pub(super) struct WorkerPool<'c, 'm> {
    sought: &'c Sought,
    wanted: Wanted<'m>,
    cancel: &'c CancellationToken,
    queue: Mutex<Queue<'m>>,
    changed: Condvar,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Queue<'m> {
    open: Vec<Job>,
    waiting: VecDeque<(usize, Vec<Job>)>,
    done: BTreeMap<usize, Found<'m>>,
    /// Batches made, and put together.
    made: usize,
    merged: usize,
    closed: bool,
}

impl<'c, 'm> WorkerPool<'c, 'm> {
    pub(super) fn new(
        sought: &'c Sought,
        wanted: Wanted<'m>,
        cancel: &'c CancellationToken,
    ) -> Self {
        let (queue, changed) = (Mutex::default(), Condvar::new());
        Self { sought, wanted, cancel, queue, changed, stopped: AtomicBool::new(false) }
    }

    /// Starts the threads.
    pub(super) fn spawn<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        for _ in 0..(cores - 1).clamp(1, MOST_THREADS) {
            scope.spawn(|| {
                let _stops = self.stop_at_end();
                while let Some((number, batch)) = self.next() {
                    let found = self.look(&batch);
                    self.queue().done.insert(number, found);
                    self.changed.notify_all();
                }
            });
        }
    }

    /// One more file. When enough wait already, this thread lends a hand.
    pub(super) fn add(&self, file: &walk::WalkedEntry<'_>, out: &mut Found<'m>) {
        let mut queue = self.queue();
        let (folder, name) = (Arc::clone(file.folder), file.name.to_owned());
        queue.open.push(Job { folder, name, path: file.path.clone() });
        if queue.open.len() < BATCH {
            return;
        }
        queue.close_batch();
        self.changed.notify_all();
        let crowded = queue.waiting.len() > WAITING;
        let mine = if crowded { queue.waiting.pop_front() } else { None };
        drop(queue);
        if let Some((number, batch)) = mine {
            let found = self.look(&batch);
            self.queue().done.insert(number, found);
        }
        self.queue().merge(out);
    }

    /// Looks into all that is left and puts everything together.
    pub(super) fn finish(&self, out: &mut Found<'m>) {
        self.queue().close_batch();
        loop {
            let mut queue = self.queue();
            queue.merge(out);
            let all = out.hits.full || queue.merged == queue.made;
            if all || queue.closed || self.cancel.is_cancelled() {
                return;
            }
            if let Some((number, batch)) = queue.waiting.pop_front() {
                drop(queue);
                let found = self.look(&batch);
                self.queue().done.insert(number, found);
            } else if !queue.done.contains_key(&queue.merged) {
                // Another thread has it and tells.
                drop(self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Ends the work of all when it is dropped, also by a panic: nobody is left waiting for a batch
    /// that never comes, or for files that nobody adds.
    pub(super) fn stop_at_end(&self) -> StopAtEnd<'_, 'c, 'm> {
        StopAtEnd(self)
    }

    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        self.queue().closed = true;
        self.changed.notify_all();
    }

    fn queue(&self) -> MutexGuard<'_, Queue<'m>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch; `None` when there will be none.
    fn next(&self) -> Option<(usize, Vec<Job>)> {
        let mut queue = self.queue();
        loop {
            if queue.closed {
                return None;
            }
            if let Some(batch) = queue.waiting.pop_front() {
                return Some(batch);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn look(&self, batch: &[Job]) -> Found<'m> {
        let mut out = Found::new(self.wanted);
        let mut searcher = searcher(self.wanted);
        for Job { folder, name, path } in batch {
            let stop = self.stopped.load(Ordering::Relaxed) || self.cancel.is_cancelled();
            if stop || out.hits.full {
                break;
            }
            search_file(self.sought, &mut searcher, self.cancel, &mut out, folder, name, path);
        }
        out
    }
}

/// See [`WorkerPool::stop_at_end`].
pub(super) struct StopAtEnd<'p, 'c, 'm>(&'p WorkerPool<'c, 'm>);

impl Drop for StopAtEnd<'_, '_, '_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<'m> Queue<'m> {
    fn close_batch(&mut self) {
        if !self.open.is_empty() {
            let batch = std::mem::take(&mut self.open);
            self.waiting.push_back((self.made, batch));
            self.made += 1;
        }
    }

    /// Takes over what is done and next in order. Once there is enough, nothing is added.
    fn merge(&mut self, out: &mut Found<'m>) {
        while !out.hits.full
            && let Some(found) = self.done.remove(&self.merged)
        {
            self.merged += 1;
            out.scanned += found.scanned;
            out.skipped += found.skipped;
            out.hits.append(found.hits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Marks;

    #[test]
    fn nobody_waits_for_the_batch_of_a_thread_that_panics() {
        let (marks, cancel) = (Marks::default(), CancellationToken::new());
        let path = AliasPath::parse("@project").unwrap();
        let sought = Sought::new(&path, marks.lens(&path, 0), "word", false).unwrap();
        let wanted = Wanted { before: 0, after: 0, max: 1, marks: &marks };
        let workers = WorkerPool::new(&sought, wanted, &cancel);
        workers.queue().waiting.push_back((0, Vec::new()));
        workers.queue().made = 1;
        assert!(workers.next().is_some(), "another thread has the only batch");
        let panicked = std::thread::scope(|scope| {
            let panicking = scope.spawn(|| {
                let _stops = workers.stop_at_end();
                panic!("a file that a library cannot bear");
            });
            workers.finish(&mut Found::new(wanted));
            panicking.join().is_err()
        });
        assert!(panicked && workers.next().is_none());
    }
}
