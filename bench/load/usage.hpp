// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace load {

inline constexpr const char* usage = R"(load --port P --connections N --seconds S [options]

Sends HTTP/1.1 requests to a server, and prints the results as one JSON object.

target and duration
  --host ADDRESS               IPv4 address of the server (127.0.0.1)
  --port P                     port of the server
  --connections N              number of concurrent connections (1)
  --threads N                  number of threads, which share the connections (1)
  --seconds S                  duration of the measurement
  --warmup S                   duration of the load before the measurement (0)
  --timeout S                  a response that takes longer is an error (10)

requests
  --path PATH                  may be repeated: requests rotate through the paths (/bench)
  --paths-file FILE            file with paths, one per line
  --method GET                 method of each request
  --header "name: value"       additional field; may be repeated
  --body TEXT                  body of each request
  --body-bytes N               a body of N zero bytes
  --body-file FILE             a body with the content of a file
  --chunked                    send the body in chunks of 16 KiB
  --mix FILE                   lines of JSON: {"method", "path", "headers": ["name: value"], "body",
                               "status", "bytes"}; only `path` is required

how requests are sent
  --pipeline K                 send K requests at once, without waiting for responses in between (1)
  --requests-per-connection N  close a connection after N requests, and open another one
  --close                      use a new connection with `Connection: close` for each request
  --rate R                     send R requests per second over all connections, on a fixed schedule
  --websocket                  each connection sends a masked text message, and waits for its echo
  --broadcast                  one WebSocket sends, and all receive each message: counts the deliveries
  --message-bytes N            size of a WebSocket message (20)
  --idle                       open the connections, print {"open":N}, and wait until stdin ends
  --marks                      print `begin` and `end` on stderr when the measurement begins and ends, and
                               wait each time for a line on stdin or its end; the wait is not part of latencies

expected responses
  --expect-status CODE         status of every response; 2xx: any status from 200 to 299 (200)
  --expect-bytes N             size of every body

I/O interface
  --io uring|epoll             io_uring, or epoll with one system call per operation. Results of the two are not
                               comparable (io_uring if available; the report names the interface in use)

Without --rate, a connection sends its next request when it has received the last response. `latency_uncorrected`
is the time from sending a request to the last byte of its response. `latency` is corrected for coordinated
omission: with the observed rate, a client sends a request every I = connections x pipeline / rate seconds. While
a response takes longer than I, such requests are missing. Each latency L over I therefore also counts as L - I,
L - 2 I, ... down to I. With --rate, `latency` is measured from the time at which a request was due, and
`latency_uncorrected` from the time at which it was sent. Requests without a response at the end count with the
time that they have waited.

Latencies are in microseconds. Exit status: 0 if at least one response was correct, 1 if none was correct (the
JSON has the reason), 2 if the command line is invalid.
)";

}  // namespace load
