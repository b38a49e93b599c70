// SPDX-License-Identifier: Apache-2.0
// error: a field_note names a field that the struct has not
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
