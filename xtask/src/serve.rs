//! A static file server for the built page, on this machine only.

use std::fs::File;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::thread;

use anyhow::{Result, anyhow, ensure};
use percent_encoding::percent_decode_str;
use tiny_http::{Header, Method, Request, Response, Server, StatusCode};

use crate::{bundle, root};

/// A page, its worker pool and a second tab are served without waiting for one another.
const THREADS: usize = 8;

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
    let server = Server::from_listener(listener, None).map_err(|error| anyhow!(error))?;
    println!("Serving the page at {address} (Ctrl-C stops)");
    if options.open
        && let Err(error) = open::that(&address)
    {
        eprintln!("cannot open a browser ({error}): open {address} yourself");
    }
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Ok(request) = server.recv() {
                    answer(request, &dist);
                }
            });
        }
    });
    Ok(())
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is taken: choose another with --port, or --port 0 for any free one"
        ),
        _ => anyhow!("cannot listen on port {port}: {error}"),
    })
}

fn answer(request: Request, dist: &Path) {
    let outcome = match find(request.method(), request.url(), dist) {
        Ok((path, file)) => {
            let response = Response::from_file(file)
                .with_header(header("Content-Type", content_type(&path)))
                .with_header(header("Cache-Control", "no-cache"))
                .with_header(header("X-Content-Type-Options", "nosniff"));
            request.respond(response)
        }
        Err(status) => {
            let status = StatusCode(status);
            let mut response =
                Response::from_string(format!("{} {}\n", status.0, status.default_reason_phrase()))
                    .with_status_code(status);
            if status.0 == 405 {
                response.add_header(header("Allow", "GET, HEAD"));
            }
            request.respond(response)
        }
    };
    // A reader who went away is no fault of the server's.
    drop(outcome);
}

/// The file that a request asks for, or the HTTP status that refuses it.
fn find(method: &Method, url: &str, dist: &Path) -> Result<(PathBuf, File), u16> {
    if !matches!(method, Method::Get | Method::Head) {
        return Err(405);
    }
    let path = dist.join(relative_path(url).ok_or(400_u16)?);
    if !path.is_file() {
        return Err(404);
    }
    let file = File::open(&path).map_err(|_| 404_u16)?;
    Ok((path, file))
}

/// A URL's path as one below the served folder: decoded, without its query, `index.html` where it
/// ends in a slash. None where it is malformed or would leave the folder.
fn relative_path(url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?;
    let path = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
    let mut relative = PathBuf::new();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let mut components = Path::new(part).components();
        match (components.next(), components.next()) {
            (Some(Component::Normal(name)), None) if !part.contains(['\\', '\0']) => {
                relative.push(name);
            }
            _ => return None,
        }
    }
    if path.is_empty() || path.ends_with('/') {
        relative.push("index.html");
    }
    Some(relative)
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt" | "md" | "ts") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[allow(clippy::expect_used, reason = "every header here is plain ASCII, written above")]
fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("an ASCII header")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(url: &str) -> Option<String> {
        relative_path(url).map(|path| path.to_string_lossy().replace('\\', "/"))
    }

    #[test]
    fn a_url_names_a_file_below_the_folder() {
        for (url, expected) in [
            ("/", "index.html"),
            ("/?seed=42&level=0.5", "index.html"),
            ("/www/main.js", "www/main.js"),
            ("/www/main.js?v=1/../2#top", "www/main.js"),
            ("//www//main.js", "www/main.js"),
            ("/docs/", "docs/index.html"),
            ("/a%20b%2Ejs", "a b.js"),
            ("/%E2%98%83.svg", "☃.svg"),
            ("/..data", "..data"),
        ] {
            assert_eq!(path(url).as_deref(), Some(expected), "{url}");
        }
    }

    #[test]
    fn a_url_cannot_leave_the_folder() {
        for url in [
            "/..",
            "/../Cargo.toml",
            "/www/../../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "/..%2fCargo.toml",
            "/%2e%2e%2f%2e%2e%2fetc/passwd",
            "/..%5cCargo.toml",
            "/a%00b",
            "/%ff",
            "index.html",
            "",
        ] {
            assert_eq!(path(url), None, "{url}");
        }
    }

    #[test]
    fn browsers_get_the_types_they_insist_on() {
        for (file, expected) in [
            ("index.html", "text/html; charset=utf-8"),
            ("www/main.js", "text/javascript; charset=utf-8"),
            ("lib.mjs", "text/javascript; charset=utf-8"),
            ("www/pkg/sfc_bench_bg.wasm", "application/wasm"),
            ("www/style.css", "text/css; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("data.npy", "application/octet-stream"),
            ("README", "application/octet-stream"),
        ] {
            assert_eq!(content_type(Path::new(file)), expected, "{file}");
        }
    }

    #[test]
    fn a_taken_port_is_named_with_the_way_out() {
        let holder = listen(0).unwrap();
        let port = holder.local_addr().unwrap().port();
        let error = listen(port).unwrap_err().to_string();
        assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
    }

    #[test]
    fn only_existing_files_are_found_and_only_read() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        let status = |method, url| find(&method, url, source).map(|_| ()).unwrap_err();
        assert!(find(&Method::Head, "/src/serve.rs", source).is_ok());
        assert_eq!(status(Method::Get, "/src/absent.rs"), 404);
        assert_eq!(status(Method::Get, "/src"), 404, "a folder is not a file");
        assert_eq!(status(Method::Get, "/"), 404, "no index.html here");
        assert_eq!(status(Method::Get, "/../Cargo.toml"), 400);
        assert_eq!(status(Method::Post, "/src/serve.rs"), 405);
    }
}
