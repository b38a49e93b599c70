// SPDX-License-Identifier: Apache-2.0

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, StreamExt};

use crate::room;

pub type Room = room::Room<Message>;

pub async fn echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(async |mut socket| {
        while let Some(Ok(message)) = socket.recv().await {
            let has_content = matches!(message, Message::Text(_) | Message::Binary(_));
            if has_content && socket.send(message).await.is_err() {
                return;
            }
        }
    })
}

pub async fn broadcast(upgrade: WebSocketUpgrade, State(room): State<Arc<Room>>) -> Response {
    upgrade.on_upgrade(|socket| attend(socket, room))
}

async fn attend(socket: WebSocket, room: Arc<Room>) {
    let (mut answers, messages) = socket.split();
    let (id, mut heard) = room.enter();
    let sending = tokio::spawn(async move {
        while let Some(message) = heard.recv().await {
            if answers.send(message).await.is_err() {
                return;
            }
        }
    });
    speak(messages, &room).await;
    room.leave(id);
    sending.abort();
}

async fn speak(mut messages: SplitStream<WebSocket>, room: &Room) {
    while let Some(Ok(message)) = messages.next().await {
        if matches!(message, Message::Text(_) | Message::Binary(_)) {
            room.say(&message);
        }
    }
}
