// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/reply.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace apus::codec::resp {
namespace {

using result = parsed<element>;

result partial() noexcept { return {.state = outcome::partial}; }
result refused(const refusal& why) noexcept { return {.state = outcome::bad, .value = {}, .used = 0, .why = &why}; }
result done(element made, std::size_t used) noexcept { return {.state = outcome::done, .value = made, .used = used}; }

struct line {
    std::string_view text;  // between the type byte and CRLF
    std::size_t used = 0;   // 0: not complete
    const refusal* why = nullptr;
};

line read_line(std::string_view in, std::size_t most) noexcept {
    const std::string_view window = in.substr(0, most + 3);
    const std::size_t end = window.find('\n');
    if (end == window.npos) {
        if (in.size() >= most + 3) return {.text = {}, .why = &refusals::line_too_long};
        const std::size_t cr = window.find('\r');
        // A CR is allowed only as the last byte that has arrived.
        if (cr != window.npos && cr + 1 != window.size()) return {.text = {}, .why = &refusals::malformed};
        return {};
    }
    if (end < 2 || window.find('\r') != end - 1) return {.text = {}, .why = &refusals::malformed};
    return {.text = window.substr(1, end - 2), .used = end + 1};
}

// Parses an integer of 64 bits: an optional sign and digits.
bool read_integer(std::string_view text, std::int64_t& value) noexcept {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return false;
    }
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
    return why == std::errc() && end == text.data() + text.size();
}

bool is_real(std::string_view text) noexcept {
    if (text == "inf" || text == "+inf" || text == "-inf" || text == "nan" || text == "-nan") return true;
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos) return false;
    double value = 0;
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
    return why != std::errc::invalid_argument && end == text.data() + text.size();
}

bool is_big_number(std::string_view text) noexcept {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

result read_scalar(kind what, std::string_view in, std::size_t most) noexcept {
    const bool is_long = what == kind::text || what == kind::error || what == kind::big_number;
    const std::size_t longest = is_long ? std::min(max_line, most) : what == kind::real ? 8 * max_number : max_number;
    const line got = read_line(in, longest);
    if (got.why) return refused(*got.why);
    if (got.used == 0) return partial();
    element made{.what = what, .text = got.text};
    bool valid = true;
    switch (what) {
        case kind::integer: valid = read_integer(got.text, made.integer); break;
        case kind::real: valid = is_real(got.text); break;
        case kind::big_number: valid = is_big_number(got.text); break;
        case kind::null: valid = got.text.empty(); break;
        case kind::boolean:
            valid = got.text == "t" || got.text == "f";
            made.integer = got.text == "t";
            break;
        default: break;
    }
    return valid ? done(made, got.used) : refused(refusals::malformed);
}

// Reads the length after the type byte. -1 is the null of RESP2, allowed only if `nullable`.
result read_length(std::string_view in, bool nullable) noexcept {
    const line got = read_line(in, max_number);
    if (got.why) return refused(got.why == &refusals::line_too_long ? refusals::malformed : *got.why);
    if (got.used == 0) return partial();
    element made;
    if (!read_integer(got.text, made.integer) || made.integer < (nullable ? -1 : 0))
        return refused(refusals::malformed);
    return done(made, got.used);
}

result read_bulk(kind what, std::string_view in, std::size_t most) noexcept {
    const bool verbatim = in[0] == '=';
    const result head = read_length(in, what == kind::text && !verbatim);
    if (head.state != outcome::done) return head;
    if (head.value.integer < 0) return done({.what = kind::null, .text = {}}, head.used);
    const auto size = static_cast<std::uint64_t>(head.value.integer);
    if (size > most || size + head.used + 2 > most) return refused(refusals::reply_too_large);
    if (verbatim && size < 4) return refused(refusals::malformed);
    const std::size_t whole = head.used + static_cast<std::size_t>(size) + 2;
    if (in.size() < whole) {
        const bool wrong = in.size() == whole - 1 && in.back() != '\r';
        return wrong ? refused(refusals::malformed) : partial();
    }
    if (in[whole - 2] != '\r' || in[whole - 1] != '\n') return refused(refusals::malformed);
    std::string_view body = in.substr(head.used, static_cast<std::size_t>(size));
    if (verbatim && body[3] != ':') return refused(refusals::malformed);
    if (verbatim) body.remove_prefix(4);
    return done({.what = what, .text = body}, whole);
}

result read_aggregate(kind what, std::string_view in, std::size_t most) noexcept {
    const result head = read_length(in, what == kind::list);
    if (head.state != outcome::done) return head;
    if (head.value.integer < 0) return done({.what = kind::null, .text = {}}, head.used);
    const auto count = static_cast<std::uint64_t>(head.value.integer);
    // Each item takes at least three bytes.
    if (count > most / 3) return refused(refusals::too_many_elements);
    if (what == kind::push && count == 0) return refused(refusals::malformed);
    const bool pairs = what == kind::map || what == kind::attributes;
    return done({.what = what, .text = {}, .count = static_cast<std::size_t>(count) * (pairs ? 2 : 1)}, head.used);
}

}  // namespace

