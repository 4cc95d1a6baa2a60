//! One window of the real program, and what a test does with it.

use crate::hand::{Point, SIZE, Size};
use crate::processes::{Display, Driver, a_while};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thirtyfour::prelude::*;
use tokio::time::timeout;

/// How long a window may take to open, on a machine with other work to do.
const OPENS_WITHIN: Duration = Duration::from_mins(1);

/// How long something may take to appear in the window.
const APPEARS_WITHIN: Duration = Duration::from_secs(20);

/// The program with its window, on a display of its own. Dropping it ends everything at
/// once, as a power cut would.
pub(crate) struct App {
    processes: Driver,
    /// The WebDriver session, for what has no helper here.
    pub(crate) driver: WebDriver,
}

/// Opens the program with everything it keeps below `folder`: the store in `folder/store`, the
/// home folder in `folder/home`. A second start on the same folder finds what the first one left.
///
/// `None` when the tools are not there and nobody said they must be.
pub(crate) async fn start_app(folder: &Path) -> Option<App> {
    start_app_with(folder, &[]).await
}

/// The same with arguments.
pub(crate) async fn start_app_with(folder: &Path, arguments: &[&str]) -> Option<App> {
    start_app_in(folder, arguments, &[]).await
}

/// The same with variables of its environment.
pub(crate) async fn start_app_in(
    folder: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Option<App> {
    let Some(program) = tools(&["Xvfb", "WebKitWebDriver"]) else {
        println!(
            "skipped: the window cannot be driven here (CREWAGENT_E2E=1 says what is missing)"
        );
        return None;
    };
    let processes = Driver::start(Display::start(), folder, variables).await;
    Some(App::open(processes, &program, arguments).await)
}

impl App {
    /// Has the driver start the program, and takes its window.
    pub(crate) async fn open(processes: Driver, program: &Path, arguments: &[&str]) -> Self {
        let mut wanted = Capabilities::new();
        let options = serde_json::json!({ "binary": program, "args": arguments });
        wanted.set("webkitgtk:browserOptions", options).unwrap();
        let session = timeout(OPENS_WITHIN, WebDriver::new(processes.address(), wanted)).await;
        let errors = || processes.errors();
        let driver = session
            .unwrap_or_else(|_| panic!("no window within {OPENS_WITHIN:?}\n{}", errors()))
            .unwrap_or_else(|error| panic!("the window did not open: {error}\n{}", errors()));
        Self { processes, driver }
    }

    /// The element with this `data-testid`, as soon as it is there.
    pub(crate) async fn by_test_id(&self, id: &str) -> WebElement {
        self.by_css(&format!("[data-testid='{id}']")).await
    }

    /// The first element that fits the selector, as soon as it is there.
    pub(crate) async fn by_css(&self, selector: &str) -> WebElement {
        let found = self
            .driver
            .query(By::Css(selector.to_owned()))
            .wait(APPEARS_WITHIN, Duration::from_millis(50))
            .first()
            .await;
        match found {
            Ok(element) => element,
            Err(error) => {
                let name: String =
                    selector.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
                self.screenshot(&format!("missing-{name}")).await;
                let page = By::Css("body");
                let page = match self.driver.find(page).await {
                    Ok(body) => body.text().await.unwrap_or_default(),
                    Err(error) => error.to_string(),
                };
                let errors = self.processes.errors();
                panic!("`{selector}` did not appear: {error}\nthe page says:\n{page}\n{errors}")
            }
        }
    }

    /// The element of that test id which holds these words, as soon as it is there.
    pub(crate) async fn by_words(&self, id: &str, words: &str) -> WebElement {
        let place = format!("//*[@data-testid='{id}'][contains(., '{words}')]");
        let query = self.driver.query(By::XPath(place));
        match query.wait(APPEARS_WITHIN, Duration::from_millis(50)).first().await {
            Ok(element) => element,
            Err(error) => panic!("no `{id}` with {words:?}: {error}"),
        }
    }

    /// Waits until the element shows these words: while something opens it has none.
    pub(crate) async fn shows(&self, id: &str, words: &str) {
        let mut looks = a_while();
        let mut shown = String::new();
        let looking = timeout(APPEARS_WITHIN, async {
            loop {
                // Drawn anew between the two, it is another element.
                shown = self.by_test_id(id).await.text().await.unwrap_or_default();
                if shown.contains(words) {
                    return;
                }
                looks.tick().await;
            }
        });
        if looking.await.is_err() {
            self.screenshot(&format!("without-words-{id}")).await;
            panic!("`{id}` does not say {words:?}, but {shown:?}\n{}", self.processes.errors());
        }
    }

    /// Makes the window as large as [`Hand`]'s, and says where in it the middle of the element is.
    ///
    /// [`Hand`]: crate::hand::Hand
    #[expect(clippy::cast_possible_truncation, reason = "a place in a window, in pixels")]
    pub(crate) async fn place_of(&self, selector: &str) -> Point {
        self.sized(SIZE).await;
        let element = self.by_css(selector).await;
        element.scroll_into_view().await.unwrap();
        let place = element.rect().await.unwrap();
        ((place.x + place.width / 2.0) as i32, (place.y + place.height / 2.0) as i32)
    }

    /// Makes the window this large.
    pub(crate) async fn sized(&self, (width, height): Size) {
        self.driver.set_window_rect(0, 0, width, height).await.unwrap();
    }

    /// Waits until the phase badge says `phase`.
    pub(crate) async fn phase(&self, phase: &str) {
        self.by_css(&format!("[data-testid='phase-badge'][data-phase='{phase}']")).await;
    }

    /// Presses a button of the question that waits, as somebody does who has read it: it was in
    /// sight for a while, and the pointer comes to it from elsewhere.
    pub(crate) async fn answer(&self, widget: &str, button: &str) {
        let armed = |how: &str| format!("[data-testid='{widget}']:is({how})");
        let question = armed("[data-armed=ready], [data-armed=armed]");
        for place in ["[data-testid='composer-input']", &format!("{question} > header")] {
            let place = self.by_css(place).await;
            self.driver.action_chain().move_to_element_center(&place).perform().await.unwrap();
        }
        let button = format!("{} [data-testid='{button}']", armed("[data-armed=armed]"));
        self.by_css(&button).await.click().await.unwrap();
    }

    /// Keeps a picture of the page as `tests/artifacts/screens/<name>.png`.
    pub(crate) async fn screenshot(&self, name: &str) {
        // What was just put into the page is painted, and its fonts are there.
        let painted = "const done = arguments[arguments.length - 1];
            document.fonts.ready.then(() => requestAnimationFrame(() =>
              requestAnimationFrame(() => setTimeout(done, 150))));";
        drop(self.driver.execute_async(painted, Vec::new()).await);
        let folder = artifacts().join("screens");
        std::fs::create_dir_all(&folder).unwrap();
        self.driver.screenshot(&folder.join(format!("{name}.png"))).await.unwrap();
    }

    /// Closes the window and waits until the program has ended.
    pub(crate) async fn quit(self) {
        self.driver.clone().quit().await.unwrap();
        self.processes.app_ended().await;
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // The session ends with its processes. Left to itself, it would ask them to end it, and
        // wait for an answer of a program that is gone. An error means it was ended before.
        drop(self.driver.clone().leak());
    }
}

/// Keeps settings as the settings page would have, before the program starts.
pub(crate) fn keep_settings(folder: &Path, json: &str) {
    let store = folder.join("store");
    std::fs::create_dir_all(&store).unwrap();
    std::fs::write(store.join("settings.json"), json).unwrap();
}

/// Every file below the folder that ends like this.
pub(crate) fn found(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(found(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files
}

/// The one state document of the store.
pub(crate) fn state_document(folder: &Path) -> PathBuf {
    found(&folder.join("store/projects"), "state/workflow.md").remove(0)
}

/// The program to drive, when everything to drive it with is installed.
pub(crate) fn tools(needed: &[&str]) -> Option<PathBuf> {
    let program = std::env::var_os("CREWAGENT_APP").map_or_else(built_program, PathBuf::from);
    let install = "Debian: apt-get install xvfb webkit2gtk-driver xdotool";
    let missing: Vec<String> = needed
        .iter()
        .filter(|tool| !on_path(tool))
        .map(|tool| format!("{tool} is not installed ({install})"))
        .chain((!program.is_file()).then(|| {
            "the program is not built (cargo build -p crewagent-desktop --features custom-protocol)"
                .to_owned()
        }))
        .collect();
    if missing.is_empty() {
        return Some(program);
    }
    let must = std::env::var("CREWAGENT_E2E").is_ok_and(|value| value == "1");
    assert!(!must, "the window cannot be driven: {}", missing.join("; "));
    None
}

fn on_path(tool: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
}

/// The program beside this test, wherever the build went: `<target>/debug/deps/e2e-…` is the test.
fn built_program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    folder.join("crewagent-desktop").with_extension(std::env::consts::EXE_EXTENSION)
}

fn artifacts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts")
}
