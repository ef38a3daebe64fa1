//! The pages of a class on the loopback address: for a look at them; any web host serves them as well.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::program::Failure;

/// The most browsers at the same time.
const GUESTS: usize = 16;
/// How long one may take to send its request.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest head of a request.
const LONGEST: usize = 16 << 10;

/// Serves a folder from a thread until the program ends; the address.
pub(crate) fn serve(folder: PathBuf, port: u16) -> Result<String, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| Failure::failed(format!("cannot serve at port {port}: {error}")))?;
    let host = listener.local_addr().map_err(Failure::failed)?.to_string();
    let address = format!("http://{host}/");
    std::thread::spawn(move || {
        let guests = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming().flatten() {
            if guests.fetch_add(1, Ordering::SeqCst) >= GUESTS {
                guests.fetch_sub(1, Ordering::SeqCst);
                continue;
            }
            let (folder, host, guests) = (folder.clone(), host.clone(), Arc::clone(&guests));
            std::thread::spawn(move || {
                // A reader that has left wants no answer.
                let _ = answer(stream, &folder, &host);
                guests.fetch_sub(1, Ordering::SeqCst);
            });
        }
    });
    Ok(address)
}

fn answer(mut stream: TcpStream, folder: &Path, host: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = Vec::new();
    let mut chunk = [0; 1 << 10];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < LONGEST {
        match stream.read(&mut chunk)? {
            0 => return Ok(()),
            count => head.extend_from_slice(&chunk[..count]),
        }
    }
    let head = String::from_utf8_lossy(&head);
    let (status, kind, body) = match wanted(&head, host).and_then(|path| find(folder, &path)) {
        Ok((path, kind)) => match fs::read(path) {
            Ok(body) => ("200 OK", kind, body),
            Err(_) => ("404 Not Found", "text/plain", b"there is no such page\n".to_vec()),
        },
        Err((status, why)) => (status, "text/plain", format!("{why}\n").into_bytes()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}

/// What a request asks for. Another name for this machine is refused: a page elsewhere could read along by it.
fn wanted(head: &str, host: &str) -> Result<String, (&'static str, &'static str)> {
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (Some("GET"), Some(target)) = (first.next(), first.next()) else {
        return Err(("405 Method Not Allowed", "expected GET"));
    };
    let named = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim());
    let port = host.rsplit(':').next().unwrap_or_default();
    if named != Some(host) && named != Some(&format!("localhost:{port}")) {
        return Err(("421 Misdirected Request", "expected this machine's own name"));
    }
    let path = target.split(['?', '#']).next().unwrap_or_default();
    Ok(path.trim_start_matches('/').to_owned())
}

/// The file that a path of a request names, and what it is.
fn find(folder: &Path, path: &str) -> Result<(PathBuf, &'static str), (&'static str, &'static str)> {
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let plain = Path::new(&path).components().all(|part| match part {
        // Files that are being written begin with a dot.
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    });
    let kind = match Path::new(&path).extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("json") => "application/json",
        Some("csv") => "text/csv",
        _ => return Err(("404 Not Found", "there is no such page")),
    };
    if plain { Ok((folder.join(path), kind)) } else { Err(("404 Not Found", "there is no such page")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_folder_are_served() {
        let folder = Path::new("/site");
        assert_eq!(find(folder, "").unwrap(), (PathBuf::from("/site/index.html"), "text/html"));
        assert_eq!(find(folder, "teams/a.html").unwrap().0, PathBuf::from("/site/teams/a.html"));
        for path in ["../class.toml", "../store/x.html", "a/../../b.html", "/etc/x.html", ".index.html", "x"]
        {
            assert!(find(folder, path).is_err(), "{path}");
        }
        let host = "127.0.0.1:80";
        assert_eq!(wanted("GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", host).unwrap(), "a");
        assert!(wanted("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", host).is_err());
        assert!(wanted("POST / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", host).is_err());
    }
}
