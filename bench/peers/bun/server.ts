// SPDX-License-Identifier: Apache-2.0
import { basename } from "node:path";
import { file, serve, type BunRequest, type ErrorLike, type Server } from "bun";
import { items, sum } from "./arena";

type Socket = { broadcasts: boolean };

const { DATA, PORT, ROUTES, TLS_PORT } = process.env;
const body64k = "x".repeat(65536);
const body1m = "x".repeat(1048576);

async function upload(request: Request) {
  let bytes = 0;
  for await (const piece of request.body ?? []) bytes += piece.length;
  return new Response(String(bytes));
}

function serveFile(request: Request) {
  return new Response(file(`${DATA}/static/${basename(new URL(request.url).pathname)}`));
}

function upgrade(broadcasts: boolean) {
  return (request: BunRequest, server: Server<Socket>) => {
    if (server.upgrade(request, { data: { broadcasts } })) return;
    return new Response("A WebSocket is expected here.", { status: 426 });
  };
}

function thousands(count: number) {
  const hello = () => new Response("Hello, World!");
  const routes: Record<string, () => Response> = {};
  for (let i = 0; i < count; i++) {
    const path = `/area${i % 100}/thing${i}`;
    routes[i % 2 === 0 ? path : `${path}/:id`] = hello;
  }
  return routes;
}

const options = {
  hostname: "127.0.0.1",
  reusePort: true,
  http2: true,
  maxRequestBodySize: 32 * 1048576,
  routes: {
    ...thousands(Number(ROUTES)),
    "/bench": () => new Response("Hello, World!"),
    "/json": () => Response.json({ message: "Hello, World!", id: 42, ok: true }),
    "/body/64k": () => new Response(body64k),
    "/body/1m": () => new Response(body1m),
    "/upload": { POST: upload },
    "/static/*": serveFile,
    "/ws": upgrade(false),
    "/broadcast": upgrade(true),
    "/baseline11": sum,
    "/json/:count": items,
  },
  fetch: () => new Response("Not Found", { status: 404 }),
  error(failure: ErrorLike) {
    if (failure.code === "ENOENT") return new Response("Not Found", { status: 404 });
  },
  websocket: {
    data: {} as Socket,
    open(socket: Bun.ServerWebSocket<Socket>) {
      if (socket.data.broadcasts) socket.subscribe("everybody");
    },
    message(socket: Bun.ServerWebSocket<Socket>, message: string | Buffer) {
      if (!socket.data.broadcasts) {
        socket.send(message);
        return;
      }
      server.publish("everybody", message);
      process.send?.(message);
    },
  },
};

const server = serve({ ...options, port: PORT });
serve({ ...options, port: TLS_PORT, tls: { cert: file(`${DATA}/cert.pem`), key: file(`${DATA}/key.pem`) } });

// The cluster forwards messages from other processes.
process.on("message", (message: string | Buffer) => server.publish("everybody", message));
