//! Servers of the Model Context Protocol in words.

use kernel::mcp::{ServerPrompt, ServerResource, ShownLaunch, ToolHint};
use kernel::phrase::{Phrase, mcp as said};
use kernel::visible::{visible, visible_line};
use kernel::wire::{
    ServerFile, ServerProgress, ServerState, ServerToolView, ServerTrust, ServerView,
};

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
        let prompts = server.prompts.iter().flat_map(prompt).collect::<Vec<_>>();
        let resources = server.resources.iter().flat_map(resource).collect::<Vec<_>>();
        head(server, in_project, out).into_iter().chain(tools).chain(prompts).chain(resources)
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

/// How far the server is that is called, behind what is called.
pub(crate) fn going_on(progress: &ServerProgress) -> String {
    let percent = progress.percent.map(|percent| format!(" · {percent}%"));
    let message = progress.message.as_ref().map(|message| format!(" · {message}"));
    [percent, message].into_iter().flatten().collect()
}

fn head(server: &ServerView, in_project: bool, out: &Output) -> Vec<String> {
    let state = out.say(state(server));
    let tools = match &server.tools {
        Some(tools) => out.say(said::server_tools(tools.len())),
        None => out.say(said::tools_not_known()),
    };
    let counts = [
        (server.prompts.len(), said::server_prompts as fn(usize) -> Phrase),
        (server.resources.len(), said::server_resources),
    ];
    let more = counts.into_iter().filter(|(count, _)| *count > 0);
    let more = more.flat_map(|(count, words)| ["  ".to_owned(), out.say(words(count))]);
    let more: String = more.collect();
    let trust =
        if in_project { format!("  {}", out.say(trust(server.trust))) } else { String::new() };
    let mark = if server.enabled && server.trust == ServerTrust::Trusted { "✓" } else { "·" };
    let mut lines = vec![
        format!("{mark} {}  {state}  {tools}{more}{trust}", server.name),
        format!("    {}", launch(&server.launch)),
    ];
    if server.signed_in {
        lines.push(format!("    {}", out.say(said::server_signed_in())));
    }
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

/// A prompt, as a person calls it, and what it says of itself.
fn prompt(prompt: &ServerPrompt) -> Vec<String> {
    let title = prompt.title.as_deref().map(|title| format!("  {}", visible_line(title)));
    let mut lines = vec![format!("      {}{}", prompt.usage(), title.unwrap_or_default())];
    lines.extend(visible(&prompt.description).lines().map(|line| format!("        {line}")));
    let told = prompt.arguments.iter().filter(|one| !one.description.is_empty());
    lines.extend(
        told.map(|one| format!("        {}: {}", one.name, visible_line(&one.description))),
    );
    lines
}

fn resource(resource: &ServerResource) -> Vec<String> {
    let kind = resource.mime_type.as_deref().map(|kind| format!("  ({kind})"));
    let (uri, name) = (visible_line(&resource.uri), visible_line(&resource.name));
    let mut lines = vec![format!("      {uri}  {name}{}", kind.unwrap_or_default())];
    lines.extend(visible(&resource.description).lines().map(|line| format!("        {line}")));
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
