// SPDX-License-Identifier: Apache-2.0
#include "redis/handshake.hpp"

#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"
#include "redis/failure.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace apus::redis {
namespace {

using codec::outcome;
using codec::resp::element;
using codec::resp::kind;
using codec::resp::take_element;

}  // namespace

task<transport_ptr> dial(runtime::loop& loop, const host_port& to, const client_tls& tls, std::uint64_t due) {
    std::string why;
    auto made = co_await outbound::connect_to_host(loop, to, tls.operator->(), due, why);
    if (!made) co_await failure(unreachable(why));
    co_return std::move(made);
}

task<transport_ptr> dial_path(runtime::loop& loop, const std::string& path, std::uint64_t due) {
    const auto at = net::endpoint::parse("unix:" + path);
    if (!at) co_await failure(unreachable(at.error()));
    const std::vector<net::endpoint> all(1, *at);
    outbound::connect_errors why;
    auto made = co_await outbound::connect_in_turn(loop, {.addresses = all}, due, why);
    if (!made) co_await failure(unreachable(outbound::reason_of(why)));
    co_return std::move(made);
}

task<std::string> read_reply(outbound::transport& from, std::string_view command, std::uint64_t due) {
    codec::resp::reply_scanner scanner({.bytes = 64 * 1024, .elements = 1'024});
    while (true) {
        from.gather();
        const auto got = scanner.scan(from.unread());
        if (got.state == outcome::bad) co_await failure(unreachable(got.why->reason));
        if (got.state == outcome::done) {
            std::string reply(from.unread().substr(0, got.used));
            from.use(got.used);
            if (got.value != kind::push) co_return std::move(reply);
            continue;
        }
        if (from.ended()) co_await failure(unreachable("Redis has closed the connection"));
        if (co_await from.reading.until(due) == outbound::wake::late)
            co_await failure(unreachable("timeout: Redis does not respond to " + std::string(command)));
    }
}

task<server_facts> greet(outbound::transport& to, account as, std::uint64_t due) {
    std::string text;
    const std::string_view user = as.user.empty() ? std::string_view("default") : as.user;
    if (as.password.empty()) codec::resp::append_command(text, {"HELLO", "3", "SETNAME", "apus"});
    else codec::resp::append_command(text, {"HELLO", "3", "AUTH", user, as.password, "SETNAME", "apus"});
    if (as.database != 0) codec::resp::append_command(text, {"SELECT", std::to_string(as.database)});
    to.send(text);
    server_facts facts;
    for (unsigned left = as.database != 0 ? 2 : 1, first = left; left != 0; --left) {
        const std::string reply = co_await read_reply(to, "HELLO", due);
        std::string_view rest = reply;
        const element head = take_element(rest);
        if (head.what == kind::error) {
            // Hides the text of the error: user name and password are arguments of HELLO.
            const std::string cause(refused(head.text, "HELLO or SELECT", true).cause());
            co_await failure(unreachable(cause));
        }
        if (left == first) facts = read_facts(reply);
    }
    co_return std::move(facts);
}

server_facts read_facts(std::string_view reply) {
    server_facts made;
    const element head = take_element(reply);
    if (head.what != kind::map && head.what != kind::list) return made;
    for (std::size_t i = 0; i + 1 < head.count; i += 2) {
        const element name = take_element(reply);
        codec::resp::skip_elements(reply, name.count);
        std::string_view rest = reply;
        const element value = take_element(rest);
        codec::resp::skip_element(reply);
        if (name.what != kind::text || value.what != kind::text) continue;
        if (name.text == "mode") made.mode = value.text;
        if (name.text == "role") made.role = value.text;
    }
    return made;
}

std::optional<host_port> read_host_port(std::string_view host, std::int64_t port) {
    constexpr std::size_t longest = 255;
    const auto bad = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 127; };
    if (host.empty() || host.size() > longest || std::ranges::any_of(host, bad)) return std::nullopt;
    if (port < 1 || port > 65'535) return std::nullopt;
    return host_port{.host = std::string(host), .port = static_cast<std::uint16_t>(port)};
}

std::optional<host_port> read_host_port(std::string_view host, std::string_view port) {
    std::int64_t value = 0;
    const auto [end, why] = std::from_chars(port.data(), port.data() + port.size(), value);
    if (why != std::errc() || end != port.data() + port.size()) return std::nullopt;
    return read_host_port(host, value);
}

}  // namespace apus::redis
