// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/field_rules.hpp"

#include "base/ascii_scan.hpp"

namespace apus::codec::http1 {

bool is_token(std::string_view text) noexcept {
    const base::readable in{text.data(), text.data() + text.size()};
    return !text.empty() && base::skip_token(in, in.begin) == in.end;
}

bool is_field_value(std::string_view text) noexcept {
    const base::readable in{text.data(), text.data() + text.size()};
    return base::skip_value(in, in.begin) == in.end;
}

}  // namespace apus::codec::http1
