// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace apus::middleware {

/// Kept with a request whose answer holds it: what its scripts and styles are known by (CSP 3, 7.1).
/// It is worth nothing in a second answer.
struct nonce_of_answer {
    std::string text;
};

/// Kept with a request whose answer holds a token of `csrf_token`: it is worth nothing in another session.
struct token_in_answer {};

}  // namespace apus::middleware
