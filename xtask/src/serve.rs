//! A static file server for the built page, on this machine only.

use std::future::Future;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

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
    let dist = root().join(bundle::DIST);
    if !options.no_build {
        bundle::build(&dist)?;
    }
    ensure!(dist.join("index.html").is_file(), "nothing is built yet: leave out --no-build");

    let address = format!("http://{}/", listener.local_addr()?);
    println!("Serving the page at {address} (Ctrl-C stops)");
    if options.open
        && let Err(error) = open::that(&address)
    {
        eprintln!("cannot open a browser ({error}): open {address} yourself");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_io()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(serve(listener, &dist))
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is taken: choose another with --port, or --port 0 for any free one"
        ),
        _ => anyhow!("cannot listen on port {port}: {error}"),
    })
}

/// Serves a folder. Nothing is cached without asking, so that a rebuilt page shows on reload; pages of
/// other origins may read it, so that the element can be tried there.
fn serve(listener: TcpListener, dist: &Path) -> impl Future<Output = Result<()>> + use<> {
    let always =
        |name, value| SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value));
    let page = Router::new()
        .fallback_service(ServeDir::new(dist))
        .layer(always(CACHE_CONTROL, "no-cache"))
        .layer(always(ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .layer(always(X_CONTENT_TYPE_OPTIONS, "nosniff"));
    async move {
        listener.set_nonblocking(true)?;
        axum::serve(tokio::net::TcpListener::from_std(listener)?, page).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpStream};

    use super::*;

    /// A server over this package's folder, in a thread that ends with the tests.
    fn start() -> SocketAddr {
        let listener = listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
            runtime.unwrap().block_on(serve(listener, Path::new(env!("CARGO_MANIFEST_DIR"))))
        });
        address
    }

    fn ask(address: SocketAddr, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn status(answer: &str) -> &str {
        answer.split(' ').nth(1).unwrap_or_default()
    }

    #[test]
    fn files_are_served_with_their_types_and_nothing_else_is() {
        let address = start();
        let found = ask(address, "GET", "/Cargo.toml?v=1");
        assert_eq!(status(&found), "200");
        assert!(found.to_lowercase().contains("cache-control: no-cache"), "{found}");
        assert!(found.to_lowercase().contains("access-control-allow-origin: *"), "{found}");
        assert!(found.contains("[package]"));
        let head = ask(address, "HEAD", "/Cargo.toml");
        assert_eq!((status(&head), head.contains("[package]")), ("200", false));
        assert_eq!(status(&ask(address, "GET", "/absent")), "404");
        assert_eq!(status(&ask(address, "POST", "/Cargo.toml")), "405");
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/src/..%2f..%2fCargo.toml"] {
            let outside = ask(address, "GET", path);
            assert_ne!(status(&outside), "200", "{path}");
            assert!(!outside.contains("[workspace]"), "{path} left the folder");
        }
    }

    /// A browser opens several connections at once and keeps them open.
    #[test]
    fn idle_connections_do_not_keep_others_waiting() {
        let address = start();
        let idle: Vec<_> = (0..32).map(|_| TcpStream::connect(address).unwrap()).collect();
        assert_eq!(status(&ask(address, "GET", "/Cargo.toml")), "200");
        drop(idle);
    }

    #[test]
    fn a_taken_port_is_named_with_the_way_out() {
        let holder = listen(0).unwrap();
        let port = holder.local_addr().unwrap().port();
        let error = listen(port).unwrap_err().to_string();
        assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
    }
}
