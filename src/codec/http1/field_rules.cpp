// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/field_rules.hpp"

#include "base/ascii_scan.hpp"

namespace apus::codec::http1 {

bool is_token(std::string_view text) noexcept {
    const char* end = text.data() + text.size();
    return !text.empty() && base::skip_token(text.data(), end) == end;
}

bool is_field_value(std::string_view text) noexcept {
    const char* end = text.data() + text.size();
    return base::skip_value(text.data(), end) == end;
}

}  // namespace apus::codec::http1
