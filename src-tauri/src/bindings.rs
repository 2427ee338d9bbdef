//! The one list of what the window may ask: commands, events, constants.

use specta_typescript::Typescript;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};

use crate::commands::{
    about, browser_sign_in, contact_sheets, deactivate_webhooks, doctor, export_portal, export_server,
    find_items, finding, history, import_server, invitations_into_folder, items, lap, ledger, mishaps,
    pickers, practice, preferences, profiles, reconcile, records, refresh_invitation, runs, sign_in, sites,
    update_participant, updates, uploads, window,
};
use crate::window::{CloseAsked, FileDrag, FileOpened, MenuChosen};

/// What the window may ask. A command that is missing in `permissions/commands.toml` is refused all the same.
#[must_use]
pub fn builder() -> Builder<tauri::Wry> {
    Builder::new()
        // View types promise the same shape in both directions.
        .disable_serde_phases()
        // The framework's own refusals arrive as bare strings; the window narrows once, in bridge/tauri.ts.
        .error_handling(ErrorHandlingMode::ResultUnknown)
        .commands(collect_commands![
            sites::list_sites,
            sites::save_site,
            sites::remove_site,
            sites::order_sites,
            sites::choose_server,
            sites::trust_certificate,
            sites::confirm_address,
            finding::find_site,
            finding::find_servers,
            profiles::save_profiles,
            profiles::open_profiles,
            profiles::add_profile,
            sites::unlock_site,
            sites::lock_site,
            sign_in::sign_in,
            sign_in::sign_in_with_token,
            browser_sign_in::sign_in_in_browser,
            browser_sign_in::stop_browser_sign_in,
            browser_sign_in::open_sign_in_page,
            browser_sign_in::sign_in_with_code,
            sign_in::token_outlook,
            sign_in::session,
            sign_in::sign_out,
            practice::start_practice,
            practice::practice,
            practice::sign_in_to_practice,
            practice::practice_password,
            practice::stop_practice,
            mishaps::list_mishaps,
            mishaps::order_mishap,
            mishaps::clear_mishaps,
            mishaps::reset_practice,
            lap::guided_lap,
            lap::begin_lap,
            lap::end_lap,
            lap::fold_lap,
            pickers::list_services,
            pickers::list_data_roots,
            pickers::list_uploads,
            pickers::list_participants,
            pickers::list_invitations,
            pickers::choose_folder,
            pickers::choose_file,
            contact_sheets::read_contact_sheet,
            contact_sheets::last_contact_run,
            contact_sheets::save_contact_template,
            contact_sheets::save_table,
            export_portal::export_portal,
            export_server::export_server,
            export_server::save_stored_export,
            import_server::brief_import,
            import_server::import_server,
            import_server::undo_import,
            deactivate_webhooks::deactivate_webhooks,
            find_items::find_items,
            items::last_item_search,
            items::recent_item_filters,
            items::item_rows,
            items::item_details,
            items::reveal_item,
            items::save_items,
            update_participant::update_participant,
            update_participant::update_participants,
            refresh_invitation::refresh_invitation,
            invitations_into_folder::refresh_invitations,
            refresh_invitation::save_invitation_again,
            refresh_invitation::list_kept_invitations,
            refresh_invitation::discard_kept_invitation,
            uploads::upload_for_import,
            uploads::list_unfinished_uploads,
            uploads::discard_upload,
            runs::list_runs,
            runs::list_ended_runs,
            runs::dismiss_run,
            runs::stop_run,
            history::search_history,
            history::history_people,
            history::save_history,
            history::save_evidence,
            history::record_as_command,
            history::import_report,
            history::save_report,
            ledger::silence_ledger,
            ledger::restore_webhooks,
            ledger::remind_me,
            ledger::settle_silence,
            ledger::reminders,
            reconcile::check_outcome,
            reconcile::settle_outcome,
            reconcile::settlement,
            records::record_details,
            records::ticks,
            records::set_tick,
            records::show_in_folder,
            about::about,
            about::show_logs,
            updates::update_state,
            updates::look_for_update,
            updates::install_update,
            updates::stop_update,
            updates::restart_for_update,
            doctor::examine,
            preferences::preferences,
            preferences::save_preferences,
            window::window_ready,
            window::window_usable,
            window::take_opened_file,
            window::answer_close,
            window::open_link,
        ])
        .events(collect_events![
            runs::RunsChanged,
            updates::UpdateMoved,
            CloseAsked,
            FileDrag,
            FileOpened,
            MenuChosen
        ])
        .typ::<steward_core::model::problem::Problem>()
        .constant("operations", steward_core::model::operation::ALL)
}

/// How the bindings are written.
#[must_use]
pub fn typescript() -> Typescript {
    Typescript::default().header(
        "// Generated by `cargo xtask bindings` from src-tauri/src/bindings.rs. Do not edit.\n\
         // @ts-nocheck: the library's own helper declares a type parameter that it does not use.\n",
    )
}
