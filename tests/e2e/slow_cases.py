# SPDX-License-Identifier: Apache-2.0
"""Cases of slow_clients_test.py: clients that stall within a message, send too slowly, or send too much."""

import struct

import h2_wire as h2
import sockets
import wire

GET = wire.request("/")
POST = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n"
CHUNKED = b"POST /count HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

# Name, bytes sent at once, bytes sent ten times per second, whether the client reads, and the expected result. The
# bytes sent ten times per second may be a function of how often it was called, and of everything received.
H1 = [
    ("nothing", b"", b"", True, ""),
    ("half a request line", b"GET / HT", b"", True, "408"),
    ("half a head", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"", True, "408"),
    ("a head field by field", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Drip: 1\r\n", True, "408"),
    ("a head byte by byte", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ", b"x", True, "408"),
    ("half a body", POST + b"half", b"", True, "408"),
    ("a body byte by byte", POST, b"x", True, "408"),
    ("half a size line", CHUNKED + b"10", b"", True, "408"),
    ("half a chunk", CHUNKED + b"10\r\nabc", b"", True, "408"),
    ("an end of a chunk that is cut", CHUNKED + b"3\r\nabc\r", b"", True, "408"),
    ("half a trailer section", CHUNKED + b"0\r\nX-Sum: ", b"", True, "408"),
    ("a body of extensions", CHUNKED + (b"1;" + b"x" * 200 + b"\r\na\r\n") * 100, b"", True, "400"),
    ("silence after an answer", GET, b"", True, "200"),
    ("half a head behind an answer", GET + b"GET /", b"", True, "200 408"),
    ("a body for a handler that does not read it",
     b"POST /ignored HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc", b"x", True, "200"),
    ("a large answer that is not read", wire.request("/big/30000000"), b"", False, None),
    ("a streamed answer that is not read", wire.request("/download/30000000"), b"", False, None),
    ("answers that are not read, and more requests", wire.request("/big/20000") * 1000, POST + b"x" * 100, False, None),
]


def cuts(whole):
    """Returns positions at which to cut a frame: in its head, after it, in its payload, and before its last byte."""
    return sorted({1, 8, 9, 9 + (len(whole) - 9) // 2, len(whole) - 1} & set(range(1, len(whole))))


LONG_HEAD = h2.head(1, "/", more=[("x-long", "x" * 100)])
READING = h2.head(1, "/count", "POST", False)


def padded(frame):
    """Returns a frame of HEADERS or DATA with 20 bytes of padding."""
    return h2.frame(frame[3], frame[4] | h2.PADDED, int.from_bytes(frame[5:9], "big"),
                    b"\x14" + frame[h2.HEAD_SIZE:] + b"\0" * 20)


FRAMES = [
    ("HEADERS", b"", LONG_HEAD),
    ("HEADERS with padding", b"", padded(LONG_HEAD)),
    ("HEADERS without END_HEADERS", b"", LONG_HEAD[:4] + b"\1" + LONG_HEAD[5:]),
    ("CONTINUATION", h2.frame(h2.HEADERS, h2.END_STREAM, 1, LONG_HEAD[9:20]),
     h2.frame(h2.CONTINUATION, h2.END_HEADERS, 1, LONG_HEAD[20:])),
    ("DATA", READING, h2.frame(h2.DATA, 0, 1, b"d" * 100)),
    ("DATA with padding", READING, padded(h2.frame(h2.DATA, 0, 1, b"d" * 20))),
    ("DATA of a body that is not read", h2.head(1, "/ignored", "POST", False), h2.frame(h2.DATA, 0, 1, b"d" * 100)),
    ("trailers", READING, h2.frame(h2.HEADERS, 5, 1, h2.fields(("x-sum", "1" * 50)))),
    ("SETTINGS", b"", h2.frame(h2.SETTINGS, 0, 0, struct.pack(">HI", 3, 10))),
    ("PING", b"", h2.frame(h2.PING, 0, 0, b"12345678")),
    ("WINDOW_UPDATE", b"", h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 5000))),
    ("RST_STREAM", READING, h2.frame(h2.RST_STREAM, 0, 1, struct.pack(">I", 8))),
    ("PRIORITY", b"", h2.frame(h2.PRIORITY, 0, 1, b"\0" * 5)),
    ("PRIORITY_UPDATE", b"", h2.frame(h2.PRIORITY_UPDATE, 0, 0, b"\0\0\0\1u=1")),
    ("GOAWAY", b"", h2.frame(h2.GOAWAY, 0, 0, b"\0" * 8 + b"reason")),
    ("an unknown frame", b"", h2.frame(h2.UNKNOWN, 0, 0, b"u" * 50)),
]



def posts_until_stream_1_ends(count, came):
    """Returns another small request, unless stream 1 has ended. No such request may change the rate of stream 1."""
    reader = h2.Reader()
    reader.take(came)
    ended = 1 in reader.resets or 1 in reader.ended
    return b"" if ended else h2.head(3 + 2 * count, "/echo", "POST")


def streams(count, *frames):
    """Returns the frames for each of so many streams; each is a function of the stream's number."""
    return b"".join(frame(2 * n + 1) for n in range(count) for frame in frames)


# Frames of which a client may send only a few that have no effect: 150 exceed `h2_control_frames`.
FLOODS = [
    ("PING", b"", h2.frame(h2.PING, 0, 0, b"12345678")),
    ("SETTINGS", b"", h2.frame(h2.SETTINGS)),
    ("PRIORITY", b"", h2.frame(h2.PRIORITY, 0, 1, b"\0" * 5)),
    ("PRIORITY_UPDATE", b"", h2.frame(h2.PRIORITY_UPDATE, 0, 0, b"\0\0\0\1u=1")),
    ("WINDOW_UPDATE of the connection", b"", h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))),
    ("WINDOW_UPDATE of a stream", READING, h2.frame(h2.WINDOW_UPDATE, 0, 1, struct.pack(">I", 1))),
    ("unknown frames", b"", h2.frame(h2.UNKNOWN, 0, 0, b"u")),
    ("empty DATA", READING, h2.frame(h2.DATA, 0, 1)),
    ("CONTINUATION", h2.frame(h2.HEADERS, h2.END_STREAM, 1, LONG_HEAD[9:]), h2.frame(h2.CONTINUATION, 0, 1)),
]

