// SPDX-License-Identifier: Apache-2.0
// error: a pattern must have a character or a group before a repetition
#include <apus/json.hpp>
#include <apus/rules.hpp>

struct coded {
#ifdef OK
    apus::pattern<"[a-z]{3}"> code;
#else
    apus::pattern<"*a"> code;
#endif
};

std::string print(const coded& value) { return apus::to_json(value); }
