// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace apus::server {

/// What the records of one request say beside what they were given: `log::add` puts it there, and it is
/// kept among the values of the request.
class log_context {
public:
    static constexpr std::size_t most = 8;         ///< Fields. More are left out.
    static constexpr std::size_t text_most = 256;  ///< Bytes kept of one text; a longer one ends in `...`.

    void put(const log::field&);  ///< In place of one with the same key.

    std::size_t size() const noexcept { return count_; }
    log::field at(std::size_t index) const noexcept;

    /// Of the request that this thread works for, or null. Neither allocates nor locks: a signal handler may call it.
    static const log_context* here() noexcept;

private:
    struct entry {
        std::string key, text;
        log::field value;  // of text: only that it is one
    };
    std::array<entry, most> entries_;
    std::size_t count_ = 0;  // grows when the entry is whole
};

/// Fields of a record, behind which those of its request come: method, route, id, and what was added. None whose key
/// is there already.
class fields_of_request {
public:
    explicit fields_of_request(std::span<const log::field> given) noexcept;
    std::span<const log::field> all() const noexcept { return {fields_.data(), count_}; }

    static bool any() noexcept;  ///< Whether this thread works for a request.

private:
    void add(const log::field&) noexcept;

    static constexpr std::size_t given_most = 8, named = 3;
    std::array<log::field, given_most + named + log_context::most> fields_;
    std::size_t count_ = 0;
};

}  // namespace apus::server
