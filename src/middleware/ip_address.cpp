// SPDX-License-Identifier: Apache-2.0
#include "middleware/ip_address.hpp"

#include <cstring>

#include <arpa/inet.h>

namespace apus::middleware {
namespace {

constexpr unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};  // RFC 4291, 2.5.5.2

}  // namespace

std::optional<ip_address> ip_address::parse(std::string_view text) noexcept {
    char copy[INET6_ADDRSTRLEN];
    if (text.size() >= sizeof copy || text.contains('\0')) return std::nullopt;
    text.copy(copy, text.size());
    copy[text.size()] = '\0';
    ip_address out{};
    if (inet_pton(AF_INET6, copy, out.bytes.data()) == 1) return out;
    std::memcpy(out.bytes.data(), mapped, sizeof mapped);
    if (inet_pton(AF_INET, copy, out.bytes.data() + sizeof mapped) == 1) return out;
    return std::nullopt;
}

std::string ip_address::text() const {
    char copy[INET6_ADDRSTRLEN];
    if (std::memcmp(bytes.data(), mapped, sizeof mapped) == 0)
        inet_ntop(AF_INET, bytes.data() + sizeof mapped, copy, sizeof copy);
    else inet_ntop(AF_INET6, bytes.data(), copy, sizeof copy);
    return copy;
}

}  // namespace apus::middleware
