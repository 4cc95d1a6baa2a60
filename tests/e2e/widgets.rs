//! The six kinds of questions in the window, each answered by a person's mouse and keys: what the
//! model is told then is what was entered, and hasty clicks answer one question, not the next too.
//!
//! Where something is in the window is looked up first, in a window that WebDriver drives through
//! the same questions; then another run is answered by hand.

use crate::hand::{Hand, Point, Size, comes_back_to};
use crate::models::{a_model, a_run, back};
use crate::window::App;
use host::llm::DemoServer;
use serde_json::{Value, json};
use std::path::Path;
use thirtyfour::prelude::ElementWaitable as _;

/// A small window: questions have the least room there that they must do with.
const SMALL: Size = (900, 600);

/// Where one writes in it.
const COMPOSER: Point = (430, 563);

/// What makes a question answerable: words for a field, or a click.
type Step = (&'static str, Option<&'static str>);

/// A question of the model's.
struct Asked {
    /// The arguments of its call.
    ask: Value,
    /// What a hand goes to first.
    first: &'static str,
    /// How it comes to be answerable in the window that is only measured.
    steps: &'static [Step],
    /// What is entered by hand, and what the model is to be told.
    given: Value,
}

impl Asked {
    fn kind(&self) -> &str {
        self.ask["type"].as_str().unwrap()
    }

    /// The question in the page, while it can be answered.
    fn place(&self) -> String {
        let (kind, id) = (self.kind(), self.ask["widgetId"].as_str().unwrap());
        format!("[data-testid='widget-{kind}'][data-widget-id='{id}'][data-armed]")
    }
}

const TITLE: &str = "Pears, plums & 1 quince";
const SHORTER: &str = "Leave out the second part.";
const RATHER: &str = "Ask me again tomorrow.";

fn form() -> Asked {
    let schema = json!({
        "type": "object",
        "required": ["area", "bed", "count"],
        "properties": {
            "area": { "type": "string", "title": "Title" },
            "bed": { "type": "string", "enum": ["north", "south", "west"] },
            "count": { "type": "integer", "minimum": 1, "maximum": 13 },
            "early": { "type": "boolean" },
            "notes": { "type": "string", "maxLength": 400 },
        },
    });
    let message = "A few details, please.";
    Asked {
        ask: json!({ "widgetId": "details", "type": "form", "message": message, "schema": schema }),
        first: "field-area",
        steps: &[("field-area", Some("A title")), ("field-count", Some("5"))],
        given: json!({ "area": TITLE, "bed": "south", "count": 5, "early": true,
                       "notes": "Rain.\nThen sun." }),
    }
}

fn plan(id: &str, first: &'static str, steps: &'static [Step], given: Value) -> Asked {
    let content = "1. Look at the beds.\n2. Write down what is ripe.\n3. Tell the members.\n";
    let message = "This is how I would go about it.";
    let ask = json!({ "widgetId": id, "type": "plan_review", "message": message,
                      "planContent": content });
    Asked { ask, first, steps, given }
}

fn confirmation(id: &str, first: &'static str, given: Value) -> Asked {
    let ask = json!({ "widgetId": id, "type": "confirmation", "message": "Shall I begin?" });
    Asked { ask, first, steps: &[], given }
}

fn feedback() -> Asked {
    let items = json!([{ "id": "one", "content": "**Ripe today.**" },
                       { "id": "two", "content": "**What is ripe?**" }]);
    Asked {
        ask: json!({ "widgetId": "openings", "type": "feedback",
                     "message": "What do you think of these?", "items": items }),
        first: "field-one",
        steps: &[("field-one", Some("Good."))],
        given: json!({ "one": "Too short.", "two": "Good." }),
    }
}

fn selection(id: &str, multi: bool, given: Value) -> Asked {
    let options = json!([{ "value": "pears", "label": "Pears" },
                         { "value": "plums", "label": "Plums" },
                         { "value": "quinces", "label": "Quinces", "description": "Both trees." }]);
    Asked {
        ask: json!({ "widgetId": id, "type": "selection", "message": "Which of them?",
                     "multi": multi, "options": options }),
        first: "widget-option-pears",
        steps: &[("widget-option-pears", None)],
        given,
    }
}

