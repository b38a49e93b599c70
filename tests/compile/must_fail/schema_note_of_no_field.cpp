// SPDX-License-Identifier: Apache-2.0
// error: a field_note names an unknown field of the struct
#include <apus/json.hpp>

struct note {
    int count;
#ifdef OK
    static constexpr apus::field_note fields[] = {{.field = "count", .name = "n"}};
#else
    static constexpr apus::field_note fields[] = {{.field = "cuont", .name = "n"}};
#endif
};

std::string print(const note& value) { return apus::to_json(value); }
