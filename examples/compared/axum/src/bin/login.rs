// SPDX-License-Identifier: Apache-2.0
// Sessions, and all errors in the form {"error":"..."}.
use std::env;

use argon2::{Argon2, PasswordHash, PasswordVerifier};
use axum::{
    Json, Router,
    extract::{FromRequest, Request, rejection::JsonRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::spawn_blocking};
use tower_sessions::{MemoryStore, Session, SessionManagerLayer};

const ANN: &str = "$argon2id$v=19$m=19456,t=2,p=1$YXB1cy1leGFtcGxlLTE2Yg$7DVnLU7904aoJ0FrbftbL/O4BTk2q08Tx0w2d19DQ/s";

struct Error(StatusCode, String);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<JsonRejection> for Error {
    fn from(why: JsonRejection) -> Self {
        Self(why.status(), why.body_text())
    }
}

impl From<tower_sessions::session::Error> for Error {
    fn from(_: tower_sessions::session::Error) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, "internal error".into())
    }
}

#[derive(Deserialize)]
struct Credentials {
    name: String,
    password: String,
}

impl<S: Send + Sync> FromRequest<S> for Credentials {
    type Rejection = Error;

    async fn from_request(req: Request, state: &S) -> Result<Self, Error> {
        Ok(Json::from_request(req, state).await?.0)
    }
}

// Argon2 takes milliseconds of CPU time. Unknown names are hashed too, so that the time reveals no names.
async fn is_right(name: String, password: String) -> bool {
    spawn_blocking(move || {
        let stored = PasswordHash::new(ANN).expect("a valid hash");
        let correct = Argon2::default()
            .verify_password(password.as_bytes(), &stored)
            .is_ok();
        correct && name == "ann"
    })
    .await
    .unwrap_or(false)
}

async fn login(session: Session, sent: Credentials) -> Result<StatusCode, Error> {
    if !is_right(sent.name.clone(), sent.password).await {
        return Err(Error(
            StatusCode::UNAUTHORIZED,
            "wrong name or password".into(),
        ));
    }
    session.cycle_id().await?;
    session.insert("user", sent.name).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn me(session: Session) -> Result<Json<Value>, Error> {
    match session.get::<String>("user").await? {
        Some(name) => Ok(Json(json!({ "name": name }))),
        None => Err(Error(StatusCode::UNAUTHORIZED, "log in first".into())),
    }
}

async fn logout(session: Session) -> Result<StatusCode, Error> {
    session.flush().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[tokio::main]
async fn main() {
    let sessions = SessionManagerLayer::new(MemoryStore::default()).with_secure(false);
    let app = Router::new()
        .route("/login", post(login))
        .route("/me", get(me))
        .route("/logout", post(logout))
        .fallback(async || Error(StatusCode::NOT_FOUND, "not found".into()))
        .method_not_allowed_fallback(async || {
            Error(StatusCode::METHOD_NOT_ALLOWED, "method not allowed".into())
        })
        .layer(sessions);
    let listener = TcpListener::bind(env::args().nth(1).expect("an address"))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
