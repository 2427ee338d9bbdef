//! The practice site as its clients meet it: over sockets, one situation per test.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it is")]

mod archives;
mod borrowed_credentials;
mod capabilities;
mod crafted_imports;
mod crowded;
mod data_store;
mod deactivate_webhooks;
mod deliveries;
mod deliveries_held;
mod discovery;
mod export_portal;
mod export_server;
mod fault_injection;
mod find_items;
mod foreign_clients;
mod formats;
mod hooks;
mod hostile_archives;
mod import_portal;
mod import_server;
mod interrupted;
mod oauth;
// The storage servers are Unix programs.
#[cfg(unix)]
mod object_stores;
#[cfg(unix)]
mod odd_store;
mod one_at_a_time;
mod portal_health;
mod process;
mod receiver;
mod refresh_invitation;
mod releases;
mod rough_handling;
mod safety;
mod servers;
mod services_at_work;
mod sign_in;
mod support;
mod update_participant;
mod uploads;
mod uploads_in_parts;
mod webhooks;
