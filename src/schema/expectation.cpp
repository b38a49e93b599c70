// SPDX-License-Identifier: Apache-2.0
#include "schema/expectation.hpp"

#include "schema/store.hpp"

#include <charconv>
#include <cstring>
#include <limits>

namespace apus::schema {
namespace {

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

// Returns "`one`, `two` or `three`" for the texts `at(i)`.
template <class F>
std::string any_of(unsigned count, F at) {
    std::string list;
    for (unsigned i = 0; i < count; ++i) {
        if (i > 0) list += i + 1 == count ? " or " : ", ";
        list += quoted(at(i));
    }
    return list;
}

std::string size_of(const type& t, const char* unit) {
    const auto least = static_cast<std::uint64_t>(t.least);
    const bool plural = (t.greatest == UINT64_MAX ? least : t.greatest) != 1;
    const std::string units = std::string(" ") + unit + (plural ? "s" : "");
    if (t.greatest == UINT64_MAX) return least == 0 ? "" : " of at least " + std::to_string(least) + units;
    if (least == t.greatest) return " of " + std::to_string(least) + units;
    if (least == 0) return " of at most " + std::to_string(t.greatest) + units;
    return " of " + std::to_string(least) + " to " + std::to_string(t.greatest) + units;
}

template <class T>
std::string shortest(T number) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string number(const type& t) {
    if (t.minimum < t.maximum) {
        if (t.maximum == std::numeric_limits<double>::infinity()) return "a number of at least " + shortest(t.minimum);
        if (t.minimum == -std::numeric_limits<double>::infinity()) return "a number of at most " + shortest(t.maximum);
        return "a number from " + shortest(t.minimum) + " to " + shortest(t.maximum);
    }
    return "a number";
}

std::string text(const type& t) {
    if (!t.text) return "a text" + size_of(t, "character");
    if (t.text->choice_count) return any_of(t.text->choice_count, [&](unsigned i) { return t.text->choices[i]; });
    return std::string(t.text->expected) + size_of(t, "character");
}

std::size_t characters(std::string_view text) noexcept {
    std::size_t count = 0;
    for (char c : text) count += (c & 0xc0) != 0x80;  // counts bytes that do not continue a UTF-8 sequence
    return count;
}

std::string plain(const type& t) {
    switch (t.what) {
        case kind::boolean: return "true or false";
        case kind::integer:
            return "an integer from " + std::to_string(t.least) + " to " +
                   std::to_string(static_cast<std::int64_t>(t.greatest));
        case kind::natural:
            return "an integer from " + std::to_string(static_cast<std::uint64_t>(t.least)) + " to " +
                   std::to_string(t.greatest);
        case kind::number: return number(t);
        case kind::text:
        case kind::view: return text(t);
        case kind::time: return "a time such as \"2026-11-22T12:30:00Z\"";
        case kind::enumeration: return any_of(t.enumerator_count, [&](unsigned i) { return t.enumerators[i].name; });
        case kind::list: return "a list" + size_of(t, "value");
        case kind::map: return "an object" + size_of(t, "member");
        case kind::optional: return expectation(*t.element) + ", or null";
        case kind::variant:
            return "an object whose \"type\" is " +
                   any_of(t.variant->count, [&](unsigned i) { return t.variant->alternatives[i].tag; });
        case kind::object: return "an object";
        case kind::file: return "a file";
        case kind::represented:
        case kind::secret: return expectation(*t.element);
        case kind::value: break;
    }
    return "a value";
}

}  // namespace

std::string expectation(const type& t) {
    if (t.user) return std::string(t.user->expected);
    return t.expected.empty() ? plain(t) : std::string(t.expected);
}

bool text_fits(const type& t, std::string_view text) noexcept {
    if (t.least > 0 || t.greatest != UINT64_MAX) {
        const std::size_t size = characters(text);
        if (size < static_cast<std::uint64_t>(t.least) || size > t.greatest) return false;
    }
    return !t.text || t.text->holds(*t.text, text);
}

const enumerator* enumerator_at(const type& t, const void* value) noexcept {
    unsigned char same[sizeof(std::uint64_t)];
    for (unsigned i = 0; i < t.enumerator_count; ++i) {
        store_integer(same, t.width, static_cast<std::uint64_t>(t.enumerators[i].value));
        if (std::memcmp(same, value, t.width) == 0) return &t.enumerators[i];
    }
    return nullptr;
}

const enumerator* find_enumerator(const type& t, std::string_view name) noexcept {
    for (unsigned i = 0; i < t.enumerator_count; ++i)
        if (t.enumerators[i].name == name) return &t.enumerators[i];
    return nullptr;
}

}  // namespace apus::schema
