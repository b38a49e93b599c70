// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	waitingMessages = 256
	writeTime       = 10 * time.Second
)

var upgrader = websocket.Upgrader{}

func echo(w http.ResponseWriter, r *http.Request) {
	socket, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer socket.Close()
	for {
		kind, content, err := socket.ReadMessage()
		if err != nil {
			return
		}
		if err := socket.WriteMessage(kind, content); err != nil {
			return
		}
	}
}

// room holds all connections of /broadcast. A member that does not read for writeTime is disconnected.
type room struct {
	lock    sync.RWMutex
	members map[*member]struct{}
}

type member struct {
	socket  *websocket.Conn
	waiting chan *websocket.PreparedMessage
	gone    chan struct{}
}

func newRoom() *room {
	return &room{members: make(map[*member]struct{})}
}

func (r *room) join(w http.ResponseWriter, request *http.Request) {
	socket, err := upgrader.Upgrade(w, request, nil)
	if err != nil {
		return
	}
	m := &member{socket, make(chan *websocket.PreparedMessage, waitingMessages), make(chan struct{})}
	r.lock.Lock()
	r.members[m] = struct{}{}
	r.lock.Unlock()
	go m.write()

	r.read(m)

	r.lock.Lock()
	delete(r.members, m)
	r.lock.Unlock()
	close(m.waiting)
}

func (r *room) read(m *member) {
	for {
		kind, content, err := m.socket.ReadMessage()
		if err != nil {
			return
		}
		message, err := websocket.NewPreparedMessage(kind, content)
		if err != nil {
			return
		}
		r.lock.RLock()
		for other := range r.members {
			select {
			case other.waiting <- message:
			case <-other.gone:
			}
		}
		r.lock.RUnlock()
	}
}

func (m *member) write() {
	defer m.socket.Close()
	defer close(m.gone)
	for message := range m.waiting {
		m.socket.SetWriteDeadline(time.Now().Add(writeTime))
		if err := m.socket.WritePreparedMessage(message); err != nil {
			return
		}
	}
}
