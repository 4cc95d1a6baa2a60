//! What was made last, of the same values: most blocks of a prompt are those of the request before.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How much is remembered. A few conversations share a composer, each with one agent at a time.
const REMEMBERED: usize = 8;

/// Remembers what follows from its key and from nothing else.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    /// The newest first.
    made: Mutex<VecDeque<(K, V)>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { made: Mutex::default() }
    }
}

impl<K, V: Clone> Memo<K, V> {
    /// What was made of the key that `is` it; made now, and remembered, when it was not.
    pub(super) fn get<E>(
        &self,
        is: impl Fn(&K) -> bool,
        make: impl FnOnce() -> Result<(K, V), E>,
    ) -> Result<V, E> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = made.iter().find(|(key, _)| is(key)) {
            return Ok(value.clone());
        }
        let (key, value) = make()?;
        made.truncate(REMEMBERED - 1);
        made.push_front((key, value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_the_oldest_is_forgotten() {
        let (memo, made) = (Memo::default(), std::cell::Cell::new(0));
        let get = |n: usize| {
            let make = || {
                made.set(made.get() + 1);
                Ok::<_, ()>((n, n * 2))
            };
            memo.get(|key| *key == n, make).unwrap()
        };
        assert_eq!([get(1), get(1), get(2), get(1)], [2, 2, 4, 2]);
        assert_eq!(made.get(), 2);
        (10..10 + REMEMBERED).for_each(|n| _ = get(n));
        assert_eq!((get(1), made.get()), (2, 3 + REMEMBERED));
    }

    #[test]
    fn what_fails_is_tried_again() {
        let memo = Memo::<u8, u8>::default();
        assert_eq!(memo.get(|_| true, || Err("no")), Err("no"));
        assert_eq!(memo.get(|_| true, || Ok::<_, ()>((1, 2))), Ok(2));
    }
}
