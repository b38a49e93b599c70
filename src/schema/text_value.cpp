// SPDX-License-Identifier: Apache-2.0
#include "schema/text_value.hpp"

#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/represented.hpp"
#include "schema/store.hpp"

#include <charconv>
#include <system_error>

namespace apus::schema {
namespace {

template <class T>
bool read(std::string_view text, T& value) noexcept {
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value);
    return status == std::errc() && rest == end;
}

bool read_number(const type& t, void* to, std::string_view text) noexcept {
    double value;
    // from_chars also accepts "inf" and "nan", which are not numbers.
    if (!read(text, value) || value - value != 0) return false;
    if (t.minimum < t.maximum && (value < t.minimum || value > t.maximum)) return false;
    if (t.width == sizeof(double)) return store(to, value), true;
    const auto narrow = static_cast<float>(value);
    store(to, narrow);
    return narrow - narrow == 0;
}

bool read_flag(void* to, std::string_view text) noexcept {
    const bool yes = text == "true" || text == "on";
    store(to, yes);
    return yes || text == "false";
}

bool read_plain(const type& t, void* to, std::string_view text) {
    switch (t.what) {
        case kind::boolean: return read_flag(to, text);
        case kind::integer: {
            std::int64_t value;
            if (!read(text, value) || value < t.least || value > static_cast<std::int64_t>(t.greatest)) return false;
            return store_integer(to, t.width, static_cast<std::uint64_t>(value)), true;
        }
        case kind::natural: {
            std::uint64_t value;
            if (!read(text, value) || value < static_cast<std::uint64_t>(t.least) || value > t.greatest) return false;
            return store_integer(to, t.width, value), true;
        }
        case kind::number: return read_number(t, to, text);
        case kind::text: return text_fits(t, text) && (static_cast<std::string*>(to)->assign(text), true);
        case kind::time: return read_time(text, *t.time, to);
        case kind::enumeration: {
            const enumerator* found = find_enumerator(t, text);
            return found && (store_integer(to, t.width, static_cast<std::uint64_t>(found->value)), true);
        }
        case kind::optional: return read_text(*t.element, t.optional->emplace(to), text);
        case kind::secret: return read_text(*t.element, to, text);
        case kind::represented:
            return read_representation(t, to, [&](void* as) { return read_text(*t.element, as, text); });
        case kind::list: return t.list->add && read_text(*t.element, t.list->add(to), text);
        default: return false;
    }
}

}  // namespace

bool read_text(const type& t, void* to, std::string_view text) {
    if (!read_plain(t, to, text)) return false;
    return !t.user || t.what == kind::list || t.user->holds(to);
}

}  // namespace apus::schema
