// SPDX-License-Identifier: Apache-2.0
#include "runtime/outgoing.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <string_view>
#include <utility>

using apus::runtime::outgoing;

namespace {

std::string front_of(outgoing& out) {
    std::string all;
    msghdr& header = out.front(1 << 20);
    for (std::size_t i = 0; i < header.msg_iovlen; ++i)
        all.append(static_cast<const char*>(header.msg_iov[i].iov_base), header.msg_iov[i].iov_len);
    return all;
}

}  // namespace

TEST_CASE("bytes are sent in order, whatever their storage") {
    outgoing out;
    CHECK(out.empty());
    out.append(std::string_view("one "));
    out.append(std::string("two "));
    out.append_static("three ");
    out.append(std::string_view("four"));
    CHECK(front_of(out) == "one two three four");
    CHECK(out.size() == 18);
    out.consume(6);
    CHECK(front_of(out) == "o three four");
    out.prepend("tw");
    CHECK(front_of(out) == "two three four");
    out.consume(14);
    CHECK(out.empty());
    out.append(std::string_view("again"));
    CHECK(front_of(out) == "again");
}

TEST_CASE("small pieces are joined; static bytes and moved strings stay in place") {
    outgoing out;
    for (int i = 0; i < 100; ++i) out.append(std::string_view("joined "));
    CHECK(out.front(1 << 20).msg_iovlen == 1);
    static constexpr char text[] = "static";
    out.append_static(text);
    std::string moved(100, 'm');
    const char* at = moved.data();
    out.append(std::move(moved));
    msghdr& header = out.front(1 << 20);
    REQUIRE(header.msg_iovlen == 3);
    CHECK(header.msg_iov[1].iov_base == text);
    CHECK(header.msg_iov[2].iov_base == at);
}

TEST_CASE("bytes being sent stay in place while others are appended") {
    outgoing out;
    out.append(std::string_view("being sent"));
    const auto first = out.front(1 << 20).msg_iov[0];
    for (int i = 0; i < 1000; ++i) out.append(std::string_view("more"));
    CHECK(std::string_view(static_cast<const char*>(first.iov_base), first.iov_len) == "being sent");
    out.consume(10);
    CHECK(out.size() == 4000);
}

TEST_CASE("the queue behaves like a string") {
    std::mt19937 random(42);
    auto upto = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n)(random); };
    static const std::string constant(300, 's');
    for (int round = 0; round < 100; ++round) {
        outgoing out;
        std::string model;
        for (int step = 0; step < 100; ++step) {
            std::string bytes(upto(9) ? upto(50) : upto(100'000), static_cast<char>('a' + upto(25)));
            switch (upto(5)) {
                case 0: out.append(std::string_view(bytes)), model += bytes; break;
                case 1: model += bytes, out.append(std::move(bytes)); break;
                case 2: out.append_static(constant), model += constant; break;
                case 3: out.prepend(bytes), model.insert(0, bytes); break;
                default: {
                    auto sent = front_of(out);
                    REQUIRE(model.starts_with(sent));
                    const std::size_t n = upto(sent.size());
                    out.consume(n), model.erase(0, n);
                }
            }
            REQUIRE(out.size() == model.size());
            REQUIRE(out.empty() == model.empty());
        }
    }
}
