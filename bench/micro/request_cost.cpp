// SPDX-License-Identifier: Apache-2.0
// Serves requests over a socket pair in one thread, without a server, so that callgrind counts the user-mode
// instructions of a request (docs/decisions/0059-instructions-per-request.md):
//
//   valgrind --tool=callgrind --toggle-collect='apus::runtime::loop::turn(long)' request_cost CASE REQUESTS [OPTION]
//
// CASE: text, json, path (HTTP/1.1, one request at a time), pipelined (16 at a time), http2 (100 streams at a time),
// task (a coroutine that waits once), and fields (with the header fields of a client and a path parameter).
// OPTION: unsampled, sampled (tracing is on, and no request or each is recorded and encoded for export), history (slow
// and failed requests are kept, as with --admin).
// The cost of a request is the difference of the counts of two runs, divided by the difference of their REQUESTS:
// request_costs.py prints a table.
#include "http/core.hpp"
#include "http/connection.hpp"
#include "runtime/backend.hpp"
#include "runtime/loop.hpp"
#include "tracing/otlp.hpp"
#include "tracing/recorder.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/json.hpp>
#include <apus/limits.hpp>
#include <apus/sleep.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

namespace {

struct message {
    std::string text;
};

apus::app make_app() {
    apus::app app;
    app.get("/text", [] { return "Hello, world!"; });
    app.get("/json", [] { return message{"Hello, world!"}; });
    app.get("/task", []() -> apus::task<std::string> {
        co_await apus::yield();
        co_return "Hello, world!";
    });
    app.get("/users/{id}", [](std::string_view id) { return std::string(id); });
    return app;
}

// Encodes ended spans as the exporter does, in a later turn, so that they are counted too.
class encoder final : public apus::tracing::queue_listener, apus::runtime::deferred {
public:
    encoder(apus::runtime::loop& on, double sample) : loop_(on), spans({.sample = sample}) {
        run = [](deferred& d) noexcept { static_cast<encoder&>(d).encode(); };
        spans.listener = this;
    }
    encoder(const encoder&) = delete;
    encoder& operator=(const encoder&) = delete;
    ~encoder() { loop_.forget(*this); }

private:
    static constexpr std::size_t batch = 512;

    void item_queued() noexcept override {
        if (spans.waiting() == batch) loop_.later(*this);
    }
    void encode() {
        const auto items = spans.take(batch, ~std::size_t{0});
        if (apus::tracing::encode_export({}, "0", items).empty()) std::abort();
    }

    apus::runtime::loop& loop_;

public:
    apus::tracing::recorder spans;
};

// A socket pair whose one end the loop serves.
class client {
public:
    explicit client(std::string_view option) : loop_(apus::runtime::make_epoll_backend()), app_(make_app()) {
        core_ = apus::http::make_core(loop_, app_, limits_);
        if (option == "sampled" || option == "unsampled") {
            encoder_.emplace(loop_, option == "sampled" ? 1 : 0);
            core_->traces = &encoder_->spans;
        } else if (option == "history") {
            core_->keeps_requests = true;
        } else if (!option.empty()) {
            std::abort();
        }
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0) std::abort();
        fd_ = ends[0];
        core_->open(ends[1], apus::runtime::protocols::every).start();
    }
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() {
        close(fd_);
        while (core_->first) loop_.turn(10);
        loop_.settle();
    }

    /// Sends `bytes` and receives `wanted` bytes. Returns the number of received bytes.
    /// 0: receives until the bytes end with `end`.
    std::size_t exchange(std::string_view bytes, std::size_t wanted, std::string_view end = {}) {
        if (write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
        std::size_t got = 0;
        last_.clear();
        for (int turns = 0; wanted ? got < wanted : !last_.ends_with(end); ++turns) {
            if (turns == 1000) std::abort();
            loop_.turn(0);
            const ssize_t n = read(fd_, room_.data(), room_.size());
            if (n > 0) got += static_cast<std::size_t>(n);
            if (n > 0 && !wanted) last_.append(room_.data(), static_cast<std::size_t>(n));
        }
        return got;
    }
    const std::string& last() const { return last_; }

private:
    apus::runtime::loop loop_;
    apus::web::application app_;
    apus::limits limits_;
    std::optional<encoder> encoder_;
    std::unique_ptr<apus::http::core> core_;
    int fd_ = -1;
    std::array<char, 262144> room_;
    std::string last_;
};

constexpr const char* fields_of_a_client =
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nConnection: keep-alive\r\n"
    "Cookie: session=6f1d0a; theme=dark\r\nCache-Control: no-cache\r\n";

std::string repeated(std::string_view text, unsigned times) {
    std::string all;
    while (times-- != 0) all += text;
    return all;
}

void run_http1(client& to, const std::string& path, std::string_view end, unsigned depth, unsigned count,
               const std::string& fields = {}) {
    const std::string one = "GET " + path + " HTTP/1.1\r\nHost: localhost:8080\r\n" + fields + "\r\n";
    const std::size_t size = to.exchange(one, 0, end);
    if (!to.last().starts_with("HTTP/1.1 200")) std::abort();
    const std::string batch = repeated(one, depth);
    for (unsigned sent = 0; sent < count; sent += depth) to.exchange(batch, size * depth);
}

std::string frame(unsigned type, unsigned flags, std::uint32_t stream, std::string_view payload) {
    std::string made;
    const auto size = static_cast<std::uint32_t>(payload.size());
    for (const std::uint32_t part : {size >> 16, size >> 8, size, std::uint32_t{type}, std::uint32_t{flags},
                                     stream >> 24, stream >> 16, stream >> 8, stream})
        made += static_cast<char>(part & 0xff);
    return made.append(payload);
}

void run_http2(client& to, unsigned depth, unsigned count) {
    using namespace std::string_view_literals;
    const std::string fields = std::string("\x82\x86\x04\x05/text\x01\x0elocalhost:8080"sv);
    to.exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, {}), 1);
    const std::string more = frame(8, 0, 0, "\x00\x00\x40\x00"sv);
    std::uint32_t stream = 1;
    for (unsigned sent = 0; sent < count; sent += depth) {
        std::string batch = more;
        for (unsigned i = 0; i < depth; ++i, stream += 2) batch += frame(1, 5, stream, fields);
        // The last stream's DATA frame ends the batch of responses.
        to.exchange(batch, 0, frame(0, 1, stream - 2, "Hello, world!"));
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) return std::fputs("usage: request_cost CASE REQUESTS [OPTION]\n", stderr), 2;
    const std::string_view what = argv[1];
    const auto count = static_cast<unsigned>(std::atoi(argv[2]));
    client to(argc == 4 ? argv[3] : "");
    if (what == "text") run_http1(to, "/text", "world!", 1, count);
    else if (what == "pipelined") run_http1(to, "/text", "world!", 16, count);
    else if (what == "json") run_http1(to, "/json", "}", 1, count);
    else if (what == "path") run_http1(to, "/users/ada", "ada", 1, count);
    else if (what == "task") run_http1(to, "/task", "world!", 1, count);
    else if (what == "fields") run_http1(to, "/users/ada", "ada", 1, count, fields_of_a_client);
    else if (what == "http2") run_http2(to, 100, count);
    else return std::fputs("unknown case\n", stderr), 2;
    return 0;
}