fn action() -> Asked {
    let actions =
        json!([{ "id": "on", "label": "Go on" }, { "id": "revise", "label": "Revise it" }]);
    Asked {
        ask: json!({ "widgetId": "next", "type": "action_selection", "message": "What next?",
                     "actions": actions }),
        first: "widget-option-revise",
        steps: &[("widget-option-revise", None)],
        given: json!("revise"),
    }
}

/// Each kind once, and once more where it can be answered in another way. What can be answered as
/// it stands comes after what is answered by hasty clicks.
fn questions() -> Vec<Asked> {
    let changes = "widget-option-request_changes";
    let asks_for_changes: &[Step] =
        &[("widget-option-request_changes", None), ("plan-feedback", Some("No."))];
    vec![
        form(),
        plan(
            "plan",
            changes,
            asks_for_changes,
            json!({ "decision": "request_changes", "feedback": SHORTER }),
        ),
        confirmation("begin", "widget-submit", json!({ "confirmed": true })),
        confirmation("really", "widget-instead", json!({ "confirmed": false, "instead": RATHER })),
        plan("shorter", "widget-submit", &[], json!({ "decision": "approve" })),
        feedback(),
        selection("some", true, json!(["pears", "quinces"])),
        action(),
        selection("one", false, json!(["plums"])),
    ]
}

/// Where the hand goes to at first, and where the button is that answers.
#[derive(Clone, Copy)]
struct Places {
    first: Point,
    submit: Point,
}

/// The middle of a part of the question. It is wholly in the window, and nothing lies over it.
async fn in_sight(app: &App, question: &str, part: &str) -> Point {
    let script = "const part = document.querySelector(arguments[0]);
        const { left, top, right, bottom } = part.getBoundingClientRect();
        const at = [(left + right) / 2, (top + bottom) / 2];
        const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        const isSeen = part.contains(document.elementFromPoint(...at));
        return { at: at.map(Math.round), isWhole, isSeen, window: [innerWidth, innerHeight] };";
    let selector = json!(format!("{question} {part}"));
    let told = app.driver.execute(script, vec![selector.clone()]).await.unwrap().json().clone();
    assert_eq!(told["window"], json!(SMALL));
    assert!(told["isWhole"] == true && told["isSeen"] == true, "{selector} in sight: {told}");
    serde_json::from_value(told["at"].clone()).unwrap()
}

async fn heading_and_button(app: &App, question: &str) -> Point {
    in_sight(app, question, "> header h2").await;
    in_sight(app, question, "[data-testid='widget-submit']").await
}

/// Looks where the parts of a question are, and answers it somehow.
async fn measured(app: &App, asked: &Asked) -> Places {
    let question = asked.place();
    app.by_css(&format!("{question}[data-armed='ready']")).await;
    heading_and_button(app, &question).await;
    app.screenshot(&format!("small-{}", asked.ask["widgetId"].as_str().unwrap())).await;
    let first = in_sight(app, &question, &format!("[data-testid='{}']", asked.first)).await;
    for (id, words) in asked.steps {
        let part = app.by_css(&format!("{question} [data-testid='{id}']")).await;
        match words {
            Some(words) => part.send_keys(*words).await.unwrap(),
            None => part.click().await.unwrap(),
        }
    }
    let submit = heading_and_button(app, &question).await;
    Places { first, submit }
}

/// A run that waits at its first question, in a store whose window was closed.
async fn begun(folder: &Path, server: &DemoServer, first: &Asked) -> Option<()> {
    let app = a_run(folder, server).await?;
    app.by_css(&first.place()).await;
    // It is written a moment after the question is there.
    comes_back_to(folder, "run-").await;
    app.quit().await;
    Some(())
}

/// Where everything is in each of the questions, in a run that is for nothing else.
async fn places(folder: &Path, questions: &[Asked], script: &[Value]) -> Option<Vec<Places>> {
    let server = a_model(script, Vec::new()).await;
    begun(folder, &server, &questions[0]).await?;
    let app = back(folder).await;
    app.sized(SMALL).await;
    let mut places = Vec::new();
    for asked in questions {
        places.push(measured(&app, asked).await);
        if asked.kind() == "form" {
            choose_a_bed(&app).await;
        }
        app.answer(&format!("widget-{}", asked.kind()), "widget-submit").await;
    }
    app.shows("message-assistant", "Thank you.").await;
    app.quit().await;
    Some(places)
}

