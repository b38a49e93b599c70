// SPDX-License-Identifier: Apache-2.0
#include "http/h2/exchange.hpp"

namespace apus::http::h2 {

void h2_exchange::reset() noexcept {
    constexpr std::size_t max_kept = 4096;
    served_exchange::reset();
    // These strings are rarely used. One test of all sizes is cheaper than a call for each string.
    if (arrived.size() | lent.size() | unframed.size())
        for (auto* text : {&arrived, &lent, &unframed}) apus::detail::clear_text(*text, max_kept);
    fields.release_large();
    rest = {};
    unframed_at = 0;
    if (file) file = nullptr;
    file_left = 0;
    held = deferred_window = 0;
    window = 0;
    in = out = received = consumed = 0;
    order = {};
    sends_body = client_done = sized = ended = doomed = has_unsent_data = postponed = judged_body = reset_early =
        judged_response = false;
}

}  // namespace apus::http::h2
