# SPDX-License-Identifier: Apache-2.0
"""A strict parser of the protobuf format of Prometheus: MetricFamily messages, each after its size."""

import struct
import time

from administration import get
from cases import equal
from exposition import Document, check_histograms
from otlp_receiver import fields_of

PROTOBUF = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
TYPES = {0: "counter", 1: "gauge", 4: "histogram"}
NUMBERS = {"counter": 3, "gauge": 2, "histogram": 7}


class Native:
    """A native histogram. `buckets` is {index: count}."""

    def __init__(self, schema, zero_threshold, zeros, buckets):
        self.schema, self.zero_threshold, self.zeros, self.buckets = schema, zero_threshold, zeros, buckets

    def bounds(self, index):
        """Returns the lower and the upper bound of a bucket."""
        return 2 ** ((index - 1) / 2 ** self.schema), 2 ** (index / 2 ** self.schema)

    def total(self):
        return self.zeros + sum(self.buckets.values())


def _double(bits):
    return struct.unpack("<d", bits.to_bytes(8, "little"))[0]


def _signed(zigzag):
    return zigzag >> 1 ^ -(zigzag & 1)


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _label(message):
    pair = dict(fields_of(message))
    return pair[1].decode(), pair[2].decode()


def _native(spans, deltas, fields):
    buckets, index, count, at = {}, 0, 0, 0
    numbers = []
    while at < len(deltas):
        number, at = _varint(deltas, at)
        numbers.append(_signed(number))
    for place, span in enumerate(spans):
        fields_of_span = dict(fields_of(span))
        offset, length = _signed(fields_of_span[1]), fields_of_span[2]
        if length < 1 or (place and offset < 1):
            raise AssertionError(f"span {place} has the offset {offset} and the length {length}")
        index += offset
        for _ in range(length):
            count += numbers.pop(0)
            if count < 0:
                raise AssertionError(f"bucket {index} has the count {count}")
            buckets[index] = count
            index += 1
    if numbers:
        raise AssertionError(f"{len(numbers)} differences without a span")
    return Native(_signed(fields[5]), _double(fields[6]), fields[7], {i: n for i, n in buckets.items() if n})


def _histogram(document, name, labels, message):
    fields, buckets, spans, deltas = {}, [], [], b""
    for number, value in fields_of(message):
        if number == 3:
            buckets.append(dict(fields_of(value)))
        elif number == 12:
            spans.append(value)
        elif number == 13:
            deltas = value
        else:
            fields[number] = value
    for bucket in buckets:
        bound = _double(bucket[2])
        key = f"{name}_bucket", tuple(sorted([*labels, ("le", "+Inf" if bound == float("inf") else repr(bound))]))
        document.samples[key] = float(bucket[1])
        if 3 in bucket:
            document.exemplars[key] = dict([_label(dict(fields_of(bucket[3]))[1])])
    document.samples[f"{name}_sum", labels] = _double(fields[2])
    document.samples[f"{name}_count", labels] = float(fields[1])
    if 5 in fields:
        native = document.natives[name, labels] = _native(spans, deltas, fields)
        if native.total() != fields[1]:
            raise AssertionError(f"{name} {labels}: {fields[1]} values, {native.total()} in native buckets")
    elif spans or deltas:
        raise AssertionError("native buckets without a schema")


def parse(data):
    """Returns the document in these bytes, or fails. `natives` of the document is {(name, labels): Native}."""
    document, at = Document(), 0
    document.natives = {}
    while at < len(data):
        size, at = _varint(data, at)
        message, at = data[at:at + size], at + size
        if len(message) != size:
            raise AssertionError("a truncated message")
        fields = list(fields_of(message))
        (name, _, kind), metrics = (value for _, value in fields[:3]), [value for _, value in fields[3:]]
        if [number for number, _ in fields] != [1, 2, 3] + [4] * len(metrics) or not metrics:
            raise AssertionError(f"fields of {name}: {[number for number, _ in fields]}")
        name, kind = name.decode(), TYPES[kind]
        if name in document.types:
            raise AssertionError(f"{name} twice")
        document.types[name] = kind
        for metric in metrics:
            parts = list(fields_of(metric))
            labels = tuple(sorted(_label(value) for number, value in parts if number == 1))
            number, value = parts[-1]
            if number != NUMBERS[kind] or len(dict(labels)) != len(parts) - 1:
                raise AssertionError(f"fields of a series of {name}: {parts}")
            if kind == "histogram":
                _histogram(document, name, labels, value)
            else:
                document.samples[name, labels] = _double(dict(fields_of(value))[1])
    check_histograms(document)
    return document


def scrape(server):
    """Returns the current metrics of a server, which renders them at most once in 100 ms."""
    time.sleep(0.12)
    answer = get(server, "/metrics", [f"Accept: {PROTOBUF}"])
    equal(answer.status, 200)
    equal(answer.field("content-type"), PROTOBUF.replace(";", "; "))
    return parse(answer.body)
