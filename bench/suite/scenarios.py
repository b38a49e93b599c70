# SPDX-License-Identifier: Apache-2.0
"""The scenarios, as data. A scenario is a dictionary; `scenario` fills in the defaults."""
import textwrap

import fixtures
from places import Unknown

FIGURES = {  # key of a sample by which a scenario ranks peers: (whether less or more is better, unit)
    "cpu_us": ("less", "us"),
    "p99": ("less", "us"),
    "bytes_per_cpu_second": ("more", "bytes/s"),
    "rate": ("more", "requests/s"),
}


def scenario(name, title, group, endpoint, about, **more):
    entry = {
        "name": name, "title": title, "group": group, "endpoint": endpoint, "about": about,
        "tool": "load",        # a module of tools/, or a function of special.py
        "args": {},            # options of the tool; `expect` is the size of the response body in bytes
        "connections": 50,
        "pinned": True,        # server and client on separate cores
        "threads": None,       # value of THREADS for the server; None: the number of its cores
        "routes": 0,           # value of ROUTES for the server
        "figure": "cpu_us",
        "needs": [],           # scenarios that must be measured first
        "rate": 0,             # constant rate in requests/s; 0: as many as possible, or `share`
        "share": 0.0,          # constant rate as a share of the slowest serious peer's rate in the needed scenario
        "also": [],            # endpoints that a peer must offer besides `endpoint`
        "important": True,     # measured in every round even if time is short
        "default": True,       # part of a run without explicit scenarios
        "quick": False,        # part of --quick
        "least_seconds": 0.0,  # minimum duration of a useful measurement
    }
    entry.update(more)
    entry["better"], entry["unit"] = more.get("ranks") or FIGURES[entry["figure"]]
    entry.pop("ranks", None)
    if endpoint in ("text", "close", "pipeline"):
        entry["args"] = {**entry["args"], "expect": 13}
    entry["about"] = textwrap.dedent(entry["about"]).strip()
    return entry


def counted(connections):
    return "1 connection" if connections == 1 else f"{connections:,} connections"


def many_connections_seconds(connections):
    """Returns the duration in which each of very many connections is used several times."""
    return 2.0 if connections >= 10000 else 0.0


def texts():
    for connections in (1, 10, 50, 100, 800, 1000, 10000):
        yield scenario(
            f"text-{connections}", f"Text, {counted(connections)}", "text", "text",
            "The smallest response, repeatedly on kept connections.",
            connections=connections, important=connections in (50, 800), quick=connections in (50, 800),
            least_seconds=many_connections_seconds(connections))
    for connections in (50, 100, 1000, 10000):
        yield scenario(
            f"close-{connections}", f"A connection for each request, {connections:,} at a time", "close", "close",
            "Connect, send a request, read the response, close: the cost of a request without keep-alive.",
            connections=connections, args={"close": True}, important=connections == 50, quick=connections == 50,
            least_seconds=many_connections_seconds(connections))
    yield scenario(
        "pipeline-16", "Sixteen requests at once, 50 connections", "pipeline", "pipeline",
        "Sixteen requests are sent without waiting, so the kernel's cost is shared by sixteen requests.",
        args={"pipeline": 16}, quick=True)
    for tool in ("load", "wrk"):
        yield scenario(
            "two-threads-800" if tool == "load" else "two-threads-wrk-800",
            f"Two threads, 800 connections ({tool})", "threads", "text",
            "Server and client share all cores, unpinned, with two threads each.",
            connections=800, tool=tool, pinned=False, threads=2, args={"threads": 2},
            important=tool == "load", quick=tool == "load")
    for connections in (50, 800):
        yield scenario(
            f"wrk-{connections}", f"Text by wrk, {connections} connections", "text", "text",
            "The same text, driven by wrk, which most published tables use and which costs more per request.",
            connections=connections, tool="wrk", important=False)
    for percent in (1, 10, 40, 70, 90):
        yield scenario(
            "steady-800" if percent == 70 else f"steady-{percent}-800",
            f"Constant rate, {percent} % of the peak, 800 connections", "steady", "text",
            f"""Every peer gets the same rate: {percent} % of the rate of the slowest C, C++, Rust or Go peer with
            text-800 in this run. Shows latency without overload.""",
            connections=800, figure="p99", needs=["text-800"], share=percent / 100, important=percent == 70)
    yield scenario("steady-1024", "10,000 requests/s, 1,024 connections", "steady", "text",
                   "Every peer gets 10,000 requests/s.", connections=1024, figure="p99", rate=10_000, important=False)


