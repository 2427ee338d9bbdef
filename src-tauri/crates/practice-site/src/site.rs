//! Startup and shutdown of a practice site.

use crate::app::App;
use crate::certificate;
use crate::connection::ConnectionLimit;
use crate::deliveries::{self, Dispatcher};
use crate::export_file::remove_unfinished;
use crate::fault_injection::FaultRule;
use crate::folder_lock::FolderLock;
use crate::folders::Folders;
use crate::release::Release;
use crate::rest_services::{self, JobRunner};
use crate::router::router;
use crate::seed;
use crate::sign_in::oauth::{Authorizations, RegisteredRedirects};
use crate::store::{self, Store, users};
use crate::uploads;
use crate::users_file::{Ready, SignIns};
use crate::wire::{Guard, OperationLock};
use anyhow::{Context as _, ensure};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rustls::ServerConfig;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Timeout for the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 100;
/// Maximum size of the headers, in bytes. The library checks it between reads, so up to twice as much can be accepted.
const LONGEST_HEADERS: usize = 64 * 1024;
/// Time that a shutdown waits for running requests.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Settings of a practice site.
pub struct Options {
    /// Data folder, created and filled at first startup.
    pub data_dir: PathBuf,
    /// Loopback address. Port 0 selects a free port.
    pub listen: SocketAddr,
    /// Whether the URLs of the site have the host `localhost` in place of the address.
    pub localhost: bool,
    /// Whether to use HTTP instead of HTTPS with the site's own certificate.
    pub http: bool,
    /// Whether webhook payloads can be sent to other computers.
    pub deliver_anywhere: bool,
    /// Number of servers, at least one. Each has services of its own, and is federated with the portal.
    pub servers: usize,
    /// Release of portal and servers.
    pub release: Release,
}

/// Running practice site. Dropping it stops the server.
pub struct PracticeSite {
    ready: Ready,
    /// One for each server. The first one has the portal, too.
    apps: Vec<Arc<App>>,
    handle: Handle<SocketAddr>,
    serving: JoinHandle<()>,
    /// Background tasks for deliveries, jobs and the removal of old uploads.
    background_tasks: TaskTracker,
    _folder_lock: FolderLock,
}

impl PracticeSite {
    /// Starts a site and returns when it accepts requests. Creates certificate, sign-ins and content in a new data
    /// folder.
    ///
    /// # Errors
    /// Returns an error if the address is not loopback or in use, or if the data folder cannot be used or is used by
    /// another site.
    pub async fn start(options: Options) -> anyhow::Result<PracticeSite> {
        ensure!(
            options.listen.ip().is_loopback(),
            "{} is not a loopback address; a practice site is for this machine only",
            options.listen.ip()
        );
        let listener = TcpListener::bind(options.listen)
            .with_context(|| format!("cannot listen on {}", options.listen))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let scheme = if options.http { "http" } else { "https" };
        let origin = match options.localhost {
            true => format!("{scheme}://localhost:{}", address.port()),
            false => format!("{scheme}://{address}"),
        };

        let data_dir = options.data_dir;
        let prepared = tokio::task::spawn_blocking(move || {
            prepare(data_dir, origin, options.servers, options.release, options.deliver_anywhere)
        })
        .await??;
        let Prepared { apps, sign_ins, certificate, folder_lock } = prepared;
        let app = apps.first().context("a site without a server")?;

        let ready = Ready {
            portal: app.portal_url(),
            server: app.server_url(),
            servers: apps.iter().map(|app| app.server_url()).collect(),
            ca_certificate: (!options.http).then(|| certificate.authority.clone()),
            fingerprint: if options.http { None } else { Some(certificate::fingerprint(&certificate)?) },
            users: sign_ins.users,
            portal_id: app.portal.read(users::portal).await?.id,
        };
        let guard = Guard { scheme, port: address.port() };
        let background_tasks = TaskTracker::new();
        let service = router(&apps, guard).into_make_service_with_connect_info::<SocketAddr>();
        let handle = Handle::new();
        let serving = if options.http {
            let mut server = axum_server::from_tcp(listener)?
                .acceptor(ConnectionLimit::default())
                .http1_only()
                .handle(handle.clone());
            set_limits(server.http_builder());
            tokio::spawn(async move { report(server.serve(service).await) })
        } else {
            let tls = tls(&certificate).await.context("the site's certificate cannot be used")?;
            let acceptor = RustlsAcceptor::new(tls)
                .handshake_timeout(HEADER_TIMEOUT)
                .acceptor(ConnectionLimit::default());
            let mut server =
                axum_server::from_tcp(listener)?.acceptor(acceptor).http1_only().handle(handle.clone());
            set_limits(server.http_builder());
            tokio::spawn(async move { report(server.serve(service).await) })
        };
        handle.listening().await.context("the server did not start")?;
        for app in &apps {
            let stopping = &app.stopping;
            background_tasks.spawn(uploads::keep_clean(Arc::clone(app)));
            background_tasks.spawn(deliveries::run(Arc::clone(app), stopping.clone()));
            background_tasks.spawn(rest_services::run_jobs(Arc::clone(app), stopping.clone()));
        }
        background_tasks.close();
        tracing::info!(portal = ready.portal, servers = ?ready.servers, "the practice site is ready");
        Ok(PracticeSite { ready, apps, handle, serving, background_tasks, _folder_lock: folder_lock })
    }

