// SPDX-License-Identifier: Apache-2.0

use std::collections::BTreeSet;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Html;
use askama::Template;
use deadpool_postgres::{Client, Pool, PoolError};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use tokio_postgres::Row;

const WORLD_BY_ID: &str = "SELECT id, randomnumber FROM world WHERE id = $1";
const CHANGE_WORLDS: &str = "UPDATE world SET randomnumber = new.number \
    FROM unnest($1::int[], $2::int[]) AS new (id, number) WHERE world.id = new.id";
const FORTUNES: &str = "SELECT id, message FROM fortune";

#[derive(Serialize)]
pub struct World {
    id: i32,
    #[serde(rename = "randomNumber")]
    random_number: i32,
}

#[derive(Deserialize)]
pub struct Count {
    queries: Option<usize>,
}

impl Count {
    fn clamped(&self) -> usize {
        self.queries.unwrap_or(1).clamp(1, 500)
    }
}

struct Fortune {
    id: i32,
    message: String,
}

#[derive(Template)]
#[template(path = "fortunes.html")]
struct FortunePage {
    fortunes: Vec<Fortune>,
}

type Failure = (StatusCode, String);

fn failure(error: impl std::fmt::Display) -> Failure {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

fn random_id() -> i32 {
    fastrand::i32(1..=10_000)
}

fn world(row: &Row) -> World {
    World {
        id: row.get(0),
        random_number: row.get(1),
    }
}

pub async fn one(State(pool): State<Pool>) -> Result<Json<World>, Failure> {
    let client = pool.get().await.map_err(failure)?;
    let statement = client.prepare_cached(WORLD_BY_ID).await.map_err(failure)?;
    let row = client
        .query_one(&statement, &[&random_id()])
        .await
        .map_err(failure)?;
    Ok(Json(world(&row)))
}

/// Sends a statement for each id at once.
async fn find_all(client: &Client, ids: &[i32]) -> Result<Vec<World>, PoolError> {
    let statement = client.prepare_cached(WORLD_BY_ID).await?;
    let found = ids.iter().map(async |id| {
        let row = client.query_one(&statement, &[id]).await?;
        Ok::<_, tokio_postgres::Error>(world(&row))
    });
    Ok(try_join_all(found).await?)
}

async fn find_several(pool: &Pool, count: usize) -> Result<Vec<World>, PoolError> {
    let ids: Vec<i32> = (0..count).map(|_| random_id()).collect();
    find_all(&pool.get().await?, &ids).await
}

pub async fn several(
    State(pool): State<Pool>,
    Query(count): Query<Count>,
) -> Result<Json<Vec<World>>, Failure> {
    let found = find_several(&pool, count.clamped()).await;
    found.map(Json).map_err(failure)
}

/// Rows are locked in the order of their ids, so that concurrent updates cannot deadlock.
async fn change_several(pool: &Pool, count: usize) -> Result<Vec<World>, PoolError> {
    let mut chosen = BTreeSet::new();
    while chosen.len() < count {
        chosen.insert(random_id());
    }
    let ids: Vec<i32> = chosen.into_iter().collect();
    let client = pool.get().await?;
    let mut found = find_all(&client, &ids).await?;
    for one in &mut found {
        one.random_number = random_id();
    }
    let numbers: Vec<i32> = found.iter().map(|one| one.random_number).collect();
    let statement = client.prepare_cached(CHANGE_WORLDS).await?;
    client.execute(&statement, &[&ids, &numbers]).await?;
    Ok(found)
}

pub async fn updates(
    State(pool): State<Pool>,
    Query(count): Query<Count>,
) -> Result<Json<Vec<World>>, Failure> {
    let changed = change_several(&pool, count.clamped()).await;
    changed.map(Json).map_err(failure)
}

pub async fn fortunes(State(pool): State<Pool>) -> Result<Html<String>, Failure> {
    let client = pool.get().await.map_err(failure)?;
    let statement = client.prepare_cached(FORTUNES).await.map_err(failure)?;
    let rows = client.query(&statement, &[]).await.map_err(failure)?;
    let mut fortunes: Vec<Fortune> = rows
        .iter()
        .map(|row| Fortune {
            id: row.get(0),
            message: row.get(1),
        })
        .collect();
    fortunes.push(Fortune {
        id: 0,
        message: "Additional fortune added at request time.".to_string(),
    });
    fortunes.sort_by(|a, b| a.message.cmp(&b.message));
    let page = FortunePage { fortunes };
    page.render().map(Html).map_err(failure)
}
