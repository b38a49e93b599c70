// SPDX-License-Identifier: Apache-2.0
#include "nats/handshake.hpp"

#include "codec/nats/command.hpp"
#include "codec/nats/operation.hpp"
#include "nats/failure.hpp"
#include "outbound/failure.hpp"

#include <optional>
#include <string>
#include <utility>

namespace apus::nats {
namespace {

using codec::nats::kind;

/// An operation without messages. Owns its text.
struct received {
    kind what;
    std::string text;
};

task<received> read_one(outbound::transport& from, std::uint64_t due) {
    while (true) {
        from.gather();
        const auto got = codec::nats::read_operation(from.unread(), 0);
        if (got.state == codec::outcome::bad) co_await failure(unreachable(got.why->reason));
        if (got.state == codec::outcome::done) {
            received made{.what = got.value.what, .text = std::string(got.value.text)};
            from.use(got.used);
            if (made.what == kind::error)
                co_await failure(
                    unreachable("the server has refused the connection: " + outbound::printable(made.text)));
            co_return std::move(made);
        }
        if (from.ended()) co_await failure(unreachable("NATS has closed the connection"));
        if (co_await from.reading.until(due) == outbound::wake::late)
            co_await failure(unreachable("timeout: NATS does not respond"));
    }
}

server_info checked(std::optional<server_info> info) { return info.value_or(server_info{.max_payload = 0}); }

// Returns why the connection cannot be used as the URL requires; null if it can.
const char* fault_of(const shared_state& s, const server_info& info) noexcept {
    if (info.max_payload == 0) return "malformed INFO from the NATS server";
    if (s.to.secure && !info.tls_required && !info.tls_available) return "the server does not support TLS";
    if (!s.to.secure && info.tls_required) return "the server requires TLS: use a URL tls://";
    if (info.needs_key) return "the server requires NKeys, which are not supported";
    return nullptr;
}

// Waits until the server has accepted CONNECT: it responds to the PING after it.
task<> authenticate(const shared_state& s, connected& on, std::uint64_t due) {
    std::string wire;
    codec::nats::append_connect(wire, connect_options(s, on.info));
    on.io->send(wire.append(codec::nats::ping));
    while (true) {
        const received got = co_await read_one(*on.io, due);
        if (got.what == kind::pong) co_return;
        if (got.what == kind::ping) on.io->send(codec::nats::pong);
        else if (got.what == kind::info) on.info = checked(read_info(got.text));
        else if (got.what != kind::ok) co_await failure(unreachable("NATS has sent an unexpected message"));
        if (on.info.max_payload == 0) co_await failure(unreachable("malformed INFO from the NATS server"));
    }
}

}  // namespace

task<connected> connect(const shared_state& s, runtime::loop& loop, const net::host_port& to, std::uint64_t due) {
    std::string why;
    connected made{.io = co_await outbound::connect_to_host(loop, to, nullptr, due, why), .info = {}};
    if (!made.io) co_await failure(unreachable(why));
    const received first = co_await read_one(*made.io, due);
    if (first.what != kind::info) co_await failure(unreachable("the NATS server has not begun with INFO"));
    made.info = checked(read_info(first.text));
    if (const char* fault = fault_of(s, made.info)) co_await failure(unreachable(fault));
    if (s.to.secure) {
        why = co_await outbound::begin_tls(*made.io, *s.tls.operator->(), to.host, due);
        if (!why.empty()) co_await failure(unreachable(why));
    }
    co_await authenticate(s, made, due);
    co_return std::move(made);
}

}  // namespace apus::nats