def bodies():
    yield scenario("json-50", "JSON, 50 connections", "json", "json",
                   "A small struct printed as JSON for each request.", args={"path": ["/json"]}, quick=True)
    for size, title, count in (("64k", "64 KiB", 64 << 10), ("1m", "1 MiB", 1 << 20)):
        yield scenario(f"body-{size}", f"A body of {title}", "bodies", f"body-{size}",
                       "One large response from memory: shows the cost of copies.",
                       args={"path": [f"/body/{size}"], "expect": count},
                       quick=size == "64k", important=size == "64k")
    for size, title, count in (("500k", "500 KiB", 500 << 10), ("20m", "20 MiB", 20 << 20)):
        yield scenario(f"upload-{size}", f"Uploads of {title}, 32 connections", "upload", "upload",
                       "Bytes of request bodies received per second of the server's CPU time.", connections=32,
                       args={"path": ["/upload"], "method": "POST", "body_bytes": count},
                       figure="bytes_per_cpu_second", important=size == "500k",
                       least_seconds=2.0 if size == "20m" else 0.0)
    yield scenario("static-small", "A file of 1 KiB", "static", "static", "Served by the framework's own file handler.",
                   args={"path": ["/static/small.txt"], "expect": 1 << 10}, important=False)
    yield scenario("static-large", "A file of 1 MiB", "static", "static", "Served by the framework's own file handler.",
                   args={"path": ["/static/large.bin"], "expect": 1 << 20}, important=False)
    yield scenario("static-site", "The arena's files, 512 connections", "static", "static",
                   """Twenty files of 3 to 300 KiB in turn, requested with Accept-Encoding. Sixteen have a .gz file
                   beside them. The figures depend on whether a server sends this file, sends the original, or
                   compresses at run time.""",
                   connections=512, important=False,
                   args={"path": [f"/static/{name}" for name in fixtures.SITE],
                         "header": ["Accept-Encoding: br;q=1, gzip;q=0.8"]})


def applications():
    yield scenario("routes", "10,000 routes", "routing", "routes",
                   "Half of the routes have a parameter; requests go to all of them in turn.",
                   routes=10000, args={"paths": "routes", "expect": 13}, quick=True)
    yield scenario("middlewares-50", "Ten middlewares", "routing", "middlewares",
                   "Each middleware only calls the next.", args={"path": ["/middlewares"], "expect": 13}, quick=True)
    yield scenario("sum-512", "Sums by GET, POST and chunked POST, 512 connections", "arena", "sum",
                   "The arena's baseline: query values and a body's number, three kinds of request in turn.",
                   connections=512, args={"mix": "sum"}, important=False)
    yield scenario("sum-512-short", "The same, ten requests to a connection", "arena", "sum",
                   "The arena's short-lived profile.", connections=512,
                   args={"mix": "sum", "requests_per_connection": 10}, important=False)
    yield scenario("items", "Items of the arena as JSON, 512 connections", "arena", "items",
                   "Up to 50 items with a computed total, printed for each request.", connections=512,
                   args={"path": ["/json/1?m=3", "/json/5?m=7", "/json/10?m=2", "/json/15?m=5", "/json/25?m=4",
                                  "/json/40?m=8", "/json/50?m=6"]}, important=False)
    yield scenario("items-compressed", "Items of the arena as JSON, compressed, 512 connections", "arena",
                   "items-compressed",
                   "25, 40 and 50 items, compressed for each request as the framework does it by default.",
                   connections=512,
                   args={"path": ["/json/25?m=4", "/json/40?m=8", "/json/50?m=6"],
                         "header": ["Accept-Encoding: gzip, br"]},
                   important=False)


def databases():
    yield scenario("database", "Rows of PostgreSQL as JSON, 100 connections", "database", "database",
                   "A sequential scan of 100,000 rows for each request; the database shares the client's core.",
                   connections=100, args={"path": ["/async-db?min=10&max=50&limit=20"]}, important=False)
    for name, title, path, about in (
            ("row", "A row of PostgreSQL", "/db", "A random row by its primary key, as JSON."),
            ("queries", "20 rows of PostgreSQL", "/queries?queries=20",
             "Twenty random rows, each by a separate statement; drivers may pipeline the statements."),
            ("updates", "20 updates in PostgreSQL", "/updates?queries=20",
             "Twenty random rows, each read by a separate statement, are changed by one further statement."),
            ("fortunes", "Fortunes", "/fortunes", "Twelve rows and another one, sorted, as HTML with escaping.")):
        yield scenario(f"database-{name}", f"{title}, 100 connections", "database", name, about, connections=100,
                       args={"path": [path]}, important=False)


def protocols():
    for connections in (1, 50, 800):
        yield scenario(f"websocket-{connections}", f"WebSocket echo, {counted(connections)}", "websocket",
                       "websocket", "Messages of 20 bytes, each echoed before the next one is sent.",
                       connections=connections, important=False,
                       args={"path": ["/ws"], "websocket": True, "message_bytes": 20})
    for name, everybody in (("broadcast", 1000), ("broadcast-10000", 10000)):
        yield scenario(name, f"WebSocket broadcast to {everybody:,}", "websocket", "broadcast",
                       "One member's message is sent to all members; each received message counts as a request.",
                       connections=everybody, important=False, least_seconds=many_connections_seconds(everybody),
                       args={"path": ["/broadcast"], "broadcast": True, "message_bytes": 20})
    for connections in (50, 800):
        yield scenario(f"tls-{connections}", f"Text over TLS, {connections} connections", "tls", "tls",
                       "The same text over TLS with an RSA key of 2,048 bits, by h2load; handshakes do not count.",
                       connections=connections, tool="h2load", args={"tls": True, "h1": True}, important=False)
    for name, title, about, resumes in (
            ("tls-handshakes", "TLS handshakes", "A new connection with a full handshake for each request, by s_time.",
             False),
            ("tls-resumptions", "TLS resumptions", "The same, with a resumed session.", True)):
        yield scenario(name, title, "tls", "tls", about, connections=1, tool="s_time",
                       args={"tls": True, "resume": resumes}, important=False)
    yield from http2()


