// SPDX-License-Identifier: Apache-2.0
#include "codec/json/reader.hpp"

#include "base/utf8.hpp"
#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/flat_values.hpp"
#include "schema/represented.hpp"
#include "schema/store.hpp"

namespace apus::codec::json {
namespace {

using schema::kind;
using schema::store;
using schema::store_integer;

// Returns the text of a JSON value, truncated to about 40 bytes, for error messages.
std::string show(std::string_view raw) {
    constexpr std::size_t shown = 40;
    if (raw.starts_with('[')) return "a list";
    if (raw.starts_with('{')) return "an object";
    if (raw.size() <= shown) return std::string(raw);
    std::size_t cut = shown;
    while (cut > 0 && (raw[cut] & 0xc0) == 0x80) --cut;  // do not split a character
    return std::string(raw.substr(0, cut)) + (raw.starts_with('"') ? "...\"" : "...");
}

// Returns true if values of a type contain secrets. Checks up to a limited depth.
bool holds_secret(const schema::type& t, unsigned depth = 0) noexcept {
    if (t.what == kind::secret) return true;
    if (depth > 6) return false;  // recursive types
    if (t.element && holds_secret(*t.element, depth + 1)) return true;
    for (unsigned i = 0; i < t.field_count; ++i)
        if (holds_secret(*t.fields[i].of, depth + 1)) return true;
    for (unsigned i = 0; t.variant && i < t.variant->count; ++i)
        if (holds_secret(*t.variant->alternatives[i].of, depth + 1)) return true;
    return false;
}

std::string count_of(std::size_t count, const char* unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
}

}  // namespace

void parse(std::string_view text, const schema::type& t, void* value, report& out) {
    // Fast paths read some bytes ahead. A short document is copied to a padded buffer, because most of its text is too
    // close to the end. A long document is parsed in place.
    constexpr std::size_t padding = 64, is_short = 1024;
    char padded[is_short + padding];
    const bool moved = text.size() <= is_short;
    if (moved) {
        text.copy(padded, text.size());
        std::memset(padded + text.size(), 0, padding);
        text = {padded, text.size()};
    }
    reader in(text, moved ? padding : 0, out);
    const place whole;
    in.space();
    if (in.value(t, value, whole)) in.ended(whole);
}

bool reader::misfit(const schema::type& t, const place& here) {
    const char* begin = at_;
    if (!skip(here)) return false;
    unfit(t, begin, here);
    return true;
}

void reader::unfit(const schema::type& t, const char* begin, const place& here) {
    std::string found = show({begin, static_cast<std::size_t>(at_ - begin)});
    const bool is_scalar = found.front() == '"' || found.front() == '-' || base::is_digit(found.front());
    if (is_scalar && holds_secret(t)) found = schema::hidden;
    fault(here, std::move(found), schema::expectation(t));
}

// Reads the representation of a value. A violation is reported for the whole value, unless it is in a member or an
// item.
bool reader::represented(const schema::type& t, void* to, const place& here) {
    const std::size_t faults_before = out_->list.faults.size();
    const char* begin = at_;
    bool is_json = true;
    const bool made = schema::read_representation(t, to, [&](void* as) {
        is_json = value(*t.element, as, here);
        return is_json && out_->list.faults.size() == faults_before;
    });
    if (!is_json || made) return is_json;
    const bool has_parts = t.element->what == kind::object || t.element->what == kind::list;
    if (has_parts && out_->list.faults.size() > faults_before) return true;
    drop_faults(faults_before);
    unfit(t, begin, here);
    return true;
}

// Reads a secret. Reported violations and syntax errors do not contain its bytes.
bool reader::secret(const schema::type& t, void* to, const place& here) {
    const std::size_t faults_before = out_->list.faults.size();
    bool is_json = value(*t.element, to, here);
    if (is_json && at_ != end_ && !is_space(*at_) && *at_ != ',' && *at_ != '}' && *at_ != ']')
        is_json = malformed("the end of a value", here);
    auto& faults = out_->list.faults;
    if (is_json && faults.size() == faults_before) return true;
    drop_faults(is_json ? faults_before : 0);
    fault(here, std::string(schema::hidden), is_json ? schema::expectation(t) : "a JSON value");
    return is_json;
}

bool reader::value_with_message(const schema::field& f, void* to, const place& here) {
    const std::size_t faults_before = out_->list.faults.size();
    if (!value(*f.of, to, here)) return false;
    if (out_->list.faults.size() == faults_before) return true;
    drop_faults(faults_before);
    fault(here, {}, std::string(f.message));
    return true;
}

bool reader::flag(const schema::type& t, void* to, const place& here) {
    const char c = next();
    if (c != 't' && c != 'f') return misfit(t, here);
    *static_cast<bool*>(to) = c == 't';
    return literal(c == 't' ? "true" : "false", here);
}

// Fast path for most integers: without a fraction, and at most 18 digits, so that overflow is impossible. Returns false
// for other numbers.
[[gnu::always_inline]] inline bool reader::short_integer(std::uint64_t& magnitude, bool& negative) noexcept {
    const char* at = at_;
    negative = at != end_ && *at == '-';
    at += negative;
    const char* digits = at;
    magnitude = 0;
    for (; at != end_ && base::is_digit(*at); ++at) magnitude = magnitude * 10 + static_cast<unsigned>(*at - '0');
    const auto size = at - digits;
    if (size == 0 || size > 18 || at == end_ || *at == '.' || (*at | 0x20) == 'e' || (*digits == '0' && size != 1))
        return false;
    at_ = at;
    return true;
}

[[gnu::always_inline]] inline bool reader::integer(const schema::type& t, void* to, const place& here) {
    const char* begin = at_;
    std::uint64_t magnitude;
    bool negative;
    if (t.what == kind::integer && short_integer(magnitude, negative)) [[likely]] {
        const auto small = static_cast<std::int64_t>(magnitude);
        const std::int64_t value = negative ? -small : small;
        if (value < t.least || value > static_cast<std::int64_t>(t.greatest)) return unfit(t, begin, here), true;
        store_integer(to, t.width, static_cast<std::uint64_t>(value));
        return true;
    }
    if (next() != '-' && !base::is_digit(next())) return misfit(t, here);
    number_text number;
    if (!syntax::number(number, here)) return false;
    if (t.what == kind::integer) {
        std::int64_t value;
        if (!to_integer(number, value) || value < t.least || value > static_cast<std::int64_t>(t.greatest))
            return unfit(t, begin, here), true;
        store_integer(to, t.width, static_cast<std::uint64_t>(value));
    } else {
        std::uint64_t value;
        if (!to_natural(number, value) || value < static_cast<std::uint64_t>(t.least) || value > t.greatest)
            return unfit(t, begin, here), true;
        store_integer(to, t.width, value);
    }
    return true;
}

bool reader::number_value(const schema::type& t, void* to, const place& here) {
    const char* begin = at_;
    if (next() != '-' && !base::is_digit(next())) return misfit(t, here);
    number_text number;
    if (!syntax::number(number, here)) return false;
    double value;
    const bool fits =
        to_double(number, value) && (t.minimum >= t.maximum || (value >= t.minimum && value <= t.maximum));
    if (t.width == sizeof(float)) {
        const auto narrow = static_cast<float>(fits ? value : 0);
        if (narrow - narrow != 0) return unfit(t, begin, here), true;
        store(to, narrow);
    } else if (fits) {
        store(to, value);
    }
    if (!fits) unfit(t, begin, here);
    return true;
}

bool reader::text_value(const schema::type& t, void* to, const place& here) {
    return next() == '"' ? plain_text(t, to, here) : misfit(t, here);
}

bool reader::time(const schema::type& t, void* to, const place& here) {
    const char* begin = at_;
    if (next() != '"') return misfit(t, here);
    std::string_view text;
    if (!syntax::text(text, here)) return false;
    if (!schema::read_time(text, *t.time, to)) unfit(t, begin, here);
    return true;
}

bool reader::enumeration(const schema::type& t, void* to, const place& here) {
    const char* begin = at_;
    if (next() != '"') return misfit(t, here);
    std::string_view text;
    if (!syntax::text(text, here)) return false;
    if (const schema::enumerator* found = schema::find_enumerator(t, text))
        store_integer(to, t.width, static_cast<std::uint64_t>(found->value));
    else unfit(t, begin, here);
    return true;
}

bool reader::optional(const schema::type& t, void* to, const place& here) {
    if (next() != 'n') return value(*t.element, t.optional->emplace(to), here);
    t.optional->reset(to);
    return literal("null", here);
}

// Reads an item of a list. Returns its end, or null for invalid JSON.
[[gnu::always_inline]] inline const char* reader::list_item(const schema::type& t, void* to, const char* at,
                                                            const place& item) {
    at_ = at;
    if (item.index >= t.greatest) return skip(item) ? at_ : nullptr;
    const schema::list_calls& calls = *t.list;
    void* room =
        calls.add ? calls.add(to) : static_cast<char*>(const_cast<void*>(calls.data(to))) + item.index * calls.stride;
    if (readable_ - at >= fast_reach)
        if (const char* behind = fast_value(*t.element, room, at, readable_)) return behind;
    return value(*t.element, room, item) ? at_ : nullptr;
}

bool reader::list(const schema::type& t, void* to, const place& here) {
    if (next() != '[') return misfit(t, here);
    bool empty = false;
    if (!enter(']', empty, here)) return false;
    if (t.list->clear) t.list->clear(to);
    place item{.up = &here, .in_list = true};
    indentation& inner = before(depth_left_);
    const char* at = at_;
    for (bool another = !empty; another; ++item.index) {
        at = list_item(t, to, at, item);
        if (!at) return false;
        at = behind_value(at, ']', inner, another, here);
        if (!at) return false;
    }
    if (item.index < static_cast<std::uint64_t>(t.least) || item.index > t.greatest)
        fault(here, count_of(item.index, "value"), schema::expectation(t));
    return true;
}

bool reader::map(const schema::type& t, void* to, const place& here) {
    if (next() != '{') return misfit(t, here);
    bool empty = false;
    if (!enter('}', empty, here)) return false;
    t.map->clear(to);
    for (bool another = !empty; another;) {
        std::string_view text;
        if (!name(text, here)) return false;
        const std::string key(text);
        const place entry{.up = &here, .name = key};
        void* room = t.map->put(to, key);
        if (!room) fault(entry, "a duplicate name", "distinct names");
        if (!(room ? value(*t.element, room, entry) : skip(entry)) || !more('}', another, here)) return false;
    }
    const std::size_t size = t.map->size(to);
    if (size < static_cast<std::uint64_t>(t.least) || size > t.greatest)
        fault(here, count_of(size, "member"), schema::expectation(t));
    return true;
}

bool reader::ruled(const schema::type& t, void* to, const place& here) {
    const char* begin = at_;
    const std::size_t faults_before = out_->list.faults.size();
    if (!plain(t, to, here)) return false;
    if (out_->list.faults.size() == faults_before && !t.user->holds(to)) unfit(t, begin, here);
    return true;
}

bool reader::plain(const schema::type& t, void* to, const place& here) {
    switch (t.what) {
        case kind::boolean: return flag(t, to, here);
        case kind::integer:
        case kind::natural: return integer(t, to, here);
        case kind::number: return number_value(t, to, here);
        case kind::text: return text_value(t, to, here);
        case kind::time: return time(t, to, here);
        case kind::enumeration: return enumeration(t, to, here);
        case kind::list: return list(t, to, here);
        case kind::map: return map(t, to, here);
        case kind::optional: return optional(t, to, here);
        case kind::variant: return variant(t, to, here);
        case kind::object: return object(t, to, here);
        case kind::value: return any(*static_cast<json_value*>(to), here);
        case kind::represented: return represented(t, to, here);
        case kind::secret: return secret(t, to, here);
        case kind::view:
        case kind::file: break;
    }
    return misfit(t, here);
}

}  // namespace apus::codec::json
