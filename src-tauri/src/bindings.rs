//! Commands, events, and constants of the window, as one list.
//!
//! [`handler`] and [`events`] are what the program runs. [`bindings`] adds the types, for the generated bindings, which
//! [`typescript`] configures: the program would be larger by the descriptions of all types, and create them at each start.

use specta_typescript::Typescript;
use tauri::ipc::Invoke;
use tauri::{Wry, generate_handler};
use tauri_specta::{Builder, ErrorHandlingMode, Events, collect_commands, collect_events};

use crate::commands::{
    alerts, app, audit_trail, contacts_file, deactivations, forwarding, history, items, listings, operations,
    overview, plan_process, plans, practice, runs, sign_in, sites, updates, uploads, window,
};
use crate::window::{CloseRequested, FileDrag, FileOpened, MenuChosen};

/// Passes all commands to a macro. A command also requires an entry in `permissions/commands.toml`.
macro_rules! with_commands {
    ($collect:ident) => {
        $collect![
            sites::list_sites,
            sites::save_site,
            sites::remove_site,
            sites::order_sites,
            sites::choose_server,
            overview::site_overview,
            overview::all_overviews,
            overview::check_site,
            plans::list_plans,
            plans::plan_troubles,
            plans::mark_plan_seen,
            plans::save_plan,
            plans::delete_plan,
            plan_process::plan_runner,
            plan_process::run_plan_now,
            plan_process::stop_plan_run,
            plans::next_runs,
            plans::plan_acceptance,
            plans::preview_plan,
            plans::plan_sets,
            plans::pin_set,
            plans::show_set,
            plans::set_inventories,
            plans::set_trail,
            plans::set_services,
            plans::set_file_for_import,
            plans::site_restore,
            plans::begin_restore,
            plans::end_restore,
            plans::search_sets,
            plans::verify_set_file,
            sites::trust_certificate,
            sites::confirm_address,
            sites::find_site,
            sites::find_servers,
            sites::save_profiles,
            sites::open_profiles,
            sites::add_profile,
            sites::unlock_site,
            sites::lock_site,
            sign_in::sign_in,
            sign_in::sign_in_with_token,
            sign_in::sign_in_in_browser,
            sign_in::stop_browser_sign_in,
            sign_in::open_sign_in_page,
            sign_in::sign_in_with_code,
            sign_in::check_token_expiry,
            sign_in::session,
            sign_in::sign_out,
            practice::start_practice,
            practice::practice,
            practice::sign_in_to_practice,
            practice::practice_password,
            practice::accept_site_files,
            practice::stop_practice,
            practice::list_faults,
            practice::add_fault,
            practice::clear_faults,
            practice::reset_practice,
            practice::guided_tour,
            practice::start_tour,
            practice::end_tour,
            practice::collapse_tour,
            listings::list_services,
            listings::list_failed_deliveries,
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
            operations::preview_requests,
            operations::export_portal,
            operations::export_server,
            operations::suggest_export,
            operations::save_stored_export,
            operations::preview_import,
            operations::compare_with_export,
            operations::has_room_for_copy,
            operations::import_server,
            operations::preview_undo,
            operations::undo_import,
            operations::deactivate_webhooks,
            operations::deactivate_webhook,
            operations::find_items,
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
            operations::update_participant,
            operations::update_participants,
            operations::refresh_invitation,
            operations::refresh_invitations,
            operations::preview_portal_import,
            operations::compare_with_portal_export,
            operations::import_portal,
            operations::undo_portal_import,
            operations::portal_import_report,
            operations::check_portal_import,
            operations::save_invitation_again,
            operations::list_unsaved_invitations,
            operations::discard_unsaved_invitation,
            uploads::upload_for_import,
            uploads::list_unfinished_uploads,
            uploads::stored_file,
            uploads::list_export_entries,
            uploads::discard_upload,
            uploads::delete_upload,
            runs::list_runs,
            runs::dismiss_run,
            runs::stop_run,
            history::search_history,
            history::history_users,
            history::save_history,
            history::history_batch,
            history::set_reason,
            history::save_audit_package,
            audit_trail::trail_status,
            audit_trail::verify_trail,
            audit_trail::stop_trail_verification,
            audit_trail::trail_events,
            audit_trail::save_trail,
            forwarding::forwarding,
            forwarding::save_log_server,
            forwarding::test_log_server,
            alerts::alerts,
            alerts::save_alert_channel,
            alerts::delete_alert_channel,
            alerts::test_alert_channel,
            history::record_as_command,
            history::import_report,
            history::save_report,
            deactivations::list_deactivations,
            deactivations::compare_deactivations,
            deactivations::reactivate_webhook,
            deactivations::reactivate_webhooks,
            deactivations::reactivate_all_webhooks,
            deactivations::remind_me,
            deactivations::resolve_deactivation,
            history::check_outcome,
            history::set_outcome,
            history::outcome_resolution,
            history::record_details,
            history::checklist,
            history::set_checklist_item,
            history::file_facts,
            history::recorded_export,
            history::verify_recorded_export,
            history::show_in_folder,
            app::about,
            app::show_logs,
            updates::update_state,
            updates::check_for_update,
            updates::install_update,
            updates::stop_update,
            updates::restart_for_update,
            app::run_diagnostics,
            app::preferences,
            app::save_preferences,
            app::resolve_set_aside,
            app::start_problem,
            app::resolve_start,
            app::quit_start,
            window::window_ready,
            window::window_has_content,
            window::window_usable,
            window::take_opened_file,
            window::answer_close,
            window::open_link,
            window::print_page,
        ]
    };
}

/// Returns the handler of all commands.
pub fn handler() -> impl Fn(Invoke<Wry>) -> bool {
    with_commands!(generate_handler)
}

/// Returns all events.
#[must_use]
pub fn events() -> Events {
    collect_events![
        runs::RunsChanged,
        updates::UpdateChanged,
        CloseRequested,
        FileDrag,
        FileOpened,
        MenuChosen
    ]
}

/// Returns all commands, events, and constants with their types.
#[must_use]
pub fn bindings() -> Builder<Wry> {
    Builder::new()
        // View types have the same shape in both directions.
        .disable_serde_phases()
        // A command's promise rejects. Errors of the framework are plain strings; bridge/tauri.ts narrows all of them.
        .error_handling(ErrorHandlingMode::Throw)
        .commands(with_commands!(collect_commands))
        .events(events())
        .typ::<steward_core::model::problem::Problem>()
        .constant("operations", steward_core::model::operation::Operation::all())
        .constant("trailKinds", steward_core::history::trail::KINDS)
        .constant("redirectAddresses", steward_core::actions::browser_sign_in::redirect_addresses())
        .constant("muchSmaller", steward_core::model::export_verification::MUCH_SMALLER)
        .constant("webAppUrl", steward_core::actions::sign_in::WEB_APP_URL)
}

/// Returns the settings of the generated TypeScript.
#[must_use]
pub fn typescript() -> Typescript {
    Typescript::default()
        .header("// Generated by `cargo xtask bindings` from src-tauri/src/bindings.rs. Do not edit.\n")
}