async fn choose_a_bed(app: &App) {
    app.by_test_id("field-bed").await.click().await.unwrap();
    // A list is in the page a moment before it has its place there.
    let option = app.by_css("[role='option']").await;
    option.wait_until().clickable().await.unwrap();
    option.click().await.unwrap();
}

/// A hand on the questions, and the server of the model that asks them.
struct Answering {
    hand: Hand,
    server: DemoServer,
}

/// Whether this is what is filled in and not sent.
fn filled(value: Value) -> impl Fn(&Hand) -> bool {
    move |it| {
        it.drafts().iter().any(|body| serde_json::from_str(body).ok().as_ref() == Some(&value))
    }
}

impl Answering {
    /// Writes a letter where one writes and takes it back: then the conversation is there.
    async fn is_there(&self) {
        let write = |it: &Hand| {
            it.click(COMPOSER);
            it.press(&["ctrl+a", "x"]);
        };
        self.hand.trying("the conversation is there", write, filled(json!("x"))).await;
        self.hand.press(&["ctrl+a", "BackSpace"]);
        self.hand.until("nothing is written", |it| it.drafts().is_empty()).await;
    }

    async fn is_asked(&self, at: usize) {
        self.hand.until("the next is asked", |it| it.asked("widget_asked") == at + 1).await;
    }

    /// Ten clicks in one place; the first of them is meant.
    async fn clicks_ten_times(&self, at: Point) {
        let answered = self.hand.asked("widget_answered");
        let ten = |it: &Hand| {
            it.move_to((at.0, at.1 - 40));
            it.move_to(at);
            it.xdotool(&["click", "--repeat", "10", "--delay", "100", "1"]);
        };
        let comes = |it: &Hand| it.asked("widget_answered") > answered;
        self.hand.trying("it is answered", ten, comes).await;
        // The last of them fell on what came next, if that was quick; these do, and nobody has moved.
        self.is_asked(answered + 1).await;
        self.hand.xdotool(&["click", "--repeat", "4", "--delay", "300", "1"]);
        let all = self.hand.asked("widget_answered");
        assert_eq!(all, answered + 1, "what came next was answered by clicks that were over");
    }

    /// The model was told what was entered, and nothing else.
    async fn tells(&self, at: usize, asked: &Asked) {
        self.hand.until("the model is told", |_| self.server.requests().len() > at + 1).await;
        let request = self.server.requests().remove(at + 1);
        let told = request["messages"].as_array().unwrap().last().unwrap().clone();
        let words = told["content"].as_str().unwrap();
        let told: Value = match words.strip_prefix("USER_INPUT\n- forNodeId: ask\nWIDGET_SUBMIT\n")
        {
            Some(body) => serde_json::from_str(body).unwrap(),
            None => panic!("no answer to a question: {told}"),
        };
        let Asked { ask, given, .. } = asked;
        let wanted = json!({ "widgetId": ask["widgetId"], "type": ask["type"], "value": given });
        assert_eq!(told, wanted);
    }

    /// A click where one writes, and then the keys alone.
    async fn fills_the_form(&self, places: Places) {
        let hand = &self.hand;
        let title = |it: &Hand| {
            it.click(places.first);
            it.press(&["ctrl+a"]);
            it.types(TITLE);
        };
        let mut kept = json!({ "area": TITLE });
        hand.trying("a title", title, filled(kept.clone())).await;
        hand.press(&["Tab"]);
        // A list opens, is gone through by letters, and closes with what was chosen.
        let bed = |it: &Hand| {
            it.press(&["Return"]);
            it.types("so");
            it.press(&["Return"]);
        };
        kept["bed"] = json!("1");
        hand.trying("a bed", bed, filled(kept.clone())).await;
        hand.press(&["Tab"]);
        hand.types("5");
        kept["count"] = json!("5");
        hand.until("a number", filled(kept.clone())).await;
        hand.press(&["Tab", "space"]);
        kept["early"] = json!(true);
        hand.until("a yes", filled(kept.clone())).await;
        hand.press(&["Tab"]);
        hand.types("Rain.");
        hand.press(&["Return"]);
        hand.types("Then sun.");
        kept["notes"] = json!("Rain.\nThen sun.");
        hand.until("two lines", filled(kept)).await;
    }

