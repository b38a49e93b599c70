// SPDX-License-Identifier: Apache-2.0
#include "codec/json/syntax.hpp"

#include "base/utf8.hpp"

#include <utility>

namespace apus::codec::json {
namespace {

std::string show_byte(const char* at, const char* end) {
    static constexpr char hex[] = "0123456789abcdef";
    if (at == end) return "the end";
    const auto u = static_cast<unsigned char>(*at);
    if (u > 0x20 && u < 0x7f) return {'\'', *at, '\''};
    return std::string("the byte 0x") + hex[u >> 4] + hex[u & 15];
}

}  // namespace

std::string place::pointer() const {
    if (!up) return {};
    std::string text = up->pointer();
    if (in_list) (text += '/') += std::to_string(index);
    else schema::append_reference(text, name);
    return text;
}

bool syntax::malformed(std::string_view expected, const place& here) {
    std::size_t line = 1;
    const char* begin_of_line = begin_;
    for (const char* c = begin_; c != at_; ++c)
        if (*c == '\n') ++line, begin_of_line = c + 1;
    std::string found = show_byte(at_, end_) + " at line " + std::to_string(line) + ", column " +
                        std::to_string(at_ - begin_of_line + 1);
    out_->malformed = true;
    out_->list.faults.assign(1, {here.pointer(), std::move(found), std::string(expected)});
    return false;
}

bool syntax::too_deep(const place& here) {
    out_->malformed = true;
    out_->list.faults.assign(1, {here.pointer(), {}, "lists and objects are nested deeper than 64 levels"});
    return false;
}

bool syntax::rest_of_text(const char* begin, std::string_view& text, const place& here) {
    const char* plain = begin;  // the first byte that is not copied yet
    bool copied = false;
    for (;; at_ = skip_text(at_, end_)) {
        if (at_ == end_) return malformed("a closing quote", here);
        if (*at_ == '"') break;
        if (*at_ == '\\') {
            if (!copied) decoded_.clear();
            copied = true;
            decoded_.append(plain, at_);
            if (!escape(here)) return false;
            plain = at_;
        } else if (static_cast<unsigned char>(*at_) < 0x20) {
            return malformed("control characters written as escapes", here);
        } else {
            const std::size_t size = base::utf8_sequence({at_, static_cast<std::size_t>(end_ - at_)}, 0);
            if (size == 0) return malformed("UTF-8", here);
            at_ += size;
        }
    }
    if (copied) text = decoded_.append(plain, at_);
    else text = {begin, static_cast<std::size_t>(at_ - begin)};
    ++at_;
    return true;
}

bool syntax::code_unit(unsigned& unit, const place& here) {
    unit = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
        const int digit = at_ != end_ ? base::hex_value(*at_) : -1;
        if (digit < 0) return malformed("four hexadecimal digits after \\u", here);
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return true;
}

bool syntax::escape(const place& here) {
    static constexpr std::string_view letters = "\"\\/bfnrt";
    static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (next() != 'u') {
        const auto index = at_ != end_ ? letters.find(*at_) : letters.npos;
        if (index == letters.npos) return malformed("a JSON escape sequence", here);
        decoded_ += meanings[index];
        ++at_;
        return true;
    }
    ++at_;
    unsigned point;
    if (!code_unit(point, here)) return false;
    if (point >= 0xdc00 && point < 0xe000) return malformed("a high surrogate before a low surrogate", here);
    if (point >= 0xd800 && point < 0xdc00) {
        unsigned low = 0;
        if (end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u')
            return malformed("a low surrogate after a high surrogate", here);
        at_ += 2;
        if (!code_unit(low, here)) return false;
        if (low < 0xdc00 || low > 0xdfff) return malformed("a low surrogate after a high surrogate", here);
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    }
    base::append_utf8(decoded_, point);
    return true;
}

bool syntax::skip_list(const place& here) {
    bool empty = false;
    if (!enter(']', empty, here)) return false;
    place item{.up = &here, .in_list = true};
    for (bool another = !empty; another; ++item.index)
        if (!skip(item) || !more(']', another, here)) return false;
    return true;
}

bool syntax::skip_object(const place& here) {
    bool empty = false;
    if (!enter('}', empty, here)) return false;
    for (bool another = !empty; another;) {
        std::string_view ignored;
        if (!name(ignored, here) || !skip(here) || !more('}', another, here)) return false;
    }
    return true;
}

bool syntax::skip(const place& here) {
    std::string_view ignored_text;
    number_text ignored_number;
    switch (next()) {
        case '"': return text(ignored_text, here);
        case '[': return skip_list(here);
        case '{': return skip_object(here);
        case 't': return literal("true", here);
        case 'f': return literal("false", here);
        case 'n': return literal("null", here);
        default: break;
    }
    if (next() != '-' && !base::is_digit(next())) return malformed("a value", here);
    return number(ignored_number, here);
}

}  // namespace apus::codec::json
