// SPDX-License-Identifier: Apache-2.0
import process from 'node:process';
import { WebSocket, WebSocketServer } from 'ws';

const echo = new WebSocketServer({ noServer: true });
const broadcast = new WebSocketServer({ noServer: true });

echo.on('connection', (socket) => {
  socket.on('error', console.error);
  socket.on('message', (data, binary) => socket.send(data, { binary }));
});

function toEverybodyHere({ data, binary }) {
  for (const client of broadcast.clients) {
    if (client.readyState === WebSocket.OPEN) client.send(data, { binary });
  }
}

broadcast.on('connection', (socket) => {
  socket.on('error', console.error);
  socket.on('message', (data, binary) => {
    toEverybodyHere({ data, binary });
    process.send?.({ data, binary });
  });
});

// The cluster's primary forwards messages from other workers.
process.on('message', toEverybodyHere);

export function upgrade(request, socket, head) {
  const server = { '/ws': echo, '/broadcast': broadcast }[request.url];
  if (!server) {
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request));
}
