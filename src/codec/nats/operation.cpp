// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/operation.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace apus::codec::nats {
namespace {

using result = parsed<operation>;

result refuse(const refusal& why) noexcept { return {.state = outcome::bad, .why = &why}; }

enum class name : std::uint8_t {
    info,
    msg,
    hmsg,
    ping,
    pong,
    ok,
    err,
    none
};

constexpr std::array<std::string_view, 7> names = {"info", "msg", "hmsg", "ping", "pong", "+ok", "-err"};

name name_of(std::string_view text) noexcept {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (base::same_word(text, names[i])) return static_cast<name>(i);
    return name::none;
}

// Returns whether the input may become an operation when more bytes arrive. So a server of another protocol is
// recognized by its first bytes.
bool may_begin_operation(std::string_view in) noexcept {
    const std::size_t end = std::min(in.find_first_of(" \t\r\n"), in.size());
    if (end < in.size()) return name_of(in.substr(0, end)) != name::none;
    return std::ranges::any_of(names, [in](std::string_view n) {
        return in.size() <= n.size() && base::same_word(in, n.substr(0, in.size()));
    });
}

struct words {
    std::array<std::string_view, 5> all;
    std::size_t count = 0;  // over 5: too many
};

words split(std::string_view line) noexcept {
    words made;
    while (true) {
        line = fields::trimmed(line);
        if (line.empty()) return made;
        if (made.count == made.all.size()) return ++made.count, made;
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        made.all[made.count++] = line.substr(0, end);
        line.remove_prefix(end);
    }
}

bool read_number(std::string_view text, std::uint64_t& to) noexcept {
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), to);
    return why == std::errc() && end == text.data() + text.size() && text.front() != '-';
}

// Reads the arguments "SUBJECT SUBSCRIPTION [REPLY] [HEADERS] SIZE" of MSG and HMSG, and the bytes after the line.
result read_message(std::string_view arguments, std::string_view in, std::size_t line, bool has_headers,
                    std::size_t most) noexcept {
    const words given = split(arguments);
    const std::size_t fewest = has_headers ? 4 : 3;
    if (given.count != fewest && given.count != fewest + 1) return refuse(refusals::malformed);
    result made{.state = outcome::done};
    operation& to = made.value;
    to.what = kind::message;
    to.subject = given.all[0];
    if (given.count > fewest) to.reply = given.all[2];
    std::uint64_t headers = 0, size = 0;
    if (!read_number(given.all[1], to.subscription) || !read_number(given.all[given.count - 1], size))
        return refuse(refusals::malformed);
    if (has_headers && (!read_number(given.all[given.count - 2], headers) || headers > size))
        return refuse(refusals::malformed);
    if (size > most) return refuse(refusals::message_too_large);
    const std::string_view body = in.substr(line);
    if (body.size() > size && body[size] != '\r') return refuse(refusals::malformed);
    if (body.size() < size + 2) return {.state = outcome::partial};
    if (body[size + 1] != '\n') return refuse(refusals::malformed);
    to.headers = body.substr(0, headers);
    to.payload = body.substr(headers, size - headers);
    made.used = line + size + 2;
    return made;
}

std::string_view without_quotes(std::string_view text) noexcept {
    if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') return text.substr(1, text.size() - 2);
    return text;
}

}  // namespace

result read_operation(std::string_view in, std::size_t most) noexcept {
    if (!may_begin_operation(in)) return refuse(refusals::unknown_operation);
    // A carriage return alone does not end a line: publishers can put it into a subject, and servers pass it on.
    const std::size_t feed = in.substr(0, max_line + 2).find('\n');
    if (feed == in.npos)
        return in.size() < max_line + 2 ? result{.state = outcome::partial} : refuse(refusals::line_too_long);
    if (feed == 0 || in[feed - 1] != '\r') return refuse(refusals::malformed);
    const std::string_view line = in.substr(0, feed - 1);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view arguments = fields::trimmed(line.substr(end));
    result made{.state = outcome::done, .value = {}, .used = feed + 1};
    operation& to = made.value;
    switch (const name n = name_of(line.substr(0, end))) {
        case name::info: to.what = kind::info, to.text = arguments; break;
        case name::err: to.what = kind::error, to.text = without_quotes(arguments); break;
        case name::ping: to.what = kind::ping; break;
        case name::pong: to.what = kind::pong; break;
        case name::ok: to.what = kind::ok; break;
        case name::msg:
        case name::hmsg: return read_message(arguments, in, feed + 1, n == name::hmsg, most);
        case name::none: return refuse(refusals::unknown_operation);
    }
    const bool has_text = to.what == kind::info || to.what == kind::error;
    if (has_text == arguments.empty()) return refuse(refusals::malformed);
    return made;
}

}  // namespace apus::codec::nats
