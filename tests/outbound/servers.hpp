// SPDX-License-Identifier: Apache-2.0
#pragma once

// Servers on the loop of the test: apps, and scripts that send arbitrary bytes.

#include "http/h1/protocol.hpp"
#include "net/listener.hpp"
#include "runtime/blocking.hpp"
#include "runtime/running_task.hpp"
#include "runtime/security.hpp"
#include "web/application.hpp"

#include <apus/app.hpp>
#include <apus/client.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

namespace apus::test {

/// A loop on this thread, with the backend of APUS_IO.
struct own_loop {
    own_loop() : loop(make()) {}
    static std::unique_ptr<runtime::backend> make() {
        const char* wanted = std::getenv("APUS_IO");
        std::string why;
        return runtime::make_backend(wanted ? wanted : "", why);
    }
    runtime::loop loop;
    runtime::blocking_threads threads;

    template <class T>
    result<T> wait(task<T> t) {
        running_task work(std::move(t));
        return std::move(work.wait());
    }
    void turn_until(const std::function<bool()>& done) {
        const auto end = loop.now() + 5000;
        while (!done() && loop.now() < end) loop.turn(1);
    }
};

/// A listening port and its connections.
class listening : public runtime::acceptor {
public:
    explicit listening(own_loop& l, const char* where = "127.0.0.1:0")
        : listening(l, net::listener::open(*net::endpoint::parse(where)).value()) {}

    std::string url() const { return port_.where().url(); }
    unsigned accepts = 0;

protected:
    virtual void take(int fd) = 0;
    /// Destructors of derived classes must call this, since io_uring may refer to this object for one
    /// more turn.
    void stop() {
        loop.io().stop_accepting(*this);
        for (int i = 0; i < 3; ++i) loop.turn(0);
    }
    ~listening() = default;
    runtime::loop& loop;

private:
    listening(own_loop& l, net::listener port) : acceptor(port.fd()), loop(l.loop), port_(std::move(port)) {
        loop.io().accept(*this);
    }
    void accepted(int fd) override {
        ++accepts;
        take(fd);
    }
    void failed(int) override {}
    net::listener port_;
};

/// An app behind a port, optionally over TLS.
class app_server final : public listening {
public:
    app_server(own_loop& l, app a, const limits& b = {}, const char* where = "127.0.0.1:0", server_tls tls = {})
        : listening(l, where),
          bounds_(b),
          service_(std::move(a)),
          core_(l.loop, service_, bounds_),
          tls_(std::move(tls)) {}
    ~app_server() {
        stop();
        hang_up();
    }

    /// Closes all connections, even with requests in flight.
    void hang_up() {
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->abandon();
        while (core_.connections.inside() > 0) loop.turn(1);
    }
    /// Completes the requests in flight, and then closes the connections.
    void drain() {
        for (auto* c = core_.first; c;) std::exchange(c, c->next())->drain();
    }
    std::size_t connections() const { return core_.connections.inside(); }

private:
    void take(int fd) override {
        auto& c = core_.open(fd, runtime::protocols::every);
        if (tls_) c.set_record_layer(tls_->accept(100));
        c.start();
    }

    limits bounds_;
    web::application service_;
    http::h1::core core_;
    server_tls tls_;
};

/// Runs the loop until these servers have `wanted` connections in total. Returns the number of connections.
inline std::size_t await_connections(own_loop& on, const std::vector<std::unique_ptr<app_server>>& servers,
                                     std::size_t wanted) {
    std::size_t open = 0;
    on.turn_until([&] {
        open = 0;
        for (const auto& s : servers) open += s->connections();
        return open == wanted;
    });
    return open;
}

/// A server whose connections pass received bytes to `hear`, with a `State` for each connection.
/// Derived classes call `end` in their destructors.
template <class State>
class raw_server : public listening {
public:
    explicit raw_server(own_loop& l) : listening(l) {}

