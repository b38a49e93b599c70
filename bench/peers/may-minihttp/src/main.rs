// SPDX-License-Identifier: Apache-2.0

//! A server with may_minihttp, on the coroutines of may. It has no router: the service compares paths.

mod items;

use std::env;
use std::io::{self, BufRead, Write};
use std::path::Path;

use bytes::BufMut;
use may_minihttp::{HttpServer, HttpService, Request, Response};
use serde::Serialize;

use items::Item;

#[derive(Serialize)]
struct Greeting {
    message: &'static str,
    id: u32,
    ok: bool,
}

/// Lives as long as the process, since only static strings are sent without a copy.
#[derive(Clone, Copy)]
struct Service {
    body_64k: &'static str,
    body_1m: &'static str,
    items: Option<&'static [Item]>,
}

fn text(body: &'static str, response: &mut Response) {
    response
        .header("Content-Type: text/plain; charset=utf-8")
        .body(body);
}

fn json(value: &impl Serialize, response: &mut Response) -> io::Result<()> {
    response.header("Content-Type: application/json");
    serde_json::to_writer(response.body_mut().writer(), value)?;
    Ok(())
}

fn upload(request: Request, response: &mut Response) -> io::Result<()> {
    let mut body = request.body();
    let mut read = 0;
    loop {
        let piece = body.fill_buf()?.len();
        if piece == 0 {
            break;
        }
        read += piece;
        body.consume(piece);
    }
    response.header("Content-Type: text/plain; charset=utf-8");
    write!(response.body_mut().writer(), "{read}")
}

impl HttpService for Service {
    fn call(&mut self, request: Request, response: &mut Response) -> io::Result<()> {
        match (request.method(), request.path()) {
            ("GET", "/bench") => text("Hello, World!", response),
            ("GET", "/json") => {
                let greeting = Greeting {
                    message: "Hello, World!",
                    id: 42,
                    ok: true,
                };
                return json(&greeting, response);
            }
            ("GET", "/body/64k") => text(self.body_64k, response),
            ("GET", "/body/1m") => text(self.body_1m, response),
            ("POST", "/upload") => return upload(request, response),
            ("GET", path) if path.starts_with("/json/") => return self.list(path, response),
            _ => {
                response.status_code(404, "Not Found");
            }
        }
        Ok(())
    }
}

impl Service {
    fn list(&self, path: &str, response: &mut Response) -> io::Result<()> {
        let Some(items) = self.items else {
            response.status_code(503, "Service Unavailable");
            return Ok(());
        };
        match items::asked_for(path) {
            Some((count, factor)) => json(&items::price(items, count, factor), response),
            None => {
                response.status_code(400, "Bad Request");
                Ok(())
            }
        }
    }
}

fn main() -> io::Result<()> {
    let data = env::var_os("DATA").unwrap_or_default();
    let service = Service {
        body_64k: "x".repeat(64 << 10).leak(),
        body_1m: "x".repeat(1 << 20).leak(),
        items: items::read(&Path::new(&data).join("dataset.json"))?,
    };
    let number = |name: &str, otherwise: u16| match env::var(name) {
        Ok(value) => value.parse().map_err(io::Error::other),
        Err(_) => Ok(otherwise),
    };
    may::config().set_workers(number("THREADS", 1)?.into());
    HttpServer(service)
        .start(("127.0.0.1", number("PORT", 8080)?))?
        .wait();
    Ok(())
}
