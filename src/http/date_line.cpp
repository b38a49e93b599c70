// SPDX-License-Identifier: Apache-2.0
#include "http/date_line.hpp"

#include "codec/fields/date.hpp"

#include <cstring>

namespace apus::http {

void date_line::write(std::int64_t unix_seconds) noexcept {
    std::memcpy(text_, "HTTP/1.1 200 OK\r\nDate: ", status_size + name_size);
    codec::fields::write_date(unix_seconds, text_ + status_size + name_size);
    std::memcpy(text_ + sizeof text_ - 2, "\r\n", 2);
    of_ = unix_seconds;
}

}  // namespace apus::http
