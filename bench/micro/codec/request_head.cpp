// SPDX-License-Identifier: Apache-2.0

// Measures the cost of parsing a request head: nanoseconds per head (the minimum of several rounds, since other work on
// the machine only adds time) and per byte. With a number as argument, parses only the first head, that many times, so
// that instructions can be counted.

#include "codec/http1/request_head.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using apus::codec::outcome;
using apus::codec::http1::read_request_head;
using apus::codec::http1::request_head;

struct sample {
    const char* name;
    std::string_view bytes;
};

constexpr sample samples[] = {
    {"short", "GET /bench HTTP/1.1\r\nHost: 127.0.0.1:20001\r\n\r\n"},
    {"curl",
     "GET /users/42?full=true HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\n"},
    {"browser",
     "GET /articles/2026/11/a-walk-in-the-rain?from=front-page&page=2 HTTP/1.1\r\n"
     "Host: www.example.com\r\n"
     "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n"
     "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
     "Accept-Language: en-US,en;q=0.5\r\n"
     "Accept-Encoding: gzip, deflate, br, zstd\r\n"
     "Connection: keep-alive\r\n"
     "Cookie: session=0f3a6c1d9be24778a0d1; theme=dark\r\n"
     "Upgrade-Insecure-Requests: 1\r\n"
     "Sec-Fetch-Mode: navigate\r\n"
     "\r\n"},
    {"api",
     "POST /v1/orders HTTP/1.1\r\nHost: api.example.com\r\nContent-Type: application/json\r\n"
     "Content-Length: 348\r\nAuthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl\r\n"
     "X-Request-Id: 7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11\r\n\r\n"},
};

bool read_once(std::string_view bytes) {
    static request_head head;
    return read_request_head(bytes, {8192, 100, 16384}, head).state == outcome::done;
}

double best_nanoseconds(std::string_view bytes) {
    using clock = std::chrono::steady_clock;
    constexpr int heads = 100'000;
    double best = 1e9;
    for (int round = 0; round < 15; ++round) {
        const auto start = clock::now();
        for (int i = 0; i < heads; ++i)
            if (!read_once(bytes)) std::abort();
        best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - start).count() / heads);
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) {
        const long times = std::atol(argv[1]);
        const sample& one = samples[argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) % std::size(samples) : 0];
        for (long i = 0; i < times; ++i)
            if (!read_once(one.bytes)) return 1;
        return 0;
    }
    std::printf("%-8s %6s %9s %8s\n", "head", "bytes", "ns", "ns/byte");
    for (const sample& one : samples) {
        const double ns = best_nanoseconds(one.bytes);
        std::printf("%-8s %6zu %9.1f %8.3f\n", one.name, one.bytes.size(), ns,
                    ns / static_cast<double>(one.bytes.size()));
    }
}
