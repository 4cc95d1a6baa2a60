//! Reads, one function each.

use kernel::code::Failure;
use kernel::command::Query;
use kernel::phrase::{Phrase, terminal as said};
use kernel::text::bytes;
use kernel::wire::{Answer, DoctorRow, ProjectView, RuntimeSnapshot};
use std::path::Path;
use std::sync::Arc;

use super::{Host, conversations, models, on_disk, whole};
use crate::electron::ElectronImport;
use crate::packages;
use crate::runs;
use crate::store::{ProjectRow, Search};
use crate::tools::effects;

pub(super) async fn answer(host: &Host, query: Query) -> Result<Answer, Failure> {
    match query {
        Query::Projects => projects(host).await.map(Answer::Projects),
        Query::Packages => host.store.packages().await.map(Answer::Packages),
        Query::InspectPackage { path } => inspect(host, path).await,
        Query::Package { package_id } => {
            let folder = conversations::packages_dir(host);
            let inspected = on_disk(move || packages::read_installed(&folder, &package_id)).await?;
            let report = inspected.report.told(host.limits_now().approve_writes);
            Ok(Answer::Package(Box::new(report)))
        }
        Query::Runs { project_id } => {
            host.store.project(&project_id).await?;
            host.store.runs(&project_id).await.map(Answer::Runs)
        }
        Query::Snapshot { conversation_id } => {
            let snapshot = conversations::snapshot_of(host, &conversation_id).await?;
            Ok(Answer::Snapshot(Box::new(with_effects(host, snapshot).await?)))
        }
        Query::Items { conversation_id, before } => {
            host.store.page_before(&conversation_id, before).await.map(Answer::Items)
        }
        Query::WholeChange { conversation_id, change_id } => {
            whole::change(host, &conversation_id, change_id).await.map(Answer::WholeChange)
        }
        Query::Settings => Ok(Answer::Settings(Box::new(models::settings(host).await?))),
        Query::InspectElectron { path, with_keys } => {
            let ask = ElectronImport { path: path.into(), dry_run: true, with_keys };
            Ok(Answer::Import(Box::new(host.import_electron(ask, None).await?)))
        }
        Query::TestModel => models::test(host).await.map(Answer::ModelTest),
        Query::LocalModels => Ok(Answer::LocalModels(models::local().await)),
        Query::Doctor => doctor(host).await.map(Answer::Doctor),
        Query::Conversations { project_id, limit, after } => {
            let page = host.store.conversations(project_id, limit, after.as_deref()).await?;
            Ok(Answer::Conversations(page))
        }
        Query::Search { text, project_id, conversation_id, limit, per_conversation, before } => {
            let search =
                Search { text, project_id, conversation_id, limit, per_conversation, before };
            host.store.search(search).await.map(Answer::Search)
        }
        Query::Sizes => host.store.sizes().await.map(Answer::Sizes),
        Query::Drafts => host.store.drafts().await.map(Answer::Drafts),
    }
}

/// The snapshot with what the disk tells of the run's changes. A project that is gone tells
/// nothing.
async fn with_effects(
    host: &Host,
    mut snapshot: RuntimeSnapshot,
) -> Result<RuntimeSnapshot, Failure> {
    if snapshot.changes.is_empty() {
        return Ok(snapshot);
    }
    let run_id = snapshot.run.run_id.clone();
    let project = host.store.project(&host.store.run(&run_id).await?.project_id).await?;
    let folder = runs::run_dir(&host.options.store, &project.project_id, &run_id);
    on_disk(move || {
        effects::look(Path::new(&project.location), &folder, &mut snapshot.changes);
        Ok(snapshot)
    })
    .await
}

async fn projects(host: &Host) -> Result<Vec<ProjectView>, Failure> {
    let counts = host.store.run_counts().await?;
    let rows = host.store.projects().await?;
    let view = move |row: ProjectRow| {
        let count = counts.get(&row.project_id).copied().unwrap_or_default();
        project_view(row, count)
    };
    on_disk(move || Ok(rows.into_iter().map(view).collect())).await
}

fn project_view(row: ProjectRow, run_count: u32) -> ProjectView {
    ProjectView {
        exists: Path::new(&row.location).is_dir(),
        project_id: row.project_id,
        name: row.name,
        location: row.location,
        last_opened_at: row.last_opened_at,
        run_count,
    }
}

/// The report, with the difference to the package of the same name that was installed last.
async fn inspect(host: &Host, path: String) -> Result<Answer, Failure> {
    let installed = conversations::packages_dir(host);
    let rows = host.store.packages().await?;
    let inspected = on_disk(move || {
        let mut inspected = packages::inspect(Path::new(&path))?;
        let name = inspected.report.manifest.as_ref().map(|m| m.name.clone());
        let same_name = rows.into_iter().filter(|row| Some(&row.name) == name.as_ref());
        let last_first: Vec<_> = same_name.map(|row| row.package_id).collect();
        inspected.compare_with_installed(&installed, &last_first);
        Ok(inspected)
    });
    let report = inspected.await?.report.told(host.limits_now().approve_writes);
    Ok(Answer::Package(Box::new(report)))
}

/// What is there and what is missing, each with what to do.
async fn doctor(host: &Host) -> Result<Vec<DoctorRow>, Failure> {
    let row = |name: Phrase, ok: bool, said: Phrase, advice: Option<Phrase>| {
        let advice = advice.filter(|_| !ok);
        let action = advice.as_ref().map(Phrase::english);
        let (check, found) = (name.english(), said.english());
        DoctorRow { check, ok, found, action, name, said, advice }
    };
    let (settings, choice) = (Arc::clone(&host.settings), host.options.model.clone());
    let found = on_disk(move || Ok((Host::effective_model(&settings, &choice), settings.view())));
    let ((model, key), view) = found.await?;
    let configured = !model.base_url.is_empty() && !model.model.is_empty();
    let packages = host.store.packages().await?.len();
    let notices = host.store.notices();
    let sizes = host.store.sizes().await?;
    let of_projects = sizes.projects.iter().map(|p| p.file_bytes).sum::<u64>();
    let (files, rows) = (bytes(of_projects), bytes(sizes.database_bytes));
    let data = said::found_data(rows, files, sizes.projects.len());
    let found = if configured { said::found_as_is(&model.model) } else { said::found_none() };
    let key_in = match view.api_key_in.as_str() {
        "none" => said::found_none(),
        "keychain" => said::key_in_keychain(),
        "environment" => said::key_in_environment(),
        "file" => said::key_in_file(),
        "elsewhere" => said::key_of_another_server(),
        other => said::found_as_is(other),
    };
    Ok(vec![
        row(said::check_version(), true, said::found_as_is(env!("CARGO_PKG_VERSION")), None),
        row(
            said::check_store(),
            notices.is_empty(),
            notices.first().map_or_else(said::found_opened, |f| said::found_as_is(f.to_part())),
            Some(said::read_the_notice()),
        ),
        row(said::check_data(), true, data, None),
        row(said::check_packages(), true, said::found_installed(packages), None),
        row(said::check_logs(), true, said::found_as_is("[store]/logs"), None),
        row(said::check_model(), configured, found, Some(said::set_an_endpoint())),
        row(
            said::check_api_key(),
            key.is_some() || !configured || is_local(&model.base_url),
            key_in,
            Some(said::store_a_key()),
        ),
    ])
}

fn is_local(base_url: &str) -> bool {
    ["//127.0.0.1", "//localhost", "//[::1]"].iter().any(|host| base_url.contains(host))
}
