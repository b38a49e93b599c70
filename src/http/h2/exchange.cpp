// SPDX-License-Identifier: Apache-2.0
#include "http/h2/exchange.hpp"

#include <initializer_list>

namespace apus::http::h2 {

void h2_exchange::reset() noexcept {
    constexpr std::size_t kept = 4096;
    exchange::reset();
    for (auto* text : {&arrived, &lent, &unframed, &lines}) {
        if (text->capacity() > kept) std::string().swap(*text);
        else text->clear();
    }
    rest = {};
    unframed_at = 0;
    if (file) file = nullptr;
    file_left = 0;
    body_bytes = response_bytes = handler_due = started = waited = 0;
    in = out = 0;
    broken = nullptr;
    client_done = handling = producing = finished = responded = complete = ended = deferred = owing = continue_due = tunnel = judged_body = judged_response = false;
}

}  // namespace apus::http::h2
