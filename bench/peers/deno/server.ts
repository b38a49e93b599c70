// SPDX-License-Identifier: Apache-2.0
import { items, sum } from "./arena.ts";
import { broadcast, echo } from "./sockets.ts";

const folder = Deno.env.get("DATA");
const body64k = "x".repeat(65536);
const body1m = "x".repeat(1048576);

async function upload(request: Request) {
  let bytes = 0;
  for await (const piece of request.body ?? []) bytes += piece.length;
  return new Response(String(bytes));
}

async function serveFile(path: string) {
  try {
    const file = await Deno.open(folder + path);
    const type = path.endsWith(".txt") ? "text/plain" : "application/octet-stream";
    return new Response(file.readable, { headers: { "content-type": type } });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return new Response("Not Found", { status: 404 });
  }
}

function answer(request: Request): Response | Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  switch (pathname) {
    case "/bench":
      return new Response("Hello, World!");
    case "/json":
      return Response.json({ message: "Hello, World!", id: 42, ok: true });
    case "/body/64k":
      return new Response(body64k);
    case "/body/1m":
      return new Response(body1m);
    case "/upload":
      return upload(request);
    case "/ws":
      return echo(request);
    case "/broadcast":
      return broadcast(request);
    case "/baseline11":
      return sum(request, searchParams);
  }
  if (pathname.startsWith("/static/")) return serveFile(pathname);
  if (pathname.startsWith("/json/")) return items(Number(pathname.slice(6)), searchParams);
  return new Response("Not Found", { status: 404 });
}

Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("TLS_PORT")),
  reusePort: Deno.env.get("THREADS") !== "1",
  cert: Deno.readTextFileSync(`${folder}/cert.pem`),
  key: Deno.readTextFileSync(`${folder}/key.pem`),
  onListen() {},
}, answer);

// `deno serve` stops on SIGTERM, but not while another server or a WebSocket is still open.
Deno.addSignalListener("SIGTERM", () => Deno.exit());

export default { fetch: answer } satisfies Deno.ServeDefaultExport;
