// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/handler.hpp>

#include <string_view>

namespace apus {

/// A route pattern that is known only at run time, such as one read from a file.
/// An invalid pattern, which would be a compile error in a literal, throws `std::logic_error` when the route is added.
struct runtime_route {
    std::string_view text;  ///< Copied when the route is added.
};

namespace detail {

/// Thrown for an invalid route pattern; a compile error in constant evaluation.
struct bad_route {
    const char* why;
};

/// Checks the name of the capture between `begin` and `end`.
/// The name must differ from the names of the captures before `begin`.
constexpr void check_capture_name(std::string_view route, std::size_t begin, std::size_t end) {
    std::string_view name = route.substr(begin, end - begin);
    if (name.empty()) throw bad_route("a capture must have a name, such as {id}");
    for (char c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            throw bad_route("the name of a capture must consist of letters, digits and '_'");
    for (std::size_t at = route.find('{'); at + 1 < begin; at = route.find('{', at + 1)) {
        std::string_view other = route.substr(at + 1, name.size() + 1);
        if (other.starts_with(name) && (other.back() == '}' || other.back() == '.'))
            throw bad_route("two captures of a route have the same name");
    }
}

/// Checks the capture that begins at `at`, and returns the index after its closing brace.
constexpr std::size_t check_capture(std::string_view route, std::size_t at) {
    if (route[at - 1] != '/') throw bad_route("a capture must be a whole segment, from slash to slash");
    std::size_t end = route.find('}', at);
    if (end == route.npos) throw bad_route("unmatched '{' in a route");
    bool rest = end - at > 3 && route.substr(end - 3, 3) == "...";
    if (rest && end + 1 != route.size()) throw bad_route("a rest capture, {name...}, must be last in a route");
    if (end + 1 != route.size() && route[end + 1] != '/')
        throw bad_route("a capture must be a whole segment, from slash to slash");
    check_capture_name(route, at + 1, rest ? end - 3 : end);
    return end + 1;
}

/// Returns the number of captures of a route, or throws `bad_route`.
constexpr unsigned check_route(std::string_view route) {
    if (route.empty() || route[0] != '/') throw bad_route("a route must start with '/'");
    unsigned captures = 0;
    for (std::size_t at = 0; at < route.size();) {
        char c = route[at];
        if (c <= ' ' || c > '~' || c == '?' || c == '#')
            throw bad_route("a route contains a character that is not allowed in a path: percent-encode it");
        if (c == '}') throw bad_route("unmatched '}' in a route");
        if (c == '{') ++captures, at = check_capture(route, at);
        else ++at;
    }
    if (captures > max_route_captures) throw bad_route("a route captures at most 16 values");
    return captures;
}

/// Checks that a handler's named captures exist in the route, and that their names differ.
constexpr void check_names(std::string_view route, const capture_names& names) {
    for (unsigned i = 0; i < names.count; ++i) {
        if (find_capture(route, names.at[i]) == max_route_captures)
            throw bad_route("a path<name, T> of the handler names an unknown capture of the route");
        for (unsigned k = 0; k < i; ++k)
            if (names.at[i] == names.at[k]) throw bad_route("two parameters of the handler name the same capture");
    }
}

/// Throws `std::logic_error` if the route is invalid or does not have the handler's captures.
void check_runtime_route(std::string_view route, unsigned captures, const capture_names&);

/// A route pattern, such as "/todos/{id}", for the handler F.
/// A literal is checked at compile time: the pattern must be valid and have the captures that F takes. A
/// `runtime_route` is checked when it is converted to this type.
template <class F>
class route {
public:
    template <std::size_t N>
    consteval route(const char (&text)[N]) : text_(text, N - 1) {
        if (check_route(text_) != calls<F>::captures)
            throw bad_route("the handler's number of path parameters differs from the route's number of captures");
        if constexpr (calls<F>::named > 0) check_names(text_, calls<F>::names());
    }
    route(runtime_route made) : text_(made.text) { check_runtime_route(text_, calls<F>::captures, calls<F>::names()); }
    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// The common prefix of all routes of a mounted app, such as "/admin".
class prefix {
public:
    template <std::size_t N>
    consteval prefix(const char (&text)[N]) : text_(text, N - 1) {
        if (check_route(text_) != 0) throw bad_route("the prefix of a mounted app must not have captures");
        if (text_.back() == '/') throw bad_route("the prefix of a mounted app must not end in '/'");
    }
    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

}  // namespace detail
}  // namespace apus
