//! Provider quirks as data (spec 07 "Provider quirks are data, not code paths"). What a preset
//! does not know is learned from the server's own refusals, see [`super::openai`].

/// How the key travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHeader {
    /// `Authorization: Bearer …`
    Bearer,
    /// `api-key: …`
    ApiKey,
}

/// How an endpoint differs from the plain protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quirks {
    /// All leading system messages become one, separated by a blank line.
    pub merge_system: bool,
    /// A system message later than that becomes a user message, and neighbouring user messages
    /// become one: chat templates of local models refuse anything else.
    pub strict_roles: bool,
    /// `stream_options.include_usage` is understood.
    pub stream_usage: bool,
    /// `parallel_tool_calls: true` is sent.
    pub parallel_tool_calls: bool,
    /// `reasoning_content` must come back on assistant messages with calls.
    pub reasoning_echo: bool,
    /// The field that limits the answer.
    pub max_tokens_field: &'static str,
    /// Calls written as text are recognised, see `repair.rs`.
    pub repair_text_tool_calls: bool,
    /// How the key travels.
    pub key_header: KeyHeader,
}

/// What is known of a provider: its address, and in which its answers differ from others'.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// As settings name it.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// Used when the settings name no address.
    pub base_url: Option<&'static str>,
    /// Runs on the user's machine: needs no key.
    pub local: bool,
    /// How it differs.
    pub quirks: Quirks,
}

const PLAIN: Quirks = Quirks {
    merge_system: true,
    strict_roles: false,
    stream_usage: true,
    parallel_tool_calls: false,
    reasoning_echo: false,
    max_tokens_field: "max_tokens",
    repair_text_tool_calls: false,
    key_header: KeyHeader::Bearer,
};

const LOCAL: Quirks = Quirks { strict_roles: true, repair_text_tool_calls: true, ..PLAIN };

const OPENAI: Quirks = Quirks {
    merge_system: false,
    parallel_tool_calls: true,
    max_tokens_field: "max_completion_tokens",
    ..PLAIN
};

const REASONING: Quirks = Quirks { reasoning_echo: true, ..PLAIN };

const fn cloud(
    name: &'static str,
    title: &'static str,
    base_url: &'static str,
    quirks: Quirks,
) -> Preset {
    Preset { name, title, base_url: Some(base_url), local: false, quirks }
}

const fn local(name: &'static str, title: &'static str, base_url: &'static str) -> Preset {
    Preset { name, title, base_url: Some(base_url), local: true, quirks: LOCAL }
}

/// Every preset, in the order a person is shown them; `custom` first.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "custom",
        title: "OpenAI-compatible server",
        base_url: None,
        local: false,
        quirks: PLAIN,
    },
    cloud("openai", "OpenAI", "https://api.openai.com/v1", OPENAI),
    Preset {
        name: "azure",
        title: "Azure OpenAI",
        base_url: None,
        local: false,
        quirks: Quirks { key_header: KeyHeader::ApiKey, ..OPENAI },
    },
    cloud("deepseek", "DeepSeek", "https://api.deepseek.com/v1", REASONING),
    cloud("kimi", "Kimi", "https://api.moonshot.cn/v1", REASONING),
    cloud("qwen", "Qwen", "https://dashscope.aliyuncs.com/compatible-mode/v1", PLAIN),
    cloud("gemini", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", PLAIN),
    cloud("anthropic", "Anthropic", "https://api.anthropic.com/v1", PLAIN),
    cloud("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", PLAIN),
    local("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
    local("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    local("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1"),
    local("vllm", "vLLM", "http://127.0.0.1:8000/v1"),
];

/// The preset of a name; `custom` for one nobody knows.
pub fn preset(name: &str) -> &'static Preset {
    PRESETS.iter().find(|p| p.name == name).unwrap_or(&PRESETS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_accept_exactly_these_names() {
        let names: Vec<&str> = PRESETS.iter().map(|p| p.name).collect();
        assert_eq!(names, kernel::settings::PROVIDERS);
    }

    #[test]
    fn local_presets_stay_on_this_machine_and_repair_calls_written_as_text() {
        for p in PRESETS.iter().filter(|p| p.local) {
            assert!(p.base_url.unwrap().starts_with("http://127.0.0.1:"), "{}", p.name);
            assert!(p.quirks.repair_text_tool_calls, "{}", p.name);
        }
        assert_eq!(preset("unheard of").name, "custom");
    }
}
