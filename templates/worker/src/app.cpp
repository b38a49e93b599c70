// SPDX-License-Identifier: Apache-2.0
#include "app.hpp"

#include <apus/json.hpp>

namespace {

struct health {
    bool ok;
    std::uint64_t rounds;
};

}  // namespace

apus::app make_app(const work& done) {
    apus::app app;
    app.get("/health", [&done]() -> apus::result<health> {
        const std::uint64_t rounds = done.rounds();
        if (rounds == 0) return apus::fail(503, "the first round has not begun yet");
        return health{true, rounds};
    });
    // apus: modules
    return app;
}