def http2():
    for name, where in (("h2c", "in clear text"), ("h2", "over TLS")):
        for streams, connections in ((100, 50), (100, 800), (1, 50), (1, 800)):
            at_once = "a hundred requests" if streams == 100 else "one request"
            yield scenario(name if (streams, connections) == (100, 50) else f"{name}-{streams}-{connections}",
                           f"HTTP/2 {where}, {counted(connections)}, {at_once} at once", "http2", name,
                           f"The smallest response, {at_once} at once on each connection, by h2load.", tool="h2load",
                           connections=connections, important=False,
                           args={"streams": streams, "tls": name == "h2", "latencies": streams == 1})
        for kind, title, more in (("json", "JSON", {"path": ["/json"]}),
                                  ("body-64k", "a body of 64 KiB", {"path": ["/body/64k"]}),
                                  ("upload", "POST of 10 KiB", {"path": ["/upload"], "body_bytes": 10 << 10})):
            yield scenario(f"{name}-{kind}", f"HTTP/2 {where}, {title}, 50 connections", "http2", name,
                           "A hundred requests at once on each connection, by h2load.", tool="h2load", also=[kind],
                           args={"streams": 100, "tls": name == "h2", **more}, important=False)


def footprints():
    yield scenario("idle", "Memory of an idle connection", "memory", "text",
                   "Bytes per connection: 5,000 connections without requests, in addition to 5,000 others.",
                   tool="idle",
                   connections=10000, figure="value", ranks=("less", "bytes"), important=False)
    for kind, title in (("tls", "TLS connection"), ("h2", "connection of HTTP/2 over TLS"),
                        ("h2c", "connection of HTTP/2"),
                        ("websocket", "WebSocket")):
        yield scenario(f"idle-{kind}", f"Memory of an idle {title}", "memory", kind,
                       "Bytes per connection of the second half of the connections, each of which has received one "
                           "response.",
                       tool="idle",
                       args={"held": kind}, connections=2000 if kind in ("tls", "h2") else 10000, figure="value",
                       ranks=("less", "bytes"), important=False)
    yield scenario("start-memory", "Memory after the start", "memory", "text",
                   "KiB after the first response.", tool="start_memory", connections=0, figure="rss_kib",
                   ranks=("less", "KiB"), important=False, quick=True)
    yield scenario("cold-start", "From start to first response", "start", "text",
                   "Milliseconds from spawning the start script, including its shell, to a correct response.",
                   tool="cold_start", connections=1, figure="value", ranks=("less", "ms"),
                   important=False, quick=True)
    yield scenario("compile-time", "Compiling hello world", "compile", None,
                   "CPU seconds of the compiler at -O0.", tool="compile_time", connections=0,
                   figure="value", ranks=("less", "s"), important=False)
    yield scenario("flags", "How Apus is compiled", "flags", "text",
                   "Apus alone, built by clang with different options: text at 50 connections.", default=False)


SCENARIOS = [*texts(), *bodies(), *applications(), *databases(), *protocols(), *footprints()]
BY_NAME = {s["name"]: s for s in SCENARIOS}
GROUPS = list(dict.fromkeys(s["group"] for s in SCENARIOS))

# Quick runs measure these peers in this order, as far as time permits.
QUICK_PEERS = ["apus", "apus-epoll", "limit-uring", "limit-epoll", "nginx", "h2o", "actix-web", "may-minihttp",
               "go-net-http", "libuv-http-parser", "uwebsockets", "drogon", "node-http"]
# Only peers in these languages determine the constant rate for all peers; the others would make it uselessly low.
SERIOUS_LANGUAGES = {"C", "C++", "Rust", "Go"}


def choose(names, quick):
    """Returns the scenarios with these names or group names, and the scenarios that they need. Raises Unknown."""
    if not names:
        return [s for s in SCENARIOS if (s["quick"] if quick else s["default"])]
    wanted = set()
    for name in names:
        if name not in BY_NAME and name not in GROUPS:
            raise Unknown(name)
        for entry in SCENARIOS:
            if name in (entry["name"], entry["group"]) and (entry["default"] or name == entry["name"]):
                wanted |= {entry["name"], *entry["needs"]}
    return [s for s in SCENARIOS if s["name"] in wanted]


def offered(entry, offers):
    """Returns whether a peer with these `offers` takes part."""
    return entry["endpoint"] is None or {entry["endpoint"], *entry["also"]} <= set(offers)
