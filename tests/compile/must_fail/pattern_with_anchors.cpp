// SPDX-License-Identifier: Apache-2.0
// error: a pattern must not contain '^' or '$': it always matches the whole text
#include <apus/json.hpp>
#include <apus/rules.hpp>

struct coded {
#ifdef OK
    apus::pattern<"[a-z]{3}"> code;
#else
    apus::pattern<"^a$"> code;
#endif
};

std::string print(const coded& value) { return apus::to_json(value); }
