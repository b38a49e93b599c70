// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::middleware {

/// Request value that marks a response which contains a nonce for scripts and styles (CSP 3, 7.1).
/// Such a response must not be cached.
struct nonce_of_answer {
    std::string text;
};

/// Request value that marks a response which contains a `csrf_token`. The token is invalid in other
/// sessions.
struct token_in_answer {};

}  // namespace apus::middleware
