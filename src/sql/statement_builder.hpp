// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sql/condition.hpp"
#include "sql/database_parts.hpp"

#include <string>
#include <string_view>

namespace apus::sql::detail {

/// Builds a statement from program text, checked names, and values, which become placeholders.
class statement_builder {
public:
    explicit statement_builder(const shared_session& in)
        : parts_{.in = in, .text = {}, .values = make_parameters(*in)} {}

    statement_builder& operator<<(std::string_view text) {
        sql_ += text;
        return *this;
    }
    /// Adds a placeholder with one value.
    statement_builder& operator<<(argument);
    statement_builder& operator<<(const condition_parts&);

    std::size_t values() const noexcept { return parts_.values->values().size(); }
    void refuse(error why) {
        if (!parts_.refused) parts_.refused.emplace(std::move(why));
    }
    call finish() &&;

private:
    void add_placeholder() { sql_.append("$").append(std::to_string(values())); }

    call_parts parts_;
    std::string sql_;
};

}  // namespace apus::sql::detail
