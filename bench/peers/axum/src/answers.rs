// SPDX-License-Identifier: Apache-2.0

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Greeting {
    message: &'static str,
    id: u32,
    ok: bool,
}

#[derive(Deserialize)]
struct Terms {
    a: i64,
    b: i64,
}

static BODY_64K: LazyLock<String> = LazyLock::new(|| "x".repeat(64 << 10));
static BODY_1M: LazyLock<String> = LazyLock::new(|| "x".repeat(1 << 20));

async fn hello() -> &'static str {
    "Hello, World!"
}

async fn greet() -> Json<Greeting> {
    Json(Greeting {
        message: "Hello, World!",
        id: 42,
        ok: true,
    })
}

async fn body_64k() -> &'static str {
    BODY_64K.as_str()
}

async fn body_1m() -> &'static str {
    BODY_1M.as_str()
}

async fn upload(body: Body) -> Result<String, StatusCode> {
    let mut pieces = body.into_data_stream();
    let mut read = 0;
    while let Some(piece) = pieces.next().await {
        read += piece.map_err(|_| StatusCode::BAD_REQUEST)?.len();
    }
    Ok(read.to_string())
}

async fn sum(Query(terms): Query<Terms>) -> String {
    (terms.a + terms.b).to_string()
}

async fn sum_with_body(
    Query(terms): Query<Terms>,
    body: String,
) -> Result<String, (StatusCode, String)> {
    match body.trim().parse::<i64>() {
        Ok(number) => Ok((terms.a + terms.b + number).to_string()),
        Err(error) => Err((StatusCode::BAD_REQUEST, error.to_string())),
    }
}

async fn pass(request: Request, next: Next) -> Response {
    next.run(request).await
}

pub fn router() -> Router {
    let mut behind = get(hello);
    for _ in 0..10 {
        behind = behind.layer(from_fn(pass));
    }
    Router::new()
        .route("/bench", get(hello))
        .route("/json", get(greet))
        .route("/body/64k", get(body_64k))
        .route("/body/1m", get(body_1m))
        .route("/upload", post(upload))
        .route("/baseline11", get(sum).post(sum_with_body))
        .route("/middlewares", behind)
}

pub fn areas(routes: usize) -> Router {
    (0..routes).fold(Router::new(), |router, i| {
        let tail = if i % 2 == 1 { "/{id}" } else { "" };
        router.route(&format!("/area{}/thing{i}{tail}", i % 100), get(hello))
    })
}
