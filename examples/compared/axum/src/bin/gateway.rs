// SPDX-License-Identifier: Apache-2.0
// Weather from another server, with a fallback response if that server fails or is slow.
use std::{env, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::get,
};
use reqwest::{Client, Url};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

#[derive(Deserialize)]
struct Weather {
    sky: String,
}

#[derive(Serialize)]
struct Report {
    city: String,
    sky: String,
    live: bool,
}

#[derive(Clone)]
struct Upstream {
    http: Client,
    base: Url,
}

impl Upstream {
    async fn ask(&self, city: &str) -> reqwest::Result<Option<Weather>> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .expect("http")
            .extend(["cities", city]);
        let answer = self.http.get(url).send().await?;
        if answer.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        answer.error_for_status()?.json().await.map(Some)
    }
}

async fn report(
    State(upstream): State<Upstream>,
    Path(city): Path<String>,
) -> Result<Json<Report>, StatusCode> {
    match upstream.ask(&city).await {
        Ok(Some(weather)) => Ok(Json(Report {
            city,
            sky: weather.sky,
            live: true,
        })),
        Ok(None) => Err(StatusCode::NOT_FOUND),
        Err(why) => {
            eprintln!("upstream: {why}");
            Ok(Json(Report {
                city,
                sky: "unknown".into(),
                live: false,
            }))
        }
    }
}

#[tokio::main]
async fn main() {
    let http = Client::builder()
        .timeout(Duration::from_millis(500))
        .build()
        .unwrap();
    let base = env::var("UPSTREAM")
        .expect("UPSTREAM")
        .parse()
        .expect("a URL");
    let app = Router::new()
        .route("/weather/{city}", get(report))
        .with_state(Upstream { http, base });
    let listener = TcpListener::bind(env::args().nth(1).expect("an address"))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
