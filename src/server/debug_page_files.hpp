// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// The files of the page `/debug`. There are no inline scripts and styles, because the content security policy of the
// page allows none. The script creates texts only as text nodes, because paths are bytes of clients.

namespace apus::server {

constexpr std::string_view debug_page_html = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Apus</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/debug/page.css">
<header>
<h1>Apus <span id="build"></span></h1>
<nav>
<a href="/metrics">metrics</a> <a href="/debug/requests">requests</a> <a href="/debug/tasks">tasks</a>
<a href="/debug/pprof/">pprof</a> <a href="/debug/config">config</a> <a href="/readyz">readyz</a>
</nav>
</header>
<p id="trouble" role="alert" hidden></p>
<noscript><p>This page needs JavaScript. The links above work without it.</p></noscript>
<dl id="tiles"></dl>
<h2>Cores</h2>
<table id="cores"></table>
<h2>Routes <small id="span"></small></h2>
<table id="routes"></table>
<h2>In flight <small>oldest first, at most 50 per core</small></h2>
<table id="in_flight"></table>
<h2>Slowest <small>of the last 15 minutes</small></h2>
<table id="slowest"></table>
<h2>Failed <small>status 5xx</small></h2>
<table id="failed"></table>
<h2>Rejected <small>status 4xx</small></h2>
<table id="rejected"></table>
<script src="/debug/page.js"></script>
</html>
)html";

constexpr std::string_view debug_page_css = R"css(:root {
  color-scheme: light dark; --line: #d5d9de; --dim: #66707a; --back: #fff; --tile: #f4f6f8; --text: #14181c;
  --link: #0b57b8; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --line: #343b43; --dim: #98a2ad; --back: #14181c; --tile: #1d2329; --text: #e4e8ec; --link: #7db3f5; --bad: #ff8a80;
  }
}
body {
  margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 14px/1.45 system-ui, sans-serif;
}
header { display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; justify-content: space-between; }
h1 { font-size: 1.3rem; margin: 0; }
h1 span, small, .dim { color: var(--dim); font-weight: normal; }
h1 span { font-size: 0.9rem; }
h2 { font-size: 1rem; margin: 1.6rem 0 0.3rem; }
small { font-size: 0.85rem; margin-left: 0.4rem; }
a { color: var(--link); margin-right: 0.6rem; }
#trouble { border: 1px solid var(--bad); color: var(--bad); padding: 0.5rem 0.8rem; border-radius: 4px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: 0.6rem; margin: 1rem 0 0; }
dl div { background: var(--tile); border-radius: 6px; padding: 0.5rem 0.8rem; }
dt { color: var(--dim); font-size: 0.85rem; }
dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
dd small { display: block; margin: 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--dim); font-weight: normal; font-size: 0.85rem; }
th, td { padding: 0.15rem 0.7rem 0.15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; }
td.wide { overflow-wrap: anywhere; width: 60%; }
td.bad { color: var(--bad); }
td.id { font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
td { white-space: nowrap; }
td.wide, td.id { white-space: normal; }
tr.above td { border-bottom: none; }
tr.spans td { color: var(--dim); padding: 0 0.7rem 0.3rem 1.2rem; font-size: 0.85rem; }
@media (max-width: 44rem) {
  table { display: block; overflow-x: auto; }
  td.wide:not(:empty) { min-width: 9rem; }
  td.id { min-width: 14rem; }
}
)css";

extern const std::string_view debug_page_script;

}  // namespace apus::server
