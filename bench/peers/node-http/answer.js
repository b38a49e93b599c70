// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';
import { env } from 'node:process';
import send from 'send';

const body64k = 'x'.repeat(65536);
const body1m = 'x'.repeat(1048576);
const dataset = `${env.DATA}/dataset.json`;
const items = existsSync(dataset) ? JSON.parse(readFileSync(dataset, 'utf8')) : null;

function text(response, body) {
  response.setHeader('Content-Type', 'text/plain');
  response.end(body);
}

function json(response, value) {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(value));
}

function missing(response) {
  response.statusCode = 404;
  text(response, 'Not Found');
}

async function upload(request, response) {
  let bytes = 0;
  for await (const piece of request) bytes += piece.length;
  text(response, String(bytes));
}

async function sum(request, response, query) {
  let total = Number(query.get('a')) + Number(query.get('b'));
  if (request.method === 'POST') {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    total += Number(body);
  }
  text(response, String(total));
}

function firstItems(response, count, m) {
  if (!items) return missing(response);
  const chosen = items.slice(0, count).map((item) => ({ ...item, total: item.price * item.quantity * m }));
  json(response, { items: chosen, count: chosen.length });
}

function answerOther(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname === '/baseline11') return sum(request, response, searchParams);
  if (pathname.startsWith('/json/')) {
    return firstItems(response, Number(pathname.slice(6)), Number(searchParams.get('m') ?? 1));
  }
  if (pathname.startsWith('/static/')) {
    return send(request, pathname.slice(7), { root: `${env.DATA}/static` }).pipe(response);
  }
  missing(response);
}

async function route(request, response) {
  switch (request.url) {
    case '/bench': return text(response, 'Hello, World!');
    case '/json': return json(response, { message: 'Hello, World!', id: 42, ok: true });
    case '/body/64k': return text(response, body64k);
    case '/body/1m': return text(response, body1m);
    case '/upload': return upload(request, response);
    default: return answerOther(request, response);
  }
}

export function answer(request, response) {
  // The client has disconnected during the upload.
  route(request, response).catch((error) => response.destroy(error));
}
