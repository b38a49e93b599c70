// SPDX-License-Identifier: Apache-2.0
const everybody = new Set<WebSocket>();

// Each of the workers of --parallel has its own connections.
const workers = new BroadcastChannel("broadcast");
workers.onmessage = ({ data }) => say(data);

function say(data: string | ArrayBuffer) {
  for (const socket of everybody) {
    if (socket.readyState === WebSocket.OPEN) socket.send(data);
  }
}

export function echo(request: Request) {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send(data);
  return response;
}

export function broadcast(request: Request) {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onopen = () => everybody.add(socket);
  socket.onclose = () => everybody.delete(socket);
  socket.onmessage = ({ data }) => {
    say(data);
    workers.postMessage(data);
  };
  return response;
}
