//! The same done to many files, several at a time: what takes long is that each is flushed, and disks
//! flush several as fast as one.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

/// Files that are worked on at once. Each may lie in memory meanwhile.
const AT_ONCE: usize = 4;
/// Fewer are worked on one after the other.
const MANY: usize = 16;

/// What comes of each item, in their order. They are begun in their order, too, and after a panic no
/// other one is begun. `own` is what this thread works with, `another` makes the same for others.
pub(super) fn each<W: Send, T: Sync, R: Send>(
    items: &[T],
    own: &mut W,
    another: impl Fn(&W) -> W,
    work: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    if items.len() < MANY {
        return items.iter().map(|item| work(own, item)).collect();
    }
    let line = Line { items, next: AtomicUsize::new(0), panicked: AtomicBool::new(false) };
    let others: Vec<W> = (1..AT_ONCE).map(|_| another(own)).collect();
    let mut done = thread::scope(|scope| {
        let (line, work) = (&line, &work);
        // Where the system has no more threads, there are fewer.
        let spawn = |mut with: W| {
            thread::Builder::new().spawn_scoped(scope, move || line.work_off(&mut with, work)).ok()
        };
        let threads: Vec<_> = others.into_iter().filter_map(spawn).collect();
        let mut done = line.work_off(own, work);
        for joined in threads.into_iter().map(ScopedJoinHandle::join) {
            done.extend(joined.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, came)| came).collect()
}

/// Items that wait for whoever is free.
struct Line<'t, T> {
    items: &'t [T],
    next: AtomicUsize,
    panicked: AtomicBool,
}

impl<T> Line<'_, T> {
    /// Works on what is next until nothing is left; each result with its place.
    fn work_off<W, R>(&self, with: &mut W, work: impl Fn(&mut W, &T) -> R) -> Vec<(usize, R)> {
        let _told = TellsPanic(&self.panicked);
        let mut done = Vec::new();
        while !self.panicked.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = self.items.get(at) else { break };
            done.push((at, work(with, item)));
        }
        done
    }
}

/// Tells the others when its thread panics.
struct TellsPanic<'p>(&'p AtomicBool);

impl Drop for TellsPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::{Barrier, Mutex};
    use std::time::Duration;

    #[test]
    fn what_comes_of_each_is_in_their_order_however_many_work() {
        for count in [0, 1, MANY - 1, MANY, 500] {
            let items: Vec<usize> = (0..count).collect();
            let came = each(&items, &mut (), |()| (), |(), item| item * 2);
            assert_eq!(came, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn several_are_worked_on_at_once() {
        let all = Barrier::new(AT_ONCE);
        let own = Mutex::new(0);
        let another = |_: &usize| {
            *own.lock().unwrap() += 1;
            *own.lock().unwrap()
        };
        // Nobody comes past the barrier alone.
        let who = each(&[(); MANY], &mut 0, another, |who, ()| {
            all.wait();
            *who
        });
        assert_eq!(who.iter().collect::<std::collections::BTreeSet<_>>().len(), AT_ONCE);
    }

    #[test]
    fn after_a_panic_nothing_else_is_begun_and_it_is_passed_on() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..10_000).collect();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            each(
                &items,
                &mut (),
                |()| (),
                |(), item| {
                    begun.fetch_add(1, Ordering::Relaxed);
                    // A panic takes its time to be told: its backtrace is written first.
                    thread::sleep(Duration::from_millis(1));
                    assert_ne!(*item, 20, "a file that a library cannot bear");
                },
            )
        }));
        assert!(panicked.is_err());
        assert!(begun.into_inner() < items.len());
    }
}
