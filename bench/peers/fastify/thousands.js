// SPDX-License-Identifier: Apache-2.0
import { env } from 'node:process';

async function hello(request, reply) {
  reply.type('text/plain');
  return 'Hello, World!';
}

export default async function thousands(app) {
  for (let i = 0; i < Number(env.ROUTES); i++) {
    const path = `/area${i % 100}/thing${i}`;
    app.get(i % 2 === 0 ? path : `${path}/:id`, hello);
  }
}
