// SPDX-License-Identifier: Apache-2.0
// error: JSON cannot represent the type of this field
// names: field_that_json_cannot_represent<shop::order, apus::detail::literal<8>{"waiting"}, std::pair<int, int>
#include <apus/json.hpp>

namespace shop {
struct order {
    int id;
#ifdef OK
    int waiting;
#else
    std::pair<int, int> waiting;
#endif
};
}  // namespace shop

std::string print(const shop::order& value) { return apus::to_json(value); }
