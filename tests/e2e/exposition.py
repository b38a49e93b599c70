# SPDX-License-Identifier: Apache-2.0
"""Strict parsers of the two metric formats: the text format of Prometheus 0.0.4, and OpenMetrics 1.0."""

import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*?)\}})? (-?[0-9.e+-]+|NaN|[+-]Inf)(?: # \{{(.*)\}} ([0-9.e+-]+) ([0-9.]+))?")
SUFFIXES = {"counter": [""], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}


class Document:
    """`types` is {family: type}, `samples` is {(name, ((label, value), ...)): number}; names are as in queries."""

    def __init__(self):
        self.types, self.samples, self.exemplars = {}, {}, {}

    def value(self, name, **labels):
        """Returns the value of a series, or None."""
        return self.samples.get((name, tuple(sorted(labels.items()))))

    def series(self, name):
        return {labels: value for (found, labels), value in self.samples.items() if found == name}


def _unescaped(text):
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


def _labels(text):
    found, at = {}, 0
    while text and at < len(text):
        match = LABEL.match(text, at)
        if not match:
            raise AssertionError(f"invalid labels {text!r}")
        if match[1] in found:
            raise AssertionError(f"a label twice in {text!r}")
        found[match[1]], at = _unescaped(match[2]), match.end()
    return tuple(sorted(found.items()))


def parse(data, openmetrics):
    """Returns the document in these bytes, or fails with a message about the error."""
    text = data.decode("utf-8")
    if not text.endswith("\n"):
        raise AssertionError("the last line does not end")
    lines = text[:-1].split("\n")
    if (lines[-1] == "# EOF") != openmetrics or "# EOF" in lines[:-1]:
        raise AssertionError(f"the end is {lines[-1]!r}")
    document, family, kind, ended = Document(), None, None, set()
    for line in lines[:-1] if openmetrics else lines:
        if line.startswith("# HELP "):
            family = line.split(" ")[2]
            if family in ended:
                raise AssertionError(f"{family} twice")
            ended.add(family)
            continue
        if line.startswith("# TYPE "):
            _, _, of, kind = line.split(" ")
            if of != family:
                raise AssertionError(f"type of {of} in {family}")
            document.types[of + ("_total" if openmetrics and kind == "counter" else "")] = kind
            continue
        match = SAMPLE.fullmatch(line)
        if not match:
            raise AssertionError(f"invalid line {line!r}")
        whole = family + ("_total" if openmetrics and kind == "counter" else "")
        if match[1] not in [whole + suffix for suffix in SUFFIXES[kind]]:
            raise AssertionError(f"{match[1]} in the family {family}, a {kind}")
        key = match[1], _labels(match[2])
        if key in document.samples:
            raise AssertionError(f"{key} twice")
        document.samples[key] = float(match[3])
        if match[4]:
            document.exemplars[key] = dict(_labels(match[4]))
    check_histograms(document)
    return document


def check_histograms(document):
    """Buckets are cumulative, in order, and end at +Inf, whose value is the count."""
    rows = {}
    for (name, labels), value in document.samples.items():
        if name.endswith("_bucket") and document.types.get(name[:-len("_bucket")]) == "histogram":
            rest = tuple(pair for pair in labels if pair[0] != "le")
            rows.setdefault((name[:-len("_bucket")], rest), []).append((dict(labels)["le"], value))
    for (name, labels), buckets in rows.items():
        bounds, values = [float(bound) for bound, _ in buckets], [value for _, value in buckets]
        if bounds != sorted(bounds) or values != sorted(values) or buckets[-1][0] != "+Inf":
            raise AssertionError(f"buckets of {name} {labels}: {buckets}")
        if document.samples[name + "_count", labels] != values[-1]:
            raise AssertionError(f"the count of {name} {labels} is not that of its last bucket")
