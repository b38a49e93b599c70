// SPDX-License-Identifier: Apache-2.0
#include "openapi/document.hpp"
#include "web/application.hpp"

#include <apus/conditional.hpp>
#include <apus/openapi.hpp>

#include <memory>
#include <optional>

namespace apus {
namespace {

/// The document and its ETag. Empty until the service is created.
struct kept_document {
    std::string text, etag;
};

response answer(const kept_document& kept, request& req) {
    const response_validators now{.etag = kept.etag};
    if (auto unchanged = check_preconditions(req, now)) return *std::move(unchanged);
    response res;
    res.body(kept.text, "application/json");
    res.header("cache-control", "no-cache");
    set_validators(res, now);
    return res;
}

}  // namespace

app openapi_document(openapi_info info) {
    auto kept = std::make_shared<kept_document>();
    app made;
    made.get("/openapi.json", [kept](request& req) { return answer(*kept, req); }).hidden();
    web::application::read_routes(made, [kept, info = std::move(info)](std::span<const web::described_route> routes) {
        kept->text = openapi::document(info, routes);
        kept->etag = etag_of(kept->text);
    });
    return made;
}

}  // namespace apus
