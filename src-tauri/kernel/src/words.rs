//! The words of every error code, in both languages: what happened, what to do. Total over
//! [`ErrorCode`](crate::code::ErrorCode) at compile time.

use crate::code::ErrorCode;

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    /// 简体中文
    Zh,
    /// English
    En,
}

/// The words of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What happened, a short sentence.
    pub title: &'static str,
    /// What to do, a short sentence.
    pub action: &'static str,
}

/// The words of `code` in `lang`.
pub fn words(_code: ErrorCode, _lang: Lang) -> Words {
    unimplemented!()
}