# Expected results: "goaway N", "reset N" of stream 1, the status of its problem document, "ended" for a complete
# response. None: any.
H2 = [
    ("nothing behind the preface", h2.begin(), b"", True, "goaway 0"),
    ("half a preface", h2.PREFACE[:12], b"", True, None),
    ("a whole body that stops", h2.begin() + h2.head(1, "/echo", "POST", False) + h2.frame(h2.DATA, 0, 1, b"abc"), b"",
     True, "408 reset 0 goaway 0"),
    ("a body byte by byte", h2.begin() + READING, h2.frame(h2.DATA, 0, 1, b"x"), True, None),
    ("a body that stops, and small requests", h2.begin() + h2.head(1, "/echo", "POST", False)
     + h2.frame(h2.DATA, 0, 1, b"abc"), posts_until_stream_1_ends, True, "408 reset 0 goaway 0"),
    ("an answer without a window, and small requests", h2.begin(0) + h2.head(1, "/big/50000"),
     posts_until_stream_1_ends, True, "reset 8 goaway 0"),
    ("a request that goes on behind its answer", h2.begin() + h2.head(1, "/ignored", "POST", False),
     h2.frame(h2.DATA, 0, 1, b"x"), True, None),
    ("an answer without a window", h2.begin(0) + h2.head(1, "/big/50000"), b"", True, "reset 8 goaway 0"),
    ("a streamed answer without a window", h2.begin(0) + h2.head(1, "/download/50000"), b"", True, "reset 8 goaway 0"),
    ("a handler that waits too long", h2.begin() + h2.head(1, "/sleep/60000"), b"", True, "503 ended goaway 0"),
    ("an unknown frame byte by byte", h2.begin() + h2.frame(h2.UNKNOWN, 0, 0, b"u" * 5000)[:20], b"u", True,
     "goaway 11"),
    ("a head byte by byte", h2.begin() + LONG_HEAD[:20], b"x", True, None),
    ("answers that are not read", h2.begin(1 << 30) + h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1 << 30))
     + h2.head(1, "/big/30000000"), b"", False, None),
    *((f"a flood of {name}", h2.begin() + first + each * 150, b"", True, "goaway 11") for name, first, each in FLOODS),
    ("streams that are begun and reset", h2.begin() + streams(
        100, lambda n: h2.head(n, "/sleep/60000"), lambda n: h2.frame(h2.RST_STREAM, 0, n, b"\0\0\0\x08")),
     b"", True, "goaway 11"),
    # The client makes the server reset the streams (CVE-2025-8671).
    ("streams that overflow their window", h2.begin() + streams(
        100, lambda n: h2.head(n, "/sleep/60000"), lambda n: h2.frame(h2.WINDOW_UPDATE, 0, n, b"\x7f\xff\xff\xff")),
     b"", True, "reset 3 goaway 11"),
    ("streams with more bytes than announced", h2.begin() + streams(
        100, lambda n: h2.head(n, "/count", "POST", False, [("content-length", "1")]),
        lambda n: h2.frame(h2.DATA, 0, n, b"ab")), b"", True, "reset 1 goaway 11"),
    ("more streams than allowed", h2.begin() + h2.frame(h2.SETTINGS, h2.ACK)
     + b"".join(h2.head(n * 2 + 1, "/sleep/60000") for n in range(100)), b"", True, "goaway 11"),
    *((f"{name}, {cut} of its {len(whole)} bytes", h2.begin() + first + whole[:cut], b"", True, None) for name, first,
      whole in FRAMES for cut in cuts(whole)),
]

