//! What is there and what is missing, each with what to do.

use kernel::code::Failure;
use kernel::phrase::{Phrase, doctor as said};
use kernel::text::bytes;
use kernel::wire::DoctorRow;

use super::Library;
use crate::llm::is_local;

impl Library {
    /// Looks at the program's own parts.
    pub(crate) async fn doctor(&self) -> Result<Vec<DoctorRow>, Failure> {
        let row = |name: Phrase, ok: bool, said: Phrase, advice: Option<Phrase>| {
            let advice = advice.filter(|_| !ok);
            let action = advice.as_ref().map(Phrase::english);
            let (check, found) = (name.english(), said.english());
            DoctorRow { check, ok, found, action, name, said, advice }
        };
        let (view, model, key) = self.preferences.read().await?;
        let configured = !model.base_url.is_empty() && !model.model.is_empty();
        let packages = self.packages.list().await?.len();
        let notices = self.store.notices();
        let sizes = self.store.sizes().await?;
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
}
