// SPDX-License-Identifier: Apache-2.0
// error: a secret must be a bool, number, text, time, enumeration or represented type: put std::optional and lists around it
#include <apus/json.hpp>
#include <apus/secret.hpp>

#include <vector>

struct keys {
#ifdef OK
    std::vector<apus::secret<std::string>> all;
#else
    apus::secret<std::vector<std::string>> all;
#endif
};

std::string print(const keys& value) { return apus::to_json(value); }
