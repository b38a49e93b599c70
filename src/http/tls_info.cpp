// SPDX-License-Identifier: Apache-2.0
#include <apus/tls.hpp>

#include "http/exchange.hpp"
#include "runtime/record_layer.hpp"

namespace apus {

const tls_info* tls_of(request& req) {
    if (const auto* known = req.find<tls_info>()) return known;
    http::exchange& x = detail::exchange_of(req);
    runtime::record_layer* records = x.via ? x.via->records(x) : nullptr;
    if (!records) return nullptr;
    return &req.set(tls_info{records->version(), records->server_name(), records->certificate()});
}

}  // namespace apus
