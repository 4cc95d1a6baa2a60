//! One endpoint: its address, key and HTTP client.

use std::sync::Once;
use std::time::Duration;

use kernel::code::{ErrorCode, Failure};
use kernel::phrase::{Part, Phrase, Why, models, settings};
use kernel::settings::{ModelSettings, check_model};
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};

use super::presets::{KeyHeader, Preset, preset};
use crate::keys;
use crate::secrets::Secret;

/// Where requests go. It has no `Debug`: it holds the key.
pub(super) struct Endpoint {
    client: Client,
    base: Url,
    key: Option<Secret>,
    /// Values of extra headers.
    hidden: Vec<String>,
    /// What of them may be a key.
    header_keys: Vec<String>,
    pub(super) preset: &'static Preset,
    pub(super) model: String,
    /// To the first byte of the body.
    pub(super) first_byte: Duration,
    /// Between bytes.
    pub(super) idle: Duration,
}

impl Endpoint {
    /// `LLM_NOT_CONFIGURED` without an address, `SETTING_INVALID` for one that is none.
    pub(super) fn new(settings: &ModelSettings, key: Option<Secret>) -> Result<Self, Failure> {
        check_model(settings)?;
        let preset = preset(&settings.provider);
        let base = if settings.base_url.is_empty() {
            preset.base_url.ok_or_else(|| not_configured(models::no_address()))?
        } else {
            settings.base_url.as_str()
        };
        let base = base_url(base)?;
        let client = client(&base, settings, preset, key.as_ref())?;
        let seconds = |n: u32| Duration::from_secs(u64::from(n));
        Ok(Self {
            client,
            base,
            key,
            hidden: settings.headers.values().filter(|v| v.len() >= 8).cloned().collect(),
            header_keys: (settings.headers.iter())
                .flat_map(|(name, value)| keys::in_header(name, value).map(str::to_owned))
                .collect(),
            preset,
            model: settings.model.clone(),
            first_byte: seconds(settings.first_byte_timeout_s),
            idle: seconds(settings.idle_timeout_s),
        })
    }

    /// A POST below the base URL.
    pub(super) fn post(&self, tail: &str) -> RequestBuilder {
        self.client.post(self.url(tail))
    }

    /// A GET below the base URL.
    pub(super) fn get(&self, tail: &str) -> RequestBuilder {
        self.client.get(self.url(tail))
    }

    /// An address at the server's root, for what lies beside `/v1`.
    pub(super) fn at_root(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(path);
        url.set_query(None);
        url
    }

    /// The client, for addresses of [`Endpoint::at_root`].
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// `host:port`, which messages may name.
    pub(super) fn shown(&self) -> String {
        let host = self.base.host_str().unwrap_or("the server");
        self.base.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// Whether it is on this machine.
    pub(super) fn is_here(&self) -> bool {
        is_loopback(&self.base)
    }

    /// `text` without the key and the values of extra headers.
    pub(super) fn scrub(&self, text: &str) -> String {
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.scrub(text));
        self.hidden.iter().fold(text, |text, value| text.replace(value.as_str(), "[header]"))
    }

    /// What it is sent and must not be heard to say: the key, and those in extra headers. What else
    /// these hold is words, and no answer is robbed of a word: it may be the text of a file.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.key.iter().map(Secret::reveal).chain(self.header_keys.iter().map(String::as_str))
    }

    /// A query (`?api-version=…`) stays behind the path.
    fn url(&self, tail: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}/{tail}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }
}

/// `LLM_NOT_CONFIGURED` with what to do.
pub(super) fn not_configured(why: Phrase) -> Failure {
    Failure::new(ErrorCode::LlmNotConfigured, models::not_configured(why))
        .with_action(models::set_address_and_name())
}

/// People paste the whole endpoint; the part after the base is dropped.
fn base_url(text: &str) -> Result<Url, Failure> {
    let invalid = |why: Part| {
        Failure::new(ErrorCode::SettingInvalid, settings::setting_invalid("model.baseUrl", why))
            .with_details(serde_json::json!({ "field": "model.baseUrl" }))
    };
    let mut url = Url::parse(text).map_err(|e| invalid(e.into()))?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err(invalid(settings::url_no_host().into()));
    }
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path).to_owned();
    url.set_path(&path);
    url.set_fragment(None);
    Ok(url)
}

fn client(
    base: &Url,
    settings: &ModelSettings,
    preset: &Preset,
    key: Option<&Secret>,
) -> Result<Client, Failure> {
    install_tls();
    let mut builder = Client::builder()
        .user_agent(concat!("CrewAgentRuntime/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(Duration::from_secs(u64::from(settings.connect_timeout_s)))
        // A redirected POST becomes a GET; the person is told to correct the address instead.
        .redirect(reqwest::redirect::Policy::none())
        .default_headers(headers(settings, preset, key)?);
    if is_loopback(base) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|e| {
        let why = e.without_url();
        Failure::new(ErrorCode::Internal, models::no_http_client(Why::quoted(why)))
    })
}

fn headers(
    settings: &ModelSettings,
    preset: &Preset,
    key: Option<&Secret>,
) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    // Without it a server may compress as it likes, and a compressed stream may be held back.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if let Some(key) = key {
        let (name, text) = match preset.quirks.key_header {
            KeyHeader::Bearer => ("authorization", format!("Bearer {}", key.reveal())),
            KeyHeader::ApiKey => ("api-key", key.reveal().to_owned()),
        };
        let mut value = HeaderValue::from_str(&text)
            .map_err(|_| Failure::new(ErrorCode::LlmAuthFailed, models::key_characters()))?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    for (name, value) in &settings.headers {
        // The settings' own check has let only printable ASCII through.
        let parsed = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value));
        if let (Ok(name), Ok(mut value)) = parsed {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    Ok(headers)
}

