//! Starting and stopping.

use crate::app::{App, Folders};
use crate::certificate;
use crate::connection::Door;
use crate::data_store::Cipher;
use crate::deliveries::{self, Courier};
use crate::mishaps::{Order, Orders};
use crate::rest_services::{self, JobShop};
use crate::router::router;
use crate::seed;
use crate::sign_in::SlowDown;
use crate::sign_in::oauth::Authorizations;
use crate::store::{self, Store, people};
use crate::uploads;
use crate::users_file::{Ready, SignIns};
use crate::wire::{Desk, Guard, Refusal};
use anyhow::{Context as _, ensure};
use axum_server::Handle;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rustls::ServerConfig;
use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A client that dawdles over its headers is not kept company.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
const MOST_HEADERS: usize = 100;
/// The library looks at the length between reads, so that up to twice as much may pass.
const LONGEST_HEADERS: usize = 64 * 1024;
/// How long a clean stop waits for answers under way.
const FAREWELL: Duration = Duration::from_secs(5);

/// Where and how a practice site runs.
pub struct Options {
    /// Everything the site keeps. Made and filled at first start.
    pub data_dir: PathBuf,
    /// A loopback address. Port 0 takes a free one.
    pub listen: SocketAddr,
    /// Plain http instead of https with the site's own certificate.
    pub http: bool,
    /// Whether webhooks may be delivered to other machines. Otherwise nothing leaves this one.
    pub deliver_anywhere: bool,
}

/// A running practice site. Dropping it stops the server.
pub struct PracticeSite {
    ready: Ready,
    app: Arc<App>,
    handle: Handle<SocketAddr>,
    serving: JoinHandle<()>,
    /// Deliveries and jobs.
    at_work: TaskTracker,
    /// Two sites on one data folder would take each other's seats.
    _only_one: File,
}

impl PracticeSite {
    /// Starts a site, making its certificate, sign-ins and content when the data folder is new. It answers when
    /// this returns.
    ///
    /// # Errors
    /// When the address is not loopback or is taken, or the data folder cannot be used.
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
        let origin = format!("{scheme}://{address}");

        let data_dir = options.data_dir;
        let prepared =
            tokio::task::spawn_blocking(move || prepare(data_dir, origin, options.deliver_anywhere))
                .await??;
        let Prepared { app, sign_ins, certificate, only_one } = prepared;

        let ready = Ready {
            portal: app.portal_url(),
            server: app.server_url(),
            ca_certificate: (!options.http).then(|| certificate.authority.clone()),
            users: sign_ins.users,
            portal_id: app.portal.read(people::portal).await.map_err(|why| anyhow::anyhow!(why.message))?.id,
        };
        tokio::spawn(uploads::keep_clean(Arc::clone(&app)));
        let guard = Guard { scheme, port: address.port() };
        let at_work = TaskTracker::new();
        let service = router(Arc::clone(&app), guard).into_make_service_with_connect_info::<SocketAddr>();
        let handle = Handle::new();
        let serving = if options.http {
            let mut server = axum_server::from_tcp(listener)?
                .acceptor(Door::default())
                .http1_only()
                .handle(handle.clone());
            limit_patience(server.http_builder());
            tokio::spawn(async move { report(server.serve(service).await) })
        } else {
            let tls = tls(&certificate).await.context("the site's certificate cannot be used")?;
            let acceptor =
                RustlsAcceptor::new(tls).handshake_timeout(HEADERS_WITHIN).acceptor(Door::default());
            let mut server =
                axum_server::from_tcp(listener)?.acceptor(acceptor).http1_only().handle(handle.clone());
            limit_patience(server.http_builder());
            tokio::spawn(async move { report(server.serve(service).await) })
        };
        handle.listening().await.context("the server did not start")?;
        let stopping = &app.stopping;
        at_work.spawn(deliveries::run(Arc::clone(&app), stopping.clone()));
        at_work.spawn(rest_services::run_jobs(Arc::clone(&app), stopping.clone()));
        at_work.close();
        tracing::info!(portal = ready.portal, server = ready.server, "the practice site is ready");
        Ok(PracticeSite { ready, app, handle, serving, at_work, _only_one: only_one })
    }

    /// Addresses and sign-ins.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// The mishaps that are still to come, in the order in which they were ordered.
    pub fn mishaps(&self) -> Vec<Order> {
        self.app.mishaps.all()
    }

    /// Orders a mishap. One that cannot happen to its operation, or that shall happen no times, is not ordered.
    pub fn order_mishap(&self, order: Order) {
        if order.times > 0 && order.mishap.fits(order.operation) {
            self.app.mishaps.add(order);
        }
    }

    /// Forgets every ordered mishap.
    pub fn clear_mishaps(&self) {
        self.app.mishaps.clear();
    }

    /// Stops cleanly: answers that are under way get a few seconds, exports that run are given up and removed.
    /// Deliveries and jobs go on at the next start.
    pub async fn stop(mut self) {
        self.app.stopping.cancel();
        self.handle.graceful_shutdown(Some(FAREWELL));
        if let Err(cause) = (&mut self.serving).await {
            tracing::warn!("the server did not end well: {cause}");
        }
        self.app.portal_desk.free().await;
        self.app.server_desk.free().await;
        self.at_work.wait().await;
    }
}

