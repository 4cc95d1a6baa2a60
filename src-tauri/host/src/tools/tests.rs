//! The tools against real folders. One fixture; one file a subject.

#[cfg(unix)]
mod corpus;
mod fixture;
mod logs;
mod patching;
mod reading;
#[cfg(unix)]
mod sandbox;
mod searching;
mod state;
mod writing;
