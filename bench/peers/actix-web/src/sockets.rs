// SPDX-License-Identifier: Apache-2.0

use actix_web::web::{Bytes, Data, Payload};
use actix_web::{Error, HttpRequest, HttpResponse, rt};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, Closed, MessageStream, Session};
use bytestring::ByteString;

use crate::room;

const LARGEST_MESSAGE: usize = 1 << 20;

pub type Room = room::Room<Said>;

#[derive(Clone)]
pub enum Said {
    Text(ByteString),
    Binary(Bytes),
}

impl Said {
    async fn send(self, session: &mut Session) -> Result<(), Closed> {
        match self {
            Said::Text(text) => session.text(text).await,
            Said::Binary(bytes) => session.binary(bytes).await,
        }
    }
}

fn messages(stream: MessageStream) -> AggregatedMessageStream {
    stream
        .max_frame_size(LARGEST_MESSAGE)
        .aggregate_continuations()
        .max_continuation_size(LARGEST_MESSAGE)
}

/// Returns the next message with content, or nothing after the client has disconnected.
async fn next(messages: &mut AggregatedMessageStream, session: &mut Session) -> Option<Said> {
    loop {
        match messages.recv().await?.ok()? {
            AggregatedMessage::Text(text) => return Some(Said::Text(text)),
            AggregatedMessage::Binary(bytes) => return Some(Said::Binary(bytes)),
            AggregatedMessage::Ping(bytes) => session.pong(&bytes).await.ok()?,
            AggregatedMessage::Pong(_) => {}
            AggregatedMessage::Close(_) => return None,
        }
    }
}

pub async fn echo(request: HttpRequest, body: Payload) -> Result<HttpResponse, Error> {
    let (response, mut session, stream) = actix_ws::handle(&request, body)?;
    let mut messages = messages(stream);
    rt::spawn(async move {
        while let Some(said) = next(&mut messages, &mut session).await {
            if said.send(&mut session).await.is_err() {
                return;
            }
        }
        let _ = session.close(None).await;
    });
    Ok(response)
}

pub async fn broadcast(
    request: HttpRequest,
    body: Payload,
    room: Data<Room>,
) -> Result<HttpResponse, Error> {
    let (response, session, stream) = actix_ws::handle(&request, body)?;
    rt::spawn(attend(room, session, messages(stream)));
    Ok(response)
}

async fn attend(room: Data<Room>, mut session: Session, mut messages: AggregatedMessageStream) {
    let (id, mut heard) = room.enter();
    let mut answers = session.clone();
    rt::spawn(async move {
        while let Some(said) = heard.recv().await {
            if said.send(&mut answers).await.is_err() {
                return;
            }
        }
    });
    while let Some(said) = next(&mut messages, &mut session).await {
        room.say(&said);
    }
    room.leave(id);
    let _ = session.close(None).await;
}
