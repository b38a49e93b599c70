// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON from and to plain structs: as a handler's parameter, as what it returns, and by itself. What a
// struct may hold, and what it may say of that, is in schema.hpp; types with rules are in rules.hpp.

#include <apus/detail/held_value.hpp>
#include <apus/detail/json_text.hpp>
#include <apus/schema.hpp>

namespace apus {

/// The body of a request, read as JSON (RFC 8259), as a handler's parameter: the handler runs only
/// with a value that is all of what T asks for. Otherwise the client gets a problem document:
///
/// - 415 if Content-Type is neither application/json nor any type that ends in +json (RFC 6839),
/// - 400 if the body is no JSON: also text that is no UTF-8, a lone surrogate, bytes behind the
///   value, or lists and objects more than 64 deep in each other,
/// - 422 if it is JSON, but not a T: its member `errors` then lists everything that is wrong, up to
///   32 of it, each with the JSON Pointer (RFC 6901) to its place and a sentence that says what was
///   found there and what was expected. A name that T has not, and a name that stands twice, are
///   wrong too; `ignores_unknown_fields` in T lets the former pass.
///
/// Numbers keep their value or are refused: integers of any width, also of 64 bits, and doubles
/// rounded correctly. A body over `limits::body` is a 413. Returned by a handler, it is printed.
template <class T>
struct json : detail::held_value<T> {};

template <class T>
json(T) -> json<T>;

/// A value as JSON, without white space. Numbers are the shortest that read back as the same; an
/// empty optional is null; bytes of a text that are no UTF-8 become U+FFFD. Throws
/// `std::domain_error` for what JSON cannot say: NaN, infinities, a value of an enumeration without
/// a name, a time outside of the years 0 to 9999.
template <class T>
std::string to_json(const T& value) {
    std::string text;
    detail::print_json(detail::schema_table<T>, &value, text);
    return text;
}

/// The value that a JSON text says, by the same rules as `json<T>`; or an error of status 400 (no
/// JSON) or 422 (not a T) that says all that is wrong.
template <class T>
result<T> from_json(std::string_view text) {
    T value{};
    error why(422, {});
    if (detail::parse_json(text, detail::readable_table<T>(), &value, why)) return value;
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
