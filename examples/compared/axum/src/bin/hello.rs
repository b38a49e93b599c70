// SPDX-License-Identifier: Apache-2.0
use axum::{Router, routing::get};

#[tokio::main]
async fn main() {
    let app = Router::new().route("/", get(|| async { "Hello, world!\n" }));
    let listener = tokio::net::TcpListener::bind(std::env::args().nth(1).expect("an address"))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
