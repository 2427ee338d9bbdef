//! Routes of the site.

use crate::app::App;
use crate::connection::mark_as_used;
use crate::data_store as data;
use crate::fault_injection::{self, Operation, inject_fault};
use crate::operations;
use crate::resources::{
    collaborations, configuration, content, expiries, portal, portal_health, roles, server, services, system,
    workspaces,
};
use crate::rest_services::{self, catalogue, jobs};
use crate::sign_in::{self, oauth};
use crate::uploads;
use crate::webhooks;
use crate::wire::{
    Family, Guard, handle_files, handle_form, no_such_resource, only_post, reject_foreign_requests,
};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Request};
use axum::handler::Handler;
use axum::http::Uri;
use axum::middleware::{from_fn, from_fn_with_state, map_request};
use axum::routing::{MethodRouter, any, get, post};
use std::sync::Arc;

type Routes = Router<Arc<App>>;

/// Returns the routes of a portal and its servers. The first server has the portal, too.
pub(crate) fn router(servers: &[Arc<App>], guard: Guard) -> Router {
    let mut site = Router::new();
    for (number, app) in servers.iter().enumerate() {
        let own = if number == 0 { with_portal(app) } else { Router::new() };
        site = site.merge(own.merge(server(app)).with_state(Arc::clone(app)));
    }
    let error_objects = from_fn_with_state(Family::ErrorObject, handle_form);
    if let Some(app) = servers.first() {
        let missing = Router::new().fallback(any(no_such_resource).layer(error_objects));
        site = site.merge(missing.with_state(Arc::clone(app)));
    }
    // Around all routes: a change of the path inside them would not affect routing.
    Router::new()
        .fallback_service(site)
        .layer(map_request(without_slash_at_the_end))
        .layer(from_fn_with_state(guard, reject_foreign_requests))
        .layer(from_fn(mark_as_used))
}

/// Returns the routes of the portal, and of the site itself.
fn with_portal(app: &Arc<App>) -> Routes {
    let portal = Router::new()
        .nest("/sharing/rest", sharing(app))
        // The vendor's Python client sends the form to this path without `rest`.
        .route("/sharing/oauth2/signin", post(oauth::signin))
        .nest("/portaladmin", portal_admin(app))
        .fallback(no_such_resource)
        .method_not_allowed_fallback(only_post);
    let error_objects = from_fn_with_state(Family::ErrorObject, handle_form);
    Router::new()
        .nest("/portal", portal.layer(error_objects.clone()))
        .nest("/practice", practice().layer(error_objects))
}

/// Returns the routes of a server.
fn server(app: &Arc<App>) -> Routes {
    let rest = running_services()
        .route("/info", both(server::rest_info))
        .fallback(no_such_resource)
        .method_not_allowed_fallback(only_post);
    let tokens = Router::new()
        .route("/", both(sign_in::token_service))
        .route("/generateToken", both(sign_in::token_service))
        .fallback(no_such_resource)
        .method_not_allowed_fallback(only_post);
    let admin = server_admin(app)
        .fallback(no_such_resource)
        .method_not_allowed_fallback(only_post)
        .layer(from_fn_with_state(Family::StatusObject, handle_form));
    let admin_operations = server_operations(app)
        .method_not_allowed_fallback(only_post)
        .layer(from_fn_with_state(Family::Both, handle_form));
    let admin_uploads = server_uploads(app)
        .method_not_allowed_fallback(only_post)
        .layer(from_fn_with_state(Family::StatusObject, handle_files));
    let error_objects = from_fn_with_state(Family::ErrorObject, handle_form);
    let below = |path: &str| format!("/{}/{path}", app.name);
    Router::new()
        .nest(&below("rest"), rest.layer(error_objects.clone()))
        .nest(&below("tokens"), tokens.layer(error_objects))
        .nest(&below("admin"), admin.merge(admin_operations).merge(admin_uploads))
}

/// Removes trailing slashes: clients send `/admin` and `/admin/` for the same resource.
async fn without_slash_at_the_end(mut request: Request) -> Request {
    let path = request.uri().path();
    let shorter = path.trim_end_matches('/');
    if shorter.len() < path.len() && !shorter.is_empty() {
        let query = request.uri().query().map_or(String::new(), |query| format!("?{query}"));
        let mut parts = request.uri().clone().into_parts();
        if let Ok(shorter) = format!("{shorter}{query}").parse() {
            parts.path_and_query = Some(shorter);
            if let Ok(uri) = Uri::from_parts(parts) {
                *request.uri_mut() = uri;
            }
        }
    }
    request
}

/// Registers a handler for GET and POST: clients use both for resources.
fn both<H, T>(handler: H) -> MethodRouter<Arc<App>>
where
    H: Handler<T, Arc<App>>,
    T: 'static,
{
    get(handler.clone()).post(handler)
}

/// Registers an operation with the middleware for simulated faults.
fn operation(
    app: &Arc<App>,
    operation: Operation,
    handlers: MethodRouter<Arc<App>>,
) -> MethodRouter<Arc<App>> {
    handlers.layer(from_fn_with_state((Arc::clone(app), operation), inject_fault))
}

