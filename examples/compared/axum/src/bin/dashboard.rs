// SPDX-License-Identifier: Apache-2.0
// One task measures the load; every browser gets each value.
use std::{convert::Infallible, env, fs, time::Duration};

use axum::{
    Router,
    extract::State,
    response::{
        Html, Sse,
        sse::{Event, KeepAlive},
    },
    routing::get,
};
use futures_util::{Stream, StreamExt};
use serde::Serialize;
use tokio::{net::TcpListener, sync::watch, time::interval};
use tokio_stream::wrappers::WatchStream;

const PAGE: &str = r#"<!doctype html>
<meta charset="utf-8"><title>Load</title><h1>?</h1>
<script>
new EventSource("/load").onmessage = e => document.querySelector("h1").textContent = JSON.parse(e.data).load;
</script>
"#;

#[derive(Clone, Default, Serialize)]
struct Sample {
    number: u64,
    load: f64,
}

async fn measure(samples: watch::Sender<Sample>) {
    let mut ticks = interval(Duration::from_millis(100));
    for number in 1.. {
        ticks.tick().await;
        let text = fs::read_to_string("/proc/loadavg").expect("Linux");
        let load = text
            .split(' ')
            .next()
            .and_then(|first| first.parse().ok())
            .expect("a number");
        samples.send_replace(Sample { number, load });
    }
}

async fn show(
    State(samples): State<watch::Receiver<Sample>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = WatchStream::new(samples).map(|sample| {
        let event = Event::default().id(sample.number.to_string());
        Ok(event.json_data(sample).expect("a struct of numbers"))
    });
    Sse::new(events).keep_alive(KeepAlive::default())
}

#[tokio::main]
async fn main() {
    let (sender, receiver) = watch::channel(Sample::default());
    tokio::spawn(measure(sender));
    let app = Router::new()
        .route("/", get(Html(PAGE)))
        .route("/load", get(show))
        .with_state(receiver);
    let listener = TcpListener::bind(env::args().nth(1).expect("an address"))
        .await
        .unwrap();
    axum::serve(listener, app).await.unwrap();
}
