// SPDX-License-Identifier: Apache-2.0
// error: a pattern has more than 191 characters to match
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
