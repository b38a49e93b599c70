// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/drogon.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <utility>

namespace peer {

void add_items(const std::string& file) {
    auto all = std::make_shared<Json::Value>();
    std::ifstream(file) >> *all;
    drogon::app().registerHandler("/json/{count}?m={m}",
                                  [all](const drogon::HttpRequestPtr&, answer&& send, unsigned count, int m) {
                                      Json::Value value;
                                      auto& items = value["items"] = Json::arrayValue;
                                      for (Json::ArrayIndex i = 0; i < std::min(count, all->size()); ++i) {
                                          auto& item = items.append((*all)[i]);
                                          item["total"] = item["price"].asInt() * item["quantity"].asInt() * m;
                                      }
                                      value["count"] = items.size();
                                      send(drogon::HttpResponse::newHttpJsonResponse(std::move(value)));
                                  },
                                  {drogon::Get});
}

}  // namespace peer
