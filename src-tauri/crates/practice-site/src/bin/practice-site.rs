//! Command-line interface of the practice site, for use without the app.

use clap::{Parser, Subcommand};
use practice_site::{Options, PracticeSite, Release, stop_signal};
use std::net::SocketAddr;
use std::path::PathBuf;

/// Local site that implements the site administration service.
#[derive(Parser)]
#[command(name = "practice-site", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until Ctrl-C or SIGTERM.
    Serve {
        /// Where the site keeps everything. Made and filled at first start.
        #[arg(long)]
        data_dir: PathBuf,
        /// A loopback address; port 0 takes a free one.
        #[arg(long, default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Write `localhost` in the URLs of the site in place of its address, so that it has another host than a second site.
        #[arg(long)]
        localhost: bool,
        /// Plain http instead of https.
        #[arg(long)]
        http: bool,
        /// Let webhooks be delivered to other machines. Without it nothing leaves this one.
        #[arg(long)]
        deliver_anywhere: bool,
        /// Number of servers, each with services of its own, that are federated with the portal.
        #[arg(long, default_value_t = 1)]
        servers: usize,
        /// Release of portal and servers. It decides which parameters they have.
        #[arg(long, default_value_t)]
        release: Release,
        /// Write addresses and sign-ins here, as JSON, when the site is ready.
        #[arg(long)]
        ready_file: Option<PathBuf>,
    },
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into()),
        )
        .init();
    let Command::Serve { data_dir, listen, localhost, http, deliver_anywhere, servers, release, ready_file } =
        Arguments::parse().command;

    // Install the handler first: a signal during the first startup must also stop the site cleanly.
    let stop = stop_signal()?;
    let options = Options { data_dir, listen, localhost, http, deliver_anywhere, servers, release };
    let site = PracticeSite::start(options).await?;
    println!("portal {}", site.ready().portal);
    for server in &site.ready().servers {
        println!("server {server}");
    }
    if let Some(file) = ready_file {
        site.ready().write(&file)?;
    }
    stop.await;
    site.stop().await;
    Ok(())
}
