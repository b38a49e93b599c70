# SPDX-License-Identifier: Apache-2.0
"""The commands `list` and `setup`."""
import fixtures
import peers
import scenarios


def scenario_rows():
    for entry in scenarios.SCENARIOS:
        marks = ("quick" if entry["quick"] else "") + ("" if entry["default"] else "only by name")
        yield [entry["name"], entry["group"], entry["tool"], marks, entry["title"]]


def listing(_):
    """Prints the scenarios and the peers with their state."""
    rows = [["scenario", "group", "by", "", "what"], *scenario_rows()]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[4]]))
    print()
    for peer in peers.read_all():
        peers.look(peer)
        print(line_of(peer))
    return 0


def line_of(peer):
    version = f" ({peer.version})" if peer.version else ""
    return f"{peer.name.ljust(24)} {peer.state}{version}" + (f": {peer.why}" if peer.why else "")


def main(names):
    """Installs and builds peers. Returns the exit status: 0 if none failed."""
    fixtures.folder()
    chosen = peers.named(names)
    for peer in chosen:
        peers.setup(peer)
        print(line_of(peer), flush=True)
    return int(any(peer.state == peers.FAILED for peer in chosen))
