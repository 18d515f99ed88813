//! A static file server for the built page, on this machine only. Any page that is open in a browser here can
//! send it requests, so it answers by its own names alone, gives nothing from outside its folder, and waits
//! for nobody.

mod confined;

use std::future::Future;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use self::confined::ConfinedBackend;
use crate::{bundle, root};

#[derive(clap::Args)]
pub struct Options {
    /// The port to serve on; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Serve what was built before
    #[arg(long)]
    no_build: bool,
}

/// Builds the page, then serves it until interrupted.
pub fn run(options: &Options) -> Result<()> {
    // The port comes first: a build is a long wait for "the port is taken".
    let listener = listen(options.port)?;
    let dist = root().join(bundle::DIST_FOLDER);
    if !options.no_build {
        bundle::build(&dist, bundle::LabBuild::Published)?;
    }
    ensure!(dist.join("index.html").is_file(), "nothing is built yet: leave out --no-build");

    let address = format!("http://{}/", listener.local_addr()?);
    println!("Serving the page at {address} (Ctrl-C stops)");
    if options.open
        && let Err(error) = open::that(&address)
    {
        eprintln!("cannot open a browser ({error}): open {address} yourself");
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the server")?;
    runtime.block_on(serve(listener, &dist, Limits::default()))
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!("port {port} is taken: choose another with --port, or --port 0 for any free one")
        }
        _ => anyhow!("cannot listen on port {port}: {error}"),
    })
}

/// How long the server waits for those it talks to, and for how many at once.
#[derive(Clone, Copy)]
struct Limits {
    /// From a connection's opening, or its last answer, to the end of the next request's head
    head: Duration,
    /// A connection's whole life: an answer that nobody takes ends with it
    connection: Duration,
    /// Connections open at once; more wait until one has ended
    connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: Duration::from_secs(10), connection: Duration::from_secs(60), connections: 256 }
    }
}

/// Serves a folder. Nothing is cached without asking, so that a rebuilt page shows on reload; pages of
/// other origins may read it, so that the element can be tried there.
fn serve(listener: TcpListener, dist: &Path, limits: Limits) -> impl Future<Output = Result<()>> + use<> {
    let always = |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    let folder = ConfinedBackend::new(dist).map(|confined| ServeDir::with_backend(dist, confined));
    async move {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let port = listener.local_addr()?.port();
        let page = Router::new()
            .fallback_service(folder?)
            .layer(middleware::from_fn_with_state(port, refuse_foreign_hosts))
            .layer(always(CACHE_CONTROL, "no-cache"))
            .layer(always(ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
            .layer(always(X_CONTENT_TYPE_OPTIONS, "nosniff"));
        let free = Arc::new(Semaphore::new(limits.connections));
        loop {
            let place = Arc::clone(&free).acquire_owned().await?;
            // One that ended before it was taken up; or, for a moment, no more files may be open.
            let Ok((stream, _)) = listener.accept().await else {
                sleep(Duration::from_millis(50)).await;
                continue;
            };
            let page = page.clone();
            tokio::spawn(async move {
                serve_connection(stream, page, limits).await;
                drop(place);
            });
        }
    }
}

/// Answers the requests of one connection, until it ends or has lasted long enough.
async fn serve_connection(stream: TcpStream, page: Router, limits: Limits) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(page));
    let mut connection = pin!(connection);
    if timeout(limits.connection, connection.as_mut()).await.is_err() {
        // What is being answered may be finished; then the browser opens another.
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.head, connection).await;
    }
}

/// Answers in words, in place of the folder, what no browser asks of it: requests under another name, as
/// of a page whose own name was made to mean this machine, and addresses that a redirection would turn into
/// those of another host.
async fn refuse_foreign_hosts(State(port): State<u16>, request: Request, next: Next) -> Response {
    if !is_addressed_here(port, request.uri(), request.headers()) {
        let words = format!("This server answers to http://127.0.0.1:{port}/ only.\n");
        return (StatusCode::MISDIRECTED_REQUEST, words).into_response();
    }
    let path = request.uri().path();
    if path.contains("//") || path.contains('\\') {
        let words = "No address here has two slashes in a row, or one that leans back.\n";
        return (StatusCode::NOT_FOUND, words).into_response();
    }
    next.run(request).await
}

/// Whether a request is addressed to this server by a name that only this machine has.
fn is_addressed_here(port: u16, uri: &Uri, headers: &HeaderMap) -> bool {
    let own = |authority: &Authority| {
        // Browsers leave out the port that is every server's.
        let port_named = authority.port_u16().unwrap_or(80);
        // A user's name before the host has no use here.
        !authority.as_str().contains('@')
            && port_named == port
            && ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| authority.host().eq_ignore_ascii_case(name))
    };
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| Authority::try_from(host.as_bytes()).ok());
    host.is_some_and(|host| own(&host)) && hosts.next().is_none() && uri.authority().is_none_or(own)
}

#[cfg(test)]
mod tests;
