// SPDX-License-Identifier: Apache-2.0
#include "codec/json/print.hpp"

#include "codec/json/digits.hpp"
#include "codec/json/json_value_access.hpp"
#include "codec/json/output.hpp"
#include "schema/date_time.hpp"
#include "schema/expectation.hpp"
#include "schema/represented.hpp"

#include <cmath>
#include <stdexcept>

namespace apus::codec::json {
namespace {

using schema::kind;

template <class T>
T load(const void* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

std::int64_t load_signed(const void* from, unsigned width) noexcept {
    switch (width) {
        case 1: return load<std::int8_t>(from);
        case 2: return load<std::int16_t>(from);
        case 4: return load<std::int32_t>(from);
        default: return load<std::int64_t>(from);
    }
}
std::uint64_t load_unsigned(const void* from, unsigned width) noexcept {
    switch (width) {
        case 1: return load<std::uint8_t>(from);
        case 2: return load<std::uint16_t>(from);
        case 4: return load<std::uint32_t>(from);
        default: return load<std::uint64_t>(from);
    }
}

/// Prints a value according to its schema table.
class printer {
public:
    printer(std::string& to, secrets how) : out_(to), shows_secrets_(how == secrets::shown) {}
    printer(std::span<char> first, std::string& to, secrets how) noexcept
        : out_(first, to), shows_secrets_(how == secrets::shown) {}

    void value(const schema::type& t, const void* from);
    std::string_view finish() { return out_.finish(); }

private:
    void digits(std::int64_t number) { out_.advance(put_integer(out_.room(longest_number), number)); }
    void digits(std::uint64_t number) { out_.advance(put_natural(out_.room(longest_number), number)); }
    void fraction(double number);
    void fraction(float number);
    void enumeration(const schema::type& t, const void* from);
    void time(const schema::type& t, const void* from);
    void list(const schema::type& t, const void* from);
    void map(const schema::type& t, const void* from);
    void variant(const schema::type& t, const void* from);
    void fields(const schema::type& t, const char* object, bool first);
    void represented(const schema::type& t, const void* from);
    void any(const json_value& from);
    void any_number(double number);

    struct level {  // nesting of a list or an object
        explicit level(printer& of) : depth(of.depth_) {
            if (++depth > max_printed_depth)
                throw std::length_error("JSON must not have more than 512 nested lists and objects");
        }
        ~level() { --depth; }
        unsigned& depth;
    };

    output out_;
    unsigned depth_ = 0;
    bool shows_secrets_;
};

template <class T>
void require_finite(T number) {
    if (!std::isfinite(number))
        throw std::domain_error(std::isnan(number) ? "JSON cannot represent NaN"
                                                   : "JSON cannot represent an infinite number");
}

void printer::fraction(double number) {
    require_finite(number);
    out_.advance(put_double(out_.room(longest_number), number));
}

void printer::fraction(float number) {
    require_finite(number);
    char* to = out_.room(longest_number);
    out_.advance(std::to_chars(to, to + longest_number, number).ptr);
}

void printer::value(const schema::type& t, const void* from) {
    switch (t.what) {
        case kind::boolean:
            return out_.put(*static_cast<const bool*>(from) ? std::string_view("true") : std::string_view("false"));
        case kind::integer: return digits(load_signed(from, t.width));
        case kind::natural: return digits(load_unsigned(from, t.width));
        case kind::number: return t.width == sizeof(float) ? fraction(load<float>(from)) : fraction(load<double>(from));
        case kind::text: return out_.put_text(*static_cast<const std::string*>(from));
        case kind::view: return out_.put_text(*static_cast<const std::string_view*>(from));
        case kind::time: return time(t, from);
        case kind::enumeration: return enumeration(t, from);
        case kind::list: return list(t, from);
        case kind::map: return map(t, from);
        case kind::optional: {
            const void* held = t.optional->get(from);
            return held ? value(*t.element, held) : out_.put("null");
        }
        case kind::variant: return variant(t, from);
        case kind::object: return fields(t, static_cast<const char*>(from), true);
        case kind::value: return any(*static_cast<const json_value*>(from));
        case kind::represented: return represented(t, from);
        case kind::secret: return shows_secrets_ ? value(*t.element, from) : out_.put("null");
        case kind::file: throw std::domain_error("JSON cannot represent a file");
    }
}

// Fast path for members of common types. The caller must have reserved room. Returns the end, or null for other types.
[[gnu::always_inline]] inline char* put_fast(char* to, const schema::type& t, const void* from) noexcept {
    switch (t.what) {
        case kind::integer: return put_integer(to, load_signed(from, t.width));
        case kind::natural: return put_natural(to, load_unsigned(from, t.width));
        case kind::boolean: {
            const bool yes = *static_cast<const bool*>(from);
            std::memcpy(to, yes ? "true" : "fals", 4);
            to[4] = 'e';
            return to + 5 - yes;
        }
        default: return nullptr;
    }
}

void printer::fields(const schema::type& t, const char* object, bool first) {
    const level deeper(*this);
    if (t.field_count == 0 && first) return out_.put("{}");
    for (const schema::field* f = t.fields; f != t.fields + t.field_count; ++f) {
        if (!shows_secrets_ && f->of->what >= kind::list && schema::is_secret(*f->of)) continue;
        // `quoted` begins with a comma.
        char* const begin = out_.room(f->quoted.size() + longest_number);
        char* const to = copy_short(begin, f->quoted);
        if (first) *begin = '{';
        first = false;
        const char* from = object + f->offset;
        if (char* end = put_fast(to, *f->of, from)) {
            out_.advance(end);
        } else {
            out_.advance(to);
            if (f->of->what == kind::text) out_.put_text(*reinterpret_cast<const std::string*>(from));
            else value(*f->of, from);
        }
    }
    if (first) out_.put('{');  // no member was printed
    out_.put('}');
}

void printer::represented(const schema::type& t, const void* from) {
    schema::use_representation(t, from, [&](const void* as) { value(*t.element, as); });
}

void printer::list(const schema::type& t, const void* from) {
    const level deeper(*this);
    const std::size_t size = t.list->size(from);
    const char* at = static_cast<const char*>(t.list->data(from));
    out_.put('[');
    for (std::size_t i = 0; i < size; ++i, at += t.list->stride) {
        if (i != 0) out_.put(',');
        value(*t.element, at);
    }
    out_.put(']');
}

void printer::map(const schema::type& t, const void* from) {
    const level deeper(*this);
    struct visitor {
        printer* self;
        const schema::type* element;
        char before;
    } each{this, t.element, '{'};
    t.map->each(from, &each, [](void* context, std::string_view key, const void* held) {
        auto& [self, element, before] = *static_cast<visitor*>(context);
        self->out_.put(before);
        self->out_.put_text(key);
        self->out_.put(':');
        self->value(*element, held);
        before = ',';
    });
    if (each.before == '{') out_.put('{');
    out_.put('}');
}

void printer::variant(const schema::type& t, const void* from) {
    const void* held = t.variant->get(from);
    if (!held) throw std::domain_error("JSON cannot represent a valueless variant");
    const schema::alternative& one = t.variant->alternatives[t.variant->index(from)];
    out_.put(one.quoted);
    fields(*one.of, static_cast<const char*>(held), false);
}

void printer::enumeration(const schema::type& t, const void* from) {
    if (const schema::enumerator* named = schema::enumerator_at(t, from)) return out_.put_text(named->name);
    throw std::domain_error("a value of " + std::string(t.name) + " has no name");
}

void printer::time(const schema::type& t, const void* from) {
    char text[schema::longest_time];
    const std::size_t size = schema::write_time(text, *t.time, from);
    if (size == 0) throw std::domain_error("a time is outside the years 0 to 9999 of RFC 3339");
    out_.put_text({text, size});
}

// Prints a double of a `json_value` with a decimal point or an exponent, so that it is not parsed as an integer.
void printer::any_number(double number) {
    char* begin = out_.room(40);
    fraction(number);
    char* end = out_.room(2);
    for (char* c = begin; c != end; ++c)
        if (*c == '.' || *c == 'e') return;
    *end++ = '.';
    *end++ = '0';
    out_.advance(end);
}

void printer::any(const json_value& from) {
    using access = json_value_access;
    switch (from.what()) {
        case json_value::kind::null: return out_.put("null");
        case json_value::kind::boolean:
            return out_.put(access::boolean(from) ? std::string_view("true") : std::string_view("false"));
        case json_value::kind::integer: return digits(access::integer(from));
        case json_value::kind::natural: return digits(access::natural(from));
        case json_value::kind::number: return any_number(access::number(from));
        case json_value::kind::text: return out_.put_text(access::text(from));
        case json_value::kind::list:
        case json_value::kind::object: break;
    }
    const level deeper(*this);
    char before = from.is_list() ? '[' : '{';
    if (from.size() == 0) return out_.put(from.is_list() ? std::string_view("[]") : std::string_view("{}"));
    for (const json_value& item : from.items()) {
        out_.put(before);
        any(item);
        before = ',';
    }
    for (const json_value::member& one : from.members()) {
        out_.put(before);
        out_.put_text(one.name);
        out_.put(':');
        any(one.value);
        before = ',';
    }
    out_.put(from.is_list() ? ']' : '}');
}

}  // namespace

std::string_view print(const schema::type& t, const void* value, std::span<char> first, std::string& to, secrets how) {
    printer out(first, to, how);
    out.value(t, value);
    return out.finish();
}

void print(const schema::type& t, const void* value, std::string& to, secrets how) {
    // If the string has little capacity, prints to the stack first, so that the string is allocated once, with the
    // exact size.
    constexpr std::size_t little = 256;
    if (to.capacity() < little) {
        char first[4096];
        const std::string_view text = print(t, value, first, to, how);
        if (text.data() == first) to.assign(text);
        return;
    }
    printer out(to, how);
    out.value(t, value);
    out.finish();
}

void append_text(std::string& to, std::string_view text) {
    std::string quoted;
    output out(quoted);
    out.put_text(text);
    out.finish();
    to += quoted;
}

}  // namespace apus::codec::json
