//! What the person said in the step under way: what the conditions of its edges may ask for
//! (spec 03 "The guard", check 6).

use super::core::Core;
use crate::event::{Event, WidgetAnswered};

impl Core {
    /// Notes what an event says of it, while the questions still stand that it may answer.
    pub(super) fn apply_to_what_is_said(&mut self, event: &Event) {
        if self.run.is_none() {
            return;
        }
        match event {
            Event::ModelReplied(_) => self.said.model_spoke(),
            Event::WidgetAsked(_) => self.said.model_asked(),
            Event::UserSaid(e) => self.said.says(&e.text),
            Event::WidgetAnswered(e) if !e.is_of_call() => self.note_answer(e),
            _ => {}
        }
    }

    fn note_answer(&mut self, e: &WidgetAnswered) {
        if e.refuses() {
            return self.said.refuses();
        }
        let open = self.widgets.get(&e.widget_message_id);
        let chosen = open.map(|open| open.asked.widget.chosen(&e.value)).unwrap_or_default();
        self.said.chooses(&e.widget_id, &chosen);
    }
}
