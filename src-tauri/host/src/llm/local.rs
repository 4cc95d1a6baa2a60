//! Model servers on this machine, where each kind usually listens (spec 07). Only loopback is
//! asked, without a key, and only when somebody looks.

use std::time::Duration;

use kernel::bounds::LOCAL_LIST_BYTES;
use kernel::settings::ModelSettings;
use kernel::wire::{LocalServer, LocalState};
use serde_json::Value;

use super::endpoint::Endpoint;
use super::presets::PRESETS;
use super::probe::names;
use super::receive::limited;
use crate::json;

/// For a server on this machine to show that it is there.
const PATIENCE: Duration = Duration::from_millis(700);
/// The kinds that people run on their own machine, as the README names them.
const KINDS: [&str; 3] = ["ollama", "lmstudio", "llamacpp"];
/// Other ports than the usual ones: `ollama=11434,lmstudio=1234,llamacpp=8080`.
const PORTS_VARIABLE: &str = "CREWAGENT_LOCAL_PORTS";

/// Where a kind of server listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalPlace {
    /// Its preset.
    pub provider: &'static str,
    /// The port on 127.0.0.1.
    pub port: u16,
}

/// The places to look at: each local preset's own port, or the one the environment names. A preset
/// that shares its port with an earlier one is not a place of its own.
pub fn local_places() -> Vec<LocalPlace> {
    let named = std::env::var(PORTS_VARIABLE).unwrap_or_default();
    let named = |provider: &str| {
        let mut pairs = named.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| name.trim() == provider)?.1.trim().parse().ok()
    };
    let mut places: Vec<LocalPlace> = Vec::new();
    for preset in PRESETS.iter().filter(|preset| KINDS.contains(&preset.name)) {
        let Some(port) = named(preset.name).or_else(|| preset.base_url.and_then(port_of)) else {
            continue;
        };
        if !places.iter().any(|place| place.port == port) {
            places.push(LocalPlace { provider: preset.name, port });
        }
    }
    places
}

fn port_of(base_url: &str) -> Option<u16> {
    reqwest::Url::parse(base_url).ok()?.port()
}

/// What is found at each place, all asked at once; ends within a second.
pub async fn detect_local(places: &[LocalPlace]) -> Vec<LocalServer> {
    let asked: Vec<_> = places.iter().map(|place| tokio::spawn(probe(*place))).collect();
    let mut found = Vec::with_capacity(asked.len());
    for server in asked {
        found.extend(server.await.ok().flatten());
    }
    found
}

async fn probe(place: LocalPlace) -> Option<LocalServer> {
    let base_url = format!("http://127.0.0.1:{}/v1", place.port);
    let settings = ModelSettings {
        provider: place.provider.into(),
        base_url: base_url.clone(),
        ..ModelSettings::default()
    };
    let endpoint = Endpoint::new(&settings, None).ok()?;
    let (state, models) = match tokio::time::timeout(PATIENCE, list(&endpoint)).await {
        Ok(Ok(Some(models))) => (LocalState::Found, models),
        Ok(Err(error)) if error.is_connect() => (LocalState::Nothing, Vec::new()),
        // A refusal, a web page, a broken answer, or none in time.
        Ok(Ok(None) | Err(_)) | Err(_) => (LocalState::Other, Vec::new()),
    };
    let title = endpoint.preset.title.to_owned();
    Some(LocalServer { provider: place.provider.to_owned(), title, base_url, state, models })
}

/// The models of the list; `None` for an answer that is no list.
async fn list(at: &Endpoint) -> reqwest::Result<Option<Vec<String>>> {
    let response = at.get("models").send().await?;
    if !response.status().is_success() {
        return Ok(None);
    }
    let Some(body) = limited(response, LOCAL_LIST_BYTES).await? else { return Ok(None) };
    let value = json::parse(&body).unwrap_or_default();
    let entries = value.get("data").or_else(|| value.get("models"));
    Ok(entries.and_then(Value::as_array).map(|entries| names(entries)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::DemoServer;
    use kernel::trace::Trace;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    fn at(provider: &'static str, port: u16) -> LocalPlace {
        LocalPlace { provider, port }
    }

    async fn look_at(port: u16) -> LocalServer {
        detect_local(&[at("ollama", port)]).await.remove(0)
    }

    /// A server that gives every connection the same bytes, and then says nothing more.
    async fn says(bytes: &'static [u8]) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut asked = [0; 2048];
                    _ = socket.read(&mut asked).await;
                    _ = socket.write_all(bytes).await;
                    _ = socket.read(&mut asked).await;
                });
            }
        });
        port
    }

    #[tokio::test]
    async fn a_server_that_lists_models_is_found_with_its_models() {
        let trace = r#"{"schemaVersion":"1","turns":[{"reply":{"text":"x"}}]}"#;
        let server =
            DemoServer::start_with(Trace::parse(trace).unwrap(), Vec::new()).await.unwrap();
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let places = [at("ollama", server.addr().port()), at("lmstudio", free)];
        let found = detect_local(&places).await;
        assert_eq!(found[0].state, LocalState::Found);
        assert_eq!(found[0].models, ["demo"]);
        assert_eq!(found[0].base_url, server.base_url());
        assert_eq!(found[0].title, "Ollama");
        assert_eq!((found[1].state, found[1].title.as_str()), (LocalState::Nothing, "LM Studio"));
    }

    #[tokio::test]
    async fn what_is_no_model_server_is_not_taken_for_one() {
        for bytes in [
            b"HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n<html>hi</html>".as_slice(),
            b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
            b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 302 Found\r\nlocation: http://192.0.2.1/v1/models\r\ncontent-length: 0\r\n\r\n",
            b"SSH-2.0-OpenSSH_9\r\n",
            // Longer than it says it will ever be: nothing waits for it.
            b"HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n{",
            // Takes the question and is silent.
            b"",
        ] {
            let found = look_at(says(bytes).await).await;
            assert_eq!(found.state, LocalState::Other, "{}", String::from_utf8_lossy(bytes));
            assert_eq!(found.models, [""; 0]);
        }
    }

    #[test]
    fn the_places_are_the_three_of_the_readme_and_each_port_is_asked_once() {
        let places = local_places();
        assert_eq!(
            places,
            [at("ollama", 11434), at("lmstudio", 1234), at("llamacpp", 8080)],
            "{places:?}"
        );
    }
}
