// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/trace_context/parent.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::http {

struct core;

/// Links of a request in the list of its core.
struct in_flight_link {
    in_flight_link* before = nullptr;
    in_flight_link* after = nullptr;  // null: not in the list

    bool is_listed() const noexcept { return after != nullptr; }
};

/// Requests that wait for their body, in a handler or in a producer, oldest wait first.
/// Requests whose handler never waits are not listed: a core handles nothing else meanwhile.
class in_flight_list {
public:
    in_flight_list() noexcept { ends_.before = ends_.after = &ends_; }
    in_flight_list(const in_flight_list&) = delete;
    in_flight_list& operator=(const in_flight_list&) = delete;

    void add(in_flight_link& x) noexcept {
        x.before = ends_.before;
        x.after = &ends_;
        x.before->after = ends_.before = &x;
    }
    static void remove(in_flight_link& x) noexcept {
        x.before->after = x.after;
        x.after->before = x.before;
        x.before = x.after = nullptr;
    }

    const in_flight_link* first() const noexcept { return ends_.after; }
    const in_flight_link* end() const noexcept { return &ends_; }

private:
    in_flight_link ends_;
};

/// A request in flight: without query, bodies and header values, which may hold secrets.
struct in_flight_request {
    std::string method, route, path, id, address;  ///< `address` is empty unless requests are logged.
    std::optional<codec::trace_context::trace_id> trace{};
    std::uint64_t age = 0;  ///< Nanoseconds since the arrival of its head.
    const char* state = "";
};

/// Returns the requests of `core::in_flight` that have waited longest, at most `most`.
/// Call it on the core's thread.
std::vector<in_flight_request> describe_in_flight(core&, std::size_t most);

}  // namespace apus::http
