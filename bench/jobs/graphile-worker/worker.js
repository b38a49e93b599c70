// SPDX-License-Identifier: Apache-2.0
// graphile-worker in the comparison of job queues: ../README.md describes the arguments.
"use strict";
const { makeWorkerUtils, run, runMigrations, Logger } = require("graphile-worker");

const [what, count, perSecond] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const connectionString = process.env.DATABASE_URL;
const logger = new Logger(() => (level, message) => {
  if (level === "error" || level === "warning") console.error(message);
});
// The options of graphile-worker's own throughput benchmark (perfTest). Its local queue ignores most notifications, so
// the delays are measured without it.
const throughput = {
  localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
  completeJobBatchDelay: 0,
  failJobBatchDelay: 0,
};
const preset = {
  worker: {
    connectionString,
    concurrentJobs: 24,
    maxPoolSize: 25,
    logger,
    gracefulShutdownAbortTimeout: 2500,
    ...(what === "work" ? throughput : {}),
  },
};

const now = () => Math.round((performance.timeOrigin + performance.now()) * 1000);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function fill(utils) {
  const batch = 5000;
  for (let at = 0; at < count; at += batch) {
    const jobs = Array.from({ length: Math.min(batch, count - at) }, () => ({
      identifier: "noop",
      payload: { sent: 1 },
    }));
    await utils.addJobs(jobs);
  }
}

async function produce(utils) {
  const begun = now();
  for (let i = 0; i < count; ++i) {
    const left = (begun + (i * 1e6) / perSecond - now()) / 1000;
    if (left > 0) await wait(left);
    await utils.addJob("noop", { sent: now() });
  }
}

async function work() {
  const delays = [];
  let all;
  const done = new Promise((resolve) => (all = resolve));
  const noop = async ({ sent }) => {
    delays.push(now() - sent);
    if (delays.length === count) all();
  };
  console.log("ready");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.destroy();
  const runner = await run({ preset, taskList: { noop }, noHandleSignals: true, parsedCronItems: [] });
  await done;
  await runner.stop();
  if (what === "delays") console.log(JSON.stringify(delays));
}

async function main() {
  if (what === "migrate") return runMigrations({ preset });
  if (what === "work" || what === "delays") return work();
  const utils = await makeWorkerUtils({ preset });
  await (what === "fill" ? fill(utils) : produce(utils));
  await utils.release();
}

main().catch((why) => {
  console.error(why);
  process.exit(1);
});
