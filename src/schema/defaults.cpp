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

// What no initializer has touched holds the bytes of both rooms.
bool is_untouched(const field& f, made_object& first, made_object& second) {
    for (unsigned i = 0; i < f.of->width; ++i)
        if (first.at()[f.offset + i] == second.at()[f.offset + i]) return false;
    return true;
}

std::uint64_t find_omittable(const type& aggregate) {
    made_object first(aggregate, 0x55);
    made_object second(aggregate, 0xaa);
    std::uint64_t found = 0;
    for (unsigned i = 0; i < aggregate.field_count; ++i) {
        const field& f = aggregate.fields[i];
        bool given;
        if (is_scalar(*f.of)) given = !is_untouched(f, first, second);
        else given = f.of->what == kind::optional || !is_empty(*f.of, first.at() + f.offset);
        found |= std::uint64_t(given) << i;
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