    /// Returns the URLs and sign-ins.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Returns the active fault rules, in the order in which they were added.
    pub fn faults(&self) -> Vec<FaultRule> {
        self.apps.first().map(|app| app.faults.all()).unwrap_or_default()
    }

    /// Adds a fault rule. Ignores rules that do not fit their operation or apply zero times.
    pub fn add_fault(&self, rule: FaultRule) {
        // All servers share them.
        if let Some(app) = self.apps.first()
            && rule.times > 0
            && rule.fault.fits(rule.operation)
        {
            app.faults.add(rule);
        }
    }

    /// Removes all fault rules.
    pub fn clear_faults(&self) {
        self.apps.iter().for_each(|app| app.faults.clear());
    }

    /// Returns whether every server accepts `.agssite` files as uploads, which real servers do not at first.
    ///
    /// # Errors
    /// Returns an error if a database cannot be read.
    pub async fn accepts_site_files(&self) -> anyhow::Result<bool> {
        for app in &self.apps {
            if !uploads::accepts_site_files(app).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Has every server accept `.agssite` files as uploads, or not, by the system property that an administrator changes.
    ///
    /// # Errors
    /// Returns an error if a database cannot be written.
    pub async fn accept_site_files(&self, accept: bool) -> anyhow::Result<()> {
        for app in &self.apps {
            uploads::accept_site_files(app, accept).await?;
        }
        Ok(())
    }

    /// Changes the configuration of the first server, as another administrator could have done.
    ///
    /// # Errors
    /// Returns an error if its database cannot be written.
    pub async fn simulate_changes(&self) -> anyhow::Result<()> {
        let Some(app) = self.apps.first() else { return Ok(()) };
        Ok(crate::simulated_changes::simulate(app).await?)
    }

    /// Registers redirect URLs for Site Steward, in place of those that the app uses.
    pub fn register_redirects(&self, addresses: Vec<String>) {
        self.apps.iter().take(1).for_each(|app| app.registered_redirects.replace(addresses.clone()));
    }

    /// Stops the site. Running requests get up to 5 seconds; running exports are aborted and removed. Deliveries and
    /// jobs continue at the next startup.
    pub async fn stop(mut self) {
        self.cancel();
        self.handle.graceful_shutdown(Some(SHUTDOWN_TIMEOUT));
        if let Err(cause) = (&mut self.serving).await {
            tracing::warn!("the server task failed: {cause}");
        }
        for app in &self.apps {
            app.portal_lock.free().await;
            app.server_lock.free().await;
        }
        self.background_tasks.wait().await;
    }

    /// All servers have the same token: one that is cancelled cancels all.
    fn cancel(&self) {
        self.apps.iter().for_each(|app| app.stopping.cancel());
    }
}

impl Drop for PracticeSite {
    fn drop(&mut self) {
        self.cancel();
        self.handle.shutdown();
    }
}

struct Prepared {
    apps: Vec<Arc<App>>,
    sign_ins: SignIns,
    certificate: certificate::Files,
    folder_lock: FolderLock,
}

/// Paths of so many servers below the origin: `server`, `server2`, and so on.
fn names(servers: usize) -> Arc<[String]> {
    let others = (2..=servers.max(1)).map(|number| format!("server{number}"));
    std::iter::once("server".to_owned()).chain(others).collect()
}

fn prepare(
    data_dir: PathBuf,
    origin: String,
    servers: usize,
    release: Release,
    deliver_anywhere: bool,
) -> anyhow::Result<Prepared> {
    let servers = names(servers);
    let folders: Vec<_> =
        servers.iter().map(|name| Folders::prepare(&data_dir, name)).collect::<anyhow::Result<_>>()?;
    let shared = folders.first().context("a site without a server")?;
    let folder_lock = FolderLock::take(&shared.root)?;
    let sign_ins = SignIns::prepare(&shared.root.join("users.json"))?;
    let certificate = certificate::prepare(&shared.root.join("certificate"))?;
    let certificate_expires_at = certificate::expires_at(&certificate)?;
    let portal = Store::open(shared.root.join("portal/portal.db"), store::PORTAL)?;
    let sessions = Store::open(shared.root.join("sessions/sessions.db"), store::SESSIONS)?;
    seed::fill_portal_if_new(&portal, shared, &sign_ins, &servers)?;
    shared.clear_scratch()?;
    remove_unfinished(shared)?;
    let content = portal.read_now(users::portal)?.content;
    shared.clear_other_content(&content)?;
    let authorizations = Arc::new(Authorizations::default());
    let registered_redirects = Arc::new(RegisteredRedirects::default());
    let (rate_limit, portal_lock, faults) = (Arc::default(), Arc::default(), Arc::default());
    let index = Arc::default();
    let stopping = CancellationToken::new();
    let app = |(number, folders): (usize, Folders)| {
        let server = Store::open(folders.server.join("server.db"), store::SERVER)?;
        seed::fill_server_if_new(&server, number, &folders, &sign_ins)?;
        let runtime = Store::open(folders.server.join("runtime.db"), store::RUNTIME)?;
        let app = App {
            name: servers.get(number).cloned().unwrap_or_default(),
            release,
            servers: Arc::clone(&servers),
            origin: origin.clone(),
            certificate_expires_at,
            portal: Arc::clone(&portal),
            server,
            sessions: Arc::clone(&sessions),
            authorizations: Arc::clone(&authorizations),
            registered_redirects: Arc::clone(&registered_redirects),
            rate_limit: Arc::clone(&rate_limit),
            runtime,
            dispatcher: Dispatcher::new(deliver_anywhere, &stopping),
            job_runner: JobRunner::default(),
            folders,
            portal_lock: Arc::clone(&portal_lock),
            server_lock: OperationLock::default(),
            upload_locks: uploads::Locks::default(),
            next_parts: uploads::Locks::default(),
            faults: Arc::clone(&faults),
            index: Arc::clone(&index),
            stopping: stopping.clone(),
        };
        uploads::clean_up(&app)?;
        Ok(Arc::new(app))
    };
    let apps = folders.clone().into_iter().enumerate().map(app).collect::<anyhow::Result<_>>()?;
    Ok(Prepared { apps, sign_ins, certificate, folder_lock })
}

async fn tls(certificate: &certificate::Files) -> anyhow::Result<RustlsConfig> {
    let config = RustlsConfig::from_pem_file(&certificate.server, &certificate.server_key).await?;
    let mut config = ServerConfig::clone(&config.get_inner());
    // Offer only HTTP/1.1, the protocol that is served. It is sufficient on loopback, and its timeouts apply to the
    // complete connection.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

fn set_limits(builder: &mut Builder<TokioExecutor>) {
    let mut http = builder.http1();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    http.max_headers(MOST_HEADERS).max_buf_size(LONGEST_HEADERS);
}

fn report(ended: std::io::Result<()>) {
    if let Err(cause) = ended {
        tracing::error!("the server ended: {cause}");
    }
}
