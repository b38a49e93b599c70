// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::detail {

/// Where the value of a handler's parameter comes from.
enum class source : unsigned char {
    nowhere,    ///< Nothing that a client sends on purpose.
    path,       ///< A capture of the route.
    query,      ///< All of the query, as one struct.
    json,       ///< The body.
    form,       ///< The body, urlencoded.
    multipart,  ///< The body, multipart/form-data.
    header,     ///< One header field.
    cookie,     ///< One cookie.
    text        ///< The body, as it is.
};

/// What a handler takes, for those who describe it.
struct input {
    source from = source::nowhere;
    const schema::type* of = nullptr;
    std::string_view name = {};  ///< Of a header field or a cookie.
};

/// What the body of an answer is.
enum class content : unsigned char {
    nothing,
    text,
    json,
    any  ///< The handler makes the whole response.
};

/// What a handler gives.
struct output {
    content what = content::nothing;
    short status = 200;
    bool may_be_missing = false;  ///< Then it is a 404.
    const schema::type* of = nullptr;
    const output* const* alternatives = nullptr;  ///< Of a variant of answers; the rest is unused then.
    unsigned alternative_count = 0;
};

/// A handler as the types of its parameters and of its answer describe it. One constant for each.
struct operation {
    const input* inputs;
    unsigned input_count;
    output gives;
};

constexpr output with_status(output made, short status) {
    made.status = status;
    return made;
}
constexpr output maybe_missing(output made) {
    made.may_be_missing = true;
    return made;
}

constexpr output one_of_several(const output* const* alternatives, unsigned count) {
    return {.alternatives = alternatives, .alternative_count = count};
}

}  // namespace apus::detail