/// A client that follows no redirect, so that what is sent goes to the address it was meant for.
///
/// # Errors
/// When the library cannot make one.
pub(crate) fn plain_client(base: &str, connect: Duration) -> Result<Client, reqwest::Error> {
    install_tls();
    let mut builder = Client::builder()
        .user_agent(concat!("CrewAgentRuntime/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect)
        .redirect(reqwest::redirect::Policy::none());
    if is_local(base) {
        builder = builder.no_proxy();
    }
    builder.build()
}

/// The server of an address that a key would travel to in the clear: another machine, without TLS.
pub(crate) fn in_the_clear(base_url: &str) -> Option<String> {
    let url =
        Url::parse(base_url).ok().filter(|url| url.scheme() == "http" && !is_loopback(url))?;
    Some(url.host_str()?.to_owned())
}

/// Whether an address is one of this computer.
pub(crate) fn is_local(base_url: &str) -> bool {
    Url::parse(base_url).is_ok_and(|url| is_loopback(&url))
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// rustls takes its cryptography from whoever installs it first; reqwest is built without one.
fn install_tls() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // An error means somebody installed one before: then that one is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn endpoint(provider: &str, base_url: &str) -> Result<Endpoint, Failure> {
        let settings = ModelSettings {
            provider: provider.into(),
            base_url: base_url.into(),
            model: "m".into(),
            ..ModelSettings::default()
        };
        Endpoint::new(&settings, Secret::new("sk-123456789"))
    }

    #[test]
    fn a_client_for_https_builds() {
        assert!(endpoint("openai", "https://api.example.com/v1").is_ok());
    }

    #[rstest]
    #[case("http://h:1/v1", "http://h:1/v1/chat/completions")]
    #[case("http://h:1/v1/", "http://h:1/v1/chat/completions")]
    #[case("http://h:1/v1/chat/completions", "http://h:1/v1/chat/completions")]
    #[case("https://h/openai?api-version=2", "https://h/openai/chat/completions?api-version=2")]
    fn the_address_is_taken_as_people_write_it(#[case] base: &str, #[case] url: &str) {
        assert_eq!(endpoint("custom", base).unwrap().url("chat/completions").as_str(), url);
    }

    #[test]
    fn a_preset_knows_its_address_and_custom_does_not() {
        assert_eq!(endpoint("ollama", "").unwrap().shown(), "127.0.0.1:11434");
        assert_eq!(endpoint("custom", "").err().unwrap().code, ErrorCode::LlmNotConfigured);
        assert_eq!(endpoint("custom", "x://y").err().unwrap().code, ErrorCode::SettingInvalid);
    }

    #[rstest]
    #[case("http://localhost:1/v1", true)]
    #[case("http://127.0.0.1/v1", true)]
    #[case("http://[::1]:8080/v1", true)]
    #[case("http://10.0.0.1/v1", false)]
    #[case("http://localhost.example.com/v1", false)]
    fn loopback_is_told_by_address_not_by_prefix(#[case] url: &str, #[case] loopback: bool) {
        assert_eq!(is_loopback(&Url::parse(url).unwrap()), loopback);
    }

    #[rstest]
    #[case("http://10.0.0.7:8080/v1", Some("10.0.0.7"))]
    #[case("http://llm.example/v1", Some("llm.example"))]
    #[case("https://llm.example/v1", None)]
    #[case("http://127.0.0.1:1/v1", None)]
    #[case("http://localhost/v1", None)]
    #[case("", None)]
    fn a_key_travels_in_the_clear_to_another_machine_without_tls(
        #[case] url: &str,
        #[case] server: Option<&str>,
    ) {
        assert_eq!(in_the_clear(url).as_deref(), server);
    }

    #[test]
    fn the_key_and_long_header_values_are_scrubbed_from_texts() {
        let mut settings =
            ModelSettings { base_url: "http://h".into(), ..ModelSettings::default() };
        settings.headers.insert("x-token".into(), "header-secret".into());
        let endpoint = Endpoint::new(&settings, Secret::new("sk-123456789")).unwrap();
        assert_eq!(endpoint.scrub("sk-123456789 header-secret x"), "[key] [header] x");
    }

    #[test]
    fn of_extra_headers_only_what_may_be_a_key_is_taken_out_of_answers() {
        let base_url = "http://h".into();
        let mut settings = ModelSettings { base_url, ..ModelSettings::default() };
        for (name, value) in [
            ("X-Title", "Garden Notes"),
            ("anthropic-version", "2023-06-01"),
            ("Authorization", "Bearer abcdefgh-1"),
            ("X-Gateway", "sk-gateway-0123456789"),
        ] {
            settings.headers.insert(name.into(), value.into());
        }
        let endpoint = Endpoint::new(&settings, Secret::new("sk-123456789")).unwrap();
        let mut secrets: Vec<&str> = endpoint.secrets().collect();
        secrets.sort_unstable();
        assert_eq!(secrets, ["Bearer", "abcdefgh-1", "sk-123456789", "sk-gateway-0123456789"]);
    }
}
