use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Instant;

use super::*;

/// Limits that a test can wait for.
const SHORT: Limits =
    Limits { head: Duration::from_millis(300), connection: Duration::from_millis(900), connections: 8 };

/// A server over a folder, in a thread that ends with the tests.
fn start_over(folder: PathBuf, limits: Limits) -> SocketAddr {
    let listener = listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(serve(listener, &folder, limits))
    });
    address
}

/// A server over this package's folder.
fn start() -> SocketAddr {
    start_over(env!("CARGO_MANIFEST_DIR").into(), Limits::default())
}

/// Sends what is given and reads until the server ends the connection.
fn send(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Asks under a name.
fn ask_as(address: SocketAddr, host: &str, method: &str, path: &str) -> String {
    send(address, &format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
}

fn ask(address: SocketAddr, method: &str, path: &str) -> String {
    ask_as(address, &address.to_string(), method, path)
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

#[cfg(unix)]
#[test]
fn links_that_leave_the_folder_lead_nowhere() {
    use std::os::unix::fs::symlink;

    let top = std::env::temp_dir().join(format!("served-{}", std::process::id()));
    let folder = top.join("dist");
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    std::fs::create_dir_all(top.join("dist-beside")).unwrap();
    std::fs::write(folder.join("inner/file.txt"), "inside").unwrap();
    std::fs::write(top.join("secret.txt"), "outside").unwrap();
    std::fs::write(top.join("dist-beside/index.html"), "outside").unwrap();
    symlink("inner/file.txt", folder.join("within.txt")).unwrap();
    symlink(top.join("secret.txt"), folder.join("file.txt")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    symlink("/", folder.join("root")).unwrap();
    // Its name begins as the folder's does.
    symlink(top.join("dist-beside"), folder.join("beside")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(pipe.unwrap().success());

    // The folder itself may be reached by a link.
    symlink(&folder, top.join("served")).unwrap();
    for served in [folder, top.join("served")] {
        let address = start_over(served, Limits::default());
        for path in ["/inner/file.txt", "/within.txt"] {
            let inside = ask(address, "GET", path);
            assert!(status(&inside) == "200" && inside.ends_with("inside"), "{path}: {inside}");
        }
        let secret = top.join("secret.txt");
        let far = format!("/root{}", secret.display());
        for path in ["/file.txt", "/up/secret.txt", &far, "/beside/", "/beside", "/root", "/pipe"] {
            let outside = ask(address, "GET", path);
            assert!(!outside.contains("outside"), "{path}: {outside}");
            assert_eq!(status(&outside), "404", "{path}: {outside}");
        }
    }
    std::fs::remove_dir_all(&top).unwrap();
}

#[test]
fn another_name_than_its_own_is_refused_in_words() {
    let address = start();
    let port = address.port();
    for own in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"] {
        let answer = ask_as(address, &format!("{own}:{port}"), "GET", "/Cargo.toml");
        assert_eq!(status(&answer), "200", "{own}: {answer}");
    }
    let strange = [
        format!("attacker.example:{port}"),
        format!("127.0.0.1.attacker.example:{port}"),
        format!("localhost.attacker.example:{port}"),
        format!("localhost@attacker.example:{port}"),
        format!("attacker.example@localhost:{port}"),
        format!("192.168.0.1:{port}"),
        format!("2130706433:{port}"),
        format!("127.0.0.1:{}", port ^ 1),
        "127.0.0.1".to_owned(),
        "attacker.example".to_owned(),
        String::new(),
        format!("127.0.0.1:{port}\r\nHost: attacker.example"),
        format!("attacker.example\r\nHost: 127.0.0.1:{port}"),
    ];
    for host in strange {
        let answer = ask_as(address, &host, "GET", "/Cargo.toml");
        assert!(!answer.contains("[package]"), "{host}: {answer}");
        assert_eq!(status(&answer), "421", "{host}: {answer}");
        assert!(answer.contains(&format!("answers to http://127.0.0.1:{port}/ only")), "{answer}");
    }
    // The name in the first line, which stands above the header; and none at all.
    let host = format!("127.0.0.1:{port}");
    let elsewhere = ask_as(address, &host, "GET", "http://attacker.example/Cargo.toml");
    assert_eq!(status(&elsewhere), "421", "{elsewhere}");
    let own = ask_as(address, &host, "GET", &format!("http://{host}/Cargo.toml"));
    assert_eq!(status(&own), "200", "{own}");
    let nameless = send(address, "GET /Cargo.toml HTTP/1.0\r\n\r\n");
    assert_eq!(status(&nameless), "421", "{nameless}");
}

#[test]
fn no_redirection_leads_to_another_host() {
    let address = start();
    let folder = ask(address, "GET", "/src");
    assert_eq!(status(&folder), "307", "{folder}");
    assert!(folder.to_lowercase().contains("\nlocation: /src/\r"), "{folder}");
    let host = address.to_string();
    for path in [
        "//src",
        "///src",
        "//attacker.example/%2e%2e/src",
        "//src/../src",
        "/\\src",
        "/src//",
        "//src?a=//b",
        &format!("http://{host}//src"),
    ] {
        let answer = ask(address, "GET", path);
        assert!(["400", "404"].contains(&status(&answer)), "{path}: {answer}");
        assert!(!answer.to_lowercase().contains("\nlocation:"), "{path}: {answer}");
    }
    // In a query two slashes are a reader's own.
    assert_eq!(status(&ask(address, "GET", "/Cargo.toml?from=//a")), "200");
}

/// A browser opens several connections at once and keeps them open.
#[test]
fn idle_connections_do_not_keep_others_waiting() {
    let address = start();
    let idle: Vec<_> = (0..32).map(|_| TcpStream::connect(address).unwrap()).collect();
    assert_eq!(status(&ask(address, "GET", "/Cargo.toml")), "200");
    drop(idle);
}

/// Waits until the server has ended a connection, while `busy` says what is sent meanwhile.
fn ended(mut stream: TcpStream, busy: Option<&[u8]>) -> String {
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let start = Instant::now();
    let mut answer = Vec::new();
    loop {
        let mut bytes = [0; 1024];
        match stream.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => answer.extend(&bytes[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if busy.is_some_and(|bytes| stream.write_all(bytes).is_err()) {
                    break;
                }
            }
            Err(_) => break,
        }
        assert!(start.elapsed() < Duration::from_secs(30), "open after {:?}", start.elapsed());
    }
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn requests_that_never_end_are_ended() {
    let address = start_over(env!("CARGO_MANIFEST_DIR").into(), SHORT);
    let begin = |text: String| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    // Nothing; half a line; a head without an end; one that grows by a byte at a time.
    assert_eq!(ended(begin(String::new()), None), "");
    ended(begin("GET /Car".to_owned()), None);
    ended(begin(format!("GET / HTTP/1.1\r\nHost: {address}\r\n")), None);
    ended(begin(format!("GET / HTTP/1.1\r\nHost: {address}\r\nX: ")), Some(b"x"));
    // A body that does not come, and one that comes slowly: answered without it.
    let body = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: 1000000\r\n\r\n");
    assert_eq!(status(&ended(begin(body.clone()), None)), "405");
    assert_eq!(status(&ended(begin(body), Some(b"x"))), "405");
    // One kept open after its answer.
    let kept = format!("GET /Cargo.toml HTTP/1.1\r\nHost: {address}\r\n\r\n");
    assert_eq!(status(&ended(begin(kept.clone()), None)), "200");
    // One that asks again and again.
    let again = ended(begin(kept.clone()), Some(kept.as_bytes()));
    assert!(again.matches("HTTP/1.1 200").count() > 1, "{again}");
}

#[test]
fn more_connections_than_there_are_places_for_wait_no_longer_than_those_before_them() {
    let address = start_over(env!("CARGO_MANIFEST_DIR").into(), SHORT);
    let half: Vec<_> = (0..3 * SHORT.connections)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(b"GET / HT").unwrap();
            stream
        })
        .collect();
    assert_eq!(status(&ask(address, "GET", "/Cargo.toml")), "200");
    drop(half);
}

/// An answer that nobody takes fills what the system keeps for it.
#[test]
fn an_answer_that_is_not_taken_is_given_up() {
    let folder = std::env::temp_dir().join(format!("served-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("large"), vec![b'x'; 64 << 20]).unwrap();
    std::fs::write(folder.join("small"), "small").unwrap();
    let address = start_over(folder.clone(), Limits { connections: 2, ..SHORT });
    let untaken: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            let request = format!("GET /large HTTP/1.1\r\nHost: {address}\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(status(&ask(address, "GET", "/small")), "200");
    drop(untaken);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_taken_port_is_named_with_the_way_out() {
    let holder = listen(0).unwrap();
    let port = holder.local_addr().unwrap().port();
    let error = listen(port).unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
}
