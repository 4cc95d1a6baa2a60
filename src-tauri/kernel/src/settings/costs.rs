//! What models cost, as the person says it: nobody else knows their prices.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

use crate::bounds::{MODEL_PRICES, PRICED_NAME_BYTES};
use crate::chat::ModelUsage;
use crate::phrase::{Phrase, settings};
use crate::text::is_blank;
use crate::visible::name_hides;

/// What models cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CostSettings {
    /// The name of the currency, `USD`.
    pub currency: String,
    /// What each model costs.
    pub prices: Vec<ModelPrice>,
}

impl Default for CostSettings {
    fn default() -> Self {
        Self { currency: "USD".into(), prices: Vec::new() }
    }
}

/// What a model costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ModelPrice {
    /// How the model's name begins: `gpt-4.1` holds for `gpt-4.1-2026-04-14`, too, unless that has a
    /// price of its own.
    pub model: String,
    /// A million tokens of requests.
    pub input: f64,
    /// A million tokens of answers.
    pub output: f64,
}

/// What a conversation has cost so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// In the currency of the settings.
    pub amount: f64,
    /// Whether it is no more than about right: tokens were estimated, or a part has no price.
    pub about: bool,
}

impl CostSettings {
    /// What was used has cost; `None` when none of it has a price. `model` is the one of the
    /// settings: it is meant where a server did not tell its model's name.
    pub fn cost_of(&self, used: &[ModelUsage], model: &str) -> Option<Cost> {
        let mut cost: Option<Cost> = None;
        let mut unpriced = false;
        for ModelUsage { model: name, usage } in used {
            let Some(price) = self.price_of(name.as_deref().unwrap_or(model)) else {
                unpriced = true;
                continue;
            };
            #[expect(clippy::cast_precision_loss, reason = "no model was ever asked so much")]
            let tokens = (usage.prompt_tokens as f64, usage.completion_tokens as f64);
            let amount = (tokens.0 * price.input + tokens.1 * price.output) / 1e6;
            let so_far = cost.get_or_insert(Cost { amount: 0.0, about: false });
            so_far.amount += amount;
            so_far.about |= usage.estimated;
        }
        cost.map(|cost| Cost { about: cost.about || unpriced, ..cost })
    }

    /// The price whose name is the longest that a model's name begins with.
    fn price_of(&self, model: &str) -> Option<&ModelPrice> {
        let fit = self.prices.iter().filter(|price| model.starts_with(price.model.as_str()));
        fit.max_by_key(|price| price.model.len())
    }

    /// Which field is wrong, and why.
    pub(super) fn wrong(&self) -> Option<(&'static str, Phrase)> {
        let letters = self.currency.chars().all(|c| c.is_alphabetic() || "$€£¥".contains(c));
        if !letters || !(1..=8).contains(&self.currency.chars().count()) {
            return Some(("costs.currency", settings::currency_name()));
        }
        if self.prices.len() > MODEL_PRICES {
            return Some(("costs.prices", settings::too_many_prices(MODEL_PRICES)));
        }
        let is_price = |price: f64| (0.0..=1e6).contains(&price);
        let right = |price: &ModelPrice| {
            let name = &price.model;
            let named = !is_blank(name) && name.len() <= PRICED_NAME_BYTES;
            let shown = !name.chars().any(char::is_control) && !name_hides(name);
            named && shown && [price.input, price.output].into_iter().all(is_price)
        };
        let mut names = BTreeSet::new();
        if let Some(twice) = self.prices.iter().find(|price| !names.insert(&price.model)) {
            let name = crate::text::ellipsis(&twice.model, 80);
            return Some(("costs.prices", settings::price_twice(name)));
        }
        let wrong = self.prices.iter().find(|price| !right(price))?;
        Some(("costs.prices", settings::price_wrong(crate::text::ellipsis(&wrong.model, 80))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::Usage;

    fn costs(prices: &[(&str, f64, f64)]) -> CostSettings {
        let price = |&(model, input, output): &(&str, f64, f64)| ModelPrice {
            model: model.into(),
            input,
            output,
        };
        CostSettings { prices: prices.iter().map(price).collect(), ..CostSettings::default() }
    }

    fn used(model: Option<&str>, prompt_tokens: u64, completion_tokens: u64) -> ModelUsage {
        let usage = Usage { prompt_tokens, completion_tokens, estimated: false };
        ModelUsage { model: model.map(str::to_owned), usage }
    }

    #[test]
    fn each_model_costs_what_the_longest_name_says_that_its_own_begins_with() {
        let costs = costs(&[("gpt-4.1", 2.0, 8.0), ("gpt-4.1-mini", 0.4, 1.6)]);
        let all = [
            used(Some("gpt-4.1-2026-04-14"), 1_000_000, 500_000),
            used(Some("gpt-4.1-mini"), 1_000_000, 0),
        ];
        let cost = costs.cost_of(&all, "x").unwrap();
        assert!((cost.amount - 6.4).abs() < 1e-9 && !cost.about, "{cost:?}");
    }

    #[test]
    fn what_has_no_price_or_was_estimated_makes_it_about_right_and_nothing_priced_is_no_cost() {
        let costs = costs(&[("gpt", 2.0, 8.0)]);
        let both = [used(Some("gpt"), 1000, 0), used(Some("llama"), 1000, 0)];
        assert!(costs.cost_of(&both, "x").unwrap().about);
        let mut estimated = used(None, 1000, 0);
        estimated.usage.estimated = true;
        assert!(costs.cost_of(&[estimated], "gpt-5").unwrap().about, "the model of the settings");
        assert_eq!(costs.cost_of(&[used(Some("llama"), 1000, 0)], "gpt"), None);
        assert_eq!(costs.cost_of(&[], "gpt"), None);
    }

    #[test]
    fn a_price_is_a_number_that_can_be_paid_and_a_currency_a_name() {
        assert_eq!(costs(&[("m", 0.0, 1e6)]).wrong(), None);
        for price in [-1.0, 2e6, f64::NAN, f64::INFINITY] {
            assert_eq!(costs(&[("m", price, 0.0)]).wrong().unwrap().0, "costs.prices", "{price}");
        }
        for name in [" ", "gpt\u{202e}", "gpt\n"] {
            assert!(costs(&[(name, 1.0, 1.0)]).wrong().is_some(), "{name:?}");
        }
        assert!(costs(&[("m", 1.0, 1.0), ("n", 1.0, 1.0), ("m", 2.0, 1.0)]).wrong().is_some());
        for currency in ["", "1", "a b", "ninechars"] {
            let costs = CostSettings { currency: currency.into(), ..CostSettings::default() };
            assert_eq!(costs.wrong().unwrap().0, "costs.currency", "{currency}");
        }
        assert_eq!(CostSettings { currency: "€".into(), ..CostSettings::default() }.wrong(), None);
    }
}
