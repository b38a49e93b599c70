// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "service.hpp"

#include <userver/server/handlers/http_handler_base.hpp>

#include <string>

namespace peer {

using request = userver::server::http::HttpRequest;
using context = userver::server::request::RequestContext;

class hello final : public userver::server::handlers::HttpHandlerBase {
public:
    using HttpHandlerBase::HttpHandlerBase;
    std::string HandleRequestThrow(const request&, context&) const override;
};

// Each function adds its handlers. `add_tls` serves /bench of `add_texts` over TLS.
void add_texts(service&);
void add_bodies(service&);
void add_items(service&, const std::string& dataset);
void add_static(service&, const std::string& data);
void add_middlewares(service&);
void add_sockets(service&);
void add_tls(service&);

}  // namespace peer
