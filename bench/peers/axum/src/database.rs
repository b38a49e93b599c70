// SPDX-License-Identifier: Apache-2.0

use std::env;
use std::io;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod};
use serde::Deserialize;
use tokio_postgres::types;
use tokio_postgres::{Config, NoTls, Row};

use crate::items::{Item, ItemList, Rating};
use crate::number;

const ITEMS_BY_PRICE: &str = "SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count \
    FROM items WHERE price BETWEEN $1 AND $2 LIMIT $3";

#[derive(Deserialize)]
pub struct Filter {
    min: Option<i32>,
    max: Option<i32>,
    limit: Option<i64>,
}

/// Returns nothing if no database is configured.
pub fn open() -> io::Result<Option<Pool>> {
    let Ok(url) = env::var("DATABASE_URL") else {
        return Ok(None);
    };
    let config: Config = url.parse().map_err(io::Error::other)?;
    let options = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    let mut pool = Pool::builder(Manager::from_config(config, NoTls, options));
    if let Some(most) = number("DATABASE_MAX_CONN") {
        pool = pool.max_size(most);
    }
    pool.build().map(Some).map_err(io::Error::other)
}

fn item(row: &Row) -> Item {
    let types::Json(tags) = row.get(6);
    Item {
        id: row.get(0),
        name: row.get(1),
        category: row.get(2),
        price: row.get(3),
        quantity: row.get(4),
        active: row.get(5),
        tags,
        rating: Rating {
            score: row.get(7),
            count: row.get(8),
        },
    }
}

async fn select(pool: &Pool, filter: &Filter) -> Result<Vec<Item>, PoolError> {
    let client = pool.get().await?;
    let statement = client.prepare_cached(ITEMS_BY_PRICE).await?;
    let least = filter.min.unwrap_or(10);
    let most = filter.max.unwrap_or(50);
    let limit = filter.limit.unwrap_or(50).clamp(1, 50);
    let rows = client.query(&statement, &[&least, &most, &limit]).await?;
    Ok(rows.iter().map(item).collect())
}

pub async fn query(
    State(pool): State<Pool>,
    Query(filter): Query<Filter>,
) -> Result<Json<ItemList<Item>>, (StatusCode, String)> {
    match select(&pool, &filter).await {
        Ok(items) => Ok(Json(ItemList {
            count: items.len(),
            items,
        })),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}
