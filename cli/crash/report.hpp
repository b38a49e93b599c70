// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::crash {

/// A crash report of a server (docs/crashes.md).
/// All texts are as in the report, and may contain any bytes.
struct report {
    std::string signal, address, system_call, exception, exception_text, thread, program, build_id, version;
    std::uint64_t time = 0;  ///< Seconds since 1970; 0: unknown.
    std::string process;

    struct request {
        std::string core, method, route, id;
    };
    std::vector<request> requests;  ///< The request that each core was handling.

    struct waiting_request : request {
        std::string milliseconds, file, line;  ///< How long, and at which `co_await`.
    };
    std::vector<waiting_request> waiting;  ///< Requests whose handlers waited.

    struct frame {
        std::string address, file, file_address, build_id, function, offset;
    };
    std::vector<frame> frames;  ///< Innermost function first. Names are mangled.
    bool complete = false;      ///< The report has its last line.
};

inline constexpr std::size_t max_report = 1024 * 1024;  ///< Bytes of a report.

/// Parses a report. Throws E0319 if the text is not a crash report; the message has the line.
report parse(std::string_view text);

/// Returns the report for a terminal. Control characters are replaced.
std::string text_of(const report&);

}  // namespace apus::cli::crash
