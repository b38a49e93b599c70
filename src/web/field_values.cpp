// SPDX-License-Identifier: Apache-2.0
#include <apus/cookies.hpp>
#include <apus/detail/chain.hpp>
#include <apus/detail/field_values.hpp>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "schema/expectation.hpp"
#include "schema/flat_values.hpp"
#include "schema/text_value.hpp"

#include <optional>
#include <string>

namespace apus::detail {
namespace {

/// A header field as one value. Holds the joined text if the field has several lines.
struct combined_field {
    std::optional<std::string_view> value;
    std::string bytes;

    void add(std::string_view line) {
        if (value) bytes = std::string(*value).append(", ").append(line), line = bytes;
        value = line;
    }
};

bool refuse_field(std::string_view where, std::string_view name, const std::string& why, response& out) {
    refuse(error(400, std::string(where).append(" `").append(name).append("` ").append(why)), out);
    return false;
}

bool read(std::optional<std::string_view> text, std::string_view where, std::string_view name, const schema::type& t,
          void* value, response& out) {
    const bool may_be_absent = t.what == schema::kind::optional;
    const schema::type& one = may_be_absent ? *t.element : t;
    if (!text)
        return may_be_absent || refuse_field(where, name, "is missing: it must be " + schema::expectation(one), out);
    if (!base::is_utf8(*text)) return refuse_field(where, name, "must be UTF-8", out);
    if (schema::read_text(t, value, *text)) return true;
    const std::string found = schema::is_secret(one) ? std::string() : ", not " + schema::shown(*text);
    return refuse_field(where, name, "must be " + schema::expectation(one) + found, out);
}

}  // namespace

bool read_header(request& req, std::string_view name, const schema::type& t, void* value, response& out) {
    combined_field all;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view field = req.header_at(i);
        if (base::equal_ignoring_case(field.name, name)) all.add(field.value);
    }
    return read(all.value, "the header field", name, t, value, out);
}

bool read_cookie(request& req, std::string_view name, const schema::type& t, void* value, response& out) {
    return read(find_cookie(req, name), "the cookie", name, t, value, out);
}

}  // namespace apus::detail
