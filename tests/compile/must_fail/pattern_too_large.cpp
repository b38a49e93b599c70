// SPDX-License-Identifier: Apache-2.0
// error: a pattern may have at most 191 positions, counting repetitions
#include <apus/json.hpp>
#include <apus/rules.hpp>

struct coded {
#ifdef OK
    apus::pattern<"[a-z]{3}"> code;
#else
    apus::pattern<"[a-z]{192}"> code;
#endif
};

std::string print(const coded& value) { return apus::to_json(value); }
