// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <string>
#include <string_view>

namespace apus::server {

/// A body of application/x-www-form-urlencoded (WHATWG URL, 5.2).
std::string urlencoded(std::initializer_list<field_view> values);

/// A body of multipart/form-data, and the boundary, which none of its parts holds.
struct multipart {
    std::string boundary;
    std::string body;
};
multipart multipart_of(std::initializer_list<test::part> parts);

}  // namespace apus::server
