//! How the page is drawn on Linux. Without a graphics card WebKit's way for one draws by the
//! processor, too, only slower and with a hundred megabytes more than its plain way.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Tells WebKit to draw plainly, and the person which way it draws. Set to anything, it is left alone.
const PLAIN: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Where Linux shows graphics cards.
const CARDS: &str = "/dev/dri";

/// Starts the program over, in place of itself, where the page is better drawn plainly: WebKit reads
/// the variable in processes of its own, which inherit it.
pub(crate) fn choose() {
    if std::env::var_os(PLAIN).is_some() || has_card(Path::new(CARDS)) {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut arguments = std::env::args_os();
    let mut again = Command::new(program);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // It comes back only where it cannot be started; then it goes on as it is.
    drop(again.args(arguments).env(PLAIN, "1").exec());
}

/// Whether a program can draw by a card: one that only shows pictures cannot.
fn has_card(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("renderD"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_draws_is_a_card() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_card(&folder.path().join("dri")));
        std::fs::write(folder.path().join("card0"), "").unwrap();
        assert!(!has_card(folder.path()));
        std::fs::write(folder.path().join("renderD128"), "").unwrap();
        assert!(has_card(folder.path()));
    }
}
