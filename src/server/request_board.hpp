// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/in_flight.hpp"
#include "http/request_history.hpp"
#include "server/core_thread.hpp"

#include <apus/task.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace apus::server {

/// Requests of a server: in flight, slowest and failed.
struct request_report {
    struct ended {
        http::ended_request request;
        std::unique_ptr<tracing::ended_spans> spans;  ///< Null if none were recorded.
    };
    struct core {
        bool answered = false;   ///< `in_flight` is up to date.
        std::uint64_t busy = 0;  ///< Milliseconds since the start of the current turn of its loop.
        std::vector<http::in_flight_request> in_flight;
    };
    using lists = std::array<std::vector<ended>, http::request_history::lists>;
    using name = std::pair<std::string, std::string>;  // route, method

    std::uint64_t time = 0;                    ///< Nanoseconds since 1970-01-01.
    std::uint64_t in_flight = 0, tunnels = 0;  ///< Numbers of requests; `in_flight` includes tunnels.
    std::vector<core> cores;
    std::map<name, lists> routes;
};

std::string write_json(const request_report&);
std::string write_text(const request_report&);

/// Collects the requests of all cores. Used on the administration thread only.
/// Ended requests are read while the cores run. A list of requests in flight belongs to its core, so each core is asked
/// for a copy by a message, at most once per `max_age`, however many reports are requested. For a core that does not
/// answer within `answer_time`, the report has the request that blocks the core.
class request_board {
public:
    static constexpr std::uint64_t max_age = 100, answer_time = 250;  ///< Milliseconds.
    static constexpr std::size_t most_in_flight = 50;                 ///< Per core.

    explicit request_board(shared_state& served) noexcept : served_(served) {}
    request_board(const request_board&) = delete;
    request_board& operator=(const request_board&) = delete;
    ~request_board();

    task<std::string> report(bool json);

private:
    struct question;
    struct wait;
    struct known_core {
        bool asked = false;  ///< The core has not answered yet.
        std::uint64_t answered_at = 0;
        std::vector<http::in_flight_request> in_flight;
    };

    void ask();
    bool all_answered() const noexcept;
    void answered(unsigned core, std::vector<http::in_flight_request>) noexcept;
    request_report collect() const;
    void add_core(request_report&, unsigned number) const;

    shared_state& served_;
    std::vector<known_core> cores_;
    wait* first_ = nullptr;
    std::string rendered_[2];  // text, JSON
    std::uint64_t rendered_at_[2] = {};
};

}  // namespace apus::server
