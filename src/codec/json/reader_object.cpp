// SPDX-License-Identifier: Apache-2.0
#include "codec/json/reader.hpp"

#include "schema/defaults.hpp"
#include "schema/expectation.hpp"
#include "schema/flat_values.hpp"

#include <cstring>

namespace apus::codec::json {
namespace {

constexpr std::string_view tag_name = "type";

std::uint64_t bit(unsigned index) noexcept { return std::uint64_t(1) << index; }

// Returns true if the name at `key` is the name of `f`, and then moves `key` after the closing quote. `word` has the
// first eight bytes at `key`.
bool matches_at(const schema::field& f, std::uint64_t word, const char*& key, const char* end) noexcept {
    if ((word & f.mask) != f.begin) return false;
    const std::size_t size = f.name.size();
    if (size >= 8) {
        if (static_cast<std::size_t>(end - key) <= size || key[size] != '"') return false;
        if (std::memcmp(key + 8, f.name.data() + 8, size - 8) != 0) return false;
    }
    key += size + 1;
    return true;
}

unsigned index_of(const schema::type& t, std::string_view name) noexcept {
    unsigned i = 0;
    while (i < t.field_count && t.fields[i].name != name) ++i;
    return i;
}

// Returns a list of the field names for a message.
std::string names_of(const schema::type& t) {
    constexpr unsigned shown = 10;
    std::string text = t.field_count == 0 ? "no field" : t.field_count == 1 ? "only" : "one of";
    for (unsigned i = 0; i < t.field_count && i < shown; ++i)
        ((text += i == 0 ? " \"" : ", \"") += t.fields[i].name) += '"';
    if (t.field_count > shown) text += " and others";
    return text;
}

}  // namespace

/// Slow path of `find_field` for a name other than the predicted one.
bool reader::search_field(const schema::type& t, unsigned& guess, std::string_view& name, const place& here) {
    if (next() == '"' && end_ - at_ > 8) {
        const char* key = at_ + 1;
        const auto word = base::load_word<std::uint64_t>(key);
        for (unsigned i = 0; i < t.field_count; ++i) {
            if (matches_at(t.fields[i], word, key, end_)) {
                guess = i;
                at_ = key;
                return colon(here);
            }
        }
    }
    if (!syntax::name(name, here)) return false;
    guess = index_of(t, name);
    return true;
}

/// Parses a name and its colon.
/// `guess` is the index of the predicted field, the next one of the struct. Sets `guess` to the index of the field
/// found. For an unknown name, sets `guess` to `field_count` and `name` to the name.
[[gnu::always_inline]] inline bool reader::find_field(const schema::type& t, unsigned& guess, std::string_view& name,
                                                      const place& here) {
    if (next() == '"' && end_ - at_ > 8) {
        const char* key = at_ + 1;
        const auto word = base::load_word<std::uint64_t>(key);
        if (guess < t.field_count && matches_at(t.fields[guess], word, key, end_)) [[likely]] {
            at_ = key;
            return colon(here);
        }
    }
    return search_field(t, guess, name, here);
}

bool reader::other_member(const schema::type& t, std::string_view name, const place& here, bool tagged) {
    const std::string kept(name);
    const place entry{.up = &here, .name = kept};
    const bool is_known = (tagged && kept == tag_name) || t.object->ignores_unknown || out_->ignores_unknown;
    if (!is_known) fault(entry, "an unknown field", names_of(t));
    return skip(entry);
}

/// Reads a null instead of a value, if the field may be missing.
/// Sets `is_null` if it has read a null.
bool reader::null_member(const schema::type& t, const schema::field& f, bool& is_null, const place& here) {
    const auto index = static_cast<unsigned>(&f - t.fields);
    const schema::kind what = f.of->what;
    is_null = what != schema::kind::optional && what != schema::kind::value && (schema::omittable(t) & bit(index)) != 0;
    return !is_null || literal("null", here);
}

inline bool reader::member_value(const schema::type& t, const schema::field& f, char* to, const place& here) {
    if (next() == 'n' && out_->null_keeps) [[unlikely]] {
        bool is_null = false;
        if (!null_member(t, f, is_null, here)) return false;
        if (is_null) return true;
    }
    return value_of(f, to + f.offset, here);
}

[[gnu::always_inline]] inline bool reader::member(const schema::type& t, char* to, const place& here, bool tagged,
                                                  std::uint64_t& seen, unsigned& guess) {
    std::string_view name;
    if (!find_field(t, guess, name, here)) return false;
    if (guess == t.field_count) {
        guess = 0;
        return other_member(t, name, here, tagged);
    }
    const unsigned index = guess++;
    const schema::field& f = t.fields[index];
    const place entry{.up = &here, .name = f.name};
    if (seen & bit(index)) {
        fault(entry, "a duplicate name", "distinct names");
        return skip(entry);
    }
    seen |= bit(index);
    return member_value(t, f, to, entry);
}

/// Fast path: reads members in the order of the struct, beginning with `next_one`.
/// Sets `another` to whether further members follow.
bool reader::fast_members(const schema::type& t, char* to, const place& here, std::uint64_t& seen, unsigned& next_one,
                          bool& another) {
    const schema::field* f = t.fields + next_one;
    const schema::field* const last = t.fields + t.field_count;
    const char* at = at_;
    const char* const end = readable_;
    std::uint64_t all_seen = seen;
    std::size_t gap = gap_;
    indentation& inner = before(depth_left_);
    for (std::uint64_t mine = next_one < 64 ? bit(next_one) : 0; f != last; ++f, mine <<= 1) {
        const std::size_t size = f->quoted.size() - 1;
        if (end - at < static_cast<std::ptrdiff_t>(size) + 1 + fast_reach || (all_seen & mine) ||
            !matches_name(at, f->quoted))
            break;
        at += size;
        // Predicts zero or one space, so that later instructions do not depend on the result.
        if (static_cast<unsigned char>(at[gap]) > ' ' && (gap == 0 || *at == ' ')) [[likely]]
            at += gap;
        else at += gap = *at == ' ';
        all_seen |= mine;
        if (const char* behind = fast_value(*f->of, to + f->offset, at, end)) {
            at = behind;
        } else {
            at_ = at;
            space();
            if (!member_value(t, *f, to, place{.up = &here, .name = f->name})) return false;
            at = at_;
        }
        at = behind_value(at, '}', inner, another, here);
        if (!at) return false;
        if (!another) break;
    }
    gap_ = gap;
    next_one = static_cast<unsigned>(f - t.fields);
    seen = all_seen;
    at_ = at;
    return true;
}

bool reader::object(const schema::type& t, void* to, const place& here, bool tagged) {
    if (next() != '{') return misfit(t, here);
    const std::size_t faults_before = t.object->check ? out_->list.faults.size() : 0;
    std::uint64_t seen = 0;
    unsigned guess = 0;
    bool empty = false;
    if (!enter('}', empty, here)) return false;
    for (bool another = !empty; another;) {
        if (!fast_members(t, static_cast<char*>(to), here, seen, guess, another)) return false;
        if (!another) break;
        if (!member(t, static_cast<char*>(to), here, tagged, seen, guess) || !more('}', another, here)) return false;
    }
    const std::uint64_t all = t.field_count == 64 ? ~std::uint64_t(0) : bit(t.field_count) - 1;
    if (seen != all) note_missing(t, all & ~seen, here);
    if (t.object->check && out_->list.faults.size() == faults_before) ask_check(t, to, here);
    return true;
}

void reader::note_missing(const schema::type& t, std::uint64_t missing, const place& here) {
    missing &= ~schema::omittable(t);
    for (unsigned i = 0; i < t.field_count; ++i) {
        if (!(missing & bit(i))) continue;
        const schema::field& f = t.fields[i];
        const place entry{.up = &here, .name = f.name};
        if (f.message.empty()) fault(entry, "nothing", schema::expectation(*f.of));
        else fault(entry, {}, std::string(f.message));
    }
}

void reader::ask_check(const schema::type& t, const void* object, const place& here) {
    int status = 422;
    std::string why;
    if (t.object->check(object, status, why)) return;
    if (out_->list.faults.empty()) out_->list.status = status;
    fault(here, {}, std::move(why));
}

/// Searches the object for the member "type". Does not change the position.
bool reader::find_tag(const schema::type& t, const schema::alternative*& found, std::string& other, const place& here) {
    const char* begin = at_;
    const unsigned depth_before = depth_left_;
    bool empty = false;
    if (!enter('}', empty, here)) return false;
    const place entry{.up = &here, .name = tag_name};
    for (bool another = !empty; another && !found;) {
        std::string_view text;
        if (!name(text, here)) return false;
        const bool is_tag = text == tag_name && next() == '"';
        if (!(is_tag ? syntax::text(text, entry) : skip(here))) return false;
        for (unsigned i = 0; is_tag && i < t.variant->count; ++i)
            if (t.variant->alternatives[i].tag == text) found = &t.variant->alternatives[i];
        if (is_tag && !found) other = schema::shown(text);
        if (!more('}', another, here)) return false;
    }
    at_ = begin;
    depth_left_ = depth_before;
    return true;
}

bool reader::variant(const schema::type& t, void* to, const place& here) {
    if (next() != '{') return misfit(t, here);
    const schema::alternative* found = nullptr;
    std::string other;
    if (!find_tag(t, found, other, here)) return false;
    if (!found && other.empty()) return misfit(t, here);
    if (!found)
        return skip(here) && (fault(here, "an object whose \"type\" is " + other, schema::expectation(t)), true);
    return object(*found->of, found->choose(to), here, true);
}

}  // namespace apus::codec::json
