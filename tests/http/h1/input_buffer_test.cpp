// SPDX-License-Identifier: Apache-2.0
#include "http/h1/input_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using apus::http::h1::input_buffer;
using apus::runtime::buffer_pool;

namespace {

constexpr std::size_t one_buffer = buffer_pool::buffer_size;

struct holding {
    buffer_pool pool;
    std::unique_ptr<input_buffer> input;

    explicit holding(std::string_view unread, std::string_view used = {}) {
        char* buffer = pool.take();
        std::copy(unread.begin(), unread.end(), std::copy(used.begin(), used.end(), buffer));
        input = std::make_unique<input_buffer>(pool, apus::runtime::buffer_lease{buffer, one_buffer}, used.size(),
                                               used.size() + unread.size());
    }
};

std::string all_of(input_buffer& input) {
    input.pin(false);
    std::string all;
    while (input.size()) {
        input.gather();
        all += input.unread();
        input.use(input.unread().size());
    }
    return all;
}

}  // namespace

TEST_CASE("bytes are kept in order") {
    holding h("first,", "used before");
    CHECK(h.input->unread() == "first,");
    h.input->append("second,");
    h.input->use(3);
    CHECK(h.input->unread() == "st,second,");
    h.input->append(std::string(10'000, 'x'));
    CHECK(h.input->size() == 10'010);
    CHECK(all_of(*h.input) == "st,second," + std::string(10'000, 'x'));
}

TEST_CASE("pinned bytes stay in place, and new ones wait after them") {
    holding h("view");
    std::string_view given = h.input->unread();
    h.input->pin(true);
    h.input->use(4);
    for (int i = 0; i < 100; ++i) h.input->append(std::string(100, static_cast<char>('a' + i % 26)));
    CHECK(given == "view");
    CHECK(h.input->size() == 10'000);
    std::string all = all_of(*h.input);
    CHECK(all.size() == 10'000);
    CHECK(all.substr(0, 101) == std::string(100, 'a') + 'b');
    CHECK(all.substr(9'900) == std::string(100, static_cast<char>('a' + 99 % 26)));
}

TEST_CASE("memory grows with the held bytes, which are gathered step by step") {
    constexpr std::size_t much = 100 * one_buffer;
    holding h("0123");
    std::string model = "0123";
    std::size_t together = 0;
    for (std::size_t n = 0; model.size() < much; ++n) {
        const std::string bytes(one_buffer - n % 7, static_cast<char>('a' + n % 26));
        h.input->append(bytes);
        model += bytes;
        together = std::max(together, h.input->unread().size());
    }
    CHECK(together >= input_buffer::together);
    CHECK(together < 2 * input_buffer::together);
    CHECK(h.input->has_more());
    CHECK((all_of(*h.input) == model));
    CHECK_FALSE(h.input->has_more());
}

TEST_CASE("a detached buffer keeps its consumed bytes, and the rest moves") {
    for (std::size_t behind : {std::size_t{0}, std::size_t{3}, one_buffer, 3 * one_buffer}) {
        CAPTURE(behind);
        holding h("head");
        std::string_view head = h.input->unread();
        h.input->append(std::string(behind, 'b'));
        head = h.input->unread().substr(0, 4);
        h.input->use(4);
        auto lease = h.input->detach();
        CHECK(lease.bytes == head.data());
        CHECK(head == "head");
        h.input->append("more");
        CHECK(all_of(*h.input) == std::string(behind, 'b') + "more");
        h.input->append("again");
        CHECK(all_of(*h.input) == "again");
        CHECK(head == "head");
        h.pool.recycle(lease);
    }
}

// Random operations with a fixed seed on held input, compared with a string. Views that were obtained while pinned, and
// leases, must keep their bytes. Sanitizers detect invalid reads and frees.
TEST_CASE("held input behaves like a string") {
    std::mt19937 random(20'260'101);
    auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
    for (int round = 0; round < 200; ++round) {
        holding h("begin");
        std::string model = "begin";
        std::string_view lent;
        std::string lent_copy;
        std::vector<std::pair<apus::runtime::buffer_lease, std::string>> leases;
        for (int step = 0; step < 60; ++step) {
            auto& in = *h.input;
            switch (upto(5)) {
                case 0:
                case 1: {
                    std::string bytes(upto(4) ? upto(200) : upto(3 * one_buffer), static_cast<char>('a' + upto(25)));
                    in.append(bytes);
                    model += bytes;
                    break;
                }
                case 2: {
                    std::size_t n = upto(in.unread().size());
                    if (!in.pinned()) lent = in.unread().substr(0, n), lent_copy = lent, in.pin(upto(1));
                    in.use(n);
                    model.erase(0, n);
                    break;
                }
                case 3:
                    in.pin(false);
                    lent = {};
                    lent_copy.clear();
                    in.gather();
                    break;
                case 4:
                    if (!in.pinned()) in.gather();
                    break;
                case 5:
                    if (leases.size() < 3) {
                        auto lease = in.detach();
                        leases.emplace_back(lease, std::string(lease.bytes, std::min<std::size_t>(lease.capacity, 1)));
                        lent = {}, lent_copy.clear();
                    }
                    break;
            }
            if (!in.pinned()) lent = {}, lent_copy.clear();
            REQUIRE(in.size() == model.size());
            REQUIRE(lent == lent_copy);
            REQUIRE(model.starts_with(in.unread()));
        }
        CHECK(all_of(*h.input) == model);
        for (auto& [lease, first] : leases) h.pool.recycle(lease);
    }
}
