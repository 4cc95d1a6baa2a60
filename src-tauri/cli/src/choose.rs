//! Which package a command line means: an installed id or name, a file or folder, or one that
//! comes with the program. Choosing installs nothing.

use host::host::Host;
use host::packages::{self, Inspected};
use kernel::code::{ErrorCode, Failure};
use kernel::command::Command;
use kernel::ids::PackageId;
use kernel::package::Package;
use kernel::phrase::terminal;
use std::path::Path;
use std::sync::Arc;

/// A package that was found, read and checked.
pub(crate) enum Chosen {
    /// In the store.
    Installed(Box<Package>),
    /// A `.bmad` file or a folder.
    Path(String, Box<Inspected>),
    /// Comes with the program.
    Bundled(String, Box<Inspected>),
}

impl Chosen {
    /// What it holds; `PACKAGE_INVALID` with the findings when it cannot be used.
    pub(crate) fn package(&self) -> Result<&Package, Failure> {
        match self {
            Self::Installed(package) => Ok(package),
            Self::Path(_, inspected) | Self::Bundled(_, inspected) => inspected.usable(),
        }
    }

    /// Its id; installs it first when it is not in the store.
    pub(crate) async fn install(self, host: &Arc<Host>) -> Result<PackageId, Failure> {
        match self {
            Self::Installed(package) => Ok(package.id),
            Self::Bundled(name, _) => host.install_bundled(&name).await,
            Self::Path(path, inspected) => {
                let content_hash = Some(inspected.report.content_hash);
                let receipt = host.submit(Command::InstallPackage { path, content_hash }).await?;
                receipt
                    .package_id
                    .ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
            }
        }
    }
}

/// An installed id, else a file or folder, else an installed name, else a bundled one.
pub(crate) async fn choose(host: &Arc<Host>, text: &str) -> Result<Chosen, Failure> {
    let rows = host.store().packages().await?;
    let by_id = rows.iter().find(|row| row.package_id.as_str() == text);
    if by_id.is_none() && Path::new(text).exists() {
        let path = absolute(Path::new(text))?;
        let inspected = packages::inspect(Path::new(&path))?;
        return Ok(Chosen::Path(path, Box::new(inspected)));
    }
    if let Some(id) = installed(host, text).await? {
        let package = packages::load_installed(&host.packages_folder(), &id)?;
        return Ok(Chosen::Installed(Box::new(package)));
    }
    if packages::bundled::list().contains(&text) {
        let inspected = packages::bundled::inspect(text)?;
        return Ok(Chosen::Bundled(text.to_owned(), Box::new(inspected)));
    }
    Err(unknown(text))
}

/// The installed package of that id, or the newest of that name.
pub(crate) async fn installed(host: &Arc<Host>, text: &str) -> Result<Option<PackageId>, Failure> {
    let rows = host.store().packages().await?;
    let by_id = rows.iter().find(|row| row.package_id.as_str() == text);
    let newest = || rows.iter().filter(|row| row.name == text).max_by_key(|row| row.installed_at);
    Ok(by_id.or_else(newest).map(|row| row.package_id.clone()))
}

/// Nothing of that name.
pub(crate) fn unknown(text: &str) -> Failure {
    let shown = name_only(text);
    Failure::new(ErrorCode::PackageNotFound, terminal::no_such_package(shown))
        .with_action(terminal::see_package_list())
}

/// A path's last part: a message shows no real folder (spec 04 "Paths").
fn name_only(text: &str) -> String {
    let name = Path::new(text).file_name().map(|name| name.to_string_lossy().into_owned());
    kernel::text::ellipsis(&name.unwrap_or_else(|| text.to_owned()), 80)
}

/// The path as the host wants it.
pub(crate) fn absolute(file: &Path) -> Result<String, Failure> {
    let path = std::path::absolute(file)
        .map_err(|e| host::failure::io(ErrorCode::PackageNotFound, terminal::the_file(), &e))?;
    Ok(path.to_string_lossy().into_owned())
}
