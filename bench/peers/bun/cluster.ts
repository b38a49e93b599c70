// SPDX-License-Identifier: Apache-2.0
import { spawn, type Subprocess } from "bun";

const servers: Subprocess[] = [];

for (let i = 0; i < Number(process.env.THREADS); i++) {
  servers.push(spawn({
    cmd: [process.execPath, `${import.meta.dir}/server.ts`],
    stdio: ["inherit", "inherit", "inherit"],
    ipc(message, sender) {
      for (const server of servers) {
        if (server !== sender) server.send(message);
      }
    },
  }));
}

function stop() {
  for (const server of servers) server.kill();
  process.exit();
}

process.on("SIGINT", stop);
process.on("SIGTERM", stop);
