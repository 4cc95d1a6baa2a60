//! The desktop program: a window and three commands. The only Rust that knows Tauri (law F).
//!
//! Commands translate, the host decides. See spec 09 and ARCHITECTURE.md, "Map".
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

#[cfg(target_os = "linux")]
mod announcer;
mod desktop;
#[cfg(target_os = "linux")]
mod drawing;
mod frames;
mod host_handle;
mod ipc;
mod opened;
mod terminal;
mod window;

#[cfg(test)]
mod tests;

use desktop::SystemDesktop;
use frames::Watches;
use host::host::{Desktop, HostOptions, OpenedOutside};
use host::settings::SettingsStore;
use host_handle::HostHandle;
use opened::Argument;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use tauri::webview::PageLoadEvent;
use tauri::{AppHandle, Builder, Manager, RunEvent, Runtime};
use tauri_plugin_window_state::StateFlags;

/// The environment variable that says where the store is; the system's data folder otherwise.
const STORE_VARIABLE: &str = "CREWAGENT_STORE";

/// The argument that plays the demo at once.
const DEMO_ARGUMENT: &str = "--demo";

/// Opens the window and stays until it is closed.
///
/// `--demo` opens the page with `?demo`, which plays the bundled demo. A package file is shown
/// there, to be installed or not; a folder is opened as a project, and a link shows what it names. A
/// second start brings the first one's window to the front, hands these over and ends. `--help` says so without a window.
///
/// # Errors
/// When the window system refuses something. A store that cannot be opened is not an error here:
/// the window shows it.
fn main() -> anyhow::Result<ExitCode> {
    if terminal::asks_for_help(std::env::args_os()) {
        terminal::help(STORE_VARIABLE);
        return Ok(ExitCode::SUCCESS);
    }
    #[cfg(target_os = "linux")]
    drawing::choose();
    if !window::has_display() {
        terminal::no_display();
        return Ok(ExitCode::FAILURE);
    }
    let kept = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;
    let builder = Builder::default()
        // First, so that a second start ends before it opens anything.
        .plugin(tauri_plugin_single_instance::init(|app, arguments, folder| {
            window::focus(app);
            show(app, opened::arguments(arguments, Path::new(&folder)));
        }))
        .plugin(tauri_plugin_window_state::Builder::default().with_state_flags(kept).build());
    let app = assemble(builder)
        .setup(|app| {
            open_host(app.handle())?;
            let demo = std::env::args_os().any(|argument| argument == DEMO_ARGUMENT);
            let settings = SettingsStore::open(store_folder(app.handle())?).settings();
            window::open(app, settings.appearance.theme, demo)?;
            let folder = std::env::current_dir().unwrap_or_default();
            show(app.handle(), opened::arguments(std::env::args_os(), &folder));
            Ok(())
        })
        .build(tauri::generate_context!())?;
    app.run(|app, event| {
        if matches!(event, RunEvent::Exit) {
            tauri::async_runtime::block_on(close(app));
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// What every window of the program has, whatever draws it: the commands and their plugins.
fn assemble<R: Runtime>(builder: Builder<R>) -> Builder<R> {
    builder
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(window::locked_navigation())
        .manage(Watches::default())
        // What the page before watched, nobody reads any more.
        .on_page_load(|webview, page| {
            if page.event() == PageLoadEvent::Started {
                webview.state::<Watches>().end_all(webview.label());
            }
        })
        .invoke_handler(tauri::generate_handler![ipc::submit, ipc::query, ipc::watch])
}

/// Gives the program the handle of its host, and starts opening the host while the window is being
/// drawn.
fn open_host<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let store = store_folder(app)?;
    // Without a log the program goes on; what keeps the log from being written keeps the store
    // from being opened too, and that is shown.
    if let Ok(guard) = host::logs::init(&store, false) {
        app.manage(Mutex::new(guard));
    }
    let clicked = app.clone();
    let desktop: Arc<dyn Desktop> = Arc::new(SystemDesktop::new(move |conversation| {
        window::focus(&clicked);
        show(&clicked, vec![Argument::Link(OpenedOutside::Conversation(conversation))]);
    }));
    let options =
        HostOptions { desktop: Some(desktop), ..HostOptions::new(store, "window").of_person() };
    app.manage(HostHandle::new(options));
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(failure) = app.state::<HostHandle>().host().await {
            tracing::error!(code = %failure.code, "the host did not open: {}", failure.message);
        }
    });
    Ok(())
}

/// Hands what was opened to the page, which may still have to be loaded. When the host cannot be
/// opened, the window says why, and there is nothing to be shown in.
fn show<R: Runtime>(app: &AppHandle<R>, arguments: Vec<Argument>) {
    if arguments.is_empty() {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let looked = tauri::async_runtime::spawn_blocking(move || opened::opened(arguments)).await;
        if let Ok(opened) = looked
            && let Some(handle) = app.try_state::<HostHandle>()
            && let Ok(host) = handle.host().await
        {
            host.show(opened).await;
        }
    });
}

fn store_folder<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<PathBuf> {
    match std::env::var_os(STORE_VARIABLE) {
        Some(folder) if !folder.is_empty() => Ok(PathBuf::from(folder)),
        _ => app.path().app_data_dir(),
    }
}

async fn close<R: Runtime>(app: &AppHandle<R>) {
    if let Some(handle) = app.try_state::<HostHandle>() {
        handle.close().await;
    }
}
