// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// All connections of one endpoint. A message from one member is queued for all members.
pub struct Room<Message> {
    inside: Mutex<Inside<Message>>,
}

struct Inside<Message> {
    next: u64,
    members: HashMap<u64, UnboundedSender<Message>>,
}

impl<Message> Default for Room<Message> {
    fn default() -> Self {
        Room {
            inside: Mutex::new(Inside {
                next: 0,
                members: HashMap::new(),
            }),
        }
    }
}

impl<Message: Clone> Room<Message> {
    fn inside(&self) -> MutexGuard<'_, Inside<Message>> {
        self.inside
            .lock()
            .expect("nothing panics while it holds the lock")
    }

    pub fn enter(&self) -> (u64, UnboundedReceiver<Message>) {
        let (sender, receiver) = unbounded_channel();
        let mut inside = self.inside();
        let id = inside.next;
        inside.next += 1;
        inside.members.insert(id, sender);
        (id, receiver)
    }

    pub fn leave(&self, id: u64) {
        self.inside().members.remove(&id);
    }

    pub fn say(&self, message: &Message) {
        for member in self.inside().members.values() {
            // Fails for members that are disconnecting.
            let _ = member.send(message.clone());
        }
    }
}
