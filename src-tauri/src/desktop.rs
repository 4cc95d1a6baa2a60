//! The desktop that the program runs on: it opens files in other programs.

use host::host::Desktop;
use host::real_path::RealPath;
use kernel::outside::OpenIn;
use std::io;
use tauri_plugin_opener::{open_path, reveal_item_in_dir};

/// Opens files as the system's file manager would.
pub(crate) struct SystemDesktop;

impl Desktop for SystemDesktop {
    fn open(&self, file: &RealPath, open_in: OpenIn) -> io::Result<()> {
        let path = file.as_path();
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let opened = match open_in {
            OpenIn::Program => open_path(path, None::<&str>),
            // A file manager that cannot show a file among others may still open the folder.
            OpenIn::Folder => reveal_item_in_dir(path).or_else(|_| open_path(folder, None::<&str>)),
        };
        // What the plugin says holds the path.
        opened.map_err(|_| io::ErrorKind::NotFound.into())
    }
}