fn practice() -> Routes {
    Router::new()
        .route("/faults", get(fault_injection::list).post(fault_injection::add))
        .route("/faults/clear", post(fault_injection::clear))
        .fallback(no_such_resource)
        .method_not_allowed_fallback(only_post)
}

fn sharing(app: &Arc<App>) -> Routes {
    let collaboration = "/portals/{portal}/collaborations/{collaboration}";
    Router::new()
        .route("/", both(portal::root))
        .route("/info", both(portal::info))
        .route(
            "/generateToken",
            // Only the creation: a fault is not used up by opening the page.
            operation(app, Operation::CreateToken, post(sign_in::portal_token)).get(sign_in::portal_page),
        )
        .route("/oauth2/authorize", operation(app, Operation::BrowserSignIn, both(oauth::authorize)))
        .route("/oauth2/signin", post(oauth::signin))
        .route("/oauth2/token", post(oauth::token))
        .route("/oauth2/revokeToken", post(oauth::revoke))
        .route("/community/self", both(portal::community_self))
        .route("/community/users/{user}", both(portal::user))
        .route("/community/groups", both(content::groups))
        .route("/search", both(content::search))
        .route("/portals/{portal}", operation(app, Operation::ReadVersion, both(portal::portal)))
        .route("/portals/{portal}/users", both(content::users))
        .route("/portals/{portal}/servers", both(portal::servers))
        .route("/portals/{portal}/roles", both(roles::list))
        .route("/portals/{portal}/roles/{role}", both(roles::one))
        .route("/portals/{portal}/roles/{role}/privileges", both(roles::privileges))
        .route("/portals/{portal}/webhooks", both(configuration::organization_webhooks))
        .route("/portals/{portal}/collaborations", both(collaborations::list))
        .route(collaboration, both(collaborations::one))
        .route(&format!("{collaboration}/participants"), both(collaborations::participants))
        .route(&format!("{collaboration}/participants/{{participant}}"), both(collaborations::participant))
        .route(
            &format!("{collaboration}/participants/{{participant}}/updateInfo"),
            operation(app, Operation::UpdateParticipant, post(operations::update_participant)),
        )
        .route(&format!("{collaboration}/workspaces"), both(workspaces::list))
        .route(&format!("{collaboration}/workspaces/{{workspace}}"), both(workspaces::one))
        .route(&format!("{collaboration}/invitations"), both(collaborations::invitations))
        .route(&format!("{collaboration}/invitations/{{invitation}}"), both(collaborations::invitation))
        .route(
            &format!("{collaboration}/invitations/{{invitation}}/invalidate"),
            post(collaborations::invalidate_invitation),
        )
        .route(
            &format!("{collaboration}/invitations/{{invitation}}/refresh"),
            operation(app, Operation::RefreshInvitation, post(operations::refresh_invitation)),
        )
}

fn portal_admin(app: &Arc<App>) -> Routes {
    Router::new()
        .route("/", both(portal::portal_admin))
        .route("/exportSite", operation(app, Operation::ExportPortal, post(operations::export_portal)))
        .route("/importSite", operation(app, Operation::ImportPortal, post(operations::import_portal)))
        .route("/license", operation(app, Operation::ReadLicenses, both(expiries::portal_license)))
        .route("/license/getFutureLicense", both(expiries::future_license))
        .route("/system/properties", both(configuration::portal_properties))
        .route("/security/config", both(configuration::portal_security))
        .route("/system/licenses", operation(app, Operation::ReadLicenses, both(expiries::levels)))
        .route("/security/sslCertificates", both(expiries::portal_certificates))
        .route(
            "/security/sslCertificates/{alias}",
            operation(app, Operation::ReadCertificates, both(expiries::portal_certificate)),
        )
        .route(
            "/system/indexer/status",
            operation(app, Operation::ReadIndex, both(portal_health::index_status)),
        )
        .route("/backupRestoreInfo", operation(app, Operation::ReadBackups, both(portal_health::backups)))
        .route(
            "/federation/servers/validate",
            operation(app, Operation::ValidateServers, both(portal_health::validate_servers)),
        )
}

