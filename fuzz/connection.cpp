// SPDX-License-Identifier: Apache-2.0
#include "http/h1/protocol.hpp"
#include "runtime/loop.hpp"
#include "server/response_reader.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/stream.hpp>

#include "property.hpp"

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

// Arbitrary client input, split at arbitrary positions, on a connection. The first byte selects the split, and
// whether the client half-closes or disconnects.

namespace {

using namespace apus;
using apus::fuzz::must;

/// Resumes in the loop's next turn, so that the fuzzer does not wait for the clock.
class next_turn {
public:
    next_turn() = default;
    next_turn(const next_turn&) = delete;
    next_turn& operator=(const next_turn&) = delete;
    ~next_turn() {
        if (note_) note_->waiter = {};  // the task is cancelled before the posted call runs
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiter) {
        note_ = new note;
        note_->waiter = waiter;
        note_->run = [](runtime::posted_call& l) noexcept {
            const std::unique_ptr<note> own(&static_cast<note&>(l));
            if (own->waiter) own->waiter.resume();
        };
        runtime::loop::current().post(*note_);
    }
    void await_resume() noexcept { note_ = nullptr; }

private:
    struct note : runtime::posted_call {
        std::coroutine_handle<> waiter;
    };
    note* note_ = nullptr;
};

app make_app() {
    app a;
    a.get("/", [] { return "ok\n"; });
    a.get("/later", []() -> task<std::string> {
        co_await next_turn();
        co_return "later\n";
    });
    a.get("/stream", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 3; ++i) co_await out.write("piece ");
            co_await next_turn();
            out.trailer("x-pieces", "3");
        });
    });
    a.get("/large", [] { return std::string(100'000, 'L'); });
    a.get("/field/{name}", [](request& in, std::string_view name) { return std::string(in.header(name)); });
    a.get("/tunnel", [] {
        return upgrade("echo", [](request& in, writer& out) -> task<> {
            for (std::string_view piece; !(piece = co_await in.read()).empty();) {
                const std::string copy(piece);
                co_await out.write(copy);
            }
        });
    });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.post("/", [](body_text in) { return std::string(in.bytes); });
    a.post("/read", [](request& in) -> task<std::string> {
        std::string all;
        for (std::string_view piece; !(piece = co_await in.read()).empty();) {
            all += piece;
            if (all.size() % 2) co_await next_turn();
        }
        co_return all;
    });
    a.post("/first", [](request& in) -> task<std::string> { co_return std::string(co_await in.read()); });
    a.post("/ignored", [] { return "not read\n"; });
    return a;
}

limits small() {
    limits l;
    l.request_line = 512;
    l.fields = 20;
    l.field_bytes = 2048;
    l.body = 4096;
    return l;
}

class exchange_of_bytes {
public:
    explicit exchange_of_bytes(http::h1::core& c) : core_(c) {
        int ends[2];
        must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0, "socketpair succeeds");
        fd_ = ends[0];
        core_.open(ends[1], runtime::protocols::every).start();
    }
    ~exchange_of_bytes() {
        if (fd_ >= 0) ::close(fd_);
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->abandon();
        for (int turns = 0; core_.connections.inside() > 0; ++turns) {
            must(turns < 100, "an abandoned connection ends within 100 turns");
            core_.loop.turn(0);
        }
    }

    void send(std::string_view bytes) {
        for (int turns = 0; !bytes.empty() && !ended_; ++turns) {
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
            else if (errno != EAGAIN) return;
            turn();
            if (turns > 2000) return;  // the connection has stopped reading, as it may after an error
        }
    }
    void turn() {
        core_.loop.turn(0);
        char bytes[64 * 1024];
        for (ssize_t n; !ended_ && (n = ::recv(fd_, bytes, sizeof bytes, 0)) != -1;) {
            if (n == 0) ended_ = true;
            else came_.append(bytes, static_cast<std::size_t>(n));
        }
    }
    void half_close() { shutdown(fd_, SHUT_WR); }
    bool ended() const noexcept { return ended_; }
    const std::string& came() const noexcept { return came_; }

private:
    http::h1::core& core_;
    int fd_;
    bool ended_ = false;
    std::string came_;
};

// Checks the output: a sequence of responses, the last one possibly incomplete.
void check_answers(const std::string& came, bool ended, bool has_head_requests, bool http2_enabled) {
    if (came.empty() || http2_enabled) return;
    must(came.starts_with("HTTP/1.1 "), "a response begins with a status line");
    if (has_head_requests) return;  // without the requests, a response to HEAD looks truncated
    server::response_reader reader;
    reader.append(came);
    if (ended) reader.end();
    try {
        while (!reader.empty()) {
            auto a = reader.next(false);
            if (!a || a->status == 101) return;
            must(a->status >= 200 && a->status <= 599, "the status of a final response is from 200 to 599");
            must(!a->header("date").empty(), "a response has a Date field");
            must(a->header("content-length").empty() || a->header("transfer-encoding").empty(),
                 "a response has either Content-Length or Transfer-Encoding");
        }
    } catch (const std::exception&) {
        must(false, "the output is a sequence of valid responses");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static runtime::loop loop(runtime::make_epoll_backend());
    static web::application service(make_app());
    static const limits bounds = small();
    static http::h1::core core(loop, service, bounds);
    if (size < 1) return 0;
    const unsigned how = data[0];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    {
        exchange_of_bytes with(core);
        std::size_t step = how & 15;
        if (!step) step = text.size();
        for (std::size_t at = 0; at < text.size() && !with.ended(); at += step) {
            with.send(text.substr(at, step));
            with.turn();
        }
        if (how & 16) with.half_close();
        if (how & 32) return 0;  // the client disconnects without waiting for responses
        for (int turns = 0; turns < 8 && !with.ended(); ++turns) with.turn();
        check_answers(with.came(), with.ended(), text.contains("HEAD"), text.starts_with("PRI * HTTP/2.0\r\n"));
    }
    must(core.connections.inside() == 0 && core.first == nullptr, "all connections are destroyed");
    return 0;
}
