// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace apus::http {

struct exchange;

}  // namespace apus::http

namespace apus::server {

/// Additional log fields of a request, set by `log::add` and stored among the request's values.
class log_context {
public:
    static constexpr std::size_t most = 8;  ///< Maximum number of fields; further fields are dropped.
    /// Maximum length of a text in bytes; longer texts are truncated and end in `...`.
    static constexpr std::size_t max_text = 256;

    void put(const log::field&);  ///< Adds the field, or replaces the field with the same key.

    std::size_t size() const noexcept { return count_; }
    log::field at(std::size_t index) const noexcept;

    /// Returns the context of this thread's current request, or null.
    /// Neither allocates nor locks: safe in a signal handler.
    static const log_context* here() noexcept;

private:
    struct entry {
        std::string key, text;
        log::field value;  // if this is a text, only its kind is used
    };
    std::array<entry, most> entries_;
    std::size_t count_ = 0;  // incremented when the entry is complete
};

/// Fields of a record, followed by the fields of its request.
/// The request's fields are method, route, request ID, the IDs of trace and span if the trace is recorded, and fields
/// added by handlers. Of fields with the same key, only the first is kept. On a thread of `blocking`, these are the
/// fields that the request had when it made the call.
class fields_of_request {
public:
    explicit fields_of_request(std::span<const log::field> given) noexcept;
    explicit fields_of_request(http::exchange&) noexcept;  ///< Only the request's fields.
    std::span<const log::field> all() const noexcept { return {fields_.data(), count_}; }

    static bool any() noexcept;  ///< Whether this thread is working for a request.

private:
    void add(const log::field&) noexcept;
    void add_fields_of(http::exchange&) noexcept;

    static constexpr std::size_t max_fields = 8, named = 5;
    std::array<log::field, max_fields + named + log_context::most> fields_;
    std::size_t count_ = 0;
    char trace_id_[32], span_id_[16];
};

}  // namespace apus::server
