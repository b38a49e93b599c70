// SPDX-License-Identifier: Apache-2.0
#pragma once

// Middleware for Idempotency-Key: a repeated request gets the response to the first one.

#include <apus/detail/owned_parts.hpp>
#include <apus/duration.hpp>
#include <apus/middleware.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace apus {

/// Storage of idempotency keys.
/// One store serves all cores: several event loops call the functions concurrently, each on its own thread. The
/// functions must not block. Their errors become the response. Keys consist of 43 letters, digits, '-' and '_'. Claims
/// and values are binary. Arguments are valid until the task ends.
class idempotency_store {
public:
    virtual ~idempotency_store() = default;

    /// Returns the value of the key; if the key does not exist, stores `claim` and returns nullopt.
    /// The claim expires after `lease`. Atomic: of concurrent calls for a key, only one stores its claim.
    virtual task<std::optional<std::string>> claim(std::string_view key, std::string_view claim, duration lease) = 0;
    /// Replaces the value `claim` of the key by `value`, for `lifetime`.
    /// Returns false if the value of the key is not `claim`.
    virtual task<bool> complete(std::string_view key, std::string_view claim, std::string_view value,
                                duration lifetime) = 0;
    /// Removes the key if its value is `claim`.
    virtual task<> release(std::string_view key, std::string_view claim) = 0;
};

/// Idempotency keys in the memory of this process, for all of its cores.
/// Any thread may use the store. If the memory is full, the oldest responses are removed before they expire. Requests
/// in progress are not removed: if they alone exceed the limit, further requests get 503. All keys are lost when the
/// process ends. A core may have to wait for the lock of the store, for less than a microsecond.
class memory_idempotency_store final : public idempotency_store {
public:
    /// `bytes`: maximum memory of keys and responses. At least 64 KiB.
    explicit memory_idempotency_store(std::size_t bytes = std::size_t(64) << 20U);

    std::size_t keys() const;   ///< Number of stored keys.
    std::size_t bytes() const;  ///< Approximate memory in use.

    /// Fails with 503 if requests in progress exceed the limit.
    task<std::optional<std::string>> claim(std::string_view key, std::string_view claim, duration lease) override;
    /// Completes without suspending.
    task<bool> complete(std::string_view key, std::string_view claim, std::string_view value,
                        duration lifetime) override;
    /// Completes without suspending.
    task<> release(std::string_view key, std::string_view claim) override;

private:
    struct parts;
    detail::owned_parts<parts> parts_;
};

/// Times and limits of idempotency keys.
struct idempotency_options {
    bool required = false;  ///< Whether a POST or PATCH request without a key gets 400.
    /// Time for which responses are stored. At least 1 s.
    duration lifetime = seconds(24 * 3600);
    /// Time after which a request without a response counts as interrupted. At least 1 s.
    /// A repetition then runs the handler again. Must be longer than the handlers take (`limits::handler`).
    duration lease = seconds(60);
    /// Maximum body of a stored response, in bytes.
    /// If the body is larger, repetitions of the request get 409.
    std::size_t largest_body = 256 * 1024;
    bool server_errors = false;  ///< Whether responses with status 500 and above are stored.
};

namespace detail {

/// An owned, type-erased function that returns the caller of a request.
struct caller_function {
    void* self;
    std::string (*find)(const void* self, request&);
    void (*destroy)(void* self);
};

template <class F>
caller_function own_caller(F f) {
    return {new F(std::move(f)),
            [](const void* self, request& req) { return std::string((*static_cast<const F*>(self))(req)); },
            [](void* self) { delete static_cast<F*>(self); }};
}

}  // namespace detail

/// Returns a text that identifies the caller of a request, for idempotency keys.
/// The text is the subject of the request's `identity`, else the id of its `session`, else its Authorization field. If
/// all are missing, the text is empty: such callers share keys, so the keys must be random.
std::string idempotency_caller(request&);

/// Middleware that runs handlers once per Idempotency-Key.
/// See draft-ietf-httpapi-idempotency-key-header-07. Applies to POST and PATCH with the field; other requests pass. The
/// first response is stored: its status, its body, and its fields except Set-Cookie. A repetition with the same key,
/// caller, method and path gets the stored response with `Idempotent-Replayed: true`; the handler does not run.
///
/// - 400: the field is invalid or repeated, or is missing although it is `required`. A key has 1 to 255 bytes of
///   printable ASCII, in quotes. The quotes may be omitted if the key has no space, quote, backslash, comma or
///   semicolon.
/// - 409 with Retry-After: the first request is in progress.
/// - 409 without Retry-After: the first response was not stored, because it was streamed or larger than `largest_body`.
///   The handler does not run again.
/// - 422: the key was used with another body or query.
///
/// A repetition runs the handler again in these cases:
///
/// - The response was not stored: its status was 408, 425 or 429, or, without `server_errors`, 500 or above.
/// - The process was killed, or the handler was cancelled because the connection was reset or `limits::handler` passed.
///   The handler then runs again only after `lease`, since calls of `blocking` and statements in flight may still take
///   effect.
///
/// The body is read before the handler runs, up to `limits::body`. Place this inside authentication, `sessions` and
/// compression. Errors of the store become the response, usually 503, and the handler does not run. If the store fails
/// after the handler, the client gets the response and a warning is logged. A repetition then runs the handler again
/// after `lease`.
class idempotency {
public:
    /// `store` must outlive the app. Create it once per program, not per core.
    /// Throws `std::invalid_argument` for invalid options.
    explicit idempotency(idempotency_store& store, const idempotency_options& how = {})
        : idempotency(store, how, [](request& req) { return idempotency_caller(req); }) {}

    /// The same, with a function `caller(request&)` that returns a text that identifies the caller.
    /// A caller cannot get responses to requests of other callers. Several cores may call the function concurrently.
    template <class Caller>
    idempotency(idempotency_store& store, const idempotency_options& how, Caller caller)
        : idempotency(store, how, detail::own_caller(std::move(caller))) {}

    // Middleware interface, used by the app.
    using sets = void;
    static constexpr bool reads_body = true;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    idempotency(idempotency_store&, const idempotency_options&, detail::caller_function);

    detail::owned_parts<parts> parts_;
};

}  // namespace apus