    std::size_t connections() const { return open_; }
    /// Sends unsolicited bytes on all connections.
    void say(std::string_view bytes) {
        for (auto* p : peers_) loop.io().queue(*p, bytes);
    }
    /// Closes all connections when their queued bytes are sent.
    void hang_up() {
        for (auto* p : std::exchange(peers_, {})) loop.io().finish(*p, runtime::after::close);
    }

protected:
    struct peer final : runtime::stream, State {
        peer(raw_server& s, int fd) : stream(fd), of(s) {}
        void received(runtime::received_bytes b) override { of.hear(*this, {b.data, b.size}); }
        void ended(int) override { of.drop(*this); }
        void stalled() override {}
        void drained() override {}
        void progressed(std::size_t) override {}
        void closed() noexcept override {
            --of.open_;
            delete this;
        }
        raw_server& of;
    };

    virtual void hear(peer&, std::string_view bytes) = 0;
    virtual void begin(peer&) {}

    void drop(peer& p) {
        std::erase(peers_, &p);
        loop.io().close(p);
    }
    /// Closes the connection when its queued bytes are sent and acknowledged, or the client has closed it.
    void finish(peer& p) {
        std::erase(peers_, &p);
        loop.io().finish(p, runtime::after::close);
    }
    void end() {
        stop();
        for (auto* p : peers_) loop.io().close(*p);
        while (open_ > 0) loop.turn(1);
    }

private:
    void take(int fd) override {
        auto* p = new peer(*this, fd);
        ++open_;
        peers_.push_back(p);
        loop.io().receive(*p);
        begin(*p);
    }

    std::size_t open_ = 0;
    std::vector<peer*> peers_;
};

/// The pieces that a scripted server sends for a request, and whether it closes the connection
/// afterwards.
struct scripted_reply {
    std::vector<std::string> pieces;
    bool closes = false;

    scripted_reply(const char* text) : pieces(1, text) {}
    scripted_reply(std::string text, bool c = false) : pieces(1, std::move(text)), closes(c) {}
    scripted_reply(std::vector<std::string> p, bool c = false) : pieces(std::move(p)), closes(c) {}
};

/// State of a connection of a scripted server.
struct received_request {
    std::string text;
    std::size_t body = 0;  // number of bytes of the body that have not arrived
};

/// Answers each request head with the next reply.
/// After a reply with `closes`, closes the connection. Sends nothing when all replies have been used.
class scripted_server final : public raw_server<received_request> {
public:
    scripted_server(own_loop& l, std::vector<scripted_reply> script) : raw_server(l), script_(std::move(script)) {}
    ~scripted_server() { end(); }

    std::vector<std::string> heads;  ///< Heads of all requests.
    std::string got;                 ///< All received bytes.

private:
    static void skip_body(peer& p) {
        const auto n = std::min(p.body, p.text.size());
        p.body -= n;
        p.text.erase(0, n);
    }
    void hear(peer& p, std::string_view bytes) override {
        got += bytes;
        p.text += bytes;
        skip_body(p);
        for (auto end = p.text.find("\r\n\r\n"); end != p.text.npos; end = p.text.find("\r\n\r\n")) {
            heads.push_back(p.text.substr(0, end + 4));
            p.text.erase(0, end + 4);
            const auto length = heads.back().find("Content-Length: ");
            if (length != std::string::npos) p.body = std::stoul(heads.back().substr(length + 16));
            skip_body(p);
            if (next_ == script_.size()) continue;
            const scripted_reply& r = script_[next_++];
            for (const auto& piece : r.pieces) loop.io().queue(p, piece);
            if (r.closes) return finish(p);
        }
    }

    std::vector<scripted_reply> script_;
    std::size_t next_ = 0;
};

/// Returns the result as one line: "200 body", or "error 502 why".
inline std::string line_of(const result<client_response>& r) {
    if (!r) return "error " + std::to_string(r.error().status()) + " " + r.error().detail();
    return std::to_string(r->status()) + " " + r->body();
}

}  // namespace apus::test
