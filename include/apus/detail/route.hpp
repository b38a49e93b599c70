// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/handler.hpp>

#include <string_view>

namespace apus {

/// A route that is known only when the program runs: one read from a file, or made in a loop. What
/// the compiler refuses in a literal is thrown as `std::logic_error` here, when the route is added.
struct runtime_route {
    std::string_view text;  ///< Copied when the route is added.
};

namespace detail {

/// What is thrown for a route that is none. While compiling, that is the compiler's error.
struct bad_route {
    const char* why;
};

constexpr unsigned max_route_captures = 16;

/// Checks the name of the capture that stands between `begin` and `end`, and that none of those
/// before `begin` has the same.
constexpr void check_capture_name(std::string_view route, std::size_t begin, std::size_t end) {
    std::string_view name = route.substr(begin, end - begin);
    if (name.empty()) throw bad_route("a capture has a name, such as {id}");
    for (char c : name)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            throw bad_route("the name of a capture is of letters, digits and '_'");
    for (std::size_t at = route.find('{'); at + 1 < begin; at = route.find('{', at + 1)) {
        std::string_view other = route.substr(at + 1, name.size() + 1);
        if (other.starts_with(name) && (other.back() == '}' || other.back() == '.'))
            throw bad_route("two captures of a route have the same name");
    }
}

/// The end of the capture that begins at `at`, with its brace.
constexpr std::size_t check_capture(std::string_view route, std::size_t at) {
    if (route[at - 1] != '/') throw bad_route("a capture takes a whole segment, from slash to slash");
    std::size_t end = route.find('}', at);
    if (end == route.npos) throw bad_route("unmatched '{' in a route");
    bool rest = end - at > 3 && route.substr(end - 3, 3) == "...";
    if (rest && end + 1 != route.size()) throw bad_route("a capture of the rest, {name...}, stands last in a route");
    if (end + 1 != route.size() && route[end + 1] != '/')
        throw bad_route("a capture takes a whole segment, from slash to slash");
    check_capture_name(route, at + 1, rest ? end - 3 : end);
    return end + 1;
}

/// Counts the captures of a route, or throws `bad_route`.
constexpr unsigned check_route(std::string_view route) {
    if (route.empty() || route[0] != '/') throw bad_route("a route starts with '/'");
    unsigned captures = 0;
    for (std::size_t at = 0; at < route.size();) {
        char c = route[at];
        if (c <= ' ' || c > '~' || c == '?' || c == '#')
            throw bad_route("a route holds only what a path may hold: percent-encode the rest");
        if (c == '}') throw bad_route("unmatched '}' in a route");
        if (c == '{') ++captures, at = check_capture(route, at);
        else ++at;
    }
    if (captures > max_route_captures) throw bad_route("a route captures at most 16 values");
    return captures;
}

/// Throws `std::logic_error`, which names the route, if it is none or has not so many captures.
void check_runtime_route(std::string_view route, unsigned captures);

/// A route such as "/todos/{id}", checked while compiling: it is well formed, and has as many
/// captures as F takes path values. A `runtime_route` is checked when it is added.
template <class F>
class route {
public:
    template <std::size_t N>
    consteval route(const char (&text)[N]) : text_(text, N - 1) {
        if (check_route(text_) != calls<F>::captures)
            throw bad_route("the handler takes another number of path values than the route captures");
    }
    route(runtime_route made) : text_(made.text) { check_runtime_route(text_, calls<F>::captures); }
    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// The beginning of all routes of a mounted app, such as "/admin".
class prefix {
public:
    template <std::size_t N>
    consteval prefix(const char (&text)[N]) : text_(text, N - 1) {
        if (check_route(text_) != 0) throw bad_route("the prefix of a mounted app has no captures");
        if (text_.back() == '/') throw bad_route("the prefix of a mounted app does not end in '/'");
    }
    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

}  // namespace detail
}  // namespace apus
