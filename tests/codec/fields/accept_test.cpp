// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/accept.hpp"

#include <doctest/doctest.h>

#include <string>

using apus::codec::fields::media_weight;

namespace {

struct row {
    const char* accept;
    const char* type;
    const char* weight;  // in thousandths; "-" if no weight is returned
};

const row rows[] = {
    // No Accept value.
    {"", "text/html", "-"},
    {" ", "text/html", "-"},
    {",", "text/html", "-"},
    {", ,", "text/html", "-"},
    {"html", "text/html", "-"},
    {"/", "text/html", "-"},
    {"text/", "text/html", "-"},
    {"/html", "text/html", "-"},
    {"*/html", "text/html", "-"},
    {"te xt/html", "text/html", "-"},
    {"text/html/5", "text/html", "-"},
    {";q=1", "text/html", "-"},
    {"text/html;q=2", "text/html", "-"},
    {"text/html;q=", "text/html", "-"},
    // One range.
    {"text/html", "text/html", "1000"},
    {"TEXT/Html", "text/html", "1000"},
    {"text/html", "text/plain", "0"},
    {"text/html", "text/htm", "0"},
    {"text/htm", "text/html", "0"},
    {"text/*", "text/html", "1000"},
    {"text/*", "application/json", "0"},
    {"*/*", "application/json", "1000"},
    {"*", "application/json", "1000"},
    {"*;q=0.3", "application/json", "300"},
    {"text/html;q=0.5", "text/html", "500"},
    {"text/html;q=0", "text/html", "0"},
    {"text/html;q=0.000", "text/html", "0"},
    {"text/html;q=0.001", "text/html", "1"},
    {"text/html;q=1.000", "text/html", "1000"},
    {"text/html;Q=0.5", "text/html", "500"},
    {"text/html ; q=0.5", "text/html", "500"},
    {"text/html\t;\tq=0.5", "text/html", "500"},
    {"text/html;q=0.5;more=1", "text/html", "500"},
    {"application/vnd.a+json", "application/vnd.a+json", "1000"},
    {"application/vnd.a+json", "application/json", "0"},
    {"application/json", "application/vnd.a+json", "0"},
    // The most specific range applies, regardless of the order.
    {"text/*;q=0.3, text/html;q=0.7", "text/html", "700"},
    {"text/html;q=0.7, text/*;q=0.3", "text/html", "700"},
    {"*/*;q=0.9, text/*;q=0.1", "text/html", "100"},
    {"text/*;q=0.1, */*;q=0.9", "text/html", "100"},
    {"*/*, text/html;q=0", "text/html", "0"},
    {"text/html;q=0, */*", "text/plain", "1000"},
    {"text/html;q=0.2, text/html;q=0.9", "text/html", "200"},
    {"text/html,,text/plain", "text/plain", "1000"},
    // Malformed ranges are ignored.
    {"html, text/plain;q=0.5", "text/plain", "500"},
    {"text/html;q=x, text/plain;q=0.5", "text/html", "0"},
    {"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "image/png", "0"},
    {"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "image/gif", "1000"},
    // Parameters (the example of RFC 9110, 12.5.1).
    {"text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5",
     "text/plain;format=flowed", "1000"},
    {"text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5", "text/plain",
     "700"},
    {"text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5", "text/html",
     "300"},
    {"text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5", "image/jpeg",
     "500"},
    {"text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5",
     "text/plain;format=fixed", "400"},
    {"text/html;level=1", "text/html", "0"},
    {"text/html;level=1", "text/html;level=1", "1000"},
    {"text/html;LEVEL=1", "text/html;level=1", "1000"},
    {"text/html; level=\"1\"", "text/html;level=1", "1000"},
    {"text/html;level=2", "text/html;level=1", "0"},
    {"text/html;leve=1", "text/html;level=1", "0"},
    {"text/html;level", "text/html;level=1", "0"},
    {"text/html;;level=1;", "text/html;level=1", "1000"},
    {"text/html", "text/html;level=1", "1000"},
    {"text/html;a=1;b=2;q=0.4, text/html;a=1;q=0.6", "text/html;b=2;a=1", "400"},
    {"text/html;a=\"1,2\";q=0.4", "text/html;a=\"1,2\"", "400"},
    {"text/html;a=\"1;q=0.1\";q=0.4", "text/plain", "0"},
    // Values sent by browsers.
    {"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "text/html", "1000"},
    {"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8", "application/json",
     "800"},
    {"image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image/jpeg", "800"},
    {"text/event-stream", "application/json", "0"},
};

}  // namespace

TEST_CASE("the weight that Accept gives to a media type") {
    for (const auto& row : rows) {
        CAPTURE(row.accept);
        CAPTURE(row.type);
        const auto weight = media_weight(row.accept, row.type);
        CHECK((weight ? std::to_string(*weight) : "-") == row.weight);
    }
}
