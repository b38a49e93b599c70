// SPDX-License-Identifier: Apache-2.0
#include "net/resolver.hpp"

#include <apus/blocking.hpp>

#include <cstddef>
#include <utility>

#include <netdb.h>
#include <sys/socket.h>

namespace apus::net {
namespace {

constexpr std::size_t most = 8;

result<std::vector<endpoint>> look_up(const std::string& host, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(host.c_str(), nullptr, &hints, &found);
    if (error != 0) return fail(502, std::string("cannot resolve the upstream's name: ") + gai_strerror(error));
    std::vector<endpoint> all;
    for (const addrinfo* a = found; a && all.size() < most; a = a->ai_next)
        all.push_back(endpoint::from(a->ai_addr, a->ai_addrlen, port));
    freeaddrinfo(found);
    return all;
}

}  // namespace

task<std::vector<endpoint>> resolve(std::string host, std::uint16_t port) {
    if (auto literal = endpoint::parse(host, port)) co_return std::vector<endpoint>(1, *literal);
    auto job = [host = std::move(host), port] { return look_up(host, port); };
    auto found = co_await blocking(owning(std::move(job)));
    if (found.empty()) co_await fail(502, "the upstream's name has no address");
    co_return found;
}

}  // namespace apus::net
