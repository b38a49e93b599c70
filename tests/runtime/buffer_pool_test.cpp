// SPDX-License-Identifier: Apache-2.0
#include "runtime/buffer_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

using apus::runtime::buffer_pool;

TEST_CASE("buffers are reused last in, first out") {
    buffer_pool pool;
    char* a = pool.take();
    char* b = pool.take();
    CHECK(a != b);
    pool.recycle(a);
    pool.recycle(b);
    CHECK(pool.take() == b);
    CHECK(pool.take() == a);
    pool.recycle(a);
    pool.recycle(b);
}

TEST_CASE("a burst gets as many distinct buffers as it needs, and all return") {
    buffer_pool pool;
    std::vector<char*> all;
    for (int i = 0; i < 3000; ++i) {
        all.push_back(pool.take());
        std::memset(all.back(), i % 128, buffer_pool::buffer_size);
    }
    bool own = true;
    for (std::size_t i = 0; i < all.size(); ++i)
        own = own && std::count(all[i], all[i] + buffer_pool::buffer_size, static_cast<char>(i % 128)) ==
                         buffer_pool::buffer_size;
    CHECK(own);
    for (char* b : all) pool.recycle(b);
}
