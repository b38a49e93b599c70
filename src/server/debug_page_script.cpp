// SPDX-License-Identifier: Apache-2.0
#include "server/debug_page_files.hpp"

namespace apus::server {

constinit const std::string_view debug_page_script = R"js('use strict';
const period = 2000, kept = 16;  // milliseconds; samples, whose first and last are compared
const samples = [];
const place = id => document.getElementById(id);

function parse(text) {
  const all = new Map();
  for (const line of text.split('\n')) {
    const match = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line);
    if (!match) continue;
    const labels = {};
    for (const [, name, value] of (match[2] || '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      labels[name] = value.replace(/\\(.)/g, (_, c) => c === 'n' ? '\n' : c);
    if (!all.has(match[1])) all.set(match[1], []);
    all.get(match[1]).push({labels, value: match[3] === '+Inf' ? Infinity : Number(match[3])});
  }
  return all;
}

const series = (of, name) => of.metrics.get(name) || [];
const total = (of, name, wanted = () => true) =>
  series(of, name).reduce((sum, each) => wanted(each.labels) ? sum + each.value : sum, 0);
const rate = (first, last, name, wanted) => {
  const more = total(last, name, wanted) - total(first, name, wanted);
  return more > 0 ? more * 1000 / (last.at - first.at) : 0;
};

function routes_of(of) {
  const found = new Map();
  const entry = labels => {
    const key = labels.method + ' ' + labels.route;
    if (!found.has(key))
      found.set(key, {method: labels.method, route: labels.route, all: 0, c4: 0, c5: 0, buckets: new Map()});
    return found.get(key);
  };
  for (const {labels, value} of series(of, 'http_server_requests_total')) {
    const route = entry(labels);
    route.all += value;
    if (labels.status === '4xx') route.c4 += value;
    if (labels.status === '5xx') route.c5 += value;
  }
  for (const {labels, value} of series(of, 'http_server_request_duration_seconds_bucket'))
    entry(labels).buckets.set(labels.le === '+Inf' ? Infinity : Number(labels.le), value);
  return found;
}

// Cumulative counts by upper bound, minus earlier ones; interpolates within the bucket, as histogram_quantile does.
function quantile(share, now, before) {
  const count = le => (now.get(le) || 0) - (before ? before.get(le) || 0 : 0);
  const bounds = [...now.keys()].sort((a, b) => a - b);
  const wanted = share * (bounds.length ? count(bounds[bounds.length - 1]) : 0);
  if (!wanted) return null;
  let low = 0, below = 0;
  for (const le of bounds) {
    const here = count(le);
    if (here >= wanted) return le === Infinity ? low : low + (le - low) * (wanted - below) / (here - below);
    low = le, below = here;
  }
  return low;
}

const short = new Intl.NumberFormat('en', {maximumSignificantDigits: 3, notation: 'compact'});
// Three digits, or all digits of a larger integer: toPrecision writes 1000 as 1.00e+3.
const digits = n => n < 999.5 ? n.toPrecision(3) : n.toFixed(0);
function duration(ms) {
  if (ms === null) return '\u2013';
  if (ms < 1) return (ms * 1000).toFixed(0) + ' \u00b5s';
  if (ms < 1000) return digits(ms) + ' ms';
  const s = Math.floor(ms / 1000), parts = [[86400, 'd'], [3600, 'h'], [60, 'min']];
  for (const [size, unit] of parts)
    if (s >= size) {
      const [rest, lesser] = size === 86400 ? [Math.floor(s % size / 3600), 'h'] : size === 3600
        ? [Math.floor(s % size / 60), 'min'] : [s % 60, 's'];
      return Math.floor(s / size) + ' ' + unit + ' ' + rest + ' ' + lesser;
    }
  return digits(ms / 1000) + ' s';
}
function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let at = 0;
  for (; n >= 1024 && at + 1 < units.length; ++at) n /= 1024;
  return (at ? digits(n) : n) + ' ' + units[at];
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function show_tiles(first, last) {
  const memory = total(last, 'apus_core_memory_bytes'), budget = total(last, 'apus_memory_budget_bytes');
  const by_protocol = p => short.format(total(last, 'apus_connections', labels => labels.protocol === p));
  const requests = 'http_server_requests_total';
  const tiles = [
    ['uptime', duration(last.at - total(last, 'process_start_time_seconds') * 1000)],
    ['state', total(last, 'apus_ready') ? 'serving' : 'not serving'],
    ['requests/s', short.format(rate(first, last, requests))],
    ['5xx/s', short.format(rate(first, last, requests, labels => labels.status === '5xx'))],
    ['in flight', short.format(last.report.in_flight_count),
     last.report.tunnel_count ? short.format(last.report.tunnel_count) + ' tunnels' : ''],
    ['connections', short.format(total(last, 'apus_connections')), by_protocol('http2') + ' HTTP/2'],
    ['CPU', (rate(first, last, 'process_cpu_seconds_total') * 100).toFixed(0) + ' %'],
    ['memory for clients', bytes(memory), 'of ' + bytes(budget)],
    ['resident memory', bytes(total(last, 'process_resident_memory_bytes'))],
  ];
  place('tiles').replaceChildren(...tiles.map(([name, value, note]) => {
    const tile = element('div'), shown = element('dd', value);
    if (note) shown.append(element('small', note));
    tile.append(element('dt', name), shown);
    return tile;
  }));
}

// Columns: [title, cell, class]. `cell` returns a text, or [text, class].
function show_table(id, columns, rows, below) {
  const table = place(id);
  if (!rows.length) return table.replaceChildren(element('caption', 'none', 'dim'));
  const head = element('tr');
  for (const [title, , kind] of columns) head.append(element('th', title, kind));
  const lines = [head];
  for (const row of rows) {
    const line = element('tr');
    for (const [, cell, kind] of columns) {
      const [text, more] = [].concat(cell(row));
      line.append(element('td', text, [kind, more].filter(Boolean).join(' ')));
    }
    const more = below ? below(row, columns.length) : [];
    if (more.length) line.className = 'above';
    lines.push(line, ...more);
  }
  table.replaceChildren(...lines);
}

function show_cores(first, last) {
  const value = (of, name, core) => total(of, name, labels => labels.core === core);
  const rows = last.report.cores.map((core, number) => ({...core, number: String(number)}));
  show_table('cores', [
    ['core', core => core.number],
    ['CPU', core => (rate(first, last, 'apus_core_cpu_seconds_total', labels => labels.core === core.number) * 100)
      .toFixed(0) + ' %', 'number'],
    ['memory for clients', core => bytes(value(last, 'apus_core_memory_bytes', core.number)), 'number'],
    ['busy for', core => [core.busy_ms ? duration(core.busy_ms) : '\u2013', core.busy_ms >= 100 ? 'bad' : ''],
      'number'],
    ['', core => core.answered ? '' : ['blocked', 'bad'], 'wide'],
  ], rows);
}

function show_routes(first, last) {
  const before = routes_of(first), seconds = (last.at - first.at) / 1000;
  const rows = [...routes_of(last)].map(([key, now]) => {
    const then = before.get(key), rest = then && now.all > then.all ? then.buckets : null;
    return {...now, rate: then && seconds ? (now.all - then.all) / seconds : 0, old: !rest,
      p50: quantile(0.5, now.buckets, rest), p99: quantile(0.99, now.buckets, rest)};
  }).filter(route => route.all).sort((a, b) => b.rate - a.rate || b.all - a.all);
  const latency = (of, share) => [duration(of[share] === null ? null : of[share] * 1000), of.old ? 'dim' : ''];
  const count = (n, kind) => [n ? short.format(n) : '\u2013', n ? kind : 'dim'];
  show_table('routes', [
    ['method', route => route.method],
    ['route', route => route.route, 'wide'],
    ['requests/s', route => count(route.rate), 'number'],
    ['requests', route => short.format(route.all), 'number'],
    ['4xx', route => count(route.c4), 'number'],
    ['5xx', route => count(route.c5, 'bad'), 'number'],
    ['p50', route => latency(route, 'p50'), 'number'],
    ['p99', route => latency(route, 'p99'), 'number'],
  ], rows.slice(0, 200));
  place('span').textContent = 'latencies ' + (seconds ? `of the last ${Math.round(seconds)} s; grey: ` : '')
    + 'since the start';
}

const identity = of => [of.request_id, of.trace_id, of.address].filter(Boolean).join(' ') || '\u2013';
function spans(of, columns) {
  if (!of.spans) return [];
  const line = element('tr', undefined, 'spans');
  const cell = element('td', of.spans.map(span =>
    `${span.name} ${duration(span.duration_ms)}${span.failed ? ' (failed)' : ''}`).join(' \u00b7 '), 'wide');
  cell.colSpan = columns;
  line.append(cell);
  return [line];
}

function show_requests(report) {
  const request = of => `${of.method} ${of.path || of.route}`;
  show_table('in_flight', [
    ['age', of => duration(of.age_ms), 'number'],
    ['state', of => of.state === 'blocking' ? [of.state, 'bad'] : of.state],
    ['core', of => String(of.core)],
    ['request', request, 'wide'],
    ['request id, trace id', identity, 'id'],
  ], report.in_flight);
  for (const list of ['slowest', 'failed', 'rejected']) {
    const rows = report.routes.flatMap(route => route[list].map(of => ({route: route.route, ...of})));
    rows.sort((a, b) => list === 'slowest' ? b.duration_ms - a.duration_ms : b.time.localeCompare(a.time));
    show_table(list, [
      ['duration', of => duration(of.duration_ms), 'number'],
      ['status', of => of.status ? [String(of.status), of.status >= 500 ? 'bad' : ''] : ['cancelled', 'dim']],
      ['time', of => new Date(of.time).toLocaleTimeString('en-GB')],
      ['request', of => request(of) + (of.path_truncated ? '\u2026' : ''), 'wide'],
      ['request id, trace id', identity, 'id'],
    ], rows.slice(0, 20), spans);
  }
}

function show() {
  const first = samples[0], last = samples[samples.length - 1];
  const build = (series(last, 'apus_build_info')[0] || {labels: {}}).labels;
  place('build').textContent = `${build.version || ''}, ${build.io || ''}, ${last.report.cores.length} `
    + `core${last.report.cores.length === 1 ? '' : 's'}, ${(build.compiler || '').split(' (')[0]}`;
  show_tiles(first, last);
  show_cores(first, last);
  show_routes(first, last);
  show_requests(last.report);
}

async function load(path, accept) {
  const got = await fetch(path, {headers: {accept}, cache: 'no-store', signal: AbortSignal.timeout(5000)});
  if (!got.ok) throw new Error(`${path}: status ${got.status}`);
  return got;
}

async function update() {
  try {
    if (document.hidden) return;
    const [metrics, report] = await Promise.all(
      [load('/metrics', 'text/plain'), load('/debug/requests', 'application/json')]);
    const sample = {at: Date.now(), metrics: parse(await metrics.text()), report: await report.json()};
    // Another process serves now: differences to its predecessor have no meaning.
    const start = of => total(of, 'process_start_time_seconds');
    if (samples.length && start(samples[0]) !== start(sample)) samples.length = 0;
    samples.push(sample);
    if (samples.length > kept) samples.shift();
    show();
    place('trouble').hidden = true;
  } catch (error) {
    place('trouble').textContent = `No current data, since ${new Date().toLocaleTimeString('en-GB')}: ${error.message}`;
    place('trouble').hidden = false;
  } finally {
    setTimeout(update, period);
  }
}
document.addEventListener('visibilitychange', () => { if (!document.hidden && samples.length) show(); });
update();
)js";

}  // namespace apus::server
