// SPDX-License-Identifier: Apache-2.0

//! A server with axum, on tokio and hyper.

mod answers;
mod database;
mod items;
mod room;
mod sockets;
mod world;

use std::env;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt;
use axum_server::tls_rustls::RustlsConfig;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tower_http::services::ServeDir;

fn number<Number: std::str::FromStr>(variable: &str) -> Option<Number> {
    env::var(variable).ok()?.parse().ok()
}

fn application(data: &Path) -> io::Result<Router> {
    let items = Arc::new(items::read(&data.join("dataset.json"))?);
    let room = Arc::new(sockets::Room::default());
    let stored = match database::open()? {
        Some(pool) => Router::new()
            .route("/async-db", get(database::query))
            .route("/db", get(world::one))
            .route("/queries", get(world::several))
            .route("/updates", get(world::updates))
            .route("/fortunes", get(world::fortunes))
            .with_state(pool),
        None => Router::new(),
    };
    Ok(answers::router()
        .merge(stored)
        .merge(answers::areas(number("ROUTES").unwrap_or(0)))
        .route("/json/{count}", get(items::list).with_state(items))
        .route("/ws", get(sockets::echo))
        .route("/broadcast", get(sockets::broadcast).with_state(room))
        .nest_service("/static", ServeDir::new(data.join("static"))))
}

fn address(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

async fn serve() -> io::Result<()> {
    let data = PathBuf::from(env::var_os("DATA").unwrap_or_default());
    // Converted once here: a bare Router would be converted for each connection.
    let app = application(&data)?.into_make_service();
    if let Some(port) = number("TLS_PORT") {
        let tls = RustlsConfig::from_pem_file(data.join("cert.pem"), data.join("key.pem")).await?;
        tokio::spawn(axum_server::bind_rustls(address(port), tls).serve(app.clone()));
    }
    let listener = TcpListener::bind(address(number("PORT").unwrap_or(8080)))
        .await?
        .tap_io(|stream| {
            // Fails for a connection that is already closed.
            let _ = stream.set_nodelay(true);
        });
    axum::serve(listener, app).await
}

fn main() -> io::Result<()> {
    let threads = number("THREADS").unwrap_or(1);
    let mut runtime = if threads == 1 {
        Builder::new_current_thread()
    } else {
        Builder::new_multi_thread()
    };
    if threads > 1 {
        runtime.worker_threads(threads);
    }
    runtime.enable_all().build()?.block_on(serve())
}
