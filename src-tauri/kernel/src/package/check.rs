//! stub
use super::{Package, PackageFiles, PackageReport};
/// stub
pub fn check(_files: &PackageFiles) -> (PackageReport, Option<Package>) {
    unimplemented!()
}
