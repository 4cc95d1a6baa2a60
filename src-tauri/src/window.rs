//! The window: opened from the configuration, kept on our own pages, brought to the front.

use kernel::bounds::WINDOW_TITLE_CHARS;
use kernel::settings::Theme;
use kernel::visible::visible_line;
use std::time::Duration;
use tauri::plugin::{self, TauriPlugin};
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{
    App, AppHandle, Manager, Runtime, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
};

/// The label of the one window, as `tauri.conf.json` and the capability name it.
const MAIN: &str = "main";

/// Where Vite serves the page while the UI is being developed (`build.devUrl`).
const DEVELOPMENT_ORIGIN: (&str, u16) = ("localhost", 1420);

/// Whether a window can be opened. The window system's own start panics when it cannot.
#[cfg(target_os = "linux")]
pub(crate) fn has_display() -> bool {
    gtk::init().is_ok()
}

/// Elsewhere a program that can be started can open a window.
#[cfg(not(target_os = "linux"))]
pub(crate) fn has_display() -> bool {
    true
}

/// A page that has not come by then is not waited for: an empty window can be closed.
const SHOWN_AT_LATEST: Duration = Duration::from_secs(3);

/// Opens the window the configuration describes; with `?demo` when the demo is to be played. It is
/// shown as soon as its page is there, so that nobody sees it empty.
pub(crate) fn open<R: Runtime>(app: &App<R>, theme: Theme, demo: bool) -> tauri::Result<()> {
    let Some(mut config) = app.config().app.windows.iter().find(|w| w.label == MAIN).cloned()
    else {
        return Err(tauri::Error::WindowNotFound);
    };
    config.url = WebviewUrl::App(page(theme, demo).into());
    let window = WebviewWindowBuilder::from_config(app, &config)?
        .visible(false)
        .on_page_load(|window, page| {
            if page.event() == PageLoadEvent::Finished {
                shown(&window);
            }
        })
        .on_new_window(|_url, _features| NewWindowResponse::Deny)
        // The page counts there what waits for the person.
        .on_document_title_changed(|window, title| {
            let named = title_of(&title).map_or(Ok(()), |title| window.set_title(&title));
            if let Err(error) = named {
                tracing::debug!("the window's title did not change: {error}");
            }
        })
        .build()?;
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(SHOWN_AT_LATEST).await;
        shown(&window);
    });
    Ok(())
}

fn shown<R: Runtime>(window: &WebviewWindow<R>) {
    if let Err(error) = window.show() {
        tracing::debug!("the window was not shown: {error}");
    }
}

/// The address of the page. It says which theme the person chose, so that the first thing that is
/// painted has it already.
fn page(theme: Theme, demo: bool) -> String {
    let theme = match theme {
        Theme::System => None,
        Theme::Light => Some("theme=light"),
        Theme::Dark => Some("theme=dark"),
    };
    let asked: Vec<&str> = demo.then_some("demo").into_iter().chain(theme).collect();
    let mark = if asked.is_empty() { "" } else { "?" };
    format!("index.html{mark}{}", asked.join("&"))
}

/// The title of a window whose page is called so: one short line that hides nothing. `None` for a
/// page without a name, as it is while it is loaded.
fn title_of(page: &str) -> Option<String> {
    let title: String = visible_line(page.trim()).chars().take(WINDOW_TITLE_CHARS).collect();
    (!title.is_empty()).then_some(title)
}

/// Brings the window to the front.
pub(crate) fn focus<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    // Each may be refused by the window system, and then there is nothing else to try.
    for outcome in [window.unminimize(), window.show(), window.set_focus()] {
        if let Err(error) = outcome {
            tracing::debug!("the window did not come to the front: {error}");
        }
    }
}

/// Keeps every window of the program on the program's own pages. Links open outside, through the
/// opener, after the person has seen where they go.
pub(crate) fn locked_navigation<R: Runtime>() -> TauriPlugin<R> {
    plugin::Builder::new("locked-navigation")
        .on_navigation(|_webview, url| is_own_page(url, tauri::is_dev()))
        .build()
}

/// Whether an address is one of our own pages: embedded ones, and Vite's in development.
fn is_own_page(url: &Url, development: bool) -> bool {
    let host = url.host_str().unwrap_or_default();
    match url.scheme() {
        "tauri" => host == "localhost",
        // Windows has no own schemes; Tauri serves the page from a name of its own there.
        "http" | "https" if host == "tauri.localhost" => url.port().is_none(),
        "http" => development && (host, url.port().unwrap_or(80)) == DEVELOPMENT_ORIGIN,
        // An empty page has no rights and no content. The driver of the tests starts on it.
        "about" => url.path() == "blank",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(url: &str, development: bool) -> bool {
        is_own_page(&url.parse().unwrap(), development)
    }

    #[test]
    fn the_window_is_called_as_its_page_is_in_one_short_line() {
        assert_eq!(title_of(" (2) CrewAgent Runtime ").as_deref(), Some("(2) CrewAgent Runtime"));
        assert_eq!(title_of(" \n "), None);
        let hostile = title_of("a\nb\u{202e}\u{7}c").unwrap();
        assert!(!hostile.contains(['\n', '\u{202e}', '\u{7}']), "{hostile}");
        let long = title_of(&"长".repeat(5000)).unwrap();
        assert_eq!(long.chars().count(), WINDOW_TITLE_CHARS);
    }

    #[test]
    fn the_page_is_told_of_the_demo_and_of_the_theme() {
        assert_eq!(page(Theme::System, false), "index.html");
        assert_eq!(page(Theme::System, true), "index.html?demo");
        assert_eq!(page(Theme::Light, false), "index.html?theme=light");
        assert_eq!(page(Theme::Dark, true), "index.html?demo&theme=dark");
    }

    #[test]
    fn the_program_may_go_to_its_own_pages() {
        for url in ["tauri://localhost", "tauri://localhost/index.html?demo", "about:blank"] {
            assert!(own(url, false), "{url}");
        }
        assert!(own("http://tauri.localhost/", false));
        assert!(own("http://localhost:1420/index.html", true));
    }

    #[test]
    fn navigation_to_any_other_page_is_refused() {
        for url in [
            "https://example.org/",
            "http://localhost:80/",
            "https://tauri.localhost.example.org/",
            "https://tauri.localhost:8443/",
            "tauri://example.org/",
            "file:///etc/hostname",
            "data:text/html,hello",
            "javascript:alert(1)",
        ] {
            assert!(!own(url, true), "{url}");
        }
        assert!(!own("http://localhost:1420/", false), "only in development");
    }
}
