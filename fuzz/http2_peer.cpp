// SPDX-License-Identifier: Apache-2.0
// An nghttp2 client session and an Apus server. The input selects how the output of both is split, and the client's
// requests, bodies, windows, resets and pings. Neither side may detect an error of the other side, and each response
// must belong to its request.
#include "http/connection.hpp"
#include "http/h1/core.hpp"
#include "property.hpp"
#include "runtime/loop.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/stream.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nghttp2/nghttp2.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace apus;
using apus::fuzz::must;

namespace {

app make() {
    app a;
    a.get("/", [] { return "hello\n"; });
    a.get("/big/{size}", [](std::uint32_t size) { return std::string(size, 'b'); });
    a.post("/echo", [](body_text in) { return std::string(in.bytes); });
    a.post("/read", [](request& in) -> task<std::string> { co_return std::string(co_await in.body()); });
    a.get("/pieces", [] {
        return stream("text/plain", [](writer& out) -> task<> {
            for (int i = 0; i < 4; ++i) co_await out.write(std::string(30'000, 'p'));
            out.trailer("x-sum", "42");
        });
    });
    a.get("/fields", [](request& in) {
        std::string seen;
        for (std::size_t i = 0; i < in.header_count(); ++i) {
            const field_view f = in.header_at(i);
            if (f.name.starts_with("x-")) seen.append(f.name).append("=").append(f.value).append(";");
        }
        return seen;
    });
    return a;
}

struct asked {
    std::string body;      // request body
    std::size_t sent = 0;  // sent bytes of the body
    std::string wanted;    // expected response body
    std::string got;
    int status = 0;
    bool was_reset = false;  // the client has reset the stream
    bool has_ended = false;
};

class peer {
public:
    peer(runtime::loop& on, http::h1::core& core, std::string_view program) : loop_(on), in_(program) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
        fd_ = ends[0];
        core.open(ends[1], runtime::protocols::every).start();
        nghttp2_session_callbacks* calls;
        nghttp2_session_callbacks_new(&calls);
        set(calls);
        nghttp2_session_client_new(&session_, calls, this);
        nghttp2_session_callbacks_del(calls);
        const nghttp2_settings_entry settings[] = {
            {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 2048 + next() * 256U},
            {NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, next() * 32U},
            {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1},
        };
        nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    }
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;
    ~peer() {
        nghttp2_session_del(session_);
        close(fd_);
    }

    void run() {
        while (!in_.empty() && !is_refused_) step();
        // With small windows and many responses the exchange takes long, so only a lack of progress is a failure.
        for (int idle = 0; idle < 400 && !is_over() && !is_refused_;) idle = exchange(1 << 16, 1 << 16) ? 0 : idle + 1;
        for (auto& [id, r] : all_) {
            if (r.was_reset || is_refused_) continue;
            must(r.has_ended, "each request gets a response");
            must(r.status == 200, "each response has the status 200");
            must(r.got == r.wanted, "each response belongs to its request");
        }
    }

private:
    static void set(nghttp2_session_callbacks* calls) {
        static constexpr auto self = [](void* of) { return static_cast<peer*>(of); };
        nghttp2_session_callbacks_set_on_header_callback(
            calls, [](nghttp2_session*, const nghttp2_frame* f, const std::uint8_t* name, std::size_t name_size,
                      const std::uint8_t* value, std::size_t, std::uint8_t, void* of) {
                if (name_size == 7 && name[0] == ':')
                    self(of)->all_[f->hd.stream_id].status = std::atoi(reinterpret_cast<const char*>(value));
                return 0;
            });
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
            calls,
            [](nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes, std::size_t size, void* of) {
                self(of)->all_[id].got.append(reinterpret_cast<const char*>(bytes), size);
                return 0;
            });
        nghttp2_session_callbacks_set_on_frame_recv_callback(calls,
                                                             [](nghttp2_session*, const nghttp2_frame* f, void* of) {
                                                                 self(of)->note(*f);
                                                                 return 0;
                                                             });
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(
            calls, [](nghttp2_session*, const nghttp2_frame*, int, void*) {
                must(false, "each frame of the server is valid");
                return 0;
            });
    }
    void note(const nghttp2_frame& f) {
        auto& r = all_[f.hd.stream_id];
        // The input may cause more resets or pings than the server allows.
        is_refused_ = is_refused_ || (f.hd.type == NGHTTP2_GOAWAY && f.goaway.error_code == NGHTTP2_ENHANCE_YOUR_CALM);
        must(f.hd.type != NGHTTP2_GOAWAY || is_refused_, "the server sends no GOAWAY");
        must(f.hd.type != NGHTTP2_RST_STREAM || r.was_reset, "the server does not reset streams");
        if ((f.hd.type == NGHTTP2_DATA || f.hd.type == NGHTTP2_HEADERS) && (f.hd.flags & NGHTTP2_FLAG_END_STREAM))
            r.has_ended = true;
        if (f.hd.stream_id == 0) all_.erase(0);
    }
    static ssize_t read_body(nghttp2_session*, std::int32_t, std::uint8_t* to, std::size_t most, std::uint32_t* flags,
                             nghttp2_data_source* from, void*) {
        auto& r = *static_cast<asked*>(from->ptr);
        const std::size_t n = std::min(most, r.body.size() - r.sent);
        std::copy_n(r.body.data() + r.sent, n, to);
        r.sent += n;
        if (r.sent == r.body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
        return static_cast<ssize_t>(n);
    }
    unsigned next() {
        if (in_.empty()) return 0;
        const auto byte = static_cast<unsigned char>(in_.front());
        in_.remove_prefix(1);
        return byte;
    }
    bool is_over() const {
        return std::all_of(all_.begin(), all_.end(), [](auto& r) { return r.second.has_ended || r.second.was_reset; });
    }
    // Sends the server at most `gives` bytes, and receives at most `takes` bytes.
    // Returns true if bytes were sent or received.
    bool exchange(std::size_t gives, std::size_t takes) {
        while (unsent_.size() < gives) {
            const std::uint8_t* bytes;
            const ssize_t n = nghttp2_session_mem_send(session_, &bytes);
            must(n >= 0, "the client's session does not fail");
            if (n == 0) break;
            unsent_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(n));
        }
        const ssize_t sent = ::send(fd_, unsent_.data(), std::min(gives, unsent_.size()), MSG_NOSIGNAL);
        if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
        loop_.turn(0);
        char bytes[1 << 16];
        const ssize_t got = recv(fd_, bytes, std::min(takes, sizeof bytes), 0);
        if (got <= 0) return sent > 0;
        const auto size = static_cast<std::size_t>(got);
        must(nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes), size) == got,
             "the client accepts the output of the server");
        return true;
    }
    void ask(unsigned what) {
        if (all_.size() >= 60) return;
        const unsigned size = next() * (what & 64 ? 400 : 3);
        asked r;
        std::string path = "/", method = "GET", extra_name, extra;
        switch (what / 4 % 5) {
            case 0: r.wanted = "hello\n"; break;
            case 1: path = "/big/" + std::to_string(size), r.wanted = std::string(size, 'b'); break;
            case 2: path = "/echo", method = "POST", r.wanted = r.body = std::string(size, 'e'); break;
            case 3: path = "/read", method = "POST", r.wanted = r.body = std::string(size, 'r'); break;
            default:
                extra_name = "x-" + std::string(1 + next() % 40, static_cast<char>('a' + next() % 26));
                extra = std::string(next() % 2 ? size % 5000 : size % 60, static_cast<char>('!' + next() % 90));
                path = what & 32 ? "/fields" : "/pieces";
                r.wanted = what & 32 ? extra_name + "=" + extra + ";" : std::string(120'000, 'p');
        }
        std::vector<nghttp2_nv> fields;
        const auto add = [&fields](std::string_view name, std::string_view value) {
            const auto bytes = [](std::string_view text) {
                return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
            };
            fields.push_back({bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
        };
        add(":method", method);
        add(":scheme", "http");
        add(":path", path);
        add(":authority", "example.com");
        add("user-agent", "a peer");
        if (!extra_name.empty()) add(extra_name, extra);
        const std::string length = std::to_string(r.body.size());
        if (!r.body.empty() && what & 128) add("content-length", length);
        bodies_.push_back(std::make_unique<asked>(r));
        nghttp2_data_provider body;
        body.source.ptr = bodies_.back().get();
        body.read_callback = read_body;
        const std::int32_t id = nghttp2_submit_request(session_, nullptr, fields.data(), fields.size(),
                                                       r.body.empty() ? nullptr : &body, nullptr);
        must(id > 0, "nghttp2 accepts the request");
        all_[id] = std::move(r);
    }
    void step() {
        const unsigned what = next();
        switch (what % 4) {
            case 0: return ask(what);
            case 1: return void(exchange(1 + next() * (what & 64 ? 64 : 1), 1 + next() * (what & 128 ? 256 : 1)));
            case 2:
                if (what & 64) nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
                else if (what & 32 && !all_.empty()) reset(next());
                return void(exchange(1 << 16, 1 << 16));
            default: return void(exchange(1 << 16, 1 + next()));
        }
    }
    void reset(unsigned which) {
        auto at = std::next(all_.begin(), static_cast<std::ptrdiff_t>(which % all_.size()));
        if (at->second.has_ended || !at->first) return;
        // nghttp2 may send RST_STREAM for a request that it has not sent yet, which is a protocol error (RFC 9113,
        // 6.4).
        if (nghttp2_session_find_stream(session_, at->first) == nullptr) return;
        at->second.was_reset = true;
        nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, at->first, NGHTTP2_CANCEL);
    }

    runtime::loop& loop_;
    std::string_view in_;
    int fd_;
    nghttp2_session* session_ = nullptr;
    std::string unsent_;
    std::map<std::int32_t, asked> all_;
    bool is_refused_ = false;  // the server refused the client by ENHANCE_YOUR_CALM
    std::vector<std::unique_ptr<asked>> bodies_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static runtime::loop loop(runtime::make_epoll_backend());
    static web::application service(make());
    static const limits bounds{.h2_streams = 200};
    static http::h1::core core(loop, service, bounds);
    { peer(loop, core, {reinterpret_cast<const char*>(data), size}).run(); }
    for (int i = 0; core.connections.inside() > 0; ++i) {
        if (i == 100) core.first->abandon();
        if (i == 1000) std::abort();
        loop.turn(0);
    }
    return 0;
}
