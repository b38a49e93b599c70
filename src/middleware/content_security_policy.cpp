// SPDX-License-Identifier: Apache-2.0
#include <apus/security_headers.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus {
namespace {

constexpr std::string_view directives[] = {"base-uri",        "child-src",     "connect-src",
                                           "default-src",     "font-src",      "form-action",
                                           "frame-ancestors", "frame-src",     "img-src",
                                           "manifest-src",    "media-src",     "object-src",
                                           "report-to",       "report-uri",    "require-trusted-types-for",
                                           "sandbox",         "script-src",    "script-src-attr",
                                           "script-src-elem", "style-src",     "style-src-attr",
                                           "style-src-elem",  "trusted-types", "upgrade-insecure-requests",
                                           "worker-src"};

// Browsers treat these keywords as host names if the quotes are missing, so unquoted keywords are refused.
constexpr std::string_view keywords[] = {"self",           "none",          "nonce",
                                         "unsafe-inline",  "unsafe-eval",   "unsafe-hashes",
                                         "strict-dynamic", "report-sample", "wasm-unsafe-eval"};

std::string_view next_word(std::string_view& text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

[[noreturn]] void refuse_sources(std::string_view directive, const std::string& why) {
    throw std::invalid_argument("content security policy, " + std::string(directive) + ": " + why);
}

void check_sources(std::string_view directive, std::string_view sources) {
    if (std::ranges::any_of(sources, [](char c) { return c < ' ' || c > '~' || c == ';' || c == ','; }))
        refuse_sources(directive, "a source must be visible ASCII without semicolon and comma");
    const bool takes_sources = directive.ends_with("-src") || directive.contains("-src-") || directive == "base-uri" ||
                               directive == "form-action" || directive == "frame-ancestors";
    std::size_t words = 0;
    bool none = false;
    while (true) {
        const std::string_view word = next_word(sources);
        if (word.empty()) break;
        ++words;
        none = none || word == "'none'";
        if (takes_sources && std::ranges::find(keywords, word) != std::end(keywords))
            refuse_sources(directive, std::string(word) + " without quotes is a host name: write the keyword as '" +
                                          std::string(word) + "'");
    }
    if (none && words > 1) refuse_sources(directive, "'none' must be the only source");
}

}  // namespace

content_security_policy content_security_policy::self() {
    content_security_policy p;
    p.set("default-src", "'self'")
        .set("script-src", "'self' 'nonce'")
        .set("style-src", "'self' 'nonce'")
        .set("object-src", "'none'");
    p.set("base-uri", "'none'").set("form-action", "'self'").set("frame-ancestors", "'none'");
    return p;
}

content_security_policy& content_security_policy::set(std::string_view name, std::string_view sources) & {
    if (std::ranges::find(directives, name) == std::end(directives))
        throw std::invalid_argument("content security policy: unknown directive \"" + std::string(name) + '"');
    check_sources(name, sources);
    for (auto& d : directives_)
        if (d.name == name) return d.sources = sources, *this;
    directives_.push_back({std::string(name), std::string(sources)});
    return *this;
}

std::string content_security_policy::text(std::string_view nonce) const {
    std::string out;
    for (const auto& d : directives_) {
        out.append(out.empty() ? "" : "; ").append(d.name);
        std::string_view rest = d.sources;
        bool empty = true, left_out = false;
        while (true) {
            const std::string_view word = next_word(rest);
            if (word.empty()) break;
            if (word == "'nonce'" && nonce.empty()) {
                left_out = true;
                continue;
            }
            empty = false;
            if (word == "'nonce'") out.append(" 'nonce-").append(nonce).append("'");
            else out.append(" ").append(word);
        }
        if (empty && left_out) out += " 'none'";  // an empty source list means the same, but 'none' is explicit
    }
    return out;
}

}  // namespace apus
