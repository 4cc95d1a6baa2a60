//! The way back from a name that is no setting: who sets it to `null` removes it from the file.

use kernel::settings::is_stranger;
use serde_json::{Map, Value};

/// Takes names that are no settings, and are `null` in the patch, out of the document and out of the
/// patch. They are told with dots between them, so one that holds dots itself is found as well.
pub(super) fn remove(document: &mut Map<String, Value>, patch: &mut Value) {
    if let Value::Object(patch) = patch {
        take(document, patch, &[]);
    }
}

fn take(document: &mut Map<String, Value>, patch: &mut Map<String, Value>, above: &[String]) {
    patch.retain(|name, value| {
        let path = below(above, name);
        match value {
            Value::Null => !(forget(document, &[], &path.join(".")) && is_stranger(&path)),
            Value::Object(members) if !members.is_empty() => {
                take(document, members, &path);
                !members.is_empty()
            }
            _ => true,
        }
    });
}

/// Removes what is told as `name` and is no setting. True when there was such a thing.
fn forget(map: &mut Map<String, Value>, above: &[String], name: &str) -> bool {
    let mut found = is_stranger(&below(above, name)) && map.shift_remove(name).is_some();
    for (at, _) in name.match_indices('.') {
        let group = &name[..at];
        if let Some(Value::Object(members)) = map.get_mut(group) {
            found |= forget(members, &below(above, group), &name[at + 1..]);
        }
    }
    found
}

fn below(above: &[String], name: &str) -> Vec<String> {
    [above, &[name.to_owned()]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_no_setting_is_removed_and_everything_else_stays() {
        let file = json!({
            "approval": {"write": "ask", "writes": "ask"}, "approval.writes": "ask",
            "model": {"headers": {"X-A": "1"}, "headersFor": "https://h", "odd": 1},
            "deep": {"er": {"x": 1}},
        });
        let clean = |patch: Value| {
            let mut document = file.as_object().unwrap().clone();
            let mut patch = patch;
            remove(&mut document, &mut patch);
            (Value::Object(document), patch)
        };
        for (patch, gone, left) in [
            (json!({"approval": {"write": null}}), "/approval/write", json!({})),
            (json!({"model": {"odd": null}}), "/model/odd", json!({})),
            (json!({"deep": null}), "/deep", json!({})),
            // The setting of that name has its default again.
            (
                json!({"approval": {"writes": null}}),
                "/approval.writes",
                json!({"approval": {"writes": null}}),
            ),
        ] {
            let (now, rest) = clean(patch);
            assert_eq!((now.pointer(gone), &rest), (None, &left), "{gone}");
            assert_eq!(now["approval"]["writes"], "ask");
        }
        for patch in [
            json!({"model": {"headersFor": null}}),
            json!({"model": {"headers": {"X-A": null}}}),
            json!({"approval": {"write": "auto"}}),
            json!({"nothing": null, "engine": {}}),
        ] {
            assert_eq!(clean(patch.clone()), (file.clone(), patch));
        }
    }
}
