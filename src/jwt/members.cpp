// SPDX-License-Identifier: Apache-2.0
#include "jwt/members.hpp"

#include "codec/json/syntax.hpp"

#include <algorithm>
#include <charconv>

namespace apus::jwt {
namespace {

using codec::json::place;

constexpr bounds unbounded{~0U, codec::json::max_depth};  // for input that is already validated

kind kind_of(char first) noexcept {
    switch (first) {
        case '"': return kind::text;
        case '{': return kind::object;
        case '[': return kind::array;
        case 't':
        case 'f': return kind::truth;
        case 'n': return kind::null;
        default: return kind::number;
    }
}

/// Reads members within limits, without error details.
/// As in `syntax`, functions return false to stop.
class reader : codec::json::syntax {
public:
    reader(std::string_view text, bounds most, codec::json::report& out) : syntax(text, 0, out), most_(most) {
        space();
    }

    bool whole_object(members& found) { return next() == '{' && object(found, 0) && ended(nowhere_); }
    bool whole_array(members& found) { return next() == '[' && array(found, 0); }
    bool whole_text(std::string_view& text) { return next() == '"' && syntax::text(text, nowhere_); }

private:
    bool object(members& found, unsigned depth) {
        bool another = false;
        if (!begin('}', another)) return false;
        while (another) {
            std::string_view text;
            if (!counts() || !name(text, nowhere_) || find(found, text)) return false;
            found.push_back({std::string(text), kind::null, {}});
            if (!value(found.back(), depth) || !more('}', another, nowhere_)) return false;
        }
        return true;
    }

    bool array(members& found, unsigned depth) {
        bool another = false;
        if (!begin(']', another)) return false;
        while (another)
            if (!counts() || !value(found.emplace_back(), depth) || !more(']', another, nowhere_)) return false;
        return true;
    }

    bool begin(char closing, bool& another) {
        bool empty = false;
        if (!enter(closing, empty, nowhere_)) return false;
        another = !empty;
        return true;
    }
    bool counts() noexcept { return ++count_ <= most_.members; }

    bool value(member& m, unsigned depth) {
        if (depth >= most_.depth) return false;
        const char* const first = at();
        m.type = kind_of(next());
        members inside;
        const bool read = m.type == kind::object  ? object(inside, depth + 1)
                          : m.type == kind::array ? array(inside, depth + 1)
                                                  : skip(nowhere_);
        if (read) m.value = {first, static_cast<std::size_t>(at() - first)};
        return read;
    }

    bounds most_;
    unsigned count_ = 0;
    place nowhere_;
};

}  // namespace

std::optional<members> read_members(std::string_view text, bounds most) {
    codec::json::report out;
    members found;
    if (!reader(text, most, out).whole_object(found)) return std::nullopt;
    return found;
}

members elements(std::string_view array) {
    codec::json::report out;
    members found;
    reader(array, unbounded, out).whole_array(found);
    return found;
}

const member* find(const members& among, std::string_view name) noexcept {
    const auto found = std::find_if(among.begin(), among.end(), [name](const member& m) { return m.name == name; });
    return found == among.end() ? nullptr : &*found;
}

std::optional<std::string> text_of(const member& m) {
    codec::json::report out;
    std::string_view text;
    reader in(m.value, unbounded, out);
    if (m.type != kind::text || !in.whole_text(text)) return std::nullopt;
    return std::string(text);
}

std::optional<std::int64_t> seconds_of(const member& m) noexcept {
    double value = 0;
    if (m.type != kind::number) return std::nullopt;
    const auto read = std::from_chars(m.value.data(), m.value.data() + m.value.size(), value);
    if (read.ec != std::errc() || !(value >= 0 && value < 9007199254740992.0)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace apus::jwt
