// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "http/h1/protocol.hpp"
#include "net/connect_override.hpp"
#include "runtime/loop.hpp"
#include "server/cookie_jar.hpp"
#include "server/form_bodies.hpp"
#include "server/test_client_parts.hpp"
#include "server/test_http2_connection.hpp"
#include "tracing/recorder.hpp"
#include "web/application.hpp"

#include <apus/test.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace apus::test {
namespace {

// Returns this thread's loop, which all its test clients share.
std::shared_ptr<runtime::loop> loop_of_this_thread() {
    thread_local std::weak_ptr<runtime::loop> shared;
    auto loop = shared.lock();
    if (!loop) {
        const char* wanted = std::getenv("APUS_IO");
        std::string why;
        auto io = runtime::make_backend(wanted ? wanted : "", why);
        if (!io) throw std::runtime_error("APUS_IO=uring, but " + why);
        loop = std::make_shared<runtime::loop>(std::move(io));
        shared = loop;
    }
    return loop;
}

/// A host name; connections to it go to an app on this thread.
struct fake_host {
    std::string name;
    http::core* by;
};

std::vector<fake_host>& fake_hosts() {
    thread_local std::vector<fake_host> all;
    return all;
}

int connect_to_fake_host(std::string_view host, std::uint16_t port) {
    const std::string with_port = std::string(host).append(":").append(std::to_string(port));
    const auto& all = fake_hosts();
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const fake_host& one) {
        return base::equal_ignoring_case(one.name, host) || base::equal_ignoring_case(one.name, with_port);
    });
    return found == all.rend() ? -1 : server::connection_to(*found->by);
}

// Whether a test of tracing records spans of middleware.
bool traces_middleware() noexcept {
    const auto* const by = tracing::recorder::here();
    return by && by->options().middleware;
}

}  // namespace

struct client::parts {
    parts(app a, const client_options& s)
        : how(s), service(std::move(a), traces_middleware()), core(*loop, service, how.limits) {
        core.traces = tracing::recorder::here();  // set by a test of tracing, otherwise null
        service.start_background(true);
    }
    ~parts() {
        std::erase_if(fake_hosts(), [this](const fake_host& one) { return one.by == &core; });
        line.reset();
        for (auto* c = core.first; c;) std::exchange(c, c->next())->abandon();
        while (core.connections.inside() > 0) loop->turn(1);
    }

    void send(std::string_view request) { send(request, how.http2); }
    void send_raw(std::string_view bytes) { send(bytes, false); }
    response receive();
    std::unique_ptr<server::test_connection> connect(bool http2) {
        if (http2) return std::make_unique<server::test_http2_connection>(core);
        return server::connect_http1(core);
    }

    client_options how;
    std::shared_ptr<runtime::loop> loop = loop_of_this_thread();
    std::vector<std::unique_ptr<parts>> upstreams = {};  // outlive the app, which has connections to them
    web::application service;
    http::h1::core core;
    std::unique_ptr<server::test_connection> line;  // null if the connection has ended
    bool line_is_http2 = false;
    bool to_head = false;  // the next response answers a HEAD request
    server::cookie_jar cookies;
    std::string asked;  // the request of the next response; empty for further responses to one `send_raw`

private:
    void send(std::string_view request, bool http2);
};

void client::parts::send(std::string_view request, bool http2) {
    if (line) line->take_input();
    if (line && (line->ended() || line_is_http2 != http2)) line.reset();
    if (!line) line = connect(http2);
    line_is_http2 = http2;
    to_head = request.starts_with("HEAD ");
    line->send(request);
}

response client::parts::receive() {
    if (!line) return {};
    const std::uint64_t due = loop->due_in(how.timeout);
    std::optional<response> found;
    while (!(found = line->next(to_head)) && !line->ended()) line->wait(due, how.timeout);
    to_head = false;
    response a = found ? *std::move(found) : response();
    a.closed = line->ended() || base::equal_ignoring_case(a.header("connection"), "close");
    if (a.closed) line.reset();
    if (how.cookies) cookies.take(a.head);
    a.request = std::exchange(asked, {});
    return a;
}

client::client(app a) : client(std::move(a), client_options()) {}
client::client(app a, client_options s) : parts_(new parts(std::move(a), s)) {}
client::~client() { delete parts_; }

response client::send_raw(std::string_view bytes) {
    parts_->asked = bytes;
    parts_->send_raw(bytes);
    return parts_->receive();
}

void client::upstream(std::string_view host, app fake) {
    auto made = std::make_unique<parts>(std::move(fake), client_options());
    fake_hosts().push_back({std::string(host), &made->core});
    net::connect_override = connect_to_fake_host;
    parts_->upstreams.push_back(std::move(made));
}

response client::receive() { return parts_->receive(); }

response client::send(std::string_view method, std::string_view target, std::string_view body, fields extra) {
    return send_typed(method, target, body, {}, extra);
}

