// SPDX-License-Identifier: Apache-2.0
// The server that most tests of this folder use, with a route for each feature of handlers.
// TEST_LIMITS="body=1000,idle=700" sets its limits; times are in milliseconds. TEST_TLS enables TLS: "required:FILE"
// requires client certificates of the authorities in FILE, "optional:FILE" also accepts clients without a certificate,
// and "none" requests no certificates. TEST_BACKGROUND adds a background task that ends the process ("abort"), ends it
// after 300 ms ("abort later"), starts another process before it ends this one ("fork"), closes the listening sockets
// ("close"), or never suspends ("block"). TEST_FILES names a folder that is served under /files.
#include <apus/app.hpp>
#include <apus/client_info.hpp>
#include <apus/csrf.hpp>
#include <apus/events.hpp>
#include <apus/files.hpp>
#include <apus/hub.hpp>
#include <apus/sleep.hpp>
#include <apus/stream.hpp>
#include <apus/tls.hpp>
#include <apus/websocket.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<pid_t> hanging = 0;  // a thread whose calls of write(2) do not return

}  // namespace

// Replaces the function of the C library: a file system that does not respond cannot be created without root.
extern "C" ssize_t write(int to, const void* bytes, size_t size) {
    while (hanging != 0 && hanging == gettid()) pause();
    return syscall(SYS_write, to, bytes, size);
}

