// SPDX-License-Identifier: Apache-2.0

use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, Responder, error, web};
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

async fn hello() -> impl Responder {
    "Hello, World!"
}

async fn greet() -> impl Responder {
    web::Json(Greeting {
        message: "Hello, World!",
        id: 42,
        ok: true,
    })
}

async fn body_64k() -> impl Responder {
    BODY_64K.as_str()
}

async fn body_1m() -> impl Responder {
    BODY_1M.as_str()
}

async fn upload(mut body: web::Payload) -> Result<String, Error> {
    let mut read = 0;
    while let Some(piece) = body.next().await {
        read += piece?.len();
    }
    Ok(read.to_string())
}

async fn sum(terms: web::Query<Terms>) -> String {
    (terms.a + terms.b).to_string()
}

async fn sum_with_body(terms: web::Query<Terms>, body: String) -> Result<String, Error> {
    let number: i64 = body.trim().parse().map_err(error::ErrorBadRequest)?;
    Ok((terms.a + terms.b + number).to_string())
}

async fn pass(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    next.call(request).await
}

pub fn add(config: &mut web::ServiceConfig) {
    config
        .route("/bench", web::get().to(hello))
        .route("/json", web::get().to(greet))
        .route("/body/64k", web::get().to(body_64k))
        .route("/body/1m", web::get().to(body_1m))
        .route("/upload", web::post().to(upload))
        .route("/baseline11", web::get().to(sum))
        .route("/baseline11", web::post().to(sum_with_body))
        .service(
            web::resource("/middlewares")
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .wrap(from_fn(pass))
                .route(web::get().to(hello)),
        );
}

/// Routes with a common prefix form a scope, as in actix-web's guide.
pub fn add_areas(config: &mut web::ServiceConfig, routes: usize) {
    for area in 0..routes.min(100) {
        let mut scope = web::scope(&format!("/area{area}"));
        for thing in (area..routes).step_by(100) {
            let tail = if thing % 2 == 1 { "/{id}" } else { "" };
            scope = scope.route(&format!("/thing{thing}{tail}"), web::get().to(hello));
        }
        config.service(scope);
    }
}
