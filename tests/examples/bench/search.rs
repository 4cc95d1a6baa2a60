//! Full-text search over a million messages, half English, half Chinese (spec 08).

use std::path::Path;
use std::time::{Duration, Instant};

use host::store::RuntimeStore;
use kernel::command::SearchQuery;
use kernel::event::Line;
use serde_json::{Value, json};

use crate::append::{new_run, started};
use crate::stats::{percentile_us, round};

/// Messages searched.
const MESSAGES: u64 = 1_000_000;
/// Conversations they stand in.
const CONVERSATIONS: u64 = 200;
/// Messages written by one line: filling is not what is measured.
const PER_LINE: u64 = 100;
/// Times each question is asked after the first.
const ASKED: usize = 7;

/// Words by rank: a rank twice as large is half as frequent, as in a language.
struct Words {
    seed: u64,
}

impl Words {
    fn rank(&mut self, magnitudes: u64) -> u64 {
        // Knuth's linear congruential generator: the same text on every machine.
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        let bits = self.seed >> 24;
        let least = 1 << (bits % magnitudes);
        least - 1 + (bits / magnitudes) % least
    }

    fn english(&mut self) -> String {
        (0..30).map(|_| word(self.rank(14))).collect::<Vec<_>>().join(" ")
    }

    fn chinese(&mut self) -> String {
        (0..60).map(|_| ideograph(self.rank(12))).collect()
    }
}

/// A word of two or three syllables.
fn word(rank: u64) -> String {
    let letter = |letters: &str, n: u64| {
        let n = usize::try_from(n).unwrap_or(0) % letters.len();
        letters[n..=n].to_owned()
    };
    let syllable = |n: u64| letter("kstnhmrglbdpfv", n % 14) + letter("aeiou", n / 14).as_str();
    let more = if rank < 4_900 { String::new() } else { syllable(rank / 4_900) };
    format!("{}{}{more}", syllable(rank % 70), syllable(rank / 70 % 70))
}

fn ideograph(rank: u64) -> char {
    u32::try_from(rank).ok().and_then(|rank| char::from_u32(0x4e00 + rank)).unwrap_or('一')
}

/// What people ask, by what makes it hard.
fn questions() -> [(&'static str, String); 10] {
    let ideographs = |ranks: &[u64]| ranks.iter().map(|rank| ideograph(*rank)).collect::<String>();
    [
        ("commonWord", word(0)),
        ("beginningOfCommonWords", word(1)[..3].to_owned()),
        ("twoCommonWords", format!("{} {}", word(1), word(2))),
        ("rareWord", word(8_000)),
        ("rareAndCommonWord", format!("{} {}", word(0), word(8_000))),
        ("nothing", "xyzzy".to_owned()),
        ("commonIdeograph", ideographs(&[0])),
        ("twoIdeographs", ideographs(&[1, 5])),
        ("fourIdeographs", ideographs(&[1, 0, 2, 0])),
        ("bothLanguages", format!("{} {}", word(0), ideographs(&[0]))),
    ]
}

/// Fills a store and asks.
pub(crate) fn measure(folder: &Path) -> anyhow::Result<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = RuntimeStore::open(folder)?;
        let began = Instant::now();
        let bytes = fill(&store).await?;
        let mut report = json!({
            "messages": MESSAGES,
            "fillS": round(began.elapsed().as_secs_f64()),
            "textMiB": bytes >> 20,
        });
        let mut slowest: f64 = 0.0;
        for (name, text) in questions() {
            let mut times = Vec::new();
            let mut hits = 0;
            for _ in 0..=ASKED {
                let search = SearchQuery { text: text.clone(), ..SearchQuery::default() };
                let began = Instant::now();
                hits = store.search(search).await?.hits.len();
                times.push(began.elapsed());
            }
            let warm = ms(&times[1..]);
            slowest = slowest.max(warm);
            report[name] = json!({ "firstMs": ms(&times[..1]), "warmMs": warm, "hits": hits });
        }
        report["slowestWarmMs"] = json!(slowest);
        drop(store);
        let db = rusqlite::Connection::open(folder.join("store.db"))?;
        let sql = "SELECT sum(length(block)) FROM search_data";
        let index: i64 = db.query_row(sql, [], |row| row.get(0))?;
        report["indexMiB"] = json!(index >> 20);
        anyhow::Ok(report)
    })
}

/// The median in milliseconds.
fn ms(times: &[Duration]) -> f64 {
    round(percentile_us(times, 0.5) / 1000.0)
}

/// Bytes of text written.
async fn fill(store: &RuntimeStore) -> anyhow::Result<usize> {
    let mut words = Words { seed: 7 };
    let mut bytes = 0;
    for n in 0..CONVERSATIONS {
        let run = new_run(&format!("talk{n}"))?;
        store.register_package(support::package_row(&run.package_id)).await?;
        store.create_run(run.clone(), &started(&run)?).await?;
        let mut seq = 2;
        while seq < MESSAGES / CONVERSATIONS + 2 {
            let events: Vec<Value> = (seq..seq + PER_LINE)
                .map(|m| {
                    let text = if m % 2 == 0 { words.english() } else { words.chinese() };
                    bytes += text.len();
                    let data =
                        json!({ "messageId": format!("m{m}"), "text": text, "forNodeId": null });
                    json!({ "event": "user_said", "data": data })
                })
                .collect();
            let at = "2026-01-01T00:00:00Z";
            let line = json!({ "v": 1, "seq": seq, "at": at, "turn": 0, "events": events });
            let line: Line = serde_json::from_value(line)?;
            store.append(&run.conversation_id, &line).await?;
            seq += PER_LINE;
        }
    }
    Ok(bytes)
}
