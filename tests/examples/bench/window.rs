//! The window as it ships, on a virtual display: what a person waits for, and what the program
//! takes of the machine (spec 09). Only with `--window`, as the program has to be built for it.

mod hard;
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "the tests' own way to start a window; what fails ends the benchmark"
)]
#[path = "../../e2e/processes.rs"]
mod processes;
mod scripts;
mod taken;

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use thirtyfour::prelude::*;

use self::processes::{Display, Driver, end, kill};
use self::scripts::{
    CLICK_LONG, COUNT, GO_SHORT, MEASURE_SWITCH, PAINTED, PROJECT, READ_HARD, RESTS, SCROLL,
    STREAMS, SWITCHED,
};
use self::taken::{pss_mib, started_at, tree, worked};
use crate::open::{Place, answered};
use crate::server::Request;
use crate::stats::round;
use crate::stream::{chunk, event};
use crate::turns::NOTES;

/// How often the program is started and shown the long conversation.
const ROUNDS: usize = 5;
/// Messages of the long conversation.
const MESSAGES: u64 = 10_000;
/// Between two words of an answer that is watched: 300 a second.
const PACE: Duration = Duration::from_micros(3_333);
/// Words of an answer.
const WORDS: u64 = 6_000;
/// How long frames are counted while it streams.
const STREAMED: Duration = Duration::from_secs(10);
/// Answers that make an hour of a model that says 50 words a second.
const HOUR: u64 = 30;
/// Between two words of these.
const FAST: Duration = Duration::from_micros(300);
/// How long such an answer may take to come.
const ANSWERS_WITHIN: Duration = Duration::from_mins(1);
/// Runs of a store that has been used for long.
const RUNS: usize = 1_000;
/// How long the program is left alone before its memory and its work are read.
const SETTLES: Duration = Duration::from_secs(10);
/// What is said first in the conversation that is newer than the long one, and how it is answered.
const SHORT: &str = "Something short.";
const SHORT_ANSWER: &str = "It is **short**, as you wanted:\n\n- one thing\n- and `another`";
/// How long a hand rests on what it is about to press, at least.
const RESTS_BEFORE: Duration = Duration::from_millis(150);

/// All figures of the window.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let program = program()?;
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (long, many) = (folder.join("long"), folder.join("many"));
    let model = Model::serve()?;
    runtime.block_on(make_long(&long, &model))?;
    runtime.block_on(make_many(&many))?;

    let (mut painted, mut opened, mut scrolled) = (Vec::new(), Vec::new(), Vec::new());
    let (mut unforeseen, mut listed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let round = runtime.block_on(a_start(&program, &long, Click::ByMouse))?;
        painted.push(round.painted);
        opened.push(round.opened);
        scrolled.extend(round.frames);
        unforeseen.push(runtime.block_on(a_start(&program, &long, Click::ByScript))?.opened);
        listed.push(runtime.block_on(listed_after(&program, &many))?);
    }
    let hard = runtime.block_on(hard_frames(&program, &long))?;
    let streamed = runtime.block_on(a_stream(&program, &long, &model))?;
    let idle = at_rest(&program, &folder.join("idle"), &[])?;
    let demo = at_rest(&program, &folder.join("demo"), &["--demo"])?;
    Ok(json!({
        "messages": MESSAGES, "runs": RUNS,
        "firstPaintMs": part(&painted, 0.5), "firstPaintSlowestMs": part(&painted, 1.0),
        "manyRunsListedMs": part(&listed, 0.5), "manyRunsListedSlowestMs": part(&listed, 1.0),
        "openMs": part(&opened, 0.5), "openSlowestMs": part(&opened, 1.0),
        "openUnforeseenMs": part(&unforeseen, 0.5),
        "openUnforeseenSlowestMs": part(&unforeseen, 1.0),
        "scrollFrameP95Ms": part(&scrolled, 0.95), "scrollFrameSlowestMs": part(&scrolled, 1.0),
        "hardFrames": hard.len(),
        "hardFrameP95Ms": part(&hard, 0.95), "hardFrameSlowestMs": part(&hard, 1.0),
        "streamFrameP95Ms": part(&streamed.frames_ms, 0.95),
        "streamFrameSlowestMs": part(&streamed.frames_ms, 1.0),
        "typingP95Ms": part(&streamed.typed_ms, 0.95), "typingSlowestMs": part(&streamed.typed_ms, 1.0),
        "streamedPssMiB": streamed.pss_mib, "hourPssMiB": streamed.hour_pss_mib,
        "idlePssMiB": idle.pss_mib, "idleProcessorPercent": idle.processor_percent,
        "demoPssMiB": demo.pss_mib, "demoProcessorPercent": demo.processor_percent,
    }))
}

