// SPDX-License-Identifier: Apache-2.0
#include "jwt/members.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <charconv>

namespace apus::jwt {
namespace {

constexpr bounds unbounded{~0U, ~0U};  // for what has been read before

void append_utf8(std::string& out, unsigned point) {
    const auto add = [&out](unsigned byte) { out += static_cast<char>(byte); };
    if (point < 0x80) return add(point);
    if (point < 0x800) return add(0xc0 | point >> 6), add(0x80 | (point & 63));
    if (point < 0x10000) return add(0xe0 | point >> 12), add(0x80 | (point >> 6 & 63)), add(0x80 | (point & 63));
    add(0xf0 | point >> 18), add(0x80 | (point >> 12 & 63)), add(0x80 | (point >> 6 & 63)), add(0x80 | (point & 63));
}

/// Reads one value after the other. `bad` once something was wrong; what is read then means nothing.
class reader {
public:
    reader(std::string_view text, bounds most) : in_(text), most_(most) {}

    bool bad() const noexcept { return bad_; }
    bool at_end() {
        skip_space();
        return at_ == in_.size();
    }

    members object(unsigned depth) {
        members found;
        list('{', '}', [&] {
            member m{text(), kind::null, {}};
            skip_space();
            take(':');
            if (find(found, m.name)) bad_ = true;
            value(m, depth);
            found.push_back(std::move(m));
        });
        return found;
    }

    members array(unsigned depth) {
        members found;
        list('[', ']', [&] { value(found.emplace_back(), depth); });
        return found;
    }

    std::string text() {
        std::string out;
        skip_space();
        take('"');
        while (!bad_ && peek() != '"') character(out);
        take('"');
        return out;
    }

private:
    char peek() const noexcept { return at_ < in_.size() ? in_[at_] : '\0'; }
    void skip_space() {
        while (at_ < in_.size() && (in_[at_] == ' ' || in_[at_] == '\t' || in_[at_] == '\n' || in_[at_] == '\r')) ++at_;
    }
    void take(char c) {
        if (peek() == c && at_ < in_.size()) ++at_;
        else bad_ = true;
    }
    void take_word(std::string_view word) {
        if (in_.substr(at_).starts_with(word)) at_ += word.size();
        else bad_ = true;
    }

    template <class Item>
    void list(char open, char close, Item item) {
        skip_space();
        take(open);
        skip_space();
        if (peek() == close) return take(close);
        for (;;) {
            if (bad_ || ++count_ > most_.members) return void(bad_ = true);
            item();
            skip_space();
            if (peek() != ',') return take(close);
            take(',');
        }
    }

    void value(member& m, unsigned depth) {
        skip_space();
        const std::size_t begin = at_;
        m.type = value_kind(depth);
        if (!bad_) m.value = in_.substr(begin, at_ - begin);
    }

    kind value_kind(unsigned depth) {
        if (depth >= most_.depth || bad_) return bad_ = true, kind::null;
        switch (peek()) {
            case '"': return text(), kind::text;
            case '{': return object(depth + 1), kind::object;
            case '[': return array(depth + 1), kind::array;
            case 't': return take_word("true"), kind::truth;
            case 'f': return take_word("false"), kind::truth;
            case 'n': return take_word("null"), kind::null;
            default: return number(), kind::number;
        }
    }

    void digits() {
        if (!base::is_digit(peek())) bad_ = true;
        while (base::is_digit(peek())) ++at_;
    }
    void number() {
        if (peek() == '-') ++at_;
        if (peek() == '0') ++at_;
        else digits();
        if (peek() == '.') ++at_, digits();
        if ((peek() | 0x20) != 'e') return;
        ++at_;
        if (peek() == '+' || peek() == '-') ++at_;
        digits();
    }

    void character(std::string& out) {
        const std::size_t size = at_ < in_.size() ? base::utf8_sequence(in_, at_) : 0;
        if (size == 0 || static_cast<unsigned char>(in_[at_]) < 0x20) return void(bad_ = true);
        if (in_[at_] == '\\') return ++at_, escape(out);
        out += in_.substr(at_, size);
        at_ += size;
    }

    void escape(std::string& out) {
        static constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const char c = peek();
        const std::size_t which = names.find(c);
        if (c != 'u' && which == names.npos) return void(bad_ = true);
        ++at_;
        if (c == 'u') append_utf8(out, point());
        else out += meant[which];
    }

    // A half of a surrogate pair alone is no character (RFC 8259, 8.2).
    unsigned point() {
        const unsigned first = four_digits();
        if (first < 0xd800 || first > 0xdfff) return first;
        if (!in_.substr(at_).starts_with("\\u")) return bad_ = true, 0;
        at_ += 2;
        const unsigned second = four_digits();
        if (first > 0xdbff || second < 0xdc00 || second > 0xdfff) return bad_ = true, 0;
        return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }
    unsigned four_digits() {
        unsigned made = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const int digit = base::hex_value(peek());
            if (digit < 0) return bad_ = true, 0;
            made = made << 4 | static_cast<unsigned>(digit);
        }
        return made;
    }

    std::string_view in_;
    bounds most_;
    std::size_t at_ = 0;
    unsigned count_ = 0;
    bool bad_ = false;
};

}  // namespace

std::optional<members> read_members(std::string_view text, bounds most) {
    reader in(text, most);
    members found = in.object(0);
    if (!in.at_end() || in.bad()) return std::nullopt;
    return found;
}

members elements(std::string_view array) { return reader(array, unbounded).array(0); }

const member* find(const members& among, std::string_view name) noexcept {
    const auto found = std::find_if(among.begin(), among.end(), [name](const member& m) { return m.name == name; });
    return found == among.end() ? nullptr : &*found;
}

std::optional<std::string> text_of(const member& m) {
    if (m.type != kind::text) return std::nullopt;
    return reader(m.value, unbounded).text();
}

std::optional<std::int64_t> seconds_of(const member& m) noexcept {
    double value = 0;
    if (m.type != kind::number) return std::nullopt;
    const auto read = std::from_chars(m.value.data(), m.value.data() + m.value.size(), value);
    if (read.ec != std::errc() || !(value >= 0 && value < 9007199254740992.0)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace apus::jwt
