// SPDX-License-Identifier: Apache-2.0
#include "runtime/per_core.hpp"

#include "runtime/core_of_test.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <thread>
#include <utility>

using namespace apus;

namespace {

struct state {
    int made = 0, found_at_end = 0;
};

class pool : public runtime::per_core<pool, state> {
public:
    explicit pool(std::shared_ptr<state> s) : per_core(*s), of(std::move(s)) { ++of->made; }
    ~pool() {
        leave_core();
        of->found_at_end += find_of_this_core(*of) != nullptr;
        --of->made;
    }
    std::shared_ptr<state> of;
};

}  // namespace

TEST_CASE("each core has one object per state, from first use until the loop or its user ends it") {
    const auto a = std::make_shared<state>(), b = std::make_shared<state>();
    {
        std::optional<test::core> core(std::in_place);
        CHECK(pool::find_of_this_core(*a) == nullptr);
        pool& first = pool::of_this_core(a);
        CHECK(&pool::of_this_core(a) == &first);
        CHECK(pool::find_of_this_core(*a) == &first);
        CHECK(&pool::of_this_core(b) != &first);
        std::thread([&] {
            test::core other;
            CHECK(pool::find_of_this_core(*a) == nullptr);
            CHECK(&pool::of_this_core(a) != &first);
            CHECK(a->made == 2);
            other.loop->settle();
        }).join();
        CHECK((a->made == 1 && b->made == 1));
        pool::end_here(*a);
        pool::end_here(*a);
        CHECK((a->made == 0 && b->made == 1));
        CHECK(&pool::of_this_core(a) == pool::find_of_this_core(*a));
        core->loop->settle();
        CHECK((a->made == 0 && b->made == 0));
    }
    CHECK((a->found_at_end == 0 && b->found_at_end == 0));
    CHECK((a.use_count() == 1 && b.use_count() == 1));
}
