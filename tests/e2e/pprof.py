# SPDX-License-Identifier: Apache-2.0
"""Reads profiles in the format of pprof: gzip files with a message of profile.proto."""

import dataclasses
import gzip
import shutil
import subprocess
import tempfile


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(message):
    """Returns the fields of a message: lists of numbers and bytes, by field number."""
    found, at = {}, 0
    while at < len(message):
        tag, at = varint(message, at)
        value, at = varint(message, at)
        if tag & 7 == 2:
            value, at = message[at:at + value], at + value
        elif tag & 7 != 0:
            raise ValueError(f"unexpected wire type {tag & 7}")
        found.setdefault(tag >> 3, []).append(value)
    return found


@dataclasses.dataclass
class Sample:
    stack: list  # names of functions, the innermost first; addresses of functions without names
    values: list
    labels: dict


class Profile:
    def __init__(self, file):
        top = fields(gzip.decompress(file))
        self.texts = [text.decode() for text in top[6]]
        assert self.texts[0] == "", "the first text must be empty"
        self.types = [(self.text(t, 1), self.text(t, 2)) for t in map(fields, top[1])]
        self.functions = {f[1][0]: self.text(f, 2) for f in map(fields, top.get(5, []))}
        self.mappings = [(self.text(m, 5), self.text(m, 6)) for m in map(fields, top.get(3, []))]  # file, build ID
        self.locations = {}
        for place in map(fields, top.get(4, [])):
            lines = [self.functions[fields(line)[1][0]] for line in place.get(4, [])]
            self.locations[place[1][0]] = lines[0] if lines else hex(place[3][0])
        self.samples = [self.sample(fields(s)) for s in top.get(2, [])]
        self.comments = [self.texts[i] for i in top.get(13, [])]
        self.duration = top.get(10, [0])[0]
        self.period = top.get(12, [0])[0]

    def text(self, message, field):
        return self.texts[message.get(field, [0])[0]]

    def sample(self, s):
        labels = {self.text(label, 1): self.text(label, 2) for label in map(fields, s.get(3, []))}
        return Sample([self.locations[i] for i in s.get(1, [])], s[2], labels)

    def total(self, which, *functions, **labels):
        """Returns the sum of a value over the samples with these functions (parts of names) and labels."""
        return sum(s.values[which] for s in self.samples
                   if all(any(f in name for name in s.stack) for f in functions)
                   and all(s.labels.get(k) == v for k, v in labels.items()))


def go_top(file, *arguments):
    """Returns the table of `go tool pprof -top`, or None if Go is not installed."""
    if not shutil.which("go"):
        return None
    with tempfile.NamedTemporaryFile(suffix=".pb.gz") as saved:
        saved.write(file)
        saved.flush()
        done = subprocess.run(["go", "tool", "pprof", "-top", *arguments, saved.name], capture_output=True, text=True,
                              timeout=240)
    assert done.returncode == 0, f"go tool pprof: {done.stderr}"
    return done.stdout