parsed<element> read_element(std::string_view in, std::size_t most) noexcept {
    if (in.empty()) return partial();
    switch (in[0]) {
        case '+': return read_scalar(kind::text, in, most);
        case '-': return read_scalar(kind::error, in, most);
        case ':': return read_scalar(kind::integer, in, most);
        case ',': return read_scalar(kind::real, in, most);
        case '(': return read_scalar(kind::big_number, in, most);
        case '#': return read_scalar(kind::boolean, in, most);
        case '_': return read_scalar(kind::null, in, most);
        case '$':
        case '=': return read_bulk(kind::text, in, most);
        case '!': return read_bulk(kind::error, in, most);
        case '*': return read_aggregate(kind::list, in, most);
        case '~': return read_aggregate(kind::set, in, most);
        case '%': return read_aggregate(kind::map, in, most);
        case '>': return read_aggregate(kind::push, in, most);
        case '|': return read_aggregate(kind::attributes, in, most);
        default: return refused(refusals::unknown_kind);
    }
}

// Counts an element. Attributes precede the element that they describe, and do not count as items of an aggregate.
const refusal* reply_scanner::enter(const element& e) noexcept {
    if (e.what == kind::push && depth_ != 0) return &refusals::malformed;
    if (++elements_ > most_.elements || e.count > most_.elements - elements_) return &refusals::too_many_elements;
    if (e.what != kind::attributes) {
        --left_[depth_];
        if (depth_ == 0) outer_ = e.what;
    }
    if (e.count == 0) return nullptr;
    if (depth_ == max_depth) return &refusals::nested_too_deep;
    left_[++depth_] = e.count;
    return nullptr;
}

parsed<kind> reply_scanner::scan(std::string_view in) noexcept {
    while (true) {
        while (left_[depth_] == 0 && depth_ != 0) --depth_;
        if (left_[0] == 0 && depth_ == 0) {
            left_[0] = 1;
            elements_ = 0;
            return {.state = outcome::done, .value = outer_, .used = std::exchange(at_, 0)};
        }
        const auto got = read_element(in.substr(at_), most_.bytes - at_);
        if (got.state != outcome::done) return {.state = got.state, .value = {}, .used = 0, .why = got.why};
        const refusal* why = enter(got.value);
        if (!why && got.used > most_.bytes - at_) why = &refusals::reply_too_large;
        if (why) return {.state = outcome::bad, .value = {}, .used = 0, .why = why};
        at_ += got.used;
    }
}

element take_element(std::string_view& from) noexcept {
    while (true) {
        const auto got = read_element(from, SIZE_MAX / 2);
        from.remove_prefix(got.used);
        if (got.state != outcome::done || got.value.what != kind::attributes) return got.value;
        skip_elements(from, got.value.count);
    }
}

void skip_element(std::string_view& from) noexcept {
    for (std::size_t left = 1; left != 0 && !from.empty(); --left) {
        const auto got = read_element(from, SIZE_MAX / 2);
        if (got.state != outcome::done) return from.remove_prefix(from.size());
        from.remove_prefix(got.used);
        left += got.value.count + (got.value.what == kind::attributes ? 1 : 0);
    }
}

}  // namespace apus::codec::resp
