// SPDX-License-Identifier: Apache-2.0
// error: a representation must have `static type to(const T&)` and `static std::optional<T> from(type)`,
// and T must be default-constructible
#include <apus/json.hpp>
#include <apus/representation.hpp>

struct money {
    int cents;
};

template <>
struct apus::representation<money> {
    using type = int;
    static int to(const money& m) { return m.cents; }
#ifdef OK
    static std::optional<money> from(int cents) { return money{cents}; }
#endif
};

std::string print(const money& value) { return apus::to_json(value); }
