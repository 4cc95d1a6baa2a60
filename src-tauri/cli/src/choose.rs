//! Which package a command line means: an installed id or name, a file or folder, or one that
//! comes with the program. Choosing installs nothing.

use host::host::Host;
use host::packages::bundled;
use kernel::code::{ErrorCode, Failure};
use kernel::command::{Command, PackagePlace};
use kernel::ids::PackageId;
use kernel::phrase::terminal;
use std::path::Path;

use crate::reads;

/// Its id; installs it first when it is not in the store, as what was looked at.
pub(crate) async fn install(
    host: &Host,
    place: PackagePlace,
    content_hash: String,
) -> Result<PackageId, Failure> {
    let command = match place {
        PackagePlace::Store { package_id } => return Ok(package_id),
        PackagePlace::Program { name } => Command::InstallBundled { name },
        PackagePlace::Path { path } => {
            Command::InstallPackage { path, content_hash: Some(content_hash) }
        }
    };
    let receipt = host.submit(command).await?;
    receipt.package_id.ok_or_else(|| Failure::new(ErrorCode::Internal, terminal::no_id_came_back()))
}

/// An installed id, else a file or folder, else an installed name, else a bundled one.
pub(crate) async fn choose(host: &Host, text: &str) -> Result<PackagePlace, Failure> {
    let rows = reads::packages(host).await?;
    let by_id = rows.iter().find(|row| row.package_id.as_str() == text);
    if by_id.is_none() && Path::new(text).exists() {
        return Ok(PackagePlace::Path { path: absolute(Path::new(text))? });
    }
    if let Some(package_id) = installed(host, text).await? {
        return Ok(PackagePlace::Store { package_id });
    }
    if bundled::list().contains(&text) {
        return Ok(PackagePlace::Program { name: text.to_owned() });
    }
    Err(unknown(text))
}

/// The installed package of that id, or the newest of that name.
pub(crate) async fn installed(host: &Host, text: &str) -> Result<Option<PackageId>, Failure> {
    let rows = reads::packages(host).await?;
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
