// SPDX-License-Identifier: Apache-2.0
#include "outbound/url.hpp"

#include "base/ascii.hpp"
#include "codec/http1/host.hpp"

#include <charconv>

namespace apus::outbound {
namespace {

std::unexpected<error> wrong(const char* why) { return fail(500, std::string("the upstream URL ") + why); }

bool is_target(std::string_view text) noexcept {
    bool in_query = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '%') {
            if (text.size() - at < 3 || base::hex_value(text[at + 1]) < 0 || base::hex_value(text[at + 2]) < 0)
                return false;
        } else if (c == '?') {
            in_query = true;
        } else if (!base::is(c, in_query ? base::query_byte : base::path_byte)) {
            return false;
        }
    }
    return true;
}

std::string_view without_fragment(std::string_view text) noexcept { return text.substr(0, text.find('#')); }

std::string lower(std::string_view text) {
    std::string all(text);
    for (char& c : all)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return all;
}

/// Splits a valid authority into its host and port.
void split_authority(std::string_view authority, bool has_port, url& out) {
    if (has_port) {
        const auto colon = authority.rfind(':');
        std::from_chars(authority.data() + colon + 1, authority.data() + authority.size(), out.port);
        authority = authority.substr(0, colon);
    } else if (authority.ends_with(':')) {
        authority.remove_suffix(1);
    }
    if (authority.starts_with('[')) authority = authority.substr(1, authority.size() - 2);
    out.host = lower(authority);
}

/// Removes dot segments (RFC 3986, 5.2.4).
std::string without_dots(std::string_view path) {
    std::string out;
    while (!path.empty()) {
        const auto end = path.find('/', 1);
        const std::string_view segment = path.substr(0, end);
        const bool last = end == path.npos;
        path.remove_prefix(last ? path.size() : end);
        if (segment == "/.") {
            if (last) out += '/';
        } else if (segment == "/..") {
            out.erase(out.rfind('/') == out.npos ? 0 : out.rfind('/'));
            if (last) out += '/';
        } else {
            out += segment;
        }
    }
    return out;
}

bool has_scheme(std::string_view text) noexcept {
    const auto colon = text.find_first_of(":/?");
    return colon != text.npos && text[colon] == ':' && colon > 0;
}

std::string resolved(const url& from, std::string_view reference) {
    if (has_scheme(reference)) return std::string(reference);
    if (reference.starts_with("//")) return (from.secure ? "https:" : "http:") + std::string(reference);
    const std::string_view base = from.target;
    const std::string_view path = base.substr(0, base.find('?'));
    const std::string origin = (from.secure ? "https://" : "http://") + from.authority();
    if (reference.empty()) return origin + std::string(base);
    if (reference[0] == '?') return origin + std::string(path) + std::string(reference);
    const auto question = reference.find('?');
    std::string merged(reference.substr(0, question));
    if (reference[0] != '/') merged.insert(0, path.substr(0, path.rfind('/') + 1));
    return origin + without_dots(merged) +
           std::string(question == reference.npos ? std::string_view() : reference.substr(question));
}

}  // namespace

std::string url::authority() const {
    std::string text = host.contains(':') ? "[" + host + "]" : host;
    return port == (secure ? 443 : 80) ? text : text + ":" + std::to_string(port);
}

std::string url::origin() const { return (secure ? "https://" : "http://") + host + ":" + std::to_string(port); }

std::string url::text() const { return (secure ? "https://" : "http://") + authority() + target; }

result<url> url::parse(std::string_view text) {
    const auto end = text.find("://");
    if (end == text.npos) return wrong("does not begin with http:// or https://");
    url out;
    const std::string_view scheme = text.substr(0, end);
    if (base::same_word(scheme, "https")) out.secure = true, out.port = 443;
    else if (!base::same_word(scheme, "http")) return wrong("does not begin with http:// or https://");
    text = without_fragment(text.substr(end + 3));
    const auto path = text.find_first_of("/?");
    const std::string_view authority = text.substr(0, path);
    if (authority.contains('@')) return wrong("contains user information: send Authorization instead");
    const auto shape = codec::http1::shape_of_host(authority, {authority.data(), authority.data() + authority.size()});
    if (shape == codec::http1::host_shape::malformed || shape == codec::http1::host_shape::empty)
        return wrong("has an invalid or missing host, or an invalid port");
    split_authority(authority, shape == codec::http1::host_shape::with_port, out);
    if (out.host.contains('%')) return wrong("has a percent-encoded host");
    if (out.port == 0) return wrong("has the port 0");
    if (path != text.npos) out.target = text.substr(path);
    if (!out.target.starts_with('/')) out.target.insert(0, 1, '/');
    if (!is_target(out.target)) return wrong("contains a byte that must be percent-encoded");
    return out;
}

result<url> url::resolve(std::string_view reference) const {
    auto to = parse(resolved(*this, without_fragment(reference)));
    if (!to) return fail(502, "the upstream redirects to an invalid URL: " + to.error().detail());
    if (secure && !to->secure) return fail(502, "redirect from https to http refused");
    return to;
}

}  // namespace apus::outbound
