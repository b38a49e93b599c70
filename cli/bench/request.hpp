// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::cli::bench {

/// What is sent to each path, and what has to come back.
struct request {
    std::string method = "GET";
    std::vector<std::string> headers{};  ///< "name: value"
    std::optional<std::string> body{};
    std::string body_file{};   ///< Where `body` is from, if a file.
    std::uint64_t status = 0;  ///< Of the answers; 0: any from 200 to 299.
};

/// What figures keep of it. Values of headers are not among that, since they may be secrets.
struct request_kept {
    std::string method = "GET";
    std::string status = "2xx";
    std::vector<std::string> headers{};  ///< Names.
    std::uint64_t body_bytes = 0;
    std::string fingerprint{};  ///< Of all that is sent beside the path.
};

request_kept kept_of(const request& of);

/// "POST requests with a body of 12 bytes".
std::string text_of(const request_kept& of);

/// A sentence on what is wrong with a method, or nothing.
std::optional<std::string> wrong_with_method(const std::string& method);

/// The same for a header, which is to look as "name: value".
std::optional<std::string> wrong_with_header(const std::string& header);

/// Whether a header has this name, which is in small letters.
bool is_named(const std::string& header, const std::string& name);

}  // namespace apus::cli::bench
