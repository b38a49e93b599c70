// SPDX-License-Identifier: Apache-2.0
// error: an enumeration in a schema must be an enum class, or an enum with an underlying type
#include <apus/json.hpp>

#ifdef OK
enum color : int {
#else
enum color {
#endif
    red,
    green
};
struct paint {
    color what;
};

std::string print(const paint& value) { return apus::to_json(value); }