/// A store with a long conversation, a newer one that is short, and a model for both.
async fn make_long(folder: &Path, model: &Model) -> anyhow::Result<()> {
    std::fs::create_dir(folder)?;
    let place = Place::make(folder).await?;
    place.long(NOTES, MESSAGES).await?;
    let texts = hard::texts();
    place.with_turns(hard::ASKED, (0..).zip(&texts).map(|(n, text)| answered(n, text))).await?;
    place.with_turns(SHORT, std::iter::once(answered(0, SHORT_ANSWER))).await?;
    place.close().await?;
    let settings =
        json!({ "model": { "provider": "custom", "baseUrl": model.url, "model": "bench" } });
    Ok(std::fs::write(folder.join("store/settings.json"), settings.to_string())?)
}

/// A store with many runs, all of which wait for a person.
async fn make_many(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir(folder)?;
    let place = Place::make(folder).await?;
    for _ in 0..RUNS {
        place.begin(SHORT).await?;
    }
    place.close().await
}

/// The value below which this share of them lies; none of none, which no limit lets pass.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an index between 0 and last"
)]
fn part(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().map(round)
}

/// The program of the same build as this benchmark.
fn program() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe()?;
    let program = own.ancestors().nth(2).context("no folder")?.join("crewagent-desktop");
    anyhow::ensure!(program.is_file(), "{} is not built", program.display());
    Ok(program)
}

/// Draws as the program chooses, and not as tests need it to take pictures.
fn as_people_start(mut command: Command) -> Command {
    command.env_remove("WEBKIT_SKIA_ENABLE_CPU_RENDERING");
    command.env_remove("WEBKIT_DISABLE_DMABUF_RENDERER");
    command
}

/// A window that is driven.
struct Window {
    driver: WebDriver,
    processes: Driver,
}

impl Window {
    async fn open(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let display = Display::start();
        let mut command = as_people_start(display.command("WebKitWebDriver", folder));
        command.env("TAURI_WEBVIEW_AUTOMATION", "true");
        let processes = Driver::run(display, command, folder).await;
        let mut wanted = Capabilities::new();
        wanted.set("webkitgtk:browserOptions", json!({ "binary": program, "args": [] }))?;
        let driver = WebDriver::new(processes.address(), wanted).await?;
        Ok(Self { driver, processes })
    }

    /// What a script of the page calls back with.
    async fn asks(&self, script: &str) -> anyhow::Result<Value> {
        let script = format!("const done = arguments[arguments.length - 1];\n{script}");
        Ok(self.driver.execute_async(script, Vec::new()).await?.json().clone())
    }

    async fn number(&self, script: &str) -> anyhow::Result<f64> {
        self.asks(script).await?.as_f64().context("no number came")
    }

    async fn numbers(&self, script: &str) -> anyhow::Result<Vec<f64>> {
        Ok(serde_json::from_value(self.asks(script).await?)?)
    }

