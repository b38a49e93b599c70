// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

namespace apus::detail {

/// Source of a handler's parameter.
enum class source : unsigned char {
    nowhere,  ///< Not described: not input of the client.
    path,     ///< A capture of the route.
    query,
    json,       ///< The body, JSON.
    form,       ///< The body, urlencoded.
    multipart,  ///< The body, multipart/form-data.
    header,     ///< One header field.
    cookie,
    text  ///< The body, unparsed.
};

/// Description of a handler's parameter.
struct input {
    source from = source::nowhere;
    const schema::type* of = nullptr;
    std::string_view name = {};  ///< Name of a header field, cookie or named capture.
};

/// Kind of a response body.
enum class content : unsigned char {
    nothing,
    text,
    json,
    any  ///< The handler creates the whole response.
};

constexpr short any_status = 0;  ///< The handler chooses the status of the response.

/// Description of a handler's response.
struct output {
    content what = content::nothing;
    short status = 200;
    bool may_be_missing = false;  ///< If missing: 404.
    const schema::type* of = nullptr;
    const output* const* alternatives = nullptr;  ///< For a variant, which uses no other member.
    unsigned alternative_count = 0;
};

/// Description of a handler, derived from its parameter and return types. One constant per handler.
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
