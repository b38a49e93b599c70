// SPDX-License-Identifier: Apache-2.0
#include "schema/defaults.hpp"

#include "schema/made_object.hpp"

#include <apus/json_value.hpp>

namespace apus::schema {
namespace {

bool is_scalar(const type& t) noexcept {
    switch (t.what) {
        case kind::boolean:
        case kind::integer:
        case kind::natural:
        case kind::number:
        case kind::enumeration: return true;
        default: return false;
    }
}

// An object created twice, in memory with different previous content, to detect uninitialized fields.
struct twice {
    const unsigned char* first;
    const unsigned char* second;

    twice at(std::size_t offset) const noexcept { return {first + offset, second + offset}; }
};

// Bytes that no initializer has set differ between the two buffers.
bool is_untouched(unsigned width, twice value) {
    for (unsigned i = 0; i < width; ++i)
        if (value.first[i] == value.second[i]) return false;
    return true;
}

bool is_given(const type& t, twice value);

// Whether each field is initialized, by an initializer of the struct or of the field.
bool all_fields_given(const type& t, twice value) {
    const std::uint64_t own = omittable(t);
    for (unsigned i = 0; i < t.field_count; ++i)
        if (!(own >> i & 1) && !is_given(*t.fields[i].of, value.at(t.fields[i].offset))) return false;
    return true;
}

bool all_items_given(const type& list, twice value) {
    if (list.list->stride == 0) return false;
    const auto* first = static_cast<const unsigned char*>(list.list->data(value.first));
    for (std::size_t i = 0; i < list.list->size(value.first); ++i)
        if (!is_given(*list.element, value.at(static_cast<std::size_t>(first - value.first) + i * list.list->stride)))
            return false;
    return true;
}

// Whether an initializer has set a valid value.
bool is_given(const type& t, twice value) {
    if (is_scalar(t)) return !is_untouched(t.width, value);
    if (t.what == kind::secret) return is_given(*t.element, value);
    if (t.what == kind::represented)
        return t.represented->same(value.first, value.second) && !t.represented->same(value.first, nullptr);
    if (t.what == kind::object) return all_fields_given(t, value);
    const bool fixed_list = t.what == kind::list && t.list->add == nullptr && t.least != 0;
    return t.what == kind::optional || (fixed_list ? all_items_given(t, value) : !is_empty(t, value.first));
}

std::uint64_t find_omittable(const type& aggregate) {
    made_object first(aggregate, 0x55);
    made_object second(aggregate, 0xaa);
    const twice made{first.at(), second.at()};
    std::uint64_t found = 0;
    for (unsigned i = 0; i < aggregate.field_count; ++i) {
        const field& f = aggregate.fields[i];
        found |= std::uint64_t(is_given(*f.of, made.at(f.offset))) << i;
    }
    return found;
}

}  // namespace

bool is_empty(const type& t, const void* value) {
    switch (t.what) {
        case kind::text: return static_cast<const std::string*>(value)->empty();
        case kind::view: return static_cast<const std::string_view*>(value)->empty();
        case kind::time: return t.time->count(value) == 0;
        case kind::list: return t.list->add == nullptr || t.list->size(value) == 0;
        case kind::map: return t.map->size(value) == 0;
        case kind::optional: return t.optional->get(value) == nullptr;
        case kind::represented: return t.represented->same(value, nullptr);
        case kind::secret: return is_empty(*t.element, value);
        case kind::value: return static_cast<const json_value*>(value)->is_null();
        case kind::object: {
            const std::uint64_t all = t.field_count == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << t.field_count) - 1;
            return omittable(t) != all;
        }
        default: return true;
    }
}

std::uint64_t omittable(const type& aggregate) {
    known_defaults& known = *aggregate.object->defaults;
    if (__atomic_load_n(&known.known, __ATOMIC_ACQUIRE)) return __atomic_load_n(&known.fields, __ATOMIC_RELAXED);
    const std::uint64_t found = find_omittable(aggregate);
    __atomic_store_n(&known.fields, found, __ATOMIC_RELAXED);
    __atomic_store_n(&known.known, static_cast<unsigned char>(1), __ATOMIC_RELEASE);
    return found;
}

}  // namespace apus::schema
