// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/redis_reply.hpp>

#include "codec/resp/reply.hpp"
#include "redis/failure.hpp"

#include <charconv>
#include <cmath>

namespace apus::redis::detail {

using codec::resp::element;
using codec::resp::kind;

struct reply_reader::next : element {};

namespace {

const char* name_of(kind what) noexcept {
    switch (what) {
        case kind::text: return "a text";
        case kind::error: return "an error";
        case kind::integer: return "an integer";
        case kind::real: return "a real number";
        case kind::big_number: return "a big number";
        case kind::boolean: return "a boolean";
        case kind::null: return "null";
        case kind::list: return "a list";
        case kind::set: return "a set";
        case kind::map: return "a map";
        case kind::push: return "a message";
        case kind::attributes: break;
    }
    return "attributes";
}

template <class T>
bool read_whole(std::string_view text, T& value) noexcept {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), value);
    return why == std::errc() && end == text.data() + text.size();
}

// Returns whether a reply of this kind may be the text of a number. Integers are also read from real numbers: RESP3
// sends the scores of sorted sets as real numbers.
bool is_number_text(kind what) noexcept { return what == kind::text || what == kind::big_number || what == kind::real; }

}  // namespace

// After a failure, returns a null element, so that all further values are empty.
reply_reader::next reply_reader::take() {
    if (failed() || left_.empty()) return {};
    next e{codec::resp::take_element(left_)};
    if (e.what == kind::error) {
        why_ = refused(e.text, command_, hidden_);
        return {};
    }
    return e;
}

void reply_reader::unexpected(const next& e, const char* expected) {
    if (failed()) return;
    why_ = unusable(command_, std::string(expected) + " was expected, the reply has " + name_of(e.what) +
                                  (e.what == kind::null ? ": use std::optional" : ""));
}

void reply_reader::out_of_range() {
    if (!failed()) why_ = unusable(command_, "a number in the reply is out of the range of its type");
}

bool reply_reader::take_null() {
    if (failed() || left_.empty()) return true;
    std::string_view rest = left_;
    if (codec::resp::take_element(rest).what != kind::null) return false;
    left_ = rest;
    return true;
}

std::string_view reply_reader::take_text() {
    const next e = take();
    if (e.what < kind::boolean) return e.text;
    unexpected(e, "a text");
    return {};
}

long long reply_reader::take_integer() {
    const next e = take();
    long long value = 0;
    if (e.what == kind::integer || e.what == kind::boolean) return e.integer;
    if (!is_number_text(e.what) || !read_whole(e.text, value)) unexpected(e, "an integer");
    return value;
}

unsigned long long reply_reader::take_natural() {
    const next e = take();
    unsigned long long value = 0;
    const bool number = e.what == kind::integer || is_number_text(e.what);
    if (!number || !read_whole(e.text, value)) unexpected(e, "an integer that is not negative");
    return value;
}

double reply_reader::take_real() {
    const next e = take();
    double value = 0;
    if (e.what == kind::integer) return static_cast<double>(e.integer);
    if (!is_number_text(e.what)) {
        unexpected(e, "a number");
        return 0;
    }
    if (e.text.ends_with("inf")) return e.text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
    if (e.text == "nan" || e.text == "-nan") return std::nan("");
    if (!read_whole(e.text, value)) unexpected(e, "a number in the range of double");
    return value;
}

bool reply_reader::take_bool() {
    const next e = take();
    switch (e.what) {
        case kind::null: return false;
        case kind::integer:
        case kind::boolean: return e.integer != 0;
        case kind::text:
            if (e.text == "OK") return true;
            if (e.text == "1" || e.text == "0") return e.text == "1";
            [[fallthrough]];
        default: unexpected(e, "a boolean"); return false;
    }
}

void reply_reader::take_any() {
    const next e = take();
    codec::resp::skip_elements(left_, e.count);
}

std::size_t reply_reader::take_items() {
    const next e = take();
    if (e.what == kind::list || e.what == kind::set || e.what == kind::push || e.what == kind::map) return e.count;
    unexpected(e, "a list");
    return 0;
}

std::size_t reply_reader::take_pairs(bool& nested) {
    const next e = take();
    nested = false;
    if (e.what == kind::map) return e.count / 2;
    if (e.what != kind::list && e.what != kind::set) {
        unexpected(e, "a map");
        return 0;
    }
    if (e.count == 0) return 0;
    std::string_view rest = left_;
    const element first = codec::resp::take_element(rest);
    if (first.what == kind::list && first.count == 2) {
        nested = true;
        return e.count;
    }
    if (e.count % 2 == 0) return e.count / 2;
    unexpected(e, "a map");
    return 0;
}

void reply_reader::take_pair() {
    const next e = take();
    if (e.what != kind::list || e.count != 2) unexpected(e, "a list of two elements");
}

}  // namespace apus::redis::detail
