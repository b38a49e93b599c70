// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_builder.hpp"

namespace apus::sql::detail {

statement_builder& statement_builder::operator<<(argument a) {
    if (!a.of) {
        parts_.values->add_null();
    } else if (auto added = parts_.values->add_one(*a.of, a.at); !added) {
        refuse(std::move(added.error()));
        parts_.values->add_null();
    }
    add_placeholder();
    return *this;
}

statement_builder& statement_builder::operator<<(const condition_parts& c) {
    if (c.refused) refuse(*c.refused);
    const std::string_view find = parts_.in->db->name() == "sqlite" ? "instr" : "strpos";
    std::size_t next = 0;
    for (const char each : c.sql) {
        if (each == find_mark) {
            sql_ += find;
        } else if (each != value_mark) {
            sql_ += each;
        } else {
            const parameters& from = *c.values[next++];
            const auto held = from.values();
            if (held.empty()) parts_.values->add_null();  // the value was rejected
            else parts_.values->add_copy(held.front(), from.has_secret());
            add_placeholder();
        }
    }
    return *this;
}

call statement_builder::finish() && {
    auto owner = std::make_shared<const std::string>(std::move(sql_));
    parts_.text = {.sql = *owner, .owner = owner};
    return call(apus::detail::own_parts(new call_parts(std::move(parts_))));
}

}  // namespace apus::sql::detail
