// SPDX-License-Identifier: Apache-2.0

//! A server with actix-web.

mod answers;
mod database;
mod items;
mod room;
mod sockets;

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use actix_files::Files;
use actix_web::middleware::Compress;
use actix_web::{App, HttpServer, web};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

fn number<Number: std::str::FromStr>(variable: &str) -> Option<Number> {
    env::var(variable).ok()?.parse().ok()
}

fn tls(data: &Path) -> io::Result<ServerConfig> {
    let certificate =
        CertificateDer::from_pem_file(data.join("cert.pem")).map_err(io::Error::other)?;
    let key = PrivateKeyDer::from_pem_file(data.join("key.pem")).map_err(io::Error::other)?;
    ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .map_err(io::Error::other)
}

#[actix_web::main]
async fn main() -> io::Result<()> {
    let data = PathBuf::from(env::var_os("DATA").unwrap_or_default());
    let items = web::Data::new(items::read(&data.join("dataset.json"))?);
    let pool = web::Data::new(database::open()?);
    let room = web::Data::new(sockets::Room::default());
    let routes = number("ROUTES").unwrap_or(0);

    let files = data.join("static");
    let mut server = HttpServer::new(move || {
        App::new()
            .app_data(items.clone())
            .app_data(pool.clone())
            .app_data(room.clone())
            .configure(answers::add)
            .configure(|config| answers::add_areas(config, routes))
            .service(
                web::resource("/json/{count}")
                    .wrap(Compress::default())
                    .route(web::get().to(items::list)),
            )
            .route("/async-db", web::get().to(database::query))
            .route("/ws", web::get().to(sockets::echo))
            .route("/broadcast", web::get().to(sockets::broadcast))
            .service(Files::new("/static", &files))
    })
    .workers(number("THREADS").unwrap_or(1))
    .bind_auto_h2c(("127.0.0.1", number("PORT").unwrap_or(8080)))?;
    if let Some(port) = number("TLS_PORT") {
        server = server.bind_rustls_0_23(("127.0.0.1", port), tls(&data)?)?;
    }
    server.run().await
}
