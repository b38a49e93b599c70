// SPDX-License-Identifier: Apache-2.0
#include "redis/address.hpp"

#include "codec/url/percent.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

#include <sys/un.h>

namespace apus::redis {
namespace {

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(std::string("invalid Redis URL: ") + why); }

std::string decoded(std::string_view part) {
    std::string out(part);
    const auto got = codec::url::decode_percent(out, out.data());
    if (got.state != codec::outcome::done) refuse(got.why->reason);
    return std::string(got.value);
}

template <class T>
T number(std::string_view text, unsigned long most, const char* why) {
    unsigned long value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value > most) refuse(why);
    return static_cast<T>(value);
}

constexpr unsigned long max_database = 1'000'000;

void read_database(address& to, std::string_view text) {
    if (!text.empty())
        to.database = number<unsigned>(text, max_database, "the database must be a number from 0 to 1000000");
}

// Reads "user:password@" at the beginning of the text, and removes it.
void read_account(address& to, std::string_view& from) {
    const auto at = from.rfind('@');
    if (at == from.npos) return;
    const std::string_view account = from.substr(0, at);
    from.remove_prefix(at + 1);
    const auto colon = account.find(':');
    to.user = decoded(account.substr(0, colon));
    if (colon != account.npos) to.password = decoded(account.substr(colon + 1));
    if (to.password.empty()) refuse("a user needs a password: redis://user:password@host");
}

host_port host_of(std::string_view text, std::uint16_t default_port) {
    auto made = net::parse_host_port(text, default_port);
    if (!made) refuse(made.error());
    return *std::move(made);
}

void read_hosts(address& to, std::string_view text) {
    const std::uint16_t default_port = to.kind == topology::sentinel ? 26'379 : 6'379;
    while (true) {
        const auto comma = text.find(',');
        to.hosts.push_back(host_of(text.substr(0, comma), default_port));
        if (to.hosts.size() > max_hosts) refuse("over 32 hosts");
        if (comma == text.npos) break;
        text.remove_prefix(comma + 1);
    }
    to.host = to.hosts.front().host;
    to.port = to.hosts.front().port;
    if (to.kind != topology::single) return;
    if (to.hosts.size() > 1) refuse("several hosts need redis+sentinel:// or redis+cluster://");
    to.hosts.clear();
}

// Reads the part after the hosts: a database, or the service and a database.
void read_path(address& to, std::string_view path) {
    if (to.kind == topology::cluster && !path.empty()) refuse("a cluster has no databases");
    if (to.kind != topology::sentinel) return read_database(to, path);
    const auto slash = path.find('/');
    to.service = decoded(path.substr(0, slash));
    if (to.service.empty()) refuse("the name of the service is missing: redis+sentinel://host:26379/service");
    if (slash != path.npos) read_database(to, path.substr(slash + 1));
}

// Removes the scheme, such as "rediss+sentinel://", from the front of the URL.
void read_scheme(address& to, std::string_view& url) {
    const auto skip = [&url](std::string_view text) {
        if (!url.starts_with(text)) return false;
        url.remove_prefix(text.size());
        return true;
    };
    to.secure = skip("rediss");
    const bool known = to.secure || skip("redis");
    if (skip("+sentinel")) to.kind = topology::sentinel;
    else if (skip("+cluster")) to.kind = topology::cluster;
    if (!known || !skip("://"))
        refuse(
            "it must begin with redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster://, "
            "rediss+cluster:// or unix:");
}

void read_unix(address& to, std::string_view rest) {
    std::string_view query;
    if (const auto at = rest.find('?'); at != rest.npos) query = rest.substr(at + 1), rest = rest.substr(0, at);
    if (rest.starts_with("//")) {
        rest.remove_prefix(2);
        const auto slash = rest.find('/');
        std::string_view account = rest.substr(0, slash);
        read_account(to, account);
        if (!account.empty()) refuse("a path is expected after unix: or unix://user:password@");
        rest = slash == rest.npos ? std::string_view() : rest.substr(slash);
    }
    to.path = decoded(rest);
    if (!to.path.starts_with('/')) refuse("an absolute path is expected: unix:/run/redis.sock");
    if (to.path.size() >= sizeof(sockaddr_un::sun_path)) refuse("the path of the socket is longer than 107 bytes");
    if (query.starts_with("db=")) read_database(to, query.substr(3));
    else if (!query.empty()) refuse("only db=NUMBER is supported after `?`");
}

}  // namespace

address read_url(std::string_view url) {
    address made;
    if (url.starts_with("unix:")) {
        read_unix(made, url.substr(5));
        return made;
    }
    read_scheme(made, url);
    if (url.find_first_of("?#") != url.npos) refuse("`?` and `#` are not supported; percent-encode them in passwords");
    std::string_view path;
    // A slash in a password must be percent-encoded.
    if (const auto slash = url.find('/'); slash != url.npos) path = url.substr(slash + 1), url = url.substr(0, slash);
    read_account(made, url);
    read_hosts(made, url);
    read_path(made, path);
    return made;
}

}  // namespace apus::redis
