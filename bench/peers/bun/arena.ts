// SPDX-License-Identifier: Apache-2.0
import { file, gzipSync, type BunRequest } from "bun";

type Item = { price: number; quantity: number };

const dataset = file(`${process.env.DATA}/dataset.json`);
const all: Item[] | null = (await dataset.exists()) ? await dataset.json() : null;

export async function sum(request: Request) {
  const query = new URL(request.url).searchParams;
  const body = request.method === "POST" ? Number(await request.text()) : 0;
  return new Response(String(Number(query.get("a")) + Number(query.get("b")) + body));
}

export function items(request: BunRequest<"/json/:count">) {
  if (!all) return new Response("DATA has no dataset.json", { status: 404 });
  const m = Number(new URL(request.url).searchParams.get("m") ?? 1);
  const chosen = all.slice(0, Number(request.params.count));
  const totalled = chosen.map((item) => ({ ...item, total: item.price * item.quantity * m }));
  const text = JSON.stringify({ items: totalled, count: totalled.length });
  const fields = { "Content-Type": "application/json", Vary: "Accept-Encoding" };
  if (!request.headers.get("accept-encoding")?.includes("gzip")) return new Response(text, { headers: fields });
  return new Response(gzipSync(text), { headers: { ...fields, "Content-Encoding": "gzip" } });
}
