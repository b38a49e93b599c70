// SPDX-License-Identifier: Apache-2.0
#include <apus/request_id.hpp>

#include "base/ascii.hpp"
#include "crypto/random.hpp"
#include "http/exchange.hpp"

#include <algorithm>

namespace apus {
namespace {

constexpr std::string_view field = "x-request-id";

struct id_of_request {
    std::string text;
};

bool is_id(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '-' || c == '_' || c == '.';
    });
}

}  // namespace

std::string_view request_id_of(request& req) noexcept {
    const auto* id = req.find<id_of_request>();
    return id ? std::string_view(id->text) : std::string_view();
}

pending_response request_ids::operator()(request& req, response& out, next_handler rest) const {
    if (request_id_of(req).empty()) give_id(req);  // this middleware in an outer app may have set an id
    return rest.run(req, out, [&req](response& res) {
        if (res.header(field).empty()) res.header(field, request_id_of(req));
    });
}

void request_ids::give_id(request& req) const {
    const std::string_view sent = req.header(field);
    const bool taken = is_id(sent) && from_.contains(req.remote_address());
    const auto& given = req.set(id_of_request{taken ? std::string(sent) : crypto::random_hex(16)});
    detail::exchange_of(req).id.store(&given.text, std::memory_order_release);
}

}  // namespace apus