namespace {

struct setting {
    std::string_view name;
    void (*set)(apus::limits&, std::uint32_t);
};

constexpr setting settings[] = {
    {"request_line", [](apus::limits& l, std::uint32_t n) { l.request_line = n; }},
    {"fields", [](apus::limits& l, std::uint32_t n) { l.fields = n; }},
    {"field_bytes", [](apus::limits& l, std::uint32_t n) { l.field_bytes = n; }},
    {"body", [](apus::limits& l, std::uint32_t n) { l.body = n; }},
    {"head", [](apus::limits& l, std::uint32_t n) { l.head = apus::milliseconds(n); }},
    {"idle", [](apus::limits& l, std::uint32_t n) { l.idle = apus::milliseconds(n); }},
    {"handler", [](apus::limits& l, std::uint32_t n) { l.handler = apus::milliseconds(n); }},
    {"body_rate", [](apus::limits& l, std::uint32_t n) { l.body_rate = n; }},
    {"drain_rate", [](apus::limits& l, std::uint32_t n) { l.drain_rate = n; }},
    {"rate_window", [](apus::limits& l, std::uint32_t n) { l.rate_window = apus::milliseconds(n); }},
    {"hello", [](apus::limits& l, std::uint32_t n) { l.hello = apus::milliseconds(n); }},
    {"handshake", [](apus::limits& l, std::uint32_t n) { l.handshake = apus::milliseconds(n); }},
    {"handshakes", [](apus::limits& l, std::uint32_t n) { l.handshakes = n; }},
    {"connections", [](apus::limits& l, std::uint32_t n) { l.connections = n; }},
    {"memory", [](apus::limits& l, std::uint32_t n) { l.memory = n; }},
    {"connection_memory", [](apus::limits& l, std::uint32_t n) { l.connection_memory = n; }},
    {"connections_per_address", [](apus::limits& l, std::uint32_t n) { l.connections_per_address = n; }},
    {"h2_streams", [](apus::limits& l, std::uint32_t n) { l.h2_streams = n; }},
    {"h2_resets", [](apus::limits& l, std::uint32_t n) { l.h2_resets = n; }},
    {"h2_control_frames", [](apus::limits& l, std::uint32_t n) { l.h2_control_frames = n; }},
    {"requests_per_connection", [](apus::limits& l, std::uint32_t n) { l.requests_per_connection = n; }},
};

// Parses the whole text. Returns false if it is invalid.
bool read_limits(std::string_view text, apus::limits& to) {
    while (!text.empty()) {
        auto one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        auto equals = one.find('=');
        auto known = std::ranges::find(settings, one.substr(0, equals), &setting::name);
        std::uint32_t value = 0;
        if (known == std::end(settings) || equals == one.npos) return false;
        auto [end, error] = std::from_chars(one.data() + equals + 1, one.data() + one.size(), value);
        if (error != std::errc() || end != one.data() + one.size()) return false;
        known->set(to, value);
    }
    return true;
}

using counter = std::shared_ptr<std::atomic<int>>;

// Counts tasks that were destroyed before they finished.
class witness {
public:
    explicit witness(counter cancelled) : cancelled_(std::move(cancelled)) {}
    witness(const witness&) = delete;
    witness& operator=(const witness&) = delete;
    ~witness() {
        if (cancelled_) ++*cancelled_;
    }
    void done() { cancelled_.reset(); }

private:
    counter cancelled_;
};

// Byte n of a download is n % 251, so that lost or repeated pieces are detected.
std::string pattern(std::uint64_t begin, std::size_t size) {
    constexpr std::size_t period = 251;
    std::string bytes(size, '\0');
    std::size_t done = std::min(size, period);
    for (std::size_t i = 0; i < done; ++i) bytes[i] = static_cast<char>((begin + i) % period);
    // Copies blocks: copying single bytes would take milliseconds of the core's time per megabyte.
    for (std::size_t more = 0; done < size; done += more) {
        more = std::min(done, size - done);
        std::memcpy(bytes.data() + done, bytes.data(), more);
    }
    return bytes;
}

apus::task<std::string> count_body(apus::request& req, apus::duration rest) {
    constexpr std::uint64_t between_rests = 1024 * 1024;
    std::uint64_t size = 0;
    while (true) {
        std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        if (size / between_rests != (size + piece.size()) / between_rests) co_await apus::sleep_for(rest);
        size += piece.size();
    }
    co_return std::to_string(size) + "\n";
}

apus::task<std::string> slow_answer(std::uint32_t ms, counter cancelled) {
    witness w(std::move(cancelled));
    co_await apus::sleep_for(apus::milliseconds(ms));
    w.done();
    co_return "slept\n";
}

apus::task<> send_pattern(apus::writer& out, std::uint64_t size, counter cancelled) {
    constexpr std::uint64_t piece = 16 * 1024;
    witness w(std::move(cancelled));
    for (std::uint64_t sent = 0; sent < size; sent += piece) {
        std::string bytes = pattern(sent, static_cast<std::size_t>(std::min(piece, size - sent)));
        co_await out.write(bytes);
    }
    w.done();
}

apus::task<> echo_pieces(apus::request& in, apus::writer& out) {
    while (true) {
        std::string_view piece = co_await in.read();
        if (piece.empty()) break;
        co_await out.write(piece);
    }
}

// Echoes lines until the client sends "bye\n" or closes.
apus::task<> echo_lines(apus::request& in, apus::writer& out) {
    co_await out.write("welcome\n");
    while (true) {
        std::string_view piece = co_await in.read();
        if (piece.empty() || piece == "bye\n") break;
        co_await out.write(piece);
    }
    co_await out.write("goodbye\n");
}

apus::task<std::string> received_trailers(apus::request& req) {
    co_await req.body();
    std::string lines;
    for (std::size_t i = 0; i < req.trailer_count(); ++i) {
        auto field = req.trailer_at(i);
        lines.append(field.name).append(": ").append(field.value).append("\n");
    }
    co_return lines;
}

// Returns the protocol and the certificate of the client.
std::string shown_tls(apus::request& req) {
    const apus::tls_info* tls = apus::tls_of(req);
    std::string text = apus::client_of(req).scheme;
    if (!tls) return text + "\n";
    text.append(" ").append(tls->version).append(" ").append(tls->server_name).append("\n");
    if (!tls->peer) return text;
    const apus::peer_certificate& peer = *tls->peer;
    text += peer.subject + "\n" + peer.issuer + "\n" + peer.serial + "\n" + peer.fingerprint + "\n";
    for (const auto* names : {&peer.dns_names, &peer.emails, &peer.uris})
        for (const auto& name : *names) text += name + "\n";
    return text;
}

// Parses TEST_TLS. An empty text means no TLS.
apus::server_tls tls_asked_for(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (text.empty()) return {};
    apus::server_tls_options options;
    if (colon < text.size()) options.client_authorities = text.substr(colon + 1);
    if (text.substr(0, colon) == "optional") options.clients = apus::client_certificates::optional;
    return apus::server_tls(options);
}

std::string_view from_environment(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

std::string copy(apus::body_text body) { return std::string(body.bytes); }

void add_bodies(apus::app& app) {
    app.post("/echo", copy);
    app.post("/echo/wide", copy, {.body = 5'000});
    app.post("/echo/huge", copy, {.body = 64 << 20});
    app.post("/echo/patient", copy, {.body_rate = 1});
    app.post("/echo/pieces", [](apus::request&) { return apus::stream("application/octet-stream", echo_pieces); },
             {.body = 64 << 20});
    app.post("/count", [](apus::request& req) { return count_body(req, {}); }, {.body = 1 << 30});
    app.post("/count/slowly", [](apus::request& req) { return count_body(req, apus::milliseconds(10)); },
             {.body = 1 << 30});
    app.post("/count/little", [](apus::request& req) { return count_body(req, {}); });
    app.post("/trailers", received_trailers);
    app.post("/ignored", [] { return "not read\n"; });
}

void add_streams(apus::app& app, const counter& cancelled) {
    app.get("/big/{size}", [](std::uint32_t size) { return pattern(0, size); });
    app.get("/download/{size}", [cancelled](std::uint64_t size) {
        return apus::stream("application/octet-stream",
                            [=](apus::writer& out) { return send_pattern(out, size, cancelled); });
    });
    app.get("/trailers", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("body\n");
            out.trailer("x-sum", "42");
        });
    });
    app.get("/broken", [] {
        return apus::stream("text/plain", [](apus::writer& out) -> apus::task<> {
            co_await out.write("first\n");
            co_await apus::fail(500, "the rest is missing");
        });
    });
    app.get("/upgrade", [] { return apus::upgrade("echo", echo_lines); });
    app.get("/events", [cancelled] {
        return apus::events([cancelled](apus::event_writer& out) -> apus::task<> {
            witness w(cancelled);
            co_await out.send("first");
            co_await apus::sleep_for(apus::seconds(3600));
            w.done();
        });
    });
    app.get("/late/{ms}", [cancelled](std::uint32_t ms) {
        return apus::stream("text/plain", [=](apus::writer& out) -> apus::task<> {
            witness w(cancelled);
            co_await out.write("first\n");
            co_await apus::sleep_for(apus::milliseconds(ms));
            co_await out.write("last\n");
            w.done();
        });
    });
    app.get("/status/{code}", [](int code) {
        apus::response res =
            apus::stream("text/plain", [](apus::writer& out) -> apus::task<> { co_await out.write("body"); });
        res.status(code);
        return res;
    });
}

void add_sockets(apus::app& app) {
    const apus::websocket_options compressing{.compress = true};
    app.websocket(
        "/ws",
        [](apus::websocket peer) -> apus::task<> {
            while (auto message = co_await peer.receive()) co_await peer.send(*message);
        },
        compressing);
    const apus::websocket_options hasty{.rate_window = apus::milliseconds(400),
                                        .ping = apus::milliseconds(900),
                                        .pong = apus::milliseconds(400),
                                        .close = apus::milliseconds(500)};
    app.websocket(
        "/ws/hasty",
        [](apus::websocket peer) -> apus::task<> {
            while (auto message = co_await peer.receive()) co_await peer.send(*message);
        },
        hasty);
    app.websocket("/ws/resumed", [](apus::websocket peer) -> apus::task<> {
        peer.resume_hint("resume=7");
        co_await peer.send("hello");
        while (co_await peer.receive()) {}
    });
    app.websocket("/ws/slow", [](apus::websocket peer) -> apus::task<> {
        while (auto message = co_await peer.receive()) {
            const std::string same(message->bytes);
            co_await apus::sleep_for(apus::milliseconds(600));
            co_await peer.send(same);
        }
    });
    app.websocket("/room", [rooms = std::make_shared<apus::hub>()](apus::websocket peer) -> apus::task<> {
        const auto seat = rooms->join("room", peer);
        while (auto message = co_await peer.receive()) rooms->send("room", *message);
    });
}

void add_handlers(apus::app& app, const counter& cancelled) {
    app.get("/", [] { return "ok\n"; });
    app.get("/process", [] { return std::to_string(getpid()) + "\n"; });
    app.get("/peer", [](apus::request& req) { return std::string(req.remote_address()) + "\n"; });
    app.get("/tls", shown_tls);
    app.get("/query", [](apus::request& req) { return std::string(req.query()) + "\n"; });
    app.get("/sleep/{ms}", [cancelled](std::uint32_t ms) { return slow_answer(ms, cancelled); });
    app.post("/sleep/{ms}", [cancelled](apus::body_text, std::uint32_t ms) { return slow_answer(ms, cancelled); });
    app.get("/patient/{ms}", [cancelled](std::uint32_t ms) { return slow_answer(ms, cancelled); },
            {.handler = apus::seconds(-1)});
    app.get("/hasty/{ms}", [cancelled](std::uint32_t ms) { return slow_answer(ms, cancelled); },
            {.handler = apus::milliseconds(300)});
    app.get("/cancelled", [cancelled] { return std::to_string(*cancelled) + "\n"; });
    app.get("/fails", [](apus::request&) -> apus::task<std::string> {
        co_await apus::sleep_for(apus::milliseconds(1));
        co_await apus::fail(418, "a teapot brews no coffee");
        co_return "";
    });
    app.get("/throws", []() -> std::string { throw std::runtime_error("a secret"); });
    apus::app guarded;
    guarded.use(apus::csrf());
    guarded.post("/", [] { return "changed\n"; });
    app.mount("/guarded", std::move(guarded));
}

// Appends the ID of the new process to the file TEST_HELPERS.
void start_helper() {
    const pid_t helper = fork();
    while (helper == 0) pause();
    std::FILE* const file = std::fopen(std::getenv("TEST_HELPERS"), "a");
    std::fprintf(file, "%d\n", helper);
    std::fclose(file);
}

void close_listeners() {
    for (int fd = 3; fd < 1000; ++fd) {
        int listens = 0;
        socklen_t size = sizeof listens;
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens) close(fd);
    }
}

