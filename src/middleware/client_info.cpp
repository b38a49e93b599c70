// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>
#include <apus/tls.hpp>

#include "base/ascii.hpp"
#include "codec/fields/forwarded.hpp"
#include "codec/fields/list.hpp"
#include "codec/http1/host.hpp"
#include "middleware/ip_address.hpp"

#include <algorithm>
#include <vector>

namespace apus {
namespace {

// Returns the address in canonical form; empty if the node has no address.
std::string address_of(std::string_view node) {
    const std::string_view text = codec::fields::address_in_node(node);
    if (text == "unix") return "unix";
    const auto address = middleware::ip_address::parse(text);
    return address ? address->text() : std::string();
}

// Returns the value that the nearest proxy has appended: the last element of the last field line.
std::string_view last_of(const request& req, std::string_view name) {
    std::string_view found;
    for (std::size_t i = 0; i < req.header_count(); ++i)
        if (base::same_word(req.header_at(i).name, name)) found = req.header_at(i).value;
    return codec::fields::trimmed(found.substr(found.rfind(',') + 1));
}

void take_scheme(client_info& to, std::string_view proto) {
    for (const std::string_view scheme : {"http", "https"})
        if (base::same_word(proto, scheme)) to.scheme = scheme;
}

void take_host(client_info& to, std::string_view host) {
    using codec::http1::host_shape;
    const auto shape = codec::http1::shape_of_host(host, {host.data(), host.data() + host.size()});
    if (shape == host_shape::without_port || shape == host_shape::with_port) to.host = host;
}

// Returns the elements of a Forwarded line, from left to right. The client's own elements come before those of the
// proxies, so a malformed element could hide the proxies' elements: such a request is rejected.
result<std::vector<codec::fields::forwarded_element>> elements_of(std::string_view line) {
    std::vector<codec::fields::forwarded_element> all;
    while (!line.empty()) {
        const auto one = codec::fields::read_forwarded(line);
        if (one.state != codec::outcome::done) return fail(one.why->status, one.why->reason);
        line.remove_prefix(one.used);
        all.push_back(one.value);
    }
    return all;
}

client_info peer_of(request& req) {
    return {.address = std::string(req.remote_address()),
            .scheme = tls_of(req) ? "https" : "http",
            .host = std::string(req.host())};
}

}  // namespace

const client_info& client_of(request& req) {
    if (const auto* known = req.find<client_info>()) return *known;
    return req.set(peer_of(req));
}

trusted_proxies::trusted_proxies(network_list proxies)
    : trusted_proxies(std::move(proxies), trusted_proxies_options()) {}

trusted_proxies::trusted_proxies(network_list proxies, trusted_proxies_options how)
    : proxies_(std::move(proxies)), field_(how.field), scheme_(how.scheme), host_(how.host) {}

result<void> trusted_proxies::operator()(request& req) const {
    client_info found = peer_of(req);
    if (proxies_.contains(found.address)) {
        if (field_ == proxy_field::x_forwarded_for) read_lists(req, found);
        else if (auto read = read_forwarded(req, found); !read) return read;
    }
    req.set(std::move(found));
    return {};
}

void trusted_proxies::read_lists(const request& req, client_info& found) const {
    if (scheme_) take_scheme(found, last_of(req, "x-forwarded-proto"));
    if (host_) take_host(found, last_of(req, "x-forwarded-host"));
    for (std::size_t i = req.header_count(); i-- > 0;) {
        if (!base::same_word(req.header_at(i).name, "x-forwarded-for")) continue;
        std::string_view rest = req.header_at(i).value;
        while (true) {
            const std::size_t comma = rest.rfind(',');
            std::string address = address_of(rest.substr(comma == rest.npos ? 0 : comma + 1));
            if (address.empty()) return;
            found.address = std::move(address);
            found.proxied = true;
            if (!proxies_.contains(found.address)) return;
            if (comma == rest.npos) break;
            rest = rest.substr(0, comma);
        }
    }
}

result<void> trusted_proxies::read_forwarded(const request& req, client_info& found) const {
    for (std::size_t i = req.header_count(); i-- > 0;) {
        if (!base::same_word(req.header_at(i).name, "forwarded")) continue;
        const auto elements = elements_of(req.header_at(i).value);
        if (!elements) return std::unexpected(elements.error());
        if (elements->empty()) return {};
        for (std::size_t at = elements->size(); at-- > 0;) {
            const auto& one = (*elements)[at];
            std::string address = address_of(one.from);
            if (address.empty()) return {};
            found.address = std::move(address);
            found.proxied = true;
            if (scheme_) take_scheme(found, one.proto);
            if (host_) take_host(found, one.host);
            if (!proxies_.contains(found.address)) return {};
        }
    }
    return {};
}

}  // namespace apus
