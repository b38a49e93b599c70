// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/forwarded.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::codec;
using namespace apus::codec::fields;

namespace {

// Returns "for host proto|..." for the elements, and "bad" where the syntax is invalid.
std::string seen(std::string_view list) {
    std::string out;
    while (!list.empty()) {
        const auto one = read_forwarded(list);
        if (one.state != outcome::done) return out + "bad";
        out.append(one.value.from).append(" ").append(one.value.host).append(" ").append(one.value.proto).append("|");
        list.remove_prefix(one.used);
    }
    return out;
}

}  // namespace

TEST_CASE("forwarded: elements and their parameters") {
    const struct {
        std::string_view list, seen;
    } rows[] = {
        {"for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60  http|"},
        {"For=\"[2001:db8:cafe::17]:4711\"", "[2001:db8:cafe::17]:4711  |"},
        {"for=192.0.2.43, for=198.51.100.17", "192.0.2.43  |198.51.100.17  |"},
        {"for=192.0.2.43,for=\"[2001:db8::1]\";host=a.example", "192.0.2.43  |[2001:db8::1] a.example |"},
        {"for=_hidden;PROTO=https ; host=\"a:80\"", "_hidden a:80 https|"},
        {"for=unknown", "unknown  |"},
        {"secret=x;for=1.2.3.4", "1.2.3.4  |"},
        {";for=1.2.3.4;;", "1.2.3.4  |"},
        {",for=1.2.3.4", "  |1.2.3.4  |"},
        {"  ", "  |"},
        {"for", "bad"},
        {"for=", "bad"},
        {"for=\"", "bad"},
        {"for=\"\"", "bad"},
        {"for=\"1.2.3.4", "bad"},
        {"for=\"1\\.2\"", "bad"},
        {"for=a;for=b", "bad"},
        {"for=1.2.3.4:80", "bad"},
        {"for=[::1]", "bad"},
        {"for=a b", "bad"},
        {"for = a", "bad"},
        {"=a", "bad"},
        {"for=a, for=\"b", "a  |bad"},
        {"for=\"evil, for=\"1.2.3.4\"", "bad"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.list);
        CHECK(seen(row.list) == row.seen);
    }
}

TEST_CASE("forwarded: the address in a node") {
    const struct {
        std::string_view node, address;
    } rows[] = {{"192.0.2.1", "192.0.2.1"},
                {" 192.0.2.1 ", "192.0.2.1"},
                {"192.0.2.1:80", "192.0.2.1"},
                {"192.0.2.1:", ""},
                {"192.0.2.1:x", ""},
                {"192.0.2.1:123456", ""},
                {"[2001:db8::1]", "2001:db8::1"},
                {"[2001:db8::1]:80", "2001:db8::1"},
                {"[2001:db8::1]80", ""},
                {"[2001:db8::1]:", ""},
                {"[2001:db8::1", ""},
                {"2001:db8::1", "2001:db8::1"},
                {"::1", "::1"},
                {"unix:", "unix"},
                {"unknown", ""},
                {"_x", ""},
                {"_x:80", ""},
                {"", ""},
                {":", ""},
                {"80", ""}};
    for (const auto& row : rows) {
        CAPTURE(row.node);
        CHECK(address_in_node(row.node) == row.address);
    }
}
