//! The ids of packages: made of a name, a version and the hash of the content.

use super::manifest::Manifest;
use crate::ids::PackageId;

/// How much of the content's hash is in an id: 128 bits, so that nobody finds two contents for one.
const ID_HEX: usize = 32;

/// How much it was in ids of earlier versions. Two contents for one were found in minutes.
const SHORT_ID_HEX: usize = 12;

/// `<name slug>-<version>-<32 hex>`. `None` when the version is not one.
pub(super) fn package_id(manifest: &Manifest, hash: &str) -> Option<PackageId> {
    id_with(manifest, hash, ID_HEX)
}

/// The id that earlier versions gave to a package.
pub(super) fn short_id(manifest: &Manifest, hash: &str) -> Option<PackageId> {
    id_with(manifest, hash, SHORT_ID_HEX)
}

fn id_with(manifest: &Manifest, hash: &str, hex: usize) -> Option<PackageId> {
    // `+build` is legal in a version but not in an id.
    let version = manifest.version.replace('+', "-");
    let version = crate::text::prefix(&version, 60);
    let hash = crate::text::prefix(hash, hex);
    PackageId::new(format!("{}-{version}-{hash}", slug(&manifest.name))).ok()
}

/// A name as part of an id and a folder name: lower-case ASCII letters and digits, joined by `-`.
/// `package` when nothing is left of it.
pub fn slug(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let joined = words.join("-");
    let cut = crate::text::prefix(&joined, 60).trim_end_matches('-');
    if cut.is_empty() { "package".to_owned() } else { cut.to_owned() }
}
