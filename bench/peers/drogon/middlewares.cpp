// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <drogon/HttpMiddleware.h>
#include <drogon/drogon.h>

#include <memory>
#include <utility>
#include <vector>

namespace {

template <int N>
struct pass : drogon::HttpMiddleware<pass<N>, false> {
    void invoke(const drogon::HttpRequestPtr&, drogon::MiddlewareNextCallback&& next,
                drogon::MiddlewareCallback&& done) override {
        next([done = std::move(done)](const drogon::HttpResponsePtr& response) { done(response); });
    }
};

template <int... N>
std::vector<drogon::internal::HttpConstraint> through(std::integer_sequence<int, N...>) {
    (drogon::app().registerMiddleware(std::make_shared<pass<N>>()), ...);
    return {drogon::Get, pass<N>::classTypeName()...};
}

}  // namespace

namespace peer {

void add_middlewares() {
    drogon::app().registerHandler("/middlewares", &hello, through(std::make_integer_sequence<int, 10>()));
}

}  // namespace peer
