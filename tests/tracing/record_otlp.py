#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the messages of otlp_test.cpp in hexadecimal, as encoded by the packages opentelemetry-proto and protobuf."""

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status


def attribute(key, **value):
    return KeyValue(key=key, value=AnyValue(**value))


resource = Resource(attributes=[attribute("service.name", string_value="shop"), attribute("process.pid", int_value=42)])
small = Span(trace_id=bytes(range(16)), span_id=bytes(range(8)), name="price", kind=Span.SPAN_KIND_INTERNAL,
             start_time_unix_nano=1_700_000_000_000_000_000, end_time_unix_nano=1_700_000_000_000_000_300, flags=0x101)
big = Span(
    trace_id=bytes(range(16)), span_id=bytes(range(8, 16)), parent_span_id=bytes(range(8)), trace_state="a=1,b=2",
    name="GET /todos/{id}", kind=Span.SPAN_KIND_SERVER, start_time_unix_nano=1, end_time_unix_nano=2**63,
    attributes=[attribute("text", string_value="gr\u00fc\u00df"), attribute("yes", bool_value=True),
                attribute("no", bool_value=False), attribute("count", int_value=300), attribute("less", int_value=-1),
                attribute("real", double_value=1.5), attribute("bad", string_value="a\ufffdb")],
    events=[Span.Event(time_unix_nano=7, name="cache miss", attributes=[attribute("key", string_value="k")]),
            Span.Event(time_unix_nano=8, name="again")],
    status=Status(code=Status.STATUS_CODE_ERROR, message="no stock"), flags=0x301)
whole = ExportTraceServiceRequest(resource_spans=[ResourceSpans(
    resource=resource,
    scope_spans=[ScopeSpans(scope=InstrumentationScope(name="apus", version="0.1.0"), spans=[small, big])])])
plain = LogRecord(time_unix_nano=1_700_000_000_000_000_000, severity_number=9, severity_text="INFO",
                  body=AnyValue(string_value="started"))
traced = LogRecord(
    time_unix_nano=1, severity_number=17, severity_text="ERROR", body=AnyValue(string_value="no stock"),
    attributes=[attribute("order", int_value=7), attribute("bad", string_value="a\ufffdb")], flags=1,
    trace_id=bytes(range(16)), span_id=bytes(range(8)))
logs = ExportLogsServiceRequest(resource_logs=[ResourceLogs(
    resource=resource,
    scope_logs=[ScopeLogs(scope=InstrumentationScope(name="apus", version="0.1.0"), log_records=[plain, traced])])])
for name, message in (("resource", resource), ("small", small), ("big", big), ("whole", whole), ("logs", logs)):
    print(name, message.SerializeToString().hex())
