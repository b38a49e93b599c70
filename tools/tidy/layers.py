# SPDX-License-Identifier: Apache-2.0
"""Checks includes between layers against the table in ARCHITECTURE.md."""
import fnmatch
import re

ROW = re.compile(r"^\| *(\d+) *\| *`(?:src/)?((?:cli/)?\w+)/` *\|([^|]*)\|([^|]*)\|", re.M)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]", re.M)

# Each of these headers alone takes longer to compile than the budget for <apus/app.hpp>.
COSTLY = {"chrono", "memory", "functional", "regex", "iostream", "thread", "future", "filesystem", "ranges",
          "mutex", "atomic", "condition_variable", "sstream", "fstream", "iomanip", "istream", "ostream",
          "random", "format", "print", "algorithm", "map", "unordered_map"}
FOREIGN = re.compile(r"\b(?:io_uring\w*|SSL_\w+|nghttp2_\w+|simdjson|sqlite3\w*|PGconn|fmt::|boost|doctest)\b")
STREAMS = re.compile(r"\bstd::(?:cout|cerr|clog)\b|(?<![\w.>])(?:std::)?(?:printf|fprintf|puts|fputs)\s*\(")
ENDS = re.compile(r"(?<![\w.>:])(?:std::)?(?:exit|_exit|_Exit|quick_exit)\s*\(")
PARTS_FOR_THE_TOOL = ("base", "codec")
PURE_C_HEADERS = {"immintrin.h", "emmintrin.h", "tmmintrin.h", "arm_neon.h"}


class Table:
    """The number of each layer, and the third-party headers that it may use."""

    def __init__(self, text):
        rows = ROW.findall(text)
        self.number = {name: int(number) for number, name, _, _ in rows}
        self.foreign = {name: set(re.findall(r"`([^`]+)`", foreign)) for _, name, foreign, _ in rows}
        self.lowest = min(self.number.values(), default=0)


def check(source, table, paths):
    if not source.is_cpp:
        return
    parts = source.path.split("/")
    for m in INCLUDE.finditer(source.text):
        line = source.line_at(m.start())
        if not source.code[m.start():m.end()].strip():
            continue
        finding = None
        if parts[0] == "src":
            finding = from_layer(parts[1], m[1], m[2], table, paths)
        elif parts[0] == "cli" and len(parts) > 2:
            finding = from_tool("cli/" + parts[1], m[1], m[2], table, paths)
        elif source.path.startswith("include/apus/"):
            finding = from_public(m[1], m[2], paths)
        elif parts[0] == "examples" and m[1] == '"' and m[2].split("/")[0] in table.number:
            finding = "an example may include only <apus/...>, like programs of users"
        if finding:
            yield line, finding
    yield from words(source, parts)


def from_layer(layer, quote, name, table, paths):
    if layer not in table.number:
        return f"`src/{layer}` is not in the table of ARCHITECTURE.md"
    if quote == "<":
        return from_layer_system(layer, name, table, paths)
    if "src/" + name not in paths:
        return f"no such header: src/{name}; paths of includes are relative to src/"
    other = name.split("/")[0]
    if other != layer and table.number.get(other, 99) >= table.number[layer]:
        return f"{layer} includes {other}, which is not a lower layer"
    return None


def from_tool(layer, quote, name, table, paths):
    if layer not in table.number:
        return f"`{layer}` is not in the table of ARCHITECTURE.md"
    if quote == "<":
        return from_layer_system(layer, name, table, paths)
    other = "/".join(name.split("/")[:2]) if name.startswith("cli/") else name.split("/")[0]
    if not name.startswith("cli/"):
        return None if other in PARTS_FOR_THE_TOOL else \
            f"the tool may include only cli/, <apus/...>, and {' or '.join(PARTS_FOR_THE_TOOL)} of src/"
    if name not in paths:
        return f"no such header: {name}; paths of the tool's includes are relative to the root"
    if other != layer and table.number.get(other, 99) >= table.number[layer]:
        return f"{layer} includes {other}, which is not a lower layer"
    return None


def from_layer_system(layer, name, table, paths):
    if name.startswith("apus/"):
        return None if "include/" + name in paths else f"no such header: include/{name}"
    every = set().union(*table.foreign.values())
    if names(every, name) and not names(table.foreign[layer], name):
        return f"{layer} may not use <{name}>"
    pure = layer in ("base", "codec")
    if pure and name.endswith(".h") and name not in PURE_C_HEADERS:
        return f"{layer} must not do I/O: <{name}> is a system header"
    return None


def names(headers, name):
    """Returns whether one of `headers`, which may be patterns (`openssl/*.h`), matches this header."""
    return any(fnmatch.fnmatchcase(name, header) for header in headers)


def from_public(quote, name, paths):
    if quote == '"':
        return "a public header may include only <apus/...> and standard headers"
    if name.startswith("apus/"):
        return None if "include/" + name in paths else f"no such header: include/{name}"
    if name in COSTLY:
        return f"<{name}> slows down the compilation of every user's program"
    if "/" in name or name.endswith(".h"):
        return f"<{name}> is not a standard C++ header"
    return None


def words(source, parts):
    if source.path.startswith("include/apus/"):
        for m in FOREIGN.finditer(source.code):
            yield source.line_at(m.start()), f"third-party name `{m[0]}` in a public header"
    if parts[0] == "cli" and parts[1] not in ("system", "main.cpp"):
        for m in ENDS.finditer(source.code):
            yield source.line_at(m.start()), "only cli/system may end the process"
    if parts[0] == "src" and parts[1] != "server":
        for m in STREAMS.finditer(source.code):
            yield source.line_at(m.start()), "only src/server may write to standard streams"
        for m in ENDS.finditer(source.code):
            yield source.line_at(m.start()), "only src/server may end the process"
