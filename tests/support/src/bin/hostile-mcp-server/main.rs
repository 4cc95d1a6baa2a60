//! A server of the Model Context Protocol for tests: a good one, and one for each way to be broken
//! or hostile. It speaks over stdio, one message a line.
//!
//! `hostile-mcp-server SCENARIO [OPTION]...`: the scenarios stand in the table of `scenarios.rs`.
//! Without one the program lists them on standard error and exits with 2.

mod hello;
mod lifetime;
mod offers;
mod questions;
mod results;
mod scenarios;
mod server;
mod tools;
mod trouble;

use std::io::Write as _;
use std::process::ExitCode;

use scenarios::SCENARIOS;
use server::Server;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(|it| it.to_string_lossy().into_owned());
    let name = arguments.next().unwrap_or_default();
    if let Some(scenario) = SCENARIOS.iter().find(|scenario| scenario.name == name) {
        let server = Server::new(scenario, arguments.collect());
        // Calls are answered by threads of their own, which end with the process.
        Box::leak(Box::new(server)).serve();
    }
    let names: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
    let usage = format!("hostile-mcp-server SCENARIO [OPTION]...\n\n  {}", names.join("\n  "));
    // Nobody may be there to read it.
    _ = writeln!(std::io::stderr(), "{usage}");
    ExitCode::from(2)
}
