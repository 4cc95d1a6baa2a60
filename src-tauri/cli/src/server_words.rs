//! Servers of the Model Context Protocol in words.

use kernel::mcp::{ShownLaunch, ToolHint};
use kernel::phrase::{Phrase, mcp as said};
use kernel::visible::{visible, visible_line};
use kernel::wire::{ServerFile, ServerState, ServerToolView, ServerTrust, ServerView};

use crate::output::Output;
use crate::print::{StyledText, rows};

/// A line or two of each server.
pub(crate) fn listed(servers: &[ServerView], in_project: bool, out: &Output) -> StyledText {
    if servers.is_empty() {
        return rows([out.say(said::no_servers())]);
    }
    rows(servers.iter().flat_map(|server| head(server, in_project, out)))
}

/// Each server with its tools.
pub(crate) fn shown(servers: &[ServerView], in_project: bool, out: &Output) -> StyledText {
    rows(servers.iter().flat_map(|server| {
        let tools = server.tools.iter().flatten().flat_map(|it| tool(it, out)).collect::<Vec<_>>();
        head(server, in_project, out).into_iter().chain(tools)
    }))
}

/// What stands in the file of another client, and what does not fit.
pub(crate) fn found(file: &ServerFile, out: &Output) -> StyledText {
    let server = |name: &str, taken: bool, how: &ShownLaunch| {
        let taken = if taken { out.say(said::name_is_taken()) } else { String::new() };
        [format!("  {name}  {taken}").trim_end().to_owned(), format!("    {}", launch(how))]
    };
    let taken = file.servers.iter().flat_map(|it| server(it.name.as_str(), it.taken, &it.launch));
    let left =
        file.left_out.iter().map(|it| out.say(said::server_left_out(&it.name, it.why.clone())));
    rows(taken.chain(left))
}

fn head(server: &ServerView, in_project: bool, out: &Output) -> Vec<String> {
    let state = out.say(state(server));
    let tools = match &server.tools {
        Some(tools) => out.say(said::server_tools(tools.len())),
        None => out.say(said::tools_not_known()),
    };
    let trust =
        if in_project { format!("  {}", out.say(trust(server.trust))) } else { String::new() };
    let mark = if server.enabled && server.trust == ServerTrust::Trusted { "✓" } else { "·" };
    let mut lines = vec![
        format!("{mark} {}  {state}  {tools}{trust}", server.name),
        format!("    {}", launch(&server.launch)),
    ];
    let names = match &server.launch {
        ShownLaunch::Command { env: names, .. } | ShownLaunch::Url { headers: names, .. } => names,
    };
    if !names.is_empty() {
        lines.push(format!("    {}", out.say(said::server_values(names.join(", ")))));
    }
    lines.extend(
        server.problem.iter().map(|problem| format!("    {}", problem.message_in(out.lang))),
    );
    lines
}

fn launch(how: &ShownLaunch) -> String {
    match how {
        ShownLaunch::Command { command, args, .. } => {
            let words = std::iter::once(command).chain(args).map(|word| quoted(word));
            words.collect::<Vec<_>>().join(" ")
        }
        ShownLaunch::Url { url, .. } => visible_line(url),
    }
}

/// A word as a shell would want it, so that nobody takes two for one.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "@%+=:,./-_".contains(c);
    let shown = visible_line(word);
    if !word.is_empty() && word.chars().all(plain) {
        shown
    } else {
        format!("'{}'", shown.replace('\'', "'\\''"))
    }
}

/// A tool with all that it says of itself: that is what is trusted.
fn tool(tool: &ServerToolView, out: &Output) -> Vec<String> {
    let hint = match tool.hint {
        ToolHint::Unsaid => String::new(),
        ToolHint::Reads => format!("  ({})", out.say(said::tool_reads())),
        ToolHint::Adds => format!("  ({})", out.say(said::tool_adds())),
        ToolHint::Destroys => format!("  ({})", out.say(said::tool_destroys())),
    };
    let title = tool.title.as_deref().map(|title| format!("  {}", visible_line(title)));
    let mut lines = vec![format!("      {}{hint}{}", tool.name, title.unwrap_or_default())];
    lines.extend(visible(&tool.description).lines().map(|line| format!("        {line}")));
    let parameters = visible_line(&tool.parameters.to_string());
    lines.push(format!("        {}", out.say(said::tool_arguments(parameters))));
    lines
}

fn state(server: &ServerView) -> Phrase {
    match server.state {
        _ if !server.enabled => said::server_off(),
        ServerState::Idle => said::server_idle(),
        ServerState::Starting => said::server_starting(),
        ServerState::Running => said::server_running(),
        ServerState::Failed => said::server_failed(),
    }
}

fn trust(trust: ServerTrust) -> Phrase {
    match trust {
        ServerTrust::None => said::server_untrusted(),
        ServerTrust::Changed => said::server_changed(),
        ServerTrust::Trusted => said::server_trusted(),
    }
}
