// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace apus {

template <class T>
struct query;

namespace detail {

/// Thrown for an invalid pattern of a URL; a compile error in constant evaluation.
struct bad_url_pattern {
    const char* why;
};

/// Returns the index at which the path of a URL pattern begins. Throws `bad_url_pattern`.
constexpr std::size_t path_of_pattern(std::string_view pattern) {
    std::size_t host = 0;
    if (pattern.starts_with("http://")) host = 7;
    else if (pattern.starts_with("https://")) host = 8;
    else if (pattern.starts_with('{')) return pattern.find('}') + 1;
    else if (!pattern.starts_with('/') || pattern.starts_with("//"))
        throw bad_url_pattern("the pattern of a URL must start with one '/', http://, https:// or a placeholder");
    const std::size_t path = pattern.find_first_of("/?#{", host);
    if (path == pattern.npos) return pattern.size();
    if (path == host && host) throw bad_url_pattern("the pattern of a URL has no host");
    if (pattern[path] == '{') throw bad_url_pattern("the host in the pattern of a URL cannot be a value");
    return path;
}

/// Returns the number of placeholders in a URL pattern. Throws `bad_url_pattern`.
constexpr std::size_t count_values(std::string_view pattern) {
    const std::size_t path = path_of_pattern(pattern);
    const bool has_origin = pattern.starts_with('{');
    if (has_origin && (path < 2 || path == pattern.size() || pattern[path] != '/'))
        throw bad_url_pattern("a placeholder at the start of a URL's pattern must be followed by '/'");
    std::size_t values = has_origin, query = pattern.size();
    for (std::size_t at = path; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (c <= ' ' || c > '~' || c == '"' || c == '<' || c == '>' || c == '\\')
            throw bad_url_pattern("the pattern of a URL contains a character that must be percent-encoded");
        if (c == '}') throw bad_url_pattern("unmatched '}' in the pattern of a URL");
        if (c == '?' && query == pattern.size()) query = at;
        if (c != '{') continue;
        const std::size_t end = pattern.find_first_of("{}", at + 1);
        if (end == pattern.npos || pattern[end] == '{') throw bad_url_pattern("unmatched '{' in the pattern of a URL");
        const bool rest = end - at > 3 && pattern.substr(end - 3, 3) == "...";
        const char after = end + 1 < pattern.size() ? pattern[end + 1] : '#';
        const char before = pattern[at - 1];
        const bool in_query = query < at;
        if (rest && after != '#' && (after != '?' || in_query))
            throw bad_url_pattern("{name...} must be last in the path or in the query of a URL's pattern");
        if (rest && before != '/' && (!in_query || (before != '?' && before != '&')))
            throw bad_url_pattern("{name...} must be a whole segment or a whole query in a URL's pattern");
        ++values;
        at = end;
    }
    return values;
}

/// A URL pattern with this number of placeholders, checked at compile time.
template <std::size_t Values>
struct url_pattern {
    template <std::size_t N>
    consteval url_pattern(const char (&literal)[N]) : text(literal, N - 1) {
        if (count_values(text) != Values)
            throw bad_url_pattern("the number of values differs from the number of placeholders of the URL pattern");
    }
    std::string_view text;
};

/// A value for a placeholder of a URL pattern, as text that is not yet encoded.
class url_value {
public:
    template <class T>
    explicit url_value(const T& from) {
        if constexpr (std::is_same_v<T, bool>) text_ = from ? "true" : "false";
        else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) text_ = std::to_string(from);
        else if constexpr (std::is_convertible_v<const T&, std::string_view>) text_ = std::string_view(from);
        else static_assert(!sizeof(T), "a value of a URL must be text, an integer, a bool or apus::query(struct)");
    }
    template <class T>
    explicit url_value(const query<T>& from) : text_(from.encoded()), is_query_(true) {}

    std::string_view text() const noexcept { return text_; }
    bool is_query() const noexcept { return is_query_; }  ///< True: `text` is a whole query, already encoded.

private:
    std::string text_;
    bool is_query_ = false;
};

/// Returns the URL of a valid pattern with a value for each placeholder.
std::string fill_url(std::string_view pattern, std::initializer_list<url_value> values);

}  // namespace detail
}  // namespace apus
