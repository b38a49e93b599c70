// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <string>
#include <string_view>

namespace apus::server {

/// Returns a body of type application/x-www-form-urlencoded (WHATWG URL, 5.2).
std::string urlencoded(std::initializer_list<field_view> values);

/// A multipart/form-data body, and its boundary, which does not occur in the parts.
struct multipart {
    std::string boundary;
    std::string body;
};
multipart multipart_of(std::initializer_list<test::part> parts);

}  // namespace apus::server
