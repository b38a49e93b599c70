// SPDX-License-Identifier: Apache-2.0

use std::fs;
use std::io;
use std::path;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Rating {
    pub score: i32,
    pub count: i32,
}

#[derive(Serialize, Deserialize)]
pub struct Item {
    pub id: i32,
    pub name: String,
    pub category: String,
    pub price: i32,
    pub quantity: i32,
    pub active: bool,
    pub tags: Vec<String>,
    pub rating: Rating,
}

#[derive(Serialize)]
struct PricedItem<'a> {
    #[serde(flatten)]
    item: &'a Item,
    total: i64,
}

#[derive(Serialize)]
pub struct ItemList<Item> {
    pub items: Vec<Item>,
    pub count: usize,
}

#[derive(Deserialize)]
pub struct Factor {
    m: Option<i64>,
}

/// Returns nothing if the file is missing: only `/json/{count}` needs the items.
pub fn read(path: &path::Path) -> io::Result<Option<Vec<Item>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(serde_json::from_slice(&content)?)),
        Err(_) => Ok(None),
    }
}

pub async fn list(
    State(items): State<Arc<Option<Vec<Item>>>>,
    Path(count): Path<usize>,
    Query(factor): Query<Factor>,
) -> Response {
    let Some(items) = items.as_ref() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "there is no data set").into_response();
    };
    let factor = factor.m.unwrap_or(1);
    let items: Vec<_> = items
        .iter()
        .take(count)
        .map(|item| PricedItem {
            item,
            total: i64::from(item.price) * i64::from(item.quantity) * factor,
        })
        .collect();
    let count = items.len();
    Json(ItemList { items, count }).into_response()
}