response client::send_typed(std::string_view method, std::string_view target, std::string_view body,
                            std::string_view media_type, fields extra) {
    parts_->asked = request_text(method, target, body, media_type, extra);
    parts_->send(parts_->asked);
    return parts_->receive();
}

response client::send_json(std::string_view method, std::string_view target, std::string_view body,
                           std::string_view shown, fields extra) {
    constexpr std::string_view json = "application/json";
    parts_->asked = request_text(method, target, shown, json, extra);
    parts_->send(request_text(method, target, body, json, extra));
    return parts_->receive();
}

response_stream client::open(std::string_view method, std::string_view target, std::string_view body, fields extra) {
    auto made = std::make_unique<response_stream::parts>(
        response_stream::parts{parts_->loop, parts_->how.timeout, parts_->connect(parts_->how.http2)});
    made->asked = request_text(method, target, body, {}, extra);
    made->to_head = method == "HEAD";
    made->line->send(made->asked);
    server::settle(*parts_->loop);
    return response_stream(made.release());
}

websocket client::connect(std::string_view target, fields extra) {
    auto made = std::make_unique<websocket::parts>(parts_->loop, parts_->core, parts_->how.timeout);
    std::string text = request_text("GET", target, {}, {}, extra);
    text.resize(text.size() - 2);
    text +=
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: "
        "dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    made->peer->open(text);
    made->wait([&made] { return made->peer->answered(); });
    if (parts_->how.cookies) parts_->cookies.take(made->peer->opening.head);
    return websocket(made.release());
}

void client::advance(duration by) { server::advance(*parts_->loop, by); }

std::string client::request_text(std::string_view method, std::string_view target, std::string_view body,
                                 std::string_view media_type, fields extra) const {
    std::string text(method);
    text.append(" ").append(target).append(" HTTP/1.1\r\n");
    bool host = false, cookies = !parts_->how.cookies,
         framed = body.empty() && method != "POST" && method != "PUT" && method != "PATCH";
    for (const field_view& f : extra) {
        text.append(f.name).append(": ").append(f.value).append("\r\n");
        cookies = cookies || base::equal_ignoring_case(f.name, "cookie");
        host = host || base::equal_ignoring_case(f.name, "host");
        framed = framed || base::equal_ignoring_case(f.name, "content-length") ||
                 base::equal_ignoring_case(f.name, "transfer-encoding");
    }
    if (!host) text += "host: localhost\r\n";
    if (!media_type.empty()) text.append("content-type: ").append(media_type).append("\r\n");
    const std::string kept = cookies ? std::string() : parts_->cookies.line();
    if (!kept.empty()) text += "cookie: " + kept + "\r\n";
    if (!framed) text += "content-length: " + std::to_string(body.size()) + "\r\n";
    text.append("\r\n").append(body);
    return text;
}

response client::form(std::string_view target, fields values, fields extra) {
    const std::string body = server::urlencoded(values);
    return send_typed("POST", target, body, "application/x-www-form-urlencoded", extra);
}

response client::upload(std::string_view target, std::initializer_list<part> pieces, fields extra) {
    const auto all = server::multipart_of(pieces);
    return send_typed("POST", target, all.body, "multipart/form-data; boundary=" + all.boundary, extra);
}

std::string_view client::cookie(std::string_view name) const noexcept { return parts_->cookies.value(name); }
void client::forget_cookies() noexcept { parts_->cookies.clear(); }

std::string response::text() const {
    constexpr std::size_t most = 2'000;
    const auto cut = [](const std::string& whole) {
        return whole.size() <= most
                   ? whole
                   : whole.substr(0, most) + "[and " + std::to_string(whole.size() - most) + " bytes more]";
    };
    if (status == 0) return cut(request) + "\n[no response: the connection was closed]\n";
    return cut(request) + "\n" + cut(head + body) + "\n";
}

const response& response::expect(int wanted) const& {
    if (status != wanted)
        throw std::runtime_error("the response has status " + std::to_string(status) + ", not " +
                                 std::to_string(wanted) + ":\n" + text());
    return *this;
}
response response::expect(int wanted) && {
    std::as_const(*this).expect(wanted);
    return std::move(*this);
}

void response::check_json() const {
    const std::string_view type = header("content-type");
    const std::string_view essence = type.substr(0, type.find(';'));
    if (essence == "application/json" || essence.ends_with("+json")) return;
    throw std::runtime_error("the response is not JSON, but " +
                             (type.empty() ? "without a media type" : std::string(type)) + ":\n" + text());
}

}  // namespace apus::test

void apus::detail::throw_not_json(std::string_view what, const error& why, std::string_view shown) {
    throw std::runtime_error("the " + std::string(what) + " is not the expected JSON: " + why.detail() + "\n" +
                             std::string(shown));
}
