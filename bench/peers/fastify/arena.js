// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from 'node:fs';
import { env } from 'node:process';
import pg from 'pg';

const dataset = `${env.DATA}/dataset.json`;

const properties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  category: { type: 'string' },
  price: { type: 'integer' },
  quantity: { type: 'integer' },
  active: { type: 'boolean' },
  tags: { type: 'array', items: { type: 'string' } },
  rating: { type: 'object', properties: { score: { type: 'integer' }, count: { type: 'integer' } } },
};

function list(item) {
  const items = { type: 'array', items: { type: 'object', properties: item } };
  return { schema: { response: { 200: { type: 'object', properties: { items, count: { type: 'integer' } } } } } };
}

async function sums(scope) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => done(null, body));
  scope.route({
    method: ['GET', 'POST'],
    url: '/baseline11',
    handler: async ({ query, body }, reply) => {
      reply.type('text/plain');
      return String(Number(query.a) + Number(query.b) + Number(body ?? 0));
    },
  });
}

async function items(scope) {
  if (!existsSync(dataset)) return;
  const all = JSON.parse(readFileSync(dataset, 'utf8'));
  scope.get('/json/:count', list({ ...properties, total: { type: 'integer' } }), async ({ params, query }) => {
    const m = Number(query.m ?? 1);
    const chosen = all.slice(0, Number(params.count));
    const totalled = chosen.map((item) => ({ ...item, total: item.price * item.quantity * m }));
    return { items: totalled, count: totalled.length };
  });
}

const select = `SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count
  FROM items WHERE price BETWEEN $1 AND $2 LIMIT $3`;

async function database(scope) {
  if (!env.DATABASE_URL) {
    scope.get('/async-db', async (request, reply) => reply.code(503).send({ error: 'DATABASE_URL is not set' }));
    return;
  }
  const share = Math.floor(Number(env.DATABASE_MAX_CONN ?? 10) / Number(env.THREADS));
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: Math.max(1, share) });
  pool.on('error', console.error);
  scope.addHook('onClose', async () => pool.end());
  scope.get('/async-db', list(properties), async ({ query: { min = 10, max = 50, limit = 50 } }) => {
    const most = Math.min(50, Math.max(1, Number(limit)));
    const { rows } = await pool.query({ name: 'items', text: select, values: [Number(min), Number(max), most] });
    const found = rows.map(({ rating_score, rating_count, ...row }) => (
      { ...row, rating: { score: rating_score, count: rating_count } }));
    return { items: found, count: found.length };
  });
}

export default async function arena(app) {
  app.register(sums);
  app.register(items);
  app.register(database);
}
