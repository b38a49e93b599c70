// SPDX-License-Identifier: Apache-2.0
import process from 'node:process';
import websocket from '@fastify/websocket';

export default async function sockets(app) {
  await app.register(websocket);
  const everybody = new Set();

  function say({ data, binary }) {
    for (const socket of everybody) socket.send(data, { binary });
  }

  // The cluster's primary forwards messages from other workers.
  process.on('message', say);

  app.get('/ws', { websocket: true }, (socket) => {
    socket.on('message', (data, binary) => socket.send(data, { binary }));
  });
  app.get('/broadcast', { websocket: true }, (socket) => {
    everybody.add(socket);
    socket.on('close', () => everybody.delete(socket));
    socket.on('message', (data, binary) => {
      say({ data, binary });
      process.send?.({ data, binary });
    });
  });
}
