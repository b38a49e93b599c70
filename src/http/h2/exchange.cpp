// SPDX-License-Identifier: Apache-2.0
#include "http/h2/exchange.hpp"

#include <initializer_list>

namespace apus::http::h2 {

void h2_exchange::reset() noexcept {
    constexpr std::size_t kept_most = 4096;
    exchange::reset();
    for (auto* text : {&arrived, &lent, &unframed, &lines}) apus::detail::clear_text(*text, kept_most);
    rest = {};
    unframed_at = 0;
    if (file) file = nullptr;
    file_left = 0;
    held = withheld = 0;
    body_bytes = response_bytes = handler_due = started = waited = window = 0;
    in = out = 0;
    broken = nullptr;
    client_done = handling = producing = finished = responded = complete = ended = deferred = owing = continue_due =
        tunnel = postponed = judged_body = judged_response = false;
}

}  // namespace apus::http::h2
