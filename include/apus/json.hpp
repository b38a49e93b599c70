// SPDX-License-Identifier: Apache-2.0
#pragma once

// Plain structs as JSON: parameters and results of handlers, printing and parsing.
// Types and annotations: schema.hpp; types with rules: rules.hpp.

#include <apus/detail/held_value.hpp>
#include <apus/detail/json_text.hpp>
#include <apus/schema.hpp>

namespace apus {

/// The body of a request, parsed as JSON (RFC 8259), as a handler's parameter.
/// The handler runs only with a valid T. Otherwise the client gets a problem document:
///
/// - 415 if Content-Type is neither application/json nor a type that ends in +json (RFC 6839),
/// - 400 if the body is not valid JSON: invalid UTF-8, a lone surrogate, trailing bytes, or lists and
///   objects nested deeper than 64 levels,
/// - 422 if the body is JSON, but not a valid T. The member `errors` then lists up to 32 violations, each with a JSON
///   Pointer (RFC 6901) and a message with the value found and the value expected. Unknown and duplicate names are
///   violations too. If T has `ignores_unknown_fields`, unknown names are ignored.
///
/// Integers, also of 64 bits, are parsed exactly or rejected; doubles are rounded correctly. A body over `limits::body`
/// gets 413. A handler may also return a `json<T>`; the response body is then its value as JSON.
template <class T>
struct json : detail::held_value<T> {};

template <class T>
json(T) -> json<T>;

/// Prints a value as JSON, without white space.
/// Numbers are printed with the fewest digits that parse to the same value; an empty optional is null; invalid UTF-8
/// becomes U+FFFD. Throws `std::domain_error` for values that JSON cannot represent: NaN, infinities, an enumeration
/// value without a name, a time outside of the years 0 to 9999.
template <class T>
std::string to_json(const T& value) {
    std::string text;
    detail::print_json(detail::schema_table<T>, &value, text);
    return text;
}

/// Like `to_json`, but with the values of `apus::secret`: for requests to other servers.
template <class T>
std::string to_json_with_secrets(const T& value) {
    std::string text;
    detail::print_json_with_secrets(detail::schema_table<T>, &value, text);
    return text;
}

/// Options of `from_json`, for JSON from other servers. The defaults are as strict as `json<T>`.
struct json_options {
    /// Skips unknown names in all structs. A `std::variant` still needs a known `type`.
    bool ignore_unknown_fields = false;
    /// Treats null like a missing field, for fields that may be missing.
    /// Such fields keep their initial values. Without effect on an optional, which becomes empty, and on a
    /// `json_value`, which becomes null.
    bool null_keeps_initial_value = false;
    /// Status of errors, from 400 to 599, such as 502 for an upstream's response.
    /// 0: the statuses of `json<T>`.
    int status = 0;
};

/// Parses a JSON text by the rules of `json<T>`.
/// Errors: 400 for invalid JSON, 422 with all violations for an invalid T.
template <class T>
result<T> from_json(std::string_view text) {
    return from_json<T>(text, json_options());
}
/// Parses a JSON text, like `from_json(text)`, with these options.
template <class T>
result<T> from_json(std::string_view text, const json_options& options) {
    T value{};
    error why(422, {});
    if (detail::parse_json(text, detail::readable_table<T>(), &value, why, options)) return value;
    return std::unexpected(std::move(why));
}

}  // namespace apus

namespace apus::detail {

template <class T>
    requires has_schema<T>
struct member_value<T> {
    static void put(error& to, std::string_view name, const T& value) { put_member(to, name, to_json(value)); }
};

template <class T>
struct slot<json<T>> : held_slot<json<T>, body_use::whole> {
    static constexpr input about{source::json, &schema_table<T>};

    bool fill(request& req, unsigned&, response& out) {
        return read_json_body(req, readable_table<T>(), &this->held.value, out);
    }
};

template <class T>
struct answer<json<T>> : short_answer {
    static constexpr output about{.what = content::json, .of = &schema_table<T>};
    static void put(response& out, const json<T>& made) { put_json(out, schema_table<T>, &made.value); }
};

template <json_answer T>
struct answer<T> : short_answer {
    static constexpr output about{.what = content::json, .of = &schema_table<T>};
    static void put(response& out, const T& made) { put_json(out, schema_table<T>, &made); }
};

}  // namespace apus::detail
