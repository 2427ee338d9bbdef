//! Commands, events, and constants of the window, as one list.
//!
//! [`builder`] lists them, and [`typescript`] configures the generated bindings.

use specta_typescript::Typescript;
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands, collect_events};

use crate::commands::{
    about, audit_trail, browser_sign_in, contacts_file, deactivate_webhooks, deactivations, diagnostics,
    discovery, export_portal, export_server, fault_injection, find_items, guided_tour, history,
    import_server, invitations_into_folder, items, listings, outcome_check, practice, preferences, profiles,
    records, refresh_invitation, request_preview, runs, sign_in, sites, start, update_participant, updates,
    uploads, window,
};
use crate::window::{CloseRequested, FileDrag, FileOpened, MenuChosen};

/// Returns all commands and events. A command also requires an entry in `permissions/commands.toml`.
#[must_use]
pub fn builder() -> Builder<tauri::Wry> {
    Builder::new()
        // View types have the same shape in both directions.
        .disable_serde_phases()
        // A command's promise rejects. Errors of the framework are plain strings; bridge/tauri.ts narrows all of them.
        .error_handling(ErrorHandlingMode::Throw)
        .commands(collect_commands![
            sites::list_sites,
            sites::save_site,
            sites::remove_site,
            sites::order_sites,
            sites::choose_server,
            sites::trust_certificate,
            sites::confirm_address,
            discovery::find_site,
            discovery::find_servers,
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
            sign_in::check_token_expiry,
            sign_in::session,
            sign_in::sign_out,
            practice::start_practice,
            practice::practice,
            practice::sign_in_to_practice,
            practice::practice_password,
            practice::stop_practice,
            fault_injection::list_faults,
            fault_injection::add_fault,
            fault_injection::clear_faults,
            fault_injection::reset_practice,
            guided_tour::guided_tour,
            guided_tour::start_tour,
            guided_tour::end_tour,
            guided_tour::collapse_tour,
            listings::list_services,
            listings::check_services,
            listings::check_services_again,
            listings::list_data_roots,
            listings::list_uploads,
            listings::list_participants,
            listings::list_invitations,
            listings::choose_folder,
            listings::choose_file,
            contacts_file::read_contacts_file,
            contacts_file::last_contacts_batch,
            contacts_file::save_contacts_template,
            contacts_file::save_table,
            request_preview::preview_requests,
            export_portal::export_portal,
            export_server::export_server,
            export_server::save_stored_export,
            export_server::server_export_state,
            import_server::preview_import,
            import_server::compare_with_export,
            import_server::has_room_for_copy,
            import_server::import_server,
            import_server::preview_undo,
            import_server::undo_import,
            deactivate_webhooks::deactivate_webhooks,
            deactivate_webhooks::deactivate_webhook,
            find_items::find_items,
            items::last_item_search,
            items::recent_item_filters,
            items::item_rows,
            items::item_details,
            items::reveal_item,
            items::save_items,
            items::validate_items,
            items::search_validation,
            items::item_validation,
            items::find_data_use,
            items::item_use,
            items::service_data,
            update_participant::update_participant,
            update_participant::update_participants,
            refresh_invitation::refresh_invitation,
            invitations_into_folder::refresh_invitations,
            refresh_invitation::save_invitation_again,
            refresh_invitation::list_unsaved_invitations,
            refresh_invitation::discard_unsaved_invitation,
            uploads::upload_for_import,
            uploads::list_unfinished_uploads,
            uploads::stored_file,
            uploads::discard_upload,
            uploads::delete_upload,
            runs::list_runs,
            runs::dismiss_run,
            runs::stop_run,
            history::search_history,
            history::history_users,
            history::save_history,
            history::save_audit_package,
            audit_trail::trail_status,
            audit_trail::verify_trail,
            audit_trail::save_trail,
            history::record_as_command,
            history::import_report,
            history::save_report,
            deactivations::list_deactivations,
            deactivations::compare_deactivations,
            deactivations::reactivate_webhooks,
            deactivations::reactivate_all_webhooks,
            deactivations::remind_me,
            deactivations::resolve_deactivation,
            deactivations::reminders,
            outcome_check::check_outcome,
            outcome_check::set_outcome,
            outcome_check::outcome_resolution,
            records::record_details,
            records::checklist,
            records::set_checklist_item,
            records::file_facts,
            records::show_in_folder,
            about::about,
            about::show_logs,
            updates::update_state,
            updates::check_for_update,
            updates::install_update,
            updates::stop_update,
            updates::restart_for_update,
            diagnostics::run_diagnostics,
            preferences::preferences,
            preferences::save_preferences,
            start::start_problem,
            start::resolve_start,
            start::quit_start,
            window::window_ready,
            window::window_has_content,
            window::window_usable,
            window::take_opened_file,
            window::answer_close,
            window::open_link,
            window::print_page,
        ])
        .events(collect_events![
            runs::RunsChanged,
            updates::UpdateChanged,
            CloseRequested,
            FileDrag,
            FileOpened,
            MenuChosen
        ])
        .typ::<steward_core::model::problem::Problem>()
        .constant("operations", steward_core::model::operation::ALL)
        .constant("redirectAddresses", steward_core::actions::browser_sign_in::redirect_addresses())
        .constant("webAppUrl", steward_core::actions::sign_in::WEB_APP_URL)
}

/// Returns the settings of the generated TypeScript.
#[must_use]
pub fn typescript() -> Typescript {
    Typescript::default()
        .header("// Generated by `cargo xtask bindings` from src-tauri/src/bindings.rs. Do not edit.\n")
}
