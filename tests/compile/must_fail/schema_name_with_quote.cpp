// SPDX-License-Identifier: Apache-2.0
// error: a field name must be printable ASCII without quotes and backslashes
#include <apus/json.hpp>

struct note {
    int count;
#ifdef OK
    static constexpr apus::field_note fields[] = {{.field = "count", .name = "the count"}};
#else
    static constexpr apus::field_note fields[] = {{.field = "count", .name = "the \"count\""}};
#endif
};

std::string print(const note& value) { return apus::to_json(value); }
