// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace load {

inline constexpr const char* usage = R"(load --port P --connections N --seconds S [options]

Sends requests to a server by HTTP/1.1 and prints what came of it as one JSON object.

where and how long
  --host ADDRESS               an IPv4 address (127.0.0.1)
  --port P                     its port
  --connections N              how many connections are open at the same time (1)
  --threads N                  so many threads, each with its share of the connections (1)
  --seconds S                  how long is measured
  --warmup S                   how long before that the load runs without being counted (0)
  --timeout S                  an answer that takes longer is an error (10)

what is sent
  --path PATH                  may be given several times: requests rotate through them (/bench)
  --paths-file FILE            the same, one path a line
  --method GET                 of each request
  --header "name: value"       may be given several times
  --body TEXT                  body of each request
  --body-bytes N               a body of N zero bytes
  --body-file FILE             the same of what a file holds
  --chunked                    the body is sent in chunks of 16 KiB
  --mix FILE                   lines of JSON: {"method", "path", "headers": ["name: value"], "body",
                               "status", "bytes"}; all but path may be left out

how it is sent
  --pipeline K                 K requests at once, without waiting for answers between them (1)
  --requests-per-connection N  a connection ends after N requests and the next one opens
  --close                      each request has a new connection and says `Connection: close`
  --rate R                     R requests a second over all connections, each at its time
  --websocket                  each connection sends a masked text message and waits until it is back
  --broadcast                  one WebSocket sends, all must get each message: deliveries are counted
  --message-bytes N            how long such a message is (20)
  --idle                       opens the connections, prints {"open":N} and waits until stdin ends
  --marks                      says `begin` and `end` on stderr when the measured time does, and waits for
                               a line on stdin each time, or its end: what is done then shows in no latency

what is expected
  --expect-status CODE         the status of every answer, or 2xx for any from 200 to 299 (200)
  --expect-bytes N             every body must be N bytes long

by what
  --io uring|epoll             by io_uring, or by epoll with a system call for each thing: figures of the two do
                               not compare (io_uring where it works; the report says which it was)

Without --rate a connection sends when its last answer has come. Latency is from sending to the last
byte of the answer (`latency_uncorrected`). `latency` is corrected for what such a client does not
see: who asks every I = connections x pipeline / rate seconds, with the rate that was observed, would
have asked again during an answer that took longer, so that each latency L over I also counts as
L - I, L - 2 I, ... down to I. With --rate, `latency` is from the time a request was due, sent
or not, and `latency_uncorrected` from the time it was sent; what has no answer at the end
counts with the time it has waited.

Latencies are in microseconds. The exit status is 0 when some answer was right, 1 when none was
(the JSON says why), 2 when the command line makes no sense.
)";

}  // namespace load
