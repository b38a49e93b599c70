// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values that are never printed or logged: passwords, keys, tokens.

#include <apus/schema.hpp>

namespace apus {

namespace detail {

/// Overwrites memory. The compiler does not remove the writes.
void wipe(void* at, std::size_t size) noexcept;

/// Whether a secret may have this type: a single value, without nested values.
constexpr bool is_secret_value(const schema::type& t) {
    return schema::is_single_value(t) || t.what == schema::kind::represented;
}

}  // namespace detail

/// Compares a secret with received text, in a time that does not depend on their contents.
/// Returns whether the texts are equal. The time depends on their sizes: if a size is secret, compare digests.
/// With `==`, a client could find a key byte by byte from the response times.
bool constant_time_equal(std::string_view, std::string_view) noexcept;

/// A T that is parsed from input, but never printed: `secret<std::string>`, `secret<text<8, 200>>`.
///
/// As a field of JSON, a query, a form or a row, or as a header field, cookie or path capture:
///
/// - A response with status 400 or 422 names the expected value, but not the received one.
/// - Printed structs omit the field; lists and maps have null in its place. `to_json_with_secrets` prints the secret.
/// - A query or path with a secret is not logged: the access log has only the path, or only the route.
/// - If a statement with a secret as a parameter fails, the log does not contain the database's message.
/// - A secret cannot be formatted or logged: only `reveal` returns the value.
/// - The OpenAPI description has `writeOnly`, and `format: password` for a text.
///
/// The memory of a text or number is overwritten on destruction. The memory of the request is not.
template <class T>
class secret {
public:
    secret() = default;
    /// Constructs the value from any type that T is constructible from. Throws like T.
    template <class U>
        requires(!detail::is_any_of<std::remove_cvref_t<U>, secret, detail::any_member> && __is_constructible(T, U))
    secret(U&& value) : value_(std::forward<U>(value)) {}
    secret(const secret&) = default;
    secret(secret&& other) noexcept : value_(std::move(other.value_)) { other.wipe(); }
    secret& operator=(secret other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~secret() { wipe(); }

    const T& reveal() const& noexcept { return value_; }
    T reveal() && { return std::move(value_); }  ///< Moves the value out. The caller should wipe it.

private:
    void wipe() noexcept {
        if constexpr (std::is_arithmetic_v<T>) {
            detail::wipe(&value_, sizeof value_);
        } else if constexpr (std::is_convertible_v<const T&, const std::string&>) {
            const std::string& text = value_;
            detail::wipe(const_cast<char*>(text.data()), text.capacity());
        }
    }

    T value_{};
};

/// Secrets can be captures of routes.
template <class T>
inline constexpr bool detail::captured_by_schema<secret<T>> = true;

template <class T>
struct detail::schema_of<secret<T>> {
    static_assert(
        is_secret_value(schema_table<T>),
        "a secret must be a bool, number, text, time, enumeration or represented type: put std::optional and lists "
        "around it");
    static constexpr schema::type table() {
        return {.what = schema::kind::secret, .width = schema_table<T>.width, .element = &schema_table<T>};
    }
};

}  // namespace apus
