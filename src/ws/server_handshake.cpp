// SPDX-License-Identifier: Apache-2.0
#include <apus/websocket.hpp>

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/websocket/accept_key.hpp"
#include "http/exchange.hpp"
#include "http/list_fields.hpp"
#include "http/origin.hpp"
#include "ws/session.hpp"

#include <apus/stream.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

// Opening handshakes as a server (RFC 6455, 4.2), and the lifetime of sessions.

namespace apus {

using codec::websocket::deflate_terms;

namespace {

constexpr std::uint8_t smallest_window = 9;  // bits of the smallest window with which zlib can compress

/// A session that is about to begin, with the options of its route.
class opening {
public:
    opening(detail::socket_start start, const websocket_options& how) noexcept : start_(start), how_(&how) {}
    opening(opening&& other) noexcept
        : subprotocol(other.subprotocol),
          deflate(other.deflate),
          start_(std::exchange(other.start_, {})),
          how_(other.how_) {}
    opening& operator=(opening&&) = delete;
    ~opening() {
        if (start_.self) start_.destroy(start_.self);
    }

    task<> operator()(request& in, writer&) const;

    std::string_view subprotocol;
    std::optional<deflate_terms> deflate;

private:
    detail::socket_start start_;
    const websocket_options* how_;
};

task<> opening::operator()(request& in, writer&) const {
    ws::session session(detail::exchange_of(in), *how_, ws::role::server);
    session.subprotocol = subprotocol;
    if (deflate) session.compress(*deflate);
    task<> handler = start_.run(start_.self, websocket(session));
    const auto ended = co_await std::move(handler).outcome();
    if (!ended) detail::exchange_of(in).report_failure(ended.error());
    if (ended) session.close(1000, {});
    else session.close(1011, ended.error().is_exposed() ? std::string_view(ended.error().detail()) : "internal error");
    // Reads up to the client's Close frame; otherwise the connection might be reset before the client receives the
    // server's Close frame.
    while (!session.over()) co_await websocket_receive(&session);
}

// Returns the value of a field that occurs exactly once; otherwise an empty value.
std::string_view only_value(const request& req, std::string_view name) noexcept {
    std::string_view found;
    for (std::size_t i = 0, seen = 0; i < req.header_count(); ++i) {
        const field_view field = req.header_at(i);
        if (!base::equal_ignoring_case(field.name, name)) continue;
        if (seen++) return {};
        found = field.value;
    }
    return found;
}

bool is_origin_allowed(request& req, const websocket_options& how) {
    if (req.header("origin").empty()) return true;
    const std::string_view origin = only_value(req, "origin");
    const auto is = [origin](std::string_view other) { return other == "*" || other == origin; };
    return std::ranges::any_of(how.origins, is) || http::is_own_origin(req, origin);
}

// Returns an element of `known`, or an empty text.
std::string_view chosen(const request& req, const std::vector<std::string>& known) {
    const std::string offered = http::whole_field(req, "sec-websocket-protocol");
    for (std::string_view rest = offered; !rest.empty();) {
        const std::string_view name = codec::fields::next_of_list(rest);
        if (const auto same = std::ranges::find(known, name); same != known.end()) return *same;
    }
    return {};
}

// Accepts the first supported offer, with windows no larger than the route's.
std::optional<deflate_terms> agreed(const request& req, const websocket_options& how) {
    if (!how.compress) return {};
    const std::string offers = http::whole_field(req, "sec-websocket-extensions");
    for (std::string_view rest = offers; !rest.empty();) {
        auto terms = codec::websocket::next_deflate(rest);
        if (!terms || terms->server_bits < smallest_window) continue;
        const auto most = static_cast<std::uint8_t>(how.window_bits ? how.window_bits : 12);
        terms->server_bits = std::min(terms->server_bits, most);
        if (terms->names_client_bits)
            terms->client_bits = std::min(terms->client_bits, std::max(most, smallest_window));
        if (how.window_bits == 0) terms->server_keeps = terms->client_keeps = false;
        return terms;
    }
    return {};
}

std::string to_header(const deflate_terms& terms) {
    std::string text = "permessage-deflate";
    if (!terms.server_keeps) text += "; server_no_context_takeover";
    if (!terms.client_keeps) text += "; client_no_context_takeover";
    if (terms.server_bits < 15) text += "; server_max_window_bits=" + std::to_string(terms.server_bits);
    if (terms.names_client_bits && terms.client_bits < 15)
        text += "; client_max_window_bits=" + std::to_string(terms.client_bits);
    return text;
}

// Returns an error if the request cannot open a WebSocket. The protocols of HTTP/1.1 and HTTP/2 check the fields of the
// upgrade.
result<void> check_opening(request& req, const websocket_options& how) {
    if (req.method() != method::get) return fail(405, "a WebSocket handshake must use GET");
    const bool asked = base::equal_ignoring_case(req.header("upgrade"), "websocket");
    // An extended CONNECT has no Upgrade field. It has a WebSocket version, but no key (RFC 8441, 5).
    const bool tunnel = detail::exchange_of(req).head.wants_upgrade && req.header("upgrade").empty();
    if ((asked || tunnel) && only_value(req, "sec-websocket-version") != "13")
        return fail(426, "unsupported WebSocket version: send Sec-WebSocket-Version: 13");
    if (asked && !codec::websocket::is_key(only_value(req, "sec-websocket-key")))
        return fail(400, "Sec-WebSocket-Key must appear once, as the base64 of 16 bytes");
    if (!is_origin_allowed(req, how)) return fail(403, "WebSocket connections from this origin are not allowed");
    return {};
}

}  // namespace

void detail::open_socket(request& req, response& out, const websocket_options& how, socket_start start) {
    opening begin(start, how);
    if (const auto good = check_opening(req, how); !good) {
        refuse(good.error(), out);
        if (good.error().status() == 426) out.header("sec-websocket-version", "13").header("upgrade", "websocket");
        if (good.error().status() == 405) out.header("allow", "GET");
        return;
    }
    const auto accept = codec::websocket::accept_key(req.header("sec-websocket-key"));
    begin.subprotocol = chosen(req, how.subprotocols);
    begin.deflate = agreed(req, how);
    const std::string_view subprotocol = begin.subprotocol;
    const std::string extension = begin.deflate ? to_header(*begin.deflate) : std::string();
    out = upgrade("websocket", std::move(begin));
    out.header("sec-websocket-accept", {accept.data(), accept.size()});
    if (!extension.empty()) out.header("sec-websocket-extensions", extension);
    if (!subprotocol.empty()) out.header("sec-websocket-protocol", subprotocol);
}

void detail::put_no_socket(response& out) {
    refuse(error(500, "a handler with a websocket parameter must be added by app.websocket"), out);
}

void detail::check_options(const websocket_options& how) {
    for (const auto& name : how.subprotocols)
        if (!is_token(name)) throw std::invalid_argument("websocket: \"" + name + "\" is not a valid subprotocol name");
    for (const auto& origin : how.origins)
        if (origin != "*" && !http::is_origin(origin))
            throw std::invalid_argument("websocket: \"" + origin + "\" is not an origin such as https://app.example");
    if (how.window_bits != 0 && (how.window_bits < smallest_window || how.window_bits > 15))
        throw std::invalid_argument("websocket: window bits must be from 9 to 15");
    if (how.message == 0 || how.fragments == 0)
        throw std::invalid_argument("websocket: the limits on messages and frames must not be 0");
    if (how.pong <= duration() || how.close <= duration())
        throw std::invalid_argument("websocket: the pong and close timeouts must be positive");
    if (how.rate_window <= duration()) throw std::invalid_argument("websocket: rate_window must be positive");
}

}  // namespace apus