void add_background(apus::app& app) {
    const std::string_view kind = from_environment("TEST_BACKGROUND");
    if (kind.empty()) return;
    app.background([kind]() -> apus::task<> {
        if (kind.starts_with("abort ")) co_await apus::sleep_for(apus::milliseconds(300));
        if (kind == "abort slowly") hanging = gettid();
        if (kind == "close") co_return close_listeners();
        if (kind == "fork") start_helper();
        if (kind != "block") std::abort();
        while (true) pause();
        co_return;
    });
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    const std::string text(from_environment("TEST_LIMITS"));
    if (!text.empty() && !read_limits(text, options.limits))
        return std::fprintf(stderr, "TEST_LIMITS: %s\n", text.c_str()), 2;
    options.tls = tls_asked_for(from_environment("TEST_TLS"));
    if (!from_environment("TEST_RESTART_MS").empty())
        options.restart_deadline = apus::milliseconds(std::atoi(std::getenv("TEST_RESTART_MS")));
    if (!from_environment("TEST_TRIAL_MS").empty())
        options.restart_trial = apus::milliseconds(std::atoi(std::getenv("TEST_TRIAL_MS")));

    auto cancelled = std::make_shared<std::atomic<int>>(0);
    auto make = [cancelled] {
        apus::app app;
        add_handlers(app, cancelled);
        add_bodies(app);
        add_streams(app, cancelled);
        add_sockets(app);
        add_background(app);
        if (const auto folder = from_environment("TEST_FILES"); !folder.empty())
            app.mount("/files", apus::files(std::string(folder)));
        return app;
    };
    return apus::serve(make, argc, argv, options);
}
