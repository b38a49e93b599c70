// SPDX-License-Identifier: Apache-2.0
#include "base/thrown.hpp"

#include <apus/task.hpp>

#include <doctest/doctest.h>

#include <new>
#include <stdexcept>
#include <string>

using namespace apus;

namespace {

std::string told;

void listen(std::string_view what) noexcept { told = what; }

template <class F>
error error_of(F f) {
    told.clear();
    auto before = base::on_thrown(listen);
    error e(599, "nothing was thrown");
    try {
        f();
    } catch (...) {
        e = detail::error_from_current_exception();
    }
    base::on_thrown(before);
    return e;
}

}  // namespace

TEST_CASE("the text of an exception reaches the listener, not the client") {
    auto e = error_of([] { throw std::runtime_error("password=hunter2"); });
    CHECK(e.status() == 500);
    CHECK(e.detail() == "internal error");
    CHECK(told == "password=hunter2");
}

TEST_CASE("out of memory is an overload (503)") {
    auto e = error_of([] { throw std::bad_alloc(); });
    CHECK(e.status() == 503);
    CHECK(e.detail() == "out of memory");
    CHECK(told != "");
}

TEST_CASE("anything may be thrown") {
    auto e = error_of([] { throw 7; });
    CHECK(e.status() == 500);
    CHECK(e.detail() == "internal error");
    CHECK(told == "an exception not derived from std::exception");
}

TEST_CASE("a listener is optional") {
    CHECK((base::on_thrown(nullptr) == nullptr));
    try {
        throw std::runtime_error("unheard");
    } catch (...) {
        CHECK(detail::error_from_current_exception().status() == 500);
    }
}
