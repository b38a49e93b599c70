// SPDX-License-Identifier: Apache-2.0
#include <apus/websocket_client.hpp>

#include "base/ascii.hpp"
#include "codec/websocket/accept_key.hpp"
#include "crypto/random.hpp"
#include "outbound/dial.hpp"
#include "outbound/received.hpp"
#include "ws/client_connection.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

// Opening handshakes as a client (RFC 6455, 4.1).

namespace apus {

using codec::websocket::deflate_terms;
using outbound::pool;
using outbound::pool_hold;
using outbound::transport;

class ws::caller {
public:
    static pool& pool_of(const client& c) noexcept { return *c.pool_; }
    static task<websocket_client> connect(pool_hold p, websocket_request req);

private:
    static std::string opening(const websocket_request&, const outbound::url& to, std::string_view key);
    static result<std::optional<deflate_terms>> check(const websocket_request&, const outbound::received&,
                                                      std::string_view key);
};

namespace {

std::string base64_key() {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char random[22];
    crypto::fill_random(random);
    std::string key;
    for (const unsigned char byte : random) key += alphabet[byte & 63];
    key.back() = alphabet[random[21] & 48];  // the last base64 digit encodes only two bits of the 16 bytes
    return key + "==";
}

// Parses a ws or wss URL. Except for the scheme, the rules of http and https URLs apply (RFC 6455, 3).
result<outbound::url> parse(std::string_view text) {
    const std::string_view scheme = text.substr(0, std::min(text.find(':'), text.size()));
    const bool secure = base::equal_ignoring_case(scheme, "wss");
    if (!secure && !base::equal_ignoring_case(scheme, "ws"))
        return fail(500, "the URL of a WebSocket must begin with ws:// or wss://");
    return outbound::url::parse((secure ? "https" : "http") + std::string(text.substr(scheme.size())));
}

task<> read_head(pool& p, transport& io, outbound::received& into, std::uint64_t due) {
    const codec::http1::head_limits limits{p.options.status_line, p.options.fields, p.options.field_bytes};
    while (true) {
        const auto parsed = codec::http1::read_response_head(io.unread(), limits, into.head);
        if (parsed.state == codec::outcome::bad)
            co_await fail(502, std::string("invalid response from the upstream: ") + parsed.why->reason);
        if (parsed.state == codec::outcome::done) {
            into.bytes = io.unread().substr(0, parsed.used);
            io.use(parsed.used);
            co_return;
        }
        if (io.gather()) continue;
        if (io.ended()) co_await fail(502, "the upstream closed the connection during the handshake");
        if (co_await io.reading.until(due) == outbound::wake::late)
            co_await fail(504, "the upstream did not respond in time");
    }
}

}  // namespace

std::string ws::caller::opening(const websocket_request& req, const outbound::url& to, std::string_view key) {
    std::string text =
        "GET " + to.target + " HTTP/1.1\r\nHost: " + to.authority() +
        "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ";
    text.append(key).append("\r\n");
    if (!req.subprotocols_.empty()) text += "Sec-WebSocket-Protocol: " + req.subprotocols_ + "\r\n";
    if (req.how_.compress) {
        text += "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits";
        if (req.how_.window_bits == 0) text += "; client_no_context_takeover; server_no_context_takeover";
        text += "\r\n";
    }
    return text + req.fields_ + "\r\n";
}

result<std::optional<deflate_terms>> ws::caller::check(const websocket_request& req, const outbound::received& answer,
                                                       std::string_view key) {
    const auto no = [](const char* why) {
        return fail(502, std::string("the upstream refused the WebSocket: ") + why);
    };
    if (answer.head.status != 101)
        return fail(502, "the upstream refused the WebSocket: response status " + std::to_string(answer.head.status));
    if (!base::equal_ignoring_case(answer.field("upgrade"), "websocket") ||
        !base::equal_ignoring_case(answer.field("connection"), "upgrade"))
        return no("it switched to another protocol");
    const auto accept = codec::websocket::accept_key(key);
    if (answer.field("sec-websocket-accept") != std::string_view(accept.data(), accept.size()))
        return no("Sec-WebSocket-Accept is wrong");
    const std::string_view chosen = answer.field("sec-websocket-protocol");
    if (!chosen.empty() && !(", " + req.subprotocols_ + ",").contains(", " + std::string(chosen) + ","))
        return no("it selected a subprotocol that was not offered");
    std::string_view extensions = answer.field("sec-websocket-extensions");
    if (extensions.empty()) return std::optional<deflate_terms>();
    const auto terms = codec::websocket::next_deflate(extensions);
    constexpr unsigned smallest = 9;  // bits of the smallest window with which zlib can compress
    if (!req.how_.compress || !terms || !extensions.empty() || terms->client_bits < smallest)
        return no("it selected an extension that was not offered");
    return terms;
}

task<websocket_client> ws::caller::connect(pool_hold p, websocket_request req) {
    const auto to = co_await parse(req.url_);
    const std::uint64_t due = p->loop().due_in(p->options.whole);
    detail::asked asked;
    asked.exclusive = true;
    auto lease = co_await outbound::acquire_connection(*p, asked, to, true, false, due);
    const std::string key = base64_key();
    lease.io().send(opening(req, to, key));
    const auto answer = std::make_unique<outbound::received>();
    const std::uint64_t head_due = p->loop().due_in(p->options.head);
    co_await read_head(*p, lease.io(), *answer, std::min(due, head_due));
    const auto terms = co_await check(req, *answer, key);
    auto* made = new client_connection(std::move(p), std::move(lease), req.how_);
    made->set_subprotocol(answer->field("sec-websocket-protocol"));
    if (terms) made->ws_session().compress(*terms);
    co_return websocket_client(made);
}

websocket_request& websocket_request::subprotocol(std::string_view name) {
    if (name.empty() || !std::ranges::all_of(name, [](char c) { return base::is(c, base::token_byte); }))
        throw std::invalid_argument("websocket: \"" + std::string(name) + "\" is not a valid subprotocol name");
    (subprotocols_ += subprotocols_.empty() ? "" : ", ") += name;
    return *this;
}

websocket_request& websocket_request::header(std::string_view name, std::string_view value) {
    const auto own = [name](std::string_view other) { return base::equal_ignoring_case(name, other); };
    if (own("host") || own("connection") || own("upgrade") ||
        base::equal_ignoring_case(name.substr(0, 14), "sec-websocket-"))
        throw std::invalid_argument("websocket: the field " + std::string(name) + " is set by the handshake");
    response checked;  // a `response` checks which fields may be set
    checked.header(name, value);
    fields_ += checked.field_lines();
    return *this;
}

websocket_request& websocket_request::options(const websocket_options& how) {
    detail::check_options(how);
    how_ = how;
    return *this;
}

websocket_client::~websocket_client() { delete connection_; }
websocket& websocket_client::operator*() const noexcept { return connection_->handle(); }

task<websocket_client> connect_websocket(const client& by, websocket_request req) {
    return ws::caller::connect(pool_hold(ws::caller::pool_of(by)), std::move(req));
}

}  // namespace apus
