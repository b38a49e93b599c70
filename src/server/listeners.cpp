// SPDX-License-Identifier: Apache-2.0
#include "server/listeners.hpp"

#include "server/endpoints.hpp"

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace apus::server {
namespace {

using net::endpoint;
using net::listener;
using scheme = endpoint::scheme;

// An address with its inherited sockets, if any.
struct address {
    endpoint at;
    std::vector<inherited_socket> sockets = {};
};

std::string label(const inherited_socket& s) {
    return "inherited socket " + std::to_string(s.fd) + " (`" + s.name + "`, " + s.where.url() + ")";
}

// Sets the scheme of a socket of the service manager according to its name, `http` or `https`.
std::expected<void, std::string> set_scheme(endpoint& at, const inherited_socket& s, bool has_tls) {
    if (s.name == "https" && !has_tls)
        return std::unexpected(label(s) + ": https needs certificates: set `serve_options::tls` (apus/tls.hpp)");
    if (s.name != "https" && s.name != "http" && has_tls && !at.is_unix())
        return std::unexpected(label(s) +
                               ": set FileDescriptorName= to http or https, since this server supports both");
    at.set_scheme(s.name == "https" ? scheme::https : scheme::http);
    return {};
}

// Returns the configured address that this socket is bound to, or null. An address with port 0 matches sockets of any
// port until it has a socket, and then only sockets of the same port.
address* find(std::vector<address>& all, const inherited_socket& s) {
    const auto found = std::ranges::find_if(all, [&](const address& a) {
        const bool taken = !a.sockets.empty();
        return taken ? a.sockets[0].where.same_address(s.where) : a.at.same_address(s.where);
    });
    if (found != all.end()) return &*found;
    const auto open =
        std::ranges::find_if(all, [&](const address& a) { return a.sockets.empty() && a.at.may_become(s.where); });
    return open == all.end() ? nullptr : &*open;
}

std::expected<std::vector<address>, std::string> addresses(const serve_options& o, std::vector<inherited_socket> got,
                                                           bool& stale_store) {
    const bool activated = std::ranges::any_of(got, [](auto& s) { return !s.own(); });
    const auto configured = endpoints(o, activated);
    if (!configured) return std::unexpected(configured.error());
    std::vector<address> all;
    for (const endpoint& at : *configured) all.push_back({at});
    for (auto& s : got) {
        address* to = find(all, s);
        if (!to && s.own()) {
            stale_store = stale_store || s.name == stored_socket;
            close(s.fd);
            continue;
        }
        if (!to) {
            to = &all.emplace_back(address{s.where});
            if (auto set = set_scheme(to->at, s, static_cast<bool>(o.tls)); !set) return std::unexpected(set.error());
        }
        to->sockets.push_back(std::move(s));
    }
    return all;
}

// Opens a socket for each core.
std::expected<std::vector<listener>, std::string> open_group(const endpoint& at, unsigned cores) {
    std::vector<listener> all;
    auto first = listener::open(at);
    if (!first) return std::unexpected(first.error());
    all.push_back(std::move(*first));
    while (all.size() < cores) {
        auto more = all[0].again();
        if (!more) return std::unexpected(more.error());
        all.push_back(std::move(*more));
    }
    return all;
}

// Takes the inherited sockets. If there are fewer sockets than cores, several cores share a socket.
std::expected<std::vector<listener>, std::string> take_sockets(const address& from, unsigned cores) {
    std::vector<listener> all;
    all.reserve(std::max<std::size_t>(from.sockets.size(), cores));
    for (const auto& s : from.sockets)
        all.push_back(listener::inherit(
            s.fd, from.at, s.name == own_socket ? listener::sharing::until_owned : listener::sharing::always));
    for (std::size_t i = 0; all.size() < cores; ++i) {
        auto more = all[i].again();
        if (!more) return std::unexpected(more.error());
        all.push_back(std::move(*more));
    }
    return all;
}

}  // namespace

std::expected<listeners, std::string> open_listeners(const serve_options& o, unsigned cores,
                                                     std::vector<inherited_socket> got) {
    listeners made;
    made.of_core.resize(cores);
    const auto all = addresses(o, std::move(got), made.stale_store);
    if (!all) return std::unexpected(all.error());
    for (const address& a : *all) {
        auto opened = a.sockets.empty() ? open_group(a.at, cores) : take_sockets(a, cores);
        if (!opened) return std::unexpected(opened.error());
        if (o.defer_accept) std::ranges::for_each(*opened, &listener::defer_accept);
        made.urls.push_back(opened->front().where().url());
        const std::size_t distinct = a.sockets.empty() ? (a.at.is_unix() ? 1 : cores) : a.sockets.size();
        for (std::size_t i = 0; i < opened->size(); ++i) {
            if (i < distinct)
                made.sockets.push_back(
                    {(*opened)[i].fd(), a.sockets.empty() ? std::string(own_socket) : a.sockets[i].name});
            made.of_core[i % cores].push_back(std::move((*opened)[i]));
        }
    }
    return made;
}

}  // namespace apus::server
