# SPDX-License-Identifier: Apache-2.0
"""Prints the replays that were measured on this machine as one Markdown page."""
import json
import os
import sys

import places
import replays
from report import document, markdown, sentences

INTRODUCTION = (
    "Four benchmarks that other projects have published, repeated with Apus and other servers on one machine. "
    "The load tools and their parameters are those of the publications. The figures depend on the machine: "
    "compare them only within a table.")
READING = (
    "Client and server share all cores and are not pinned, as in the original benchmarks. If the client uses "
        "more CPU time per request than the server, a table mostly measures the client. ./apus bench measures the "
        "server's CPU time per request, with pinned processes and interleaved rounds.",
    "Each row is one measurement, not a median. Differences of a few percent are not significant.",
    "Before the measurements, the suite verified that each server sends the correct response to GET /bench. "
        "Programs, flags and start scripts are in bench/peers.",
    "Errors are counted by the load tool: refused and reset connections, timeouts, and responses without a 2xx "
        "status.",
)


def main(path):
    """Prints the page, or writes it to a file. Returns the exit status."""
    records = [record for name in replays.REPLAYS if (record := read(name))]
    if not records:
        print("error: no replay has been measured\n\n"
              "hint: `./apus bench replay NAME` measures one and saves the result",
              file=sys.stderr)
        return 1
    text = markdown.write(page(records))
    if path:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return 0


def read(name):
    try:
        with open(replays.record_path(name), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def page(records):
    yield "heading", 1, "Published tables"
    yield "text", INTRODUCTION
    for machine in dict.fromkeys(sentences.machine_of(record["machine"]) for record in records):
        yield "text", machine
    yield "code", "\n".join([*(record["command"] for record in records),
                             "./apus bench published docs/published-tables.md"])
    yield "list", list(READING)
    for record in records:
        yield from of_replay(record)
    peers = {row["peer"]["name"]: row["peer"] for record in records for row in record["rows"]}
    yield from of_peers(sorted(peers.values(), key=lambda peer: peer["title"].lower()))
    yield from document.faults(peers.values())
    versions = {record["tool"]["name"]: record["tool"]["version"]
                for record in records} | records[-1]["machine"].get("compilers", {})
    yield "heading", 2, "Load tools, compilers and runtimes"
    yield "list", [f"{name}: {version}" for name, version in versions.items() if version]


def of_replay(record):
    replay = replays.REPLAYS[record["replay"]]
    yield "heading", 2, replay["title"]
    of_commit = f", with Apus at commit {record['commit']}" if record.get("commit") else ""
    yield "text", (f"{replay['said']}. Measured {record['started'][:10]} on "
                   f"{sentences.counted(record['shared_cores'], 'core')}{of_commit}"
                   + (f", SHORTENED: less than the published {replays.published(replay)}." if record["shortened"]
                      else "."))
    rows = sorted(record["rows"], key=lambda row: -first_rate(row))
    heads = [(text, "right" if at else "left") for at, text in enumerate(["Server", *replays.headings(replay)[1:]])]
    yield "table", replay["title"], heads, [("apus" if row["peer"]["name"] == "apus" else "",
                                             replays.cells(replay, row)) for row in rows]
    if failed := list(failures(replay, rows)):
        yield "list", failed
    yield "code", "\n".join(record["loads"])


def first_rate(row):
    return row["lines"][0]["rate"] if row["lines"] and row["lines"][0]["ok"] else -1.0


def failures(replay, rows):
    """Returns the reasons for cells without figures, and the errors that the tools counted."""
    for row in rows:
        title = row["peer"]["title"]
        if not row["lines"]:
            yield f"{title}: {row['peer']['state']}: {row['peer']['why']}"
        for (heading, connections, _), line in zip(replay["columns"], row["lines"]):
            where = f"{title}, {heading or sentences.counted(connections, 'connection')}"
            if not line["ok"]:
                yield f"{where}: {line['why']}"
            elif line["errors"] and line["first_error"]:
                yield f"{where}: {line['errors']:,} errors ({line['first_error']})"


def of_peers(peers):
    yield "heading", 2, "Servers"
    heads = [(text, "left") for text in ("Server", "Language", "Version", "Built and started with")]
    yield "table", "Servers", heads, [
        ("apus" if peer["name"] == "apus" else "", [peer["title"], peer["language"], peer["version"] or "unknown",
                                                    peer["flags"]])
        for peer in peers if peer["state"] == "ready"]
