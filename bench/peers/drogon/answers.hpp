// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <drogon/HttpRequest.h>
#include <drogon/HttpResponse.h>
#include <drogon/orm/Exception.h>

#include <cstddef>
#include <functional>
#include <string>

namespace peer {

using answer = std::function<void(const drogon::HttpResponsePtr&)>;

void hello(const drogon::HttpRequestPtr&, answer&& send);
void add_texts();
void add_bodies();
void add_routes(int routes);
void add_middlewares();
void add_items(const std::string& file);
void fail(const answer&, const drogon::orm::DrogonDbException&);
void add_world();
void add_database(const std::string& url, std::size_t connections);

}  // namespace peer
