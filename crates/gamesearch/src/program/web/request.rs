//! The first lines of a request: only the page of this very run is let in, in the browser of this machine.

use std::io::Read;

use tungstenite::handshake::derive_accept_key;

/// What a request wants.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The page.
    Page,
    /// To speak with the engine; this answer accepts it.
    Engine(String),
}

/// A request that is refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) status: &'static str,
    pub(super) why: &'static str,
}

/// The longest head of a request.
const LONGEST: usize = 16 << 10;

fn refused<T>(status: &'static str, why: &'static str) -> Result<T, Refused> {
    Err(Refused { status, why })
}

/// Reads the head of a request and judges it.
pub(super) fn read(stream: &mut impl Read, host: &str, token: &str) -> Result<Asked, Refused> {
    let mut head = Vec::new();
    // Byte by byte: what comes after the head is for another reader. A head is short.
    let mut byte = [0];
    loop {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            Ok(_) => break,
            Err(_) => return refused("408 Request Timeout", "the request did not end"),
        }
        if head.ends_with(b"\r\n\r\n") {
            return judge(&String::from_utf8_lossy(&head), host, token);
        }
        if head.len() >= LONGEST {
            break;
        }
    }
    refused("400 Bad Request", "expected a request of a browser")
}

fn judge(head: &str, host: &str, token: &str) -> Result<Asked, Refused> {
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1")) = (first.next(), first.next(), first.next()) else {
        return refused("400 Bad Request", "expected a request of a browser");
    };
    let header = |name: &str| {
        let lines = head.split("\r\n").skip(1);
        let mut values =
            lines.filter_map(|line| line.split_once(':')).filter(|(key, _)| key.eq_ignore_ascii_case(name));
        let value = values.next().map(|(_, value)| value.trim());
        // A header that is given twice is worth nothing.
        if values.next().is_some() { None } else { value }
    };
    // A page of another site may send requests here: its name is in `Host` if it got a name for this address, and in `Origin`.
    let port = host.rsplit(':').next().unwrap_or_default();
    let local = format!("localhost:{port}");
    let Some(named) = header("Host").filter(|named| *named == host || *named == local) else {
        return refused("403 Forbidden", "this program answers its own page only");
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let shown = query.split('&').find_map(|part| part.strip_prefix("token=")).unwrap_or_default();
    if !same(shown, token) {
        return refused("403 Forbidden", "the address lacks the token of this run");
    }
    if method != "GET" {
        return refused("405 Method Not Allowed", "expected GET");
    }
    match path {
        "/" => Ok(Asked::Page),
        "/engine" => {
            if header("Origin") != Some(&format!("http://{named}")) {
                return refused("403 Forbidden", "this program answers its own page only");
            }
            let upgrade = header("Upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
            let version = header("Sec-WebSocket-Version") == Some("13");
            match header("Sec-WebSocket-Key").filter(|_| upgrade && version) {
                Some(key) => Ok(Asked::Engine(format!(
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                     Sec-WebSocket-Accept: {}\r\n\r\n",
                    derive_accept_key(key.as_bytes())
                ))),
                None => refused("400 Bad Request", "expected a WebSocket"),
            }
        }
        _ => refused("404 Not Found", "there is nothing here but the page"),
    }
}

/// Compares in the same time wherever two words begin to differ.
fn same(one: &str, two: &str) -> bool {
    one.len() == two.len() && one.bytes().zip(two.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: &str = "127.0.0.1:4321";

    fn ask(head: &str) -> Result<Asked, Refused> {
        read(&mut head.replace('\n', "\r\n").as_bytes(), HOST, "secret")
    }

    fn status(head: &str) -> String {
        ask(head).err().map_or_else(|| "let in".to_owned(), |refused| refused.status[..3].to_owned())
    }

    #[test]
    fn the_page_is_for_those_who_know_the_token() {
        assert_eq!(ask("GET /?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\n\n"), Ok(Asked::Page));
        assert_eq!(ask("GET /?token=secret HTTP/1.1\nhost: localhost:4321\n\n"), Ok(Asked::Page));
        for (head, code) in [
            ("GET / HTTP/1.1\nHost: 127.0.0.1:4321\n\n", "403"),
            ("GET /?token=secre HTTP/1.1\nHost: 127.0.0.1:4321\n\n", "403"),
            ("GET /?token=secreT HTTP/1.1\nHost: 127.0.0.1:4321\n\n", "403"),
            ("GET /?token=secret HTTP/1.1\nHost: evil.example:4321\n\n", "403"),
            ("GET /?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\nHost: evil.example\n\n", "403"),
            ("GET /?token=secret HTTP/1.1\n\n", "403"),
            ("GET /etc/passwd?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\n\n", "404"),
            ("POST /?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\n\n", "405"),
            ("GET\n\n", "400"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:4321\n", "400"),
        ] {
            assert_eq!(status(head), code, "{head}");
        }
        assert_eq!(status(&"x".repeat(100_000)), "400");
    }

    #[test]
    fn the_engine_is_for_the_page_of_this_run() {
        let head = |origin: &str| {
            format!(
                "GET /engine?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\n{origin}Upgrade: websocket\nConnection: Upgrade\n\
                 Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n"
            )
        };
        let Ok(Asked::Engine(accept)) = ask(&head("Origin: http://127.0.0.1:4321\n")) else {
            panic!("the page is not let in");
        };
        // The example of RFC 6455.
        assert!(accept.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{accept}");
        assert_eq!(status(&head("Origin: http://evil.example\n")), "403");
        assert_eq!(status(&head("Origin: null\n")), "403");
        assert_eq!(status(&head("")), "403");
        assert_eq!(
            status(
                "GET /engine?token=secret HTTP/1.1\nHost: 127.0.0.1:4321\nOrigin: http://127.0.0.1:4321\n\n"
            ),
            "400"
        );
    }
}