impl Drop for PracticeSite {
    fn drop(&mut self) {
        self.app.stopping.cancel();
        self.handle.shutdown();
    }
}

struct Prepared {
    app: Arc<App>,
    sign_ins: SignIns,
    certificate: certificate::Files,
    only_one: File,
}

fn prepare(data_dir: PathBuf, origin: String, deliver_anywhere: bool) -> anyhow::Result<Prepared> {
    let folders = Folders::prepare(&data_dir)?;
    let only_one = File::create(folders.root.join("in-use"))?;
    only_one.try_lock().context("another practice site is using this data folder")?;
    let sign_ins = SignIns::prepare(&folders.root.join("users.json"))?;
    let certificate = certificate::prepare(&folders.root.join("certificate"))?;
    let portal = Store::open(folders.root.join("portal/portal.db"), &store::PORTAL)?;
    let server = Store::open(folders.root.join("server/server.db"), &store::SERVER)?;
    let sessions = Store::open(folders.root.join("sessions/sessions.db"), &store::SESSIONS)?;
    let cipher = Cipher::prepare(&folders.root.join("secret.key"))?;
    seed::fill_if_new(&portal, &server, &folders, &sign_ins, &cipher)?;
    let runtime = Store::open(folders.root.join("server/runtime.db"), &store::RUNTIME)?;
    let stopping = CancellationToken::new();
    let app = Arc::new(App {
        origin,
        portal,
        server,
        sessions,
        authorizations: Authorizations::default(),
        slow_down: SlowDown::default(),
        runtime,
        courier: Courier::new(deliver_anywhere, &stopping),
        job_shop: JobShop::default(),
        folders,
        portal_desk: Desk::default(),
        server_desk: Desk::default(),
        cipher,
        upload_locks: uploads::Locks::default(),
        next_parts: uploads::Locks::default(),
        mishaps: Orders::default(),
        stopping,
    });
    clean_up(&app)?;
    Ok(Prepared { app, sign_ins, certificate, only_one })
}

/// Takes away what a site that was killed left half done.
fn clean_up(app: &App) -> anyhow::Result<()> {
    let failed = |why: Refusal| anyhow::anyhow!(why.message);
    app.folders.clear_scratch()?;
    app.folders.clear_unfinished()?;
    let content = app.portal.read_now(people::portal).map_err(failed)?.content;
    app.folders.clear_other_content(&content)?;
    uploads::clean_up(app).map_err(failed)
}

async fn tls(certificate: &certificate::Files) -> anyhow::Result<RustlsConfig> {
    let config = RustlsConfig::from_pem_file(&certificate.server, &certificate.server_key).await?;
    let mut config = ServerConfig::clone(&config.get_inner());
    // Only what is served may be offered. One protocol is enough on loopback, and its time limits cover the
    // whole connection.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

fn limit_patience(builder: &mut Builder<TokioExecutor>) {
    let mut http = builder.http1();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
    http.max_headers(MOST_HEADERS).max_buf_size(LONGEST_HEADERS);
}

fn report(ended: std::io::Result<()>) {
    if let Err(cause) = ended {
        tracing::error!("the server ended: {cause}");
    }
}
