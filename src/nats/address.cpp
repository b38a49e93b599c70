// SPDX-License-Identifier: Apache-2.0
#include "nats/address.hpp"

#include "codec/url/percent.hpp"

#include <stdexcept>
#include <utility>

namespace apus::nats {
namespace {

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(std::string("invalid NATS URL: ") + why); }

std::string decoded(std::string_view part) {
    std::string out(part);
    const auto got = codec::url::decode_percent(out, out.data());
    if (got.state != codec::outcome::done) refuse(got.why->reason);
    return std::string(got.value);
}

// Reads "user:password@" or "token@" at the beginning of the text, and removes it.
void read_account(address& to, std::string_view& from) {
    const auto at = from.rfind('@');
    if (at == from.npos) return;
    const std::string_view account = from.substr(0, at);
    from.remove_prefix(at + 1);
    const auto colon = account.find(':');
    if (colon == account.npos) {
        to.token = decoded(account);
        if (to.token.empty()) refuse("a token is expected before `@`: nats://token@host");
        return;
    }
    to.user = decoded(account.substr(0, colon));
    to.password = decoded(account.substr(colon + 1));
    if (to.user.empty() || to.password.empty()) refuse("a user needs a password: nats://user:password@host");
}

void read_hosts(address& to, std::string_view text) {
    constexpr std::uint16_t default_port = 4'222;
    while (true) {
        const auto comma = text.find(',');
        auto host = net::parse_host_port(text.substr(0, comma), default_port);
        if (!host) refuse(host.error());
        to.hosts.push_back(*std::move(host));
        if (to.hosts.size() > max_hosts) refuse("over 32 hosts");
        if (comma == text.npos) return;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

address read_url(std::string_view url) {
    address made;
    made.secure = url.starts_with("tls://");
    if (!made.secure && !url.starts_with("nats://")) refuse("it must begin with nats:// or tls://");
    url.remove_prefix(url.find("://") + 3);
    if (url.find_first_of("?#") != url.npos) refuse("`?` and `#` are not supported; percent-encode them in passwords");
    if (url.ends_with('/')) url.remove_suffix(1);
    if (url.contains('/')) refuse("a path is not supported; percent-encode `/` in passwords");
    read_account(made, url);
    read_hosts(made, url);
    return made;
}

}  // namespace apus::nats