MESSAGE = sockets.frame(sockets.FINAL | sockets.BINARY, b"m" * 100_000)
PING = sockets.frame(sockets.FINAL | sockets.PING, b"p" * 100)
PONG = sockets.frame(sockets.FINAL | sockets.PONG, b"p" * 100)
FRAGMENT, CONTINUATION = sockets.frame(sockets.BINARY, b"m" * 100), sockets.frame(sockets.FINAL, b"m" * 1000)

# Expected result: the code of the Close frame, or "" if there is none.
WEBSOCKET = [
    ("nothing", b"", b"", True, ""),
    *((f"a message, {cut} bytes of it", MESSAGE[:cut], b"", True, "1008")
      for cut in (1, 2, 9, 10, 13, 14, 15, 50_000, len(MESSAGE) - 1)),
    *((f"a ping, {cut} bytes of it", PING[:cut], b"", True, "1008") for cut in (1, 5, 50)),
    *((f"a pong, {cut} bytes of it", PONG[:cut], b"", True, "1008") for cut in (1, 5, 50)),
    *((f"a continuation, {cut} bytes of it", FRAGMENT + CONTINUATION[:cut], b"", True, "1008")
      for cut in (0, 1, 3, 8, 500, len(CONTINUATION) - 1)),
    *((f"a ping between fragments, {cut} bytes of it", FRAGMENT + PING[:cut], b"", True, "1008") for cut in (1, 50)),
    *((f"a pong between fragments, {cut} bytes of it", FRAGMENT + PONG[:cut], b"", True, "1008") for cut in (1, 50)),
    ("a message byte by byte", MESSAGE[:50_000], b"m", True, "1008"),
    ("frames without bytes", sockets.frame(sockets.TEXT, b"be"), sockets.frame(0, b""), True, "1008"),
    ("pings between the frames of a message", sockets.frame(sockets.TEXT, b"be"),
     sockets.frame(sockets.FINAL | sockets.PING, b""), True, "1008"),
    ("a Close frame that is cut", sockets.close(1000)[:4], b"", True, "1008"),
    ("echoes that are not read", MESSAGE * 40, MESSAGE, False, None),
]
