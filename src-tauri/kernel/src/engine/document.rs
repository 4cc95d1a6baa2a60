//! A state document as its text: everything else in it follows from that.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

use crate::state_doc::StateDoc;

type Doc = Option<Arc<StateDoc>>;

pub(super) fn serialize<S: Serializer>(doc: &Doc, to: S) -> Result<S::Ok, S::Error> {
    doc.as_ref().map(|doc| &**doc.text()).serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Doc, D::Error> {
    let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
    StateDoc::parse(&text).map(|doc| Some(Arc::new(doc))).map_err(D::Error::custom)
}
