// SPDX-License-Identifier: Apache-2.0
#include "nats/failure.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus;
using namespace apus::nats;

TEST_CASE("errors of NATS clients") {
    const struct {
        error why;
        int status;
        std::string detail, cause;
        bool refusal;
    } examples[] = {
        {unreachable("Connection refused"), 503, "NATS cannot be reached", "Connection refused", false},
        {too_busy("queue"), 503, "too many requests use NATS at the same time", "queue", false},
        {late("response"), 504, "NATS took too long", "not received in time: response", false},
        {invalid("the subject is invalid"), 400, "NATS: the subject is invalid", "", false},
        {too_large(7, 5), 413, "a message for NATS is too large", "7 bytes, over max_payload of the server: 5", false},
        {unusable("no JSON"), 500, "a message of NATS cannot be used", "no JSON", false},
        {refused({.status = 503}, "none"), 503, "NATS cannot serve now", "none", true},
        {refused({.status = 400, .code = 10'060}, "a\r\nb"), 500, "NATS has refused a message", "a??b", true},
    };
    for (const auto& one : examples) {
        CAPTURE(one.detail);
        CHECK(one.why.status() == one.status);
        CHECK(std::string(one.why.detail()) == one.detail);
        CHECK(std::string(one.why.cause()) == one.cause);
        CHECK((failure_of(one.why) != nullptr) == one.refusal);
    }
    CHECK(failure_of(examples[7].why)->code == 10'060);
    CHECK(failure_of(result<int>(3)) == nullptr);
}
