// SPDX-License-Identifier: Apache-2.0
// error: two fields of a struct have the same external name
#include <apus/json.hpp>

struct note {
    int count, total;
#ifdef OK
    static constexpr apus::field_note fields[] = {{.field = "count", .name = "n"}};
#else
    static constexpr apus::field_note fields[] = {{.field = "count", .name = "total"}};
#endif
};

std::string print(const note& value) { return apus::to_json(value); }
