// SPDX-License-Identifier: Apache-2.0
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { env } from 'node:process';
import { answer } from './answer.js';
import { upgrade } from './sockets.js';

function relay(sender, message) {
  for (const worker of Object.values(cluster.workers)) {
    if (worker !== sender) worker.send(message);
  }
}

function serve() {
  createServer(answer).on('upgrade', upgrade).listen(env.PORT, '127.0.0.1');
  const pair = { cert: readFileSync(`${env.DATA}/cert.pem`), key: readFileSync(`${env.DATA}/key.pem`) };
  createTlsServer(pair, answer).listen(env.TLS_PORT, '127.0.0.1');
}

if (cluster.isPrimary && Number(env.THREADS) > 1) {
  cluster.setupPrimary({ serialization: 'advanced' });
  for (let i = 0; i < Number(env.THREADS); i++) cluster.fork();
  cluster.on('message', relay);
} else {
  serve();
}
