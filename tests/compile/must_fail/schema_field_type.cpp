// SPDX-License-Identifier: Apache-2.0
// error: JSON cannot represent the type of this field
// names: field_that_json_cannot_represent<shop::order, apus::detail::literal<8>{"waiting"}, std::chrono::duration<long
#include <apus/json.hpp>

#include <chrono>

namespace shop {
struct order {
    int id;
#ifdef OK
    std::chrono::sys_seconds waiting;
#else
    std::chrono::seconds waiting;
#endif
};
}  // namespace shop

std::string print(const shop::order& value) { return apus::to_json(value); }
