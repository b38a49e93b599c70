// SPDX-License-Identifier: Apache-2.0
// A to-do list in memory.
use std::{collections::BTreeMap, env, sync::Arc, sync::Mutex};

use axum::{
    Json,
    extract::{Path, State},
    http::{StatusCode, header::LOCATION},
    response::IntoResponse,
};
use axum_valid::Valid;
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};
use validator::Validate;

fn default_priority() -> u8 {
    3
}

#[derive(Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewTodo {
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200)]
    title: String,
    #[serde(default = "default_priority")]
    #[validate(range(min = 1, max = 5))]
    #[schema(minimum = 1, maximum = 5, default = 3)]
    priority: u8,
}

#[derive(Clone, Serialize, ToSchema)]
struct Todo {
    id: u64,
    title: String,
    priority: u8,
}

impl Todo {
    fn new(id: u64, sent: NewTodo) -> Self {
        Self {
            id,
            title: sent.title,
            priority: sent.priority,
        }
    }
}

#[derive(Default)]
struct Todos {
    last_id: u64,
    by_id: BTreeMap<u64, Todo>,
}

type Shared = Arc<Mutex<Todos>>;

#[utoipa::path(get, path = "/todos", responses((status = 200, body = [Todo])))]
async fn list(State(todos): State<Shared>) -> Json<Vec<Todo>> {
    Json(todos.lock().unwrap().by_id.values().cloned().collect())
}

#[utoipa::path(
    post, path = "/todos", request_body = NewTodo,
    responses((status = 201, body = Todo), (status = 400), (status = 422))
)]
async fn add(
    State(todos): State<Shared>,
    Valid(Json(sent)): Valid<Json<NewTodo>>,
) -> impl IntoResponse {
    let mut todos = todos.lock().unwrap();
    todos.last_id += 1;
    let todo = Todo::new(todos.last_id, sent);
    todos.by_id.insert(todo.id, todo.clone());
    (
        StatusCode::CREATED,
        [(LOCATION, format!("/todos/{}", todo.id))],
        Json(todo),
    )
}

#[utoipa::path(get, path = "/todos/{id}", responses((status = 200, body = Todo), (status = 404)))]
async fn show(State(todos): State<Shared>, Path(id): Path<u64>) -> Result<Json<Todo>, StatusCode> {
    todos
        .lock()
        .unwrap()
        .by_id
        .get(&id)
        .cloned()
        .map(Json)
        .ok_or(StatusCode::NOT_FOUND)
}

#[utoipa::path(
    put, path = "/todos/{id}", request_body = NewTodo,
    responses((status = 200, body = Todo), (status = 400), (status = 404), (status = 422))
)]
async fn change(
    State(todos): State<Shared>,
    Path(id): Path<u64>,
    Valid(Json(sent)): Valid<Json<NewTodo>>,
) -> Result<Json<Todo>, StatusCode> {
    let mut todos = todos.lock().unwrap();
    let todo = todos.by_id.get_mut(&id).ok_or(StatusCode::NOT_FOUND)?;
    *todo = Todo::new(id, sent);
    Ok(Json(todo.clone()))
}

#[utoipa::path(delete, path = "/todos/{id}", responses((status = 204), (status = 404)))]
async fn remove(
    State(todos): State<Shared>,
    Path(id): Path<u64>,
) -> Result<StatusCode, StatusCode> {
    todos
        .lock()
        .unwrap()
        .by_id
        .remove(&id)
        .map(|_| StatusCode::NO_CONTENT)
        .ok_or(StatusCode::NOT_FOUND)
}

#[tokio::main]
async fn main() {
    let (app, api) = OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(show, change, remove))
        .with_state(Shared::default())
        .split_for_parts();
    let app = app.route("/openapi.json", axum::routing::get(async || Json(api)));
    let listener = TcpListener::bind(env::args().nth(1).expect("an address"))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
