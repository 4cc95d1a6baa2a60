//! Calls that a server carries out: what it is given, and what a model is shown of its answer.

use kernel::bounds::ARGUMENT_BYTES;
use kernel::code::{ErrorCode, Failure};
use kernel::effect::{Called, Permit};
use kernel::path::{AliasPath, Mount};
use serde_json::{Map, Value};
use std::time::Instant;

use super::{ToolHost, results};

impl ToolHost {
    /// What a program of this machine is given: the real names of folders in place of marks, and the
    /// real path where an argument is a path of the project.
    ///
    /// # Errors
    /// `E_INVALID_ARGS` for a mark that stands for no folder.
    pub(crate) fn real_arguments(&self, permit: &Permit) -> Result<Map<String, Value>, Failure> {
        let mut args = permit.args();
        self.make_real(&mut args)?;
        Ok(arguments(args))
    }

    /// The same of values that a person gives.
    ///
    /// # Errors
    /// As [`real_arguments`](Self::real_arguments).
    pub(crate) fn real_values(
        &self,
        values: Map<String, Value>,
    ) -> Result<Map<String, Value>, Failure> {
        let mut values = Value::Object(values);
        self.make_real(&mut values)?;
        Ok(arguments(values))
    }

    fn make_real(&self, value: &mut Value) -> Result<(), Failure> {
        match value {
            Value::String(text) => {
                if let Some(real) = self.real_path(text) {
                    *text = real;
                    return Ok(());
                }
                let real = self.private.marks.restored(text, ARGUMENT_BYTES).map_err(|_| {
                    let words = "a mark in the arguments stands for no folder; nothing was called";
                    Failure::for_model(ErrorCode::InvalidArgs, words)
                        .with_action_for_model("Copy marks exactly as they were read.")
                })?;
                *text = real.into_owned();
                Ok(())
            }
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.make_real(item)),
            Value::Object(members) => {
                members.values_mut().try_for_each(|member| self.make_real(member))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        }
    }

    /// Where a path of the project lies. Other texts that begin like one stay what they are.
    fn real_path(&self, text: &str) -> Option<String> {
        let path = AliasPath::parse(text).ok().filter(|path| path.mount() == Mount::Project)?;
        let real = self.mounts.real(&path)?;
        let real = real.as_path().to_str()?;
        Some(real.strip_suffix('/').unwrap_or(real).to_owned())
    }

    /// The answer of a server, or why there is none, as a model reads it.
    pub(crate) fn answered(
        &self,
        permit: &Permit,
        answer: Result<Value, Failure>,
        started: Instant,
    ) -> Called {
        let result = match answer {
            Ok(result) => result,
            Err(failure) => self.redacted(failure).to_tool_result(),
        };
        results::called((&self.private, &self.mounts.state), permit, result, None, started)
    }
}

/// The arguments of a call, which are an object.
pub(crate) fn arguments(args: Value) -> Map<String, Value> {
    match args {
        Value::Object(args) => args,
        _ => Map::new(),
    }
}