    async fn asks_for_changes(&self, places: Places) {
        let changes = json!({ "changing": true, "feedback": "" });
        self.hand.trying("a field", |it| it.click(places.first), filled(changes)).await;
        // The field has the focus.
        self.hand.types(SHORTER);
        let words = json!({ "changing": true, "feedback": SHORTER });
        self.hand.until("what should differ", filled(words)).await;
    }

    /// A no with words, sent by the keys that are printed there.
    async fn says_what_instead(&self, places: Places) {
        let opened = json!({ "instead": "", "isOpen": true });
        self.hand.trying("a field", |it| it.click(places.first), filled(opened)).await;
        self.hand.types(RATHER);
        let words = json!({ "instead": RATHER, "isOpen": true });
        self.hand.until("the words", filled(words)).await;
        self.sends_by_keys().await;
    }

    async fn sends_by_keys(&self) {
        let answered = self.hand.asked("widget_answered");
        let send = |it: &Hand| it.press(&["ctrl+Return"]);
        let comes = |it: &Hand| it.asked("widget_answered") > answered;
        self.hand.trying("it is sent", send, comes).await;
    }

    async fn comments(&self, places: Places) {
        let one = |it: &Hand| {
            it.click(places.first);
            it.press(&["ctrl+a"]);
            it.types("Too short.");
        };
        self.hand.trying("a comment", one, filled(json!({ "one": "Too short." }))).await;
        self.hand.press(&["Tab"]);
        self.hand.types("Good.");
        let both = json!({ "one": "Too short.", "two": "Good." });
        self.hand.until("both comments", filled(both)).await;
    }

    /// One by a click, another one by the key that is printed beside it.
    async fn chooses_some(&self, places: Places) {
        self.hand.trying("pears", |it| it.click(places.first), filled(json!(["pears"]))).await;
        let third = |it: &Hand| it.press(&["alt+3"]);
        self.hand.trying("quinces", third, filled(json!(["pears", "quinces"]))).await;
    }

    async fn answers(&self, asked: &Asked, places: Places) {
        match asked.ask["widgetId"].as_str().unwrap() {
            "details" => self.fills_the_form(places).await,
            "plan" => self.asks_for_changes(places).await,
            "really" => return self.says_what_instead(places).await,
            "openings" => self.comments(places).await,
            "some" => self.chooses_some(places).await,
            "next" => {
                let revise = filled(json!(["revise"]));
                self.hand.trying("an action", |it| it.click(places.first), revise).await;
            }
            "one" => {
                let second = |it: &Hand| it.press(&["alt+2"]);
                self.hand.trying("plums", second, filled(json!(["plums"]))).await;
                return self.sends_by_keys().await;
            }
            // It can be answered as it stands.
            _ => {}
        }
        self.clicks_ten_times(places.submit).await;
    }
}

/// The hand does not wait for the model: it has threads of its own.
#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_question_is_answered_by_hand_and_the_model_is_told_just_what_was_entered() {
    let questions = questions();
    let mut script: Vec<Value> = questions
        .iter()
        .map(|asked| json!({ "calls": [{ "name": "ui_ask_user", "arguments": asked.ask }] }))
        .collect();
    script.push(json!({ "text": "Thank you." }));
    let folder = tempfile::tempdir().unwrap();
    let Some(places) = places(folder.path(), &questions, &script).await else { return };

    let folder = tempfile::tempdir().unwrap();
    let server = a_model(&script, Vec::new()).await;
    begun(folder.path(), &server, &questions[0]).await.unwrap();
    let hand = Hand::opens_sized(folder.path(), &[], SMALL).await.unwrap();
    let answering = Answering { hand, server };
    answering.is_there().await;
    for (at, (asked, places)) in questions.iter().zip(places).enumerate() {
        answering.is_asked(at).await;
        answering.answers(asked, places).await;
        answering.tells(at, asked).await;
    }
    let replies = script.len();
    answering.hand.until("it has thanked", |it| it.asked("model_replied") == replies).await;
    assert_eq!(answering.hand.asked("widget_answered"), questions.len());
    answering.hand.kill();
}
