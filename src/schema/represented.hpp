// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

// Conversions of types that are represented by another type (apus::representation).

namespace apus::schema {

/// Calls `use(const void*)` with the representation of a value, whose type is `*t.element`.
template <class F>
void use_representation(const type& t, const void* value, F use) {
    t.represented->write(value, &use, [](void* f, const void* as) { (*static_cast<F*>(f))(as); });
}

/// Sets a value from a representation that `fill(void*)` reads.
/// Returns false if `fill` returns false, or if the value is invalid.
template <class F>
bool read_representation(const type& t, void* value, F fill) {
    return t.represented->read(value, &fill, [](void* f, void* as) -> bool { return (*static_cast<F*>(f))(as); });
}

}  // namespace apus::schema
