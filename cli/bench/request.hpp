// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::cli::bench {

/// The request that is sent to each path, and the expected status.
struct request {
    std::string method = "GET";
    std::vector<std::string> headers{};  ///< "name: value"
    std::optional<std::string> body{};
    std::string body_file{};   ///< File from which `body` was read; empty if the body is not from a file.
    std::uint64_t status = 0;  ///< Expected status; 0: any from 200 to 299.
};

/// The part of a request that is saved in a report.
/// Omits the values of fields, since they may be secrets.
struct recorded_request {
    std::string method = "GET";
    std::string status = "2xx";
    std::vector<std::string> headers{};  ///< Names of header fields.
    std::uint64_t body_bytes = 0;
    std::string fingerprint{};  ///< Hash of the request without its path, and of the expected status.
};

recorded_request kept_of(const request& of);

/// Returns a description such as "POST requests with a body of 12 bytes".
std::string text_of(const recorded_request& of);

/// Returns why a method is invalid; empty if it is valid.
std::optional<std::string> method_error(const std::string& method);

/// Returns why a header is invalid; empty if it has the form "name: value".
std::optional<std::string> header_error(const std::string& header);

/// Returns true if a header has this name, which must be in lower case.
bool is_named(const std::string& header, const std::string& name);

}  // namespace apus::cli::bench
