// SPDX-License-Identifier: Apache-2.0
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import Fastify from 'fastify';
import arena from './arena.js';
import basics from './basics.js';
import sockets from './sockets.js';
import thousands from './thousands.js';

const address = { host: '127.0.0.1' };
const threads = Number(env.THREADS);

function create(options) {
  const app = Fastify({ logger: false, bodyLimit: 32 * 1048576, ...options });
  app.register(basics);
  app.register(arena);
  return app;
}

async function serve() {
  const app = create();
  app.register(thousands);
  app.register(sockets);
  await app.listen({ ...address, port: Number(env.PORT) });

  const https = {
    allowHTTP1: true,
    cert: readFileSync(`${env.DATA}/cert.pem`),
    key: readFileSync(`${env.DATA}/key.pem`),
  };
  await create({ http2: true, https }).listen({ ...address, port: Number(env.TLS_PORT) });
}

if (cluster.isPrimary && threads > 1) {
  cluster.setupPrimary({ serialization: 'advanced' });
  cluster.on('message', (sender, message) => {
    const others = Object.values(cluster.workers).filter((worker) => worker !== sender);
    others.forEach((worker) => worker.send(message));
  });
  for (let i = 0; i < threads; i++) cluster.fork();
} else {
  await serve();
}