    /// Goes to the long conversation: milliseconds from the click until its end is painted.
    async fn switch(&self, click: Click) -> anyhow::Result<f64> {
        self.asks(MEASURE_SWITCH).await?;
        match click {
            Click::ByScript => drop(self.asks(CLICK_LONG).await?),
            Click::ByMouse => {
                let row = By::XPath(format!("//*[@data-testid='run-row'][contains(., '{NOTES}')]"));
                let row = self.driver.find(row).await?;
                self.driver.action_chain().move_to_element_center(&row).perform().await?;
                tokio::time::sleep(RESTS_BEFORE).await;
                self.driver.action_chain().click().perform().await?;
            }
        }
        self.number(SWITCHED).await
    }

    /// The first process that the driver has started.
    fn process(&self) -> anyhow::Result<u32> {
        self.processes.program().context("no program")
    }

    async fn close(self) -> anyhow::Result<()> {
        self.driver.quit().await?;
        self.processes.app_ended().await;
        Ok(())
    }
}

/// Milliseconds of a start.
struct Started {
    painted: f64,
    opened: f64,
    frames: Vec<f64>,
}

/// How the long conversation is opened.
#[derive(Clone, Copy)]
enum Click {
    /// The pointer comes to its row and rests there as a hand does: it may be read meanwhile.
    ByMouse,
    /// Nothing announces it.
    ByScript,
}

/// Starts the program, opens the long conversation and scrolls in it.
async fn a_start(program: &Path, folder: &Path, click: Click) -> anyhow::Result<Started> {
    let window = Window::open(program, folder).await?;
    let painted = window.number(PAINTED).await? - started_at(window.process()?)?;
    window.asks(PROJECT).await?;
    window.asks(GO_SHORT).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let opened = window.switch(click).await?;
    let frames = window.numbers(SCROLL).await?;
    window.close().await?;
    Ok(Started { painted, opened, frames })
}

/// Opens the conversation with what is hard to show and reads it to its beginning: how long frames
/// took meanwhile, in milliseconds.
async fn hard_frames(program: &Path, folder: &Path) -> anyhow::Result<Vec<f64>> {
    let window = Window::open(program, folder).await?;
    window.asks(PROJECT).await?;
    window.asks(GO_SHORT).await?;
    let frames = window.numbers(READ_HARD).await?;
    window.close().await?;
    Ok(frames)
}

/// How long after its start the program has listed the runs of a store with many.
async fn listed_after(program: &Path, folder: &Path) -> anyhow::Result<f64> {
    let window = Window::open(program, folder).await?;
    let listed = window.number(PROJECT).await?;
    let listed_ms = listed - started_at(window.process()?)?;
    window.close().await?;
    Ok(listed_ms)
}

struct Streamed {
    frames_ms: Vec<f64>,
    typed_ms: Vec<f64>,
    pss_mib: f64,
    hour_pss_mib: f64,
}

