//! The packages that are being looked at or installed now.

use kernel::wire::ReadPackage;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::packages::PackageReading;

/// Each with its path, and whether it is installed: of two alike the one that began last.
#[derive(Default)]
pub(super) struct PackageReadings(Arc<Mutex<Readings>>);

type Readings = BTreeMap<ReadPackage, PackageReading>;

/// Forgets a reading that is over.
pub(super) struct ReadingUnderWay {
    all: Arc<Mutex<Readings>>,
    of: ReadPackage,
    reading: PackageReading,
}

impl PackageReadings {
    /// A reading that begins, until the second value is dropped.
    pub(super) fn begin(&self, path: &str, installs: bool) -> (PackageReading, ReadingUnderWay) {
        let of = ReadPackage { path: path.to_owned(), installs };
        let reading = PackageReading::default();
        locked(&self.0).insert(of.clone(), reading.clone());
        let under_way = ReadingUnderWay { all: Arc::clone(&self.0), of, reading: reading.clone() };
        (reading, under_way)
    }

    pub(super) fn of(&self, of: &ReadPackage) -> Option<PackageReading> {
        locked(&self.0).get(of).cloned()
    }
}

impl Drop for ReadingUnderWay {
    fn drop(&mut self) {
        let mut all = locked(&self.all);
        if all.get(&self.of).is_some_and(|last| last.is_same(&self.reading)) {
            all.remove(&self.of);
        }
    }
}

fn locked(readings: &Mutex<Readings>) -> MutexGuard<'_, Readings> {
    readings.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_readings_of_one_path_the_last_is_meant_and_each_is_forgotten_with_its_end() {
        let all = PackageReadings::default();
        let (first, first_end) = all.begin("a.bmad", false);
        let (second, second_end) = all.begin("a.bmad", false);
        let (install, install_end) = all.begin("a.bmad", true);
        let of = |installs| all.of(&ReadPackage { path: "a.bmad".to_owned(), installs });
        of(false).unwrap().stop();
        assert_eq!(
            [&first, &second, &install].map(PackageReading::is_stopped),
            [false, true, false]
        );
        drop(first_end);
        assert!(of(false).unwrap().is_same(&second));
        drop((second_end, install_end));
        assert!(of(false).is_none() && of(true).is_none());
    }
}
