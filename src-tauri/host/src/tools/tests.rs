//! The tools against real folders. One fixture; one file a subject.

#[cfg(unix)]
mod corpus;
mod crowded;
pub(super) mod fixture;
mod giving;
mod guessing;
mod ignoring;
mod logs;
mod moving;
mod patching;
mod previewing;
#[cfg(unix)]
mod races;
mod reading;
mod restoring;
mod rewinding;
mod sacred;
#[cfg(unix)]
mod sandbox;
mod searching;
mod state;
mod stopping;
mod stores;
mod verifying;
mod viewing;
mod writing;