fn server_admin(app: &Arc<App>) -> Routes {
    let mut routes = Router::new()
        .route("/", both(server::admin))
        .route("/info", both(server::admin_info))
        .route(
            "/generateToken",
            // Only the creation: a fault is not used up by opening the page.
            operation(app, Operation::CreateToken, post(sign_in::server_token)).get(sign_in::server_page),
        )
        .route("/logs", both(server::logs))
        .route("/services", both(services::root))
        .route("/services/report", both(services::root_report))
        .route("/services/{folder}/report", both(services::folder_report))
        .route("/services/permissions", both(configuration::root_permissions))
        .route("/services/{folder}/permissions", both(configuration::folder_permissions))
        .route("/security/config", both(configuration::server_security))
        .route("/logs/settings", both(configuration::log_settings))
        .route("/services/webhooks", both(webhooks::every))
        .route("/services/webhooks/settings", get(webhooks::settings).post(webhooks::change_settings))
        .route("/services/{service}", both(services::folder_or_service))
        .route("/services/{folder}/{service}", both(services::service))
        .route("/data", both(data::root))
        .route("/data/items", both(data::roots))
        .route("/data/items/{*path}", both(data::at_path))
        .route("/data/validateDataItem", post(data::validate_item))
        .route("/uploads", both(uploads::list))
        .route("/uploads/{upload}", both(uploads::one))
        .route(
            "/uploads/{upload}/download",
            operation(app, Operation::DownloadUpload, both(uploads::download)),
        )
        .route("/uploads/{upload}/delete", post(uploads::delete))
        .route("/uploads/register", post(uploads::register))
        .route("/uploads/{upload}/commit", operation(app, Operation::CommitUpload, post(uploads::commit)))
        .route("/machines", both(system::machines))
        .route("/machines/{machine}", both(expiries::machine))
        .route("/machines/{machine}/sslcertificates", both(expiries::machine_certificates))
        .route(
            "/machines/{machine}/sslcertificates/{alias}",
            operation(app, Operation::ReadCertificates, both(expiries::machine_certificate)),
        )
        .route("/system", both(system::root))
        .route("/system/licenses", operation(app, Operation::ReadLicenses, both(expiries::server_licenses)))
        .route("/system/properties", both(system::properties))
        .route("/system/webadaptors", both(system::web_adaptors))
        .route("/system/properties/update", post(system::update_properties));
    // Beside the wildcard for items, only a fixed root is allowed.
    for root in ["enterpriseDatabases", "nosqlDatabases"] {
        let machines = format!("/data/items/{root}/{{name}}/machines");
        let list = move |call, Path(name): Path<String>| data::machines(call, root, name);
        let validate = move |call, Path((name, machine)): Path<(String, String)>| {
            data::validate_machine(call, root, name, machine)
        };
        routes = routes
            .route(&machines, both(list))
            .route(&format!("{machines}/{{machine}}/validate"), post(validate));
    }
    for service in SERVICE_PATHS {
        routes = routes
            .route(&format!("{service}/status"), both(services::status))
            .route(&format!("{service}/iteminfo/manifest/manifest.json"), both(services::manifest))
            .route(&format!("{service}/webhooks"), both(webhooks::of_service))
            .route(&format!("{service}/webhooks/create"), post(webhooks::create))
            .route(&format!("{service}/webhooks/activateAll"), post(webhooks::activate_all))
            .route(&format!("{service}/webhooks/deleteAll"), post(webhooks::delete_all))
            .route(&format!("{service}/webhooks/{{webhook}}"), both(webhooks::one))
            .route(&format!("{service}/webhooks/{{webhook}}/edit"), post(webhooks::edit))
            .route(&format!("{service}/webhooks/{{webhook}}/delete"), post(webhooks::delete))
            .route(
                &format!("{service}/webhooks/{{webhook}}/notificationStatus"),
                both(webhooks::notification_status),
            );
    }
    routes
}

/// Paths of a service in the root folder and in a folder.
const SERVICE_PATHS: [&str; 2] = ["/services/{service}", "/services/{folder}/{service}"];

/// Returns the routes of uploads, whose requests contain files.
fn server_uploads(app: &Arc<App>) -> Routes {
    Router::new()
        .route("/uploads/upload", operation(app, Operation::UploadFile, post(uploads::upload)))
        .route(
            "/uploads/{upload}/uploadPart",
            operation(app, Operation::UploadPart, post(uploads::upload_part)),
        )
        .layer(DefaultBodyLimit::disable())
}

/// Returns the routes of the server operations in the specification.
fn server_operations(app: &Arc<App>) -> Routes {
    let mut routes = Router::new()
        // The specification lists GET, but its samples send POST.
        .route("/exportSite", operation(app, Operation::ExportServer, both(operations::export_server)))
        .route("/importSite", operation(app, Operation::ImportServer, post(operations::import_server)))
        // A GET with query parameters is also documented.
        .route("/data/findItems", operation(app, Operation::FindItems, both(operations::find_items)));
    for service in SERVICE_PATHS {
        routes = routes.route(
            &format!("{service}/webhooks/deactivateAll"),
            operation(app, Operation::DeactivateWebhooks, post(operations::deactivate_webhooks)),
        );
    }
    routes
}

/// Returns the routes of running services.
fn running_services() -> Routes {
    let mut routes = Router::new()
        .route("/services", both(catalogue::root))
        .route("/services/{folder}", both(catalogue::folder));
    for service in SERVICE_PATHS {
        let features = format!("{service}/FeatureServer");
        let task = format!("{service}/GPServer/{{task}}");
        routes = routes
            .route(&format!("{features}/{{layer}}/applyEdits"), post(rest_services::apply_edits))
            .route(&format!("{features}/extractChanges"), both(rest_services::extract_changes))
            .route(&format!("{task}/submitJob"), both(jobs::submit))
            .route(&format!("{task}/jobs/{{job}}"), both(jobs::status));
    }
    routes
}