/// Says something in the long conversation, types on while it is answered, and then says as much
/// as an hour holds.
async fn a_stream(program: &Path, folder: &Path, model: &Model) -> anyhow::Result<Streamed> {
    let window = Window::open(program, folder).await?;
    window.asks(PROJECT).await?;
    window.asks(GO_SHORT).await?;
    window.switch(Click::ByScript).await?;
    let composer = window.driver.find(By::Css("[data-testid=composer-input]")).await?;
    model.speaks_at(PACE);
    composer.send_keys("Tell me all of it.").await?;
    window.driver.find(By::Css("[data-testid=send]")).await?.click().await?;
    window.asks(STREAMS).await?;
    window.asks(COUNT).await?;
    let until = Instant::now() + STREAMED;
    while Instant::now() < until {
        composer.send_keys("a").await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let frames_ms = window.numbers("done(window.frames_.slice(2));").await?;
    let typed_ms = window.numbers("done(window.typed_);").await?;
    window.asks(RESTS).await?;
    let pss = pss_mib(&tree(window.process()?))?;
    model.speaks_at(FAST);
    for n in 1..=HOUR {
        composer.send_keys("Tell me more.").await?;
        window.driver.find(By::Css("[data-testid=send]")).await?.click().await?;
        model.answers(1 + n).await?;
        window.asks(RESTS).await?;
    }
    let hour_pss_mib = round(pss_mib(&tree(window.process()?))?);
    window.close().await?;
    Ok(Streamed { frames_ms, typed_ms, pss_mib: round(pss), hour_pss_mib })
}

/// A server that answers everything with many words, at a steady pace.
struct Model {
    url: String,
    /// Between two words, in nanoseconds.
    pace: Arc<AtomicU64>,
    /// How many answers it has given.
    answered: Arc<AtomicU64>,
}

impl Model {
    fn serve() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let url = format!("http://127.0.0.1:{}/v1", listener.local_addr()?.port());
        let pace = Arc::new(AtomicU64::new(0));
        let answered = Arc::new(AtomicU64::new(0));
        let shared = (Arc::clone(&pace), Arc::clone(&answered));
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let (pace, answered) = shared.clone();
                // A connection that breaks shows as a client that fails.
                std::thread::spawn(move || answer_all(socket, &pace, &answered));
            }
        });
        Ok(Self { url, pace, answered })
    }

    fn speaks_at(&self, pace: Duration) {
        self.pace.store(u64::try_from(pace.as_nanos()).unwrap_or_default(), Ordering::Relaxed);
    }

    /// Waits until it has given so many answers.
    async fn answers(&self, count: u64) -> anyhow::Result<()> {
        let begun = Instant::now();
        while self.answered.load(Ordering::Relaxed) < count {
            anyhow::ensure!(begun.elapsed() < ANSWERS_WITHIN, "answer {count} did not come");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }
}

fn answer_all(mut socket: TcpStream, pace: &AtomicU64, answered: &AtomicU64) -> Option<()> {
    socket.set_nodelay(true).ok()?;
    loop {
        Request::read(&mut socket)?;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                    transfer-encoding: chunked\r\n\r\n";
        socket.write_all(head.as_bytes()).ok()?;
        let pace = pace.load(Ordering::Relaxed);
        let begun = Instant::now();
        for n in 0..WORDS {
            let due = begun + Duration::from_nanos(pace * n);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let end = if n % 12 == 11 { "\n\n" } else { " " };
            let delta = json!({ "content": format!("word{n}{end}") });
            event(&mut socket, &json!([{ "index": 0, "delta": delta, "finish_reason": null }]))?;
        }
        event(&mut socket, &json!([{ "index": 0, "delta": {}, "finish_reason": "stop" }]))?;
        chunk(&mut socket, "data: [DONE]\n\n")?;
        socket.write_all(b"0\r\n\r\n").ok()?;
        answered.fetch_add(1, Ordering::Relaxed);
    }
}

struct AtRest {
    pss_mib: f64,
    processor_percent: f64,
}

/// A program that was started plainly and is left alone: its memory, and how much it does.
fn at_rest(program: &Path, folder: &Path, arguments: &[&str]) -> anyhow::Result<AtRest> {
    std::fs::create_dir(folder)?;
    let display = Display::start();
    let mut command = as_people_start(display.command(program, folder));
    let mut program = Running(command.args(arguments).spawn()?);
    std::thread::sleep(SETTLES);
    anyhow::ensure!(program.0.try_wait()?.is_none(), "the program has ended");
    let all = tree(program.0.id());
    let before = worked(&all);
    std::thread::sleep(SETTLES);
    let did = worked(&all).saturating_sub(before);
    let processor_percent = round(100.0 * did.as_secs_f64() / SETTLES.as_secs_f64());
    Ok(AtRest { pss_mib: round(pss_mib(&all)?), processor_percent })
}

/// Ends with the value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        for process in tree(self.0.id()).into_iter().skip(1) {
            kill(process);
        }
        end(&mut self.0);
    }
}
