//! The bodies of the operations, against the real practice site, without a window.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod diagnostics;
mod held_keyring;
mod scripted;
mod tap;
mod test_app;

mod action_records;
mod adding_a_site;
mod alerts;
mod audit_trail;
mod backup_plans;
mod bound_tokens;
mod browser_ports;
mod browser_sign_in;
mod connections;
mod contacts_file;
mod damaged_history;
mod data_formats;
mod data_stores;
mod deactivate_webhooks;
mod deactivations;
mod downloads;
mod downloads_cut_off;
mod export_portal;
mod export_server;
mod export_verification;
mod find_items;
mod forwarding;
#[cfg(target_os = "linux")]
mod full_disk;
mod hidden_addresses;
mod history;
mod import_server;
mod in_front;
mod incomplete_lists;
mod intent;
mod inventory;
mod invitations_into_folder;
mod killed;
mod kubernetes;
mod links;
mod long_texts;
mod lying_servers;
mod meanwhile;
mod odd_sites;

mod once;
mod other_versions;
mod outcome_check;
mod overview;
mod pasted_paths;
mod plan_runner;
mod portal_inventory;
mod program_connection;
mod quiet_import;
mod read_only;
mod receivers;
mod records;
mod refresh_invitation;
mod renewals;
mod rerouted;
mod restart;
mod saved_twice;
mod services;
mod sign_in;
mod site_protection;
mod sites;
mod stop;
mod stopped_before;
mod summaries;
mod tokens;
mod two_copies;
mod update_participant;
mod uploads;
