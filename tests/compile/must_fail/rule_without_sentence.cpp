// SPDX-License-Identifier: Apache-2.0
// error: a rule must have `static bool holds(const T&)` and `static constexpr std::string_view expected`
#include <apus/json.hpp>
#include <apus/rules.hpp>

struct even {
    static bool holds(const int& n) { return n % 2 == 0; }
#ifdef OK
    static constexpr std::string_view expected = "an even number";
#endif
};
struct pair {
    apus::checked<int, even> x;
};

std::string print(const pair& value) { return apus::to_json(value); }
