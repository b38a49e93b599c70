// SPDX-License-Identifier: Apache-2.0
#include "web/type_name.hpp"

#include <apus/detail/answers.hpp>
#include <apus/detail/parameters.hpp>

#include <utility>

namespace apus::detail {

void put_literal(response& out, std::string_view text) noexcept { out.set_literal(text); }

void put_copy(response& out, std::string_view text) {
    // Reuses the memory of the previous response. `assign` would be a call that handles text within the string itself.
    out.bytes().resize_and_overwrite(text.size(), [&](char* to, std::size_t size) { return text.copy(to, size); });
    out.set_known_type(1);
}

void put_text(response& out, std::string&& text) { out = response::text(std::move(text)); }

void put_missing(response& out) { refuse(error(404, {}), out); }

void put_no_value(const needed_value& what, response& out) {
    refuse(error(500, "the handler takes a `" + web::type_in(what.spelled) +
                          "&`, but no middleware has set one for this request"),
           out);
}

}  // namespace apus::detail
