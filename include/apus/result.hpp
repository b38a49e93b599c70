// SPDX-License-Identifier: Apache-2.0
#pragma once

// A value or an error. <apus/error.hpp> includes this header.

#include <apus/error.hpp>

#include <new>

namespace apus {

template <class T>
class result;

namespace detail {

template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<result<T>> = true;

/// A type that converts to the value, and is neither an error nor another result.
template <class U, class T>
concept value_for = !is_result<std::remove_cvref_t<U>> &&
                    !__is_base_of(std::unexpected<error>, std::remove_cvref_t<U>) && __is_constructible(T, U);

template <class U, class T>
concept converts_to = requires(void (&take)(T), U&& from) { take(static_cast<U&&>(from)); };

}  // namespace detail

/// A T, or an error. In projects, discarding a result is a compile error.
///
/// It has the members of `std::expected<T, error>`, and converts from `std::expected<T, error>`, from
/// `std::unexpected<error>` and from the result of `fail`. It exists because `std::expected` takes five times as long
/// to compile.
template <class T>
class [[nodiscard("it may hold an error: check it, or co_await it")]] result {
public:
    using value_type = T;
    using error_type = apus::error;

    result()
        requires requires { T(); }
        : value_(), has_value_(true) {}
    /// Constructs the value from any type that T is constructible from.
    template <class U = T>
        requires detail::value_for<U, T>
    explicit(!detail::converts_to<U, T>) result(U&& value) : value_(std::forward<U>(value)), has_value_(true) {}
    result(const std::unexpected<apus::error>& why) : error_(why.error()), has_value_(false) {}
    result(std::unexpected<apus::error>&& why) noexcept : error_(std::move(why).error()), has_value_(false) {}
    template <class U>
        requires(!std::is_same_v<U, T> && __is_constructible(T, U))
    explicit(!detail::converts_to<U, T>) result(result<U> other) : result(std::move(other), 0) {}
    template <class U>
        requires(__is_constructible(T, U))
    explicit(!detail::converts_to<U, T>) result(std::expected<U, apus::error> other) : result(std::move(other), 0) {}

    result(const result& other)
        requires(__is_constructible(T, const T&))
        : result(other, 0) {}
    result(result&& other) noexcept(__is_nothrow_constructible(T, T))
        requires(__is_constructible(T, T))
        : result(std::move(other), 0) {}
    result& operator=(const result& other)
        requires(__is_constructible(T, const T&) && __is_constructible(T, T))
    {
        return *this = result(other);
    }
    result& operator=(result&& other) noexcept(__is_nothrow_constructible(T, T))
        requires(__is_constructible(T, T))
    {
        if (this == &other) return *this;
        if (!other.has_value_) hold(std::move(other.error_));
        else if (has_value_ && !__is_nothrow_constructible(T, T)) value_ = std::move(other.value_);
        else emplace(std::move(other.value_));
        return *this;
    }
    ~result() { destroy(); }

    /// Replaces the value.
    /// If the constructor throws, a failed result keeps its error, and a successful result gets an error 500.
    template <class... A>
        requires(__is_constructible(T, A...))
    T& emplace(A&&... from) {
        if constexpr (__is_nothrow_constructible(T, A...)) {
            destroy();
            ::new (static_cast<void*>(&value_)) T(std::forward<A>(from)...);
        } else {
            if (has_value_) hold(apus::error(500, {}));
            apus::error kept(std::move(error_));
            error_.~error_type();
            restoring guard{this, &kept};
            ::new (static_cast<void*>(&value_)) T(std::forward<A>(from)...);
            guard.of = nullptr;
        }
        has_value_ = true;
        return value_;
    }

    bool has_value() const noexcept { return has_value_; }
    explicit operator bool() const noexcept { return has_value_; }

    T& operator*() & noexcept { return value_; }
    const T& operator*() const& noexcept { return value_; }
    T&& operator*() && noexcept { return static_cast<T&&>(value_); }
    const T&& operator*() const&& noexcept { return static_cast<const T&&>(value_); }
    T* operator->() noexcept { return std::addressof(value_); }
    const T* operator->() const noexcept { return std::addressof(value_); }

    /// Returns the value. Throws `std::bad_expected_access<error>` on failure.
    T& value() & { return check(), value_; }
    const T& value() const& { return check(), value_; }
    T&& value() && { return check(), static_cast<T&&>(value_); }
    template <class U>
    T value_or(U&& other) const& {
        return has_value_ ? value_ : static_cast<T>(std::forward<U>(other));
    }
    template <class U>
    T value_or(U&& other) && {
        return has_value_ ? static_cast<T&&>(value_) : static_cast<T>(std::forward<U>(other));
    }

    apus::error& error() & noexcept { return error_; }                                ///< Only if there is no value.
    const apus::error& error() const& noexcept { return error_; }                     ///< Only if there is no value.
    apus::error&& error() && noexcept { return static_cast<apus::error&&>(error_); }  ///< Only if there is no value.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"  // comparisons with literals behave as for T itself
    /// True if the result has a value that equals `b`.
    template <class U>
    friend constexpr bool operator==(const result& a, const U& b) {
        return a.has_value() && bool(*a == b);
    }
#pragma GCC diagnostic pop

private:
    template <class>
    friend class result;
    struct restoring {
        result* of;
        apus::error* why;
        ~restoring() {
            if (of) ::new (static_cast<void*>(&of->error_)) apus::error(std::move(*why));
        }
    };

    template <class R>
    result(R&& other, int) : has_value_(other.has_value()) {
        if (has_value_) ::new (static_cast<void*>(&value_)) T(*std::forward<R>(other));
        else ::new (static_cast<void*>(&error_)) apus::error(std::forward<R>(other).error());
    }
    void destroy() noexcept {
        if (has_value_) value_.~T();
        else error_.~error_type();
    }
    void hold(apus::error why) noexcept {
        destroy();
        ::new (static_cast<void*>(&error_)) apus::error(std::move(why));
        has_value_ = false;
    }
    void check() const {
        if (!has_value_) throw std::bad_expected_access<apus::error>(error_);
    }

    union {
        T value_;
        apus::error error_;
    };
    bool has_value_;
};

/// Success, or an error.
template <>
class [[nodiscard("it may hold an error: check it, or co_await it")]] result<void> {
public:
    using value_type = void;
    using error_type = apus::error;

    result() noexcept {}
    result(const std::unexpected<apus::error>& why) : error_(why.error()) {}
    result(std::unexpected<apus::error>&& why) noexcept : error_(std::move(why).error()) {}
    result(std::expected<void, apus::error> other) {
        if (!other) error_.emplace(std::move(other).error());
    }

    void emplace() noexcept { error_.reset(); }
    bool has_value() const noexcept { return !error_; }
    explicit operator bool() const noexcept { return !error_; }
    void operator*() const noexcept {}

    /// Throws `std::bad_expected_access<error>` on failure.
    void value() const {
        if (error_) throw std::bad_expected_access<apus::error>(*error_);
    }

    apus::error& error() & noexcept { return *error_; }               ///< Only on failure.
    const apus::error& error() const& noexcept { return *error_; }    ///< Only on failure.
    apus::error&& error() && noexcept { return *std::move(error_); }  ///< Only on failure.

private:
    std::optional<apus::error> error_;
};

}  // namespace apus
