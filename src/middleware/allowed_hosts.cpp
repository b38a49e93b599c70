// SPDX-License-Identifier: Apache-2.0
#include <apus/allowed_hosts.hpp>

#include "base/ascii.hpp"
#include "codec/http1/host.hpp"
#include "http/origin.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus {
namespace {

using codec::http1::without_port;

bool is_port(std::string_view port) noexcept {
    return !port.empty() && port.size() <= 5 && std::ranges::all_of(port, base::is_digit);
}

bool is_name(std::string_view name) noexcept {
    const bool literal = name.starts_with('[') && name.ends_with(']');
    if (literal) name = name.substr(1, name.size() - 2);
    const auto of_literal = [](char c) { return base::hex_value(c) >= 0 || c == ':' || c == '.'; };
    const auto of_name = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || std::string_view("-._").contains(c);
    };
    if (literal) return name.contains(':') && std::ranges::all_of(name, of_literal);
    return !name.empty() && std::ranges::all_of(name, of_name);
}

bool is_valid(std::string_view host) noexcept {
    const std::string_view name = without_port(host);
    if (name.size() < host.size() && !is_port(host.substr(name.size() + 1))) return false;
    return is_name(name.starts_with("*.") ? name.substr(2) : name);
}

bool matches(std::string_view allowed, std::string_view host) noexcept {
    if (without_port(allowed) == allowed) host = without_port(host);
    if (!allowed.starts_with("*.")) return base::equal_ignoring_case(allowed, host);
    const std::string_view below = allowed.substr(1);
    return host.size() > below.size() && base::equal_ignoring_case(host.substr(host.size() - below.size()), below);
}

}  // namespace

allowed_hosts::allowed_hosts(std::vector<std::string> hosts) : hosts_(std::move(hosts)) {
    if (hosts_.empty()) throw std::invalid_argument("allowed_hosts: the list of hosts is empty");
    for (const std::string& host : hosts_)
        if (!is_valid(host))
            throw std::invalid_argument("allowed_hosts: invalid host \"" + host +
                                        "\": write it as shop.example, *.shop.example or shop.example:8443");
}

result<void> allowed_hosts::operator()(request& req) const {
    const std::string_view host = http::requested_host(req);
    if (host.empty()) return fail(400, "the request has no host");
    if (std::ranges::any_of(hosts_, [host](std::string_view allowed) { return matches(allowed, host); })) return {};
    return fail(421, "unknown host: this server does not serve this host");
}

}  // namespace apus
