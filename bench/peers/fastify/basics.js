// SPDX-License-Identifier: Apache-2.0
import { env } from 'node:process';
import files from '@fastify/static';

const body64k = 'x'.repeat(65536);
const body1m = 'x'.repeat(1048576);

const message = {
  type: 'object',
  properties: { message: { type: 'string' }, id: { type: 'integer' }, ok: { type: 'boolean' } },
};

function text(body) {
  return async (request, reply) => {
    reply.type('text/plain');
    return body;
  };
}

async function upload(scope) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done) => done(null, payload));
  scope.post('/upload', async (request, reply) => {
    let bytes = 0;
    for await (const piece of request.body ?? []) bytes += piece.length;
    reply.type('text/plain');
    return String(bytes);
  });
}

async function middlewares(scope) {
  for (let i = 0; i < 10; i++) {
    scope.addHook('onRequest', (request, reply, done) => done());
  }
  scope.get('/middlewares', text('Hello, World!'));
}

export default async function basics(app) {
  app.get('/bench', text('Hello, World!'));
  app.get('/json', { schema: { response: { 200: message } } }, async () => {
    return { message: 'Hello, World!', id: 42, ok: true };
  });
  app.get('/body/64k', text(body64k));
  app.get('/body/1m', text(body1m));
  app.register(upload);
  app.register(middlewares);
  app.register(files, { root: `${env.DATA}/static`, prefix: '/static/' });
}
