// SPDX-License-Identifier: Apache-2.0
#include "net/endpoint.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <netinet/in.h>

// The special-purpose registries of RFC 6890, as of 2024: addresses outside of the public internet.

namespace apus::net {
namespace {

struct range4 {
    std::uint32_t from;
    unsigned bits;
};

constexpr range4 special4[] = {
    {0x00000000, 8},   // this network
    {0x0a000000, 8},   // private
    {0x64400000, 10},  // carrier-grade NAT
    {0x7f000000, 8},   // loopback
    {0xa9fe0000, 16},  // link-local; also the credential services of clouds
    {0xac100000, 12},  // private
    {0xc0000000, 24},  // protocol assignments
    {0xc0000200, 24},  // documentation
    {0xc0586300, 24},  // 6to4 relays
    {0xc0a80000, 16},  // private
    {0xc6120000, 15},  // benchmarks
    {0xc6336400, 24},  // documentation
    {0xcb007100, 24},  // documentation
    {0xe0000000, 4},   // multicast
    {0xf0000000, 4},   // reserved, broadcast
};

bool is_public4(std::uint32_t address) noexcept {
    return std::ranges::none_of(special4, [&](range4 r) { return (address ^ r.from) >> (32 - r.bits) == 0; });
}

using bytes16 = std::array<std::uint8_t, 16>;

bool begins(const bytes16& address, std::initializer_list<std::uint8_t> with) noexcept {
    return std::equal(with.begin(), with.end(), address.begin());
}

std::uint32_t four_from(const bytes16& a, std::size_t at) noexcept {
    return std::uint32_t{a[at]} << 24 | std::uint32_t{a[at + 1]} << 16 | std::uint32_t{a[at + 2]} << 8 | a[at + 3];
}

bool is_public6(const bytes16& a) noexcept {
    if (begins(a, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff})) return is_public4(four_from(a, 12));     // mapped
    if (begins(a, {0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0})) return is_public4(four_from(a, 12));  // NAT64
    if (begins(a, {0x20, 0x02})) return is_public4(four_from(a, 2));                                    // 6to4
    const bool global = (a[0] & 0xe0) == 0x20;  // 2000::/3: all addresses assigned so far
    const bool teredo_and_assignments = begins(a, {0x20, 0x01}) && (a[2] & 0xfe) == 0;  // 2001::/23
    const bool documentation = begins(a, {0x20, 0x01, 0x0d, 0xb8}) || begins(a, {0x3f, 0xff});
    return global && !teredo_and_assignments && !documentation;
}

}  // namespace

bool endpoint::is_public() const noexcept {
    if (address_.ss_family == AF_INET)
        return is_public4(ntohl(reinterpret_cast<const sockaddr_in&>(address_).sin_addr.s_addr));
    if (address_.ss_family != AF_INET6) return false;
    bytes16 a;
    std::memcpy(a.data(), &reinterpret_cast<const sockaddr_in6&>(address_).sin6_addr, a.size());
    return is_public6(a);
}

}  // namespace apus::net
