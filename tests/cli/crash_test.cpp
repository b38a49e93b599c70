// SPDX-License-Identifier: Apache-2.0
#include "cli/crash/report.hpp"

#include "cli/errors/failure.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::cli;

namespace {

const std::string head = "apus crash report 1\nsignal\tSIGSEGV\n";

std::string shown(const std::string& text) { return crash::text_of(crash::parse(text)); }

std::string error_of(const std::string& text) {
    try {
        crash::parse(text);
    } catch (const errors::failure& e) {
        return e.message();
    }
    return "none";
}

}  // namespace

TEST_CASE("a crash report is shown with the names of functions") {
    const std::string all = shown(head +
                                  "address\t10\ntime\t1795788000\nprocess\t4711\nthread\tcore 0\nbuild_id\tab12\n"
                                  "exception\tstd::runtime_error\tthe file%0ais gone\n"
                                  "request\t1\tGET\t/cart/{id}\t9f2c\nrequest\t2\tPOST\t\t\n"
                                  "waiting\t1\tGET\t/a\t7c\t1203\tshop.cpp\t31\n"
                                  "frame\t55d0\t/opt/shop\t1234\tab12\t_ZN4shop5orderEi\t1c\n"
                                  "frame\t7f00\t\t0\t\t\t0\nnew_key\tx\nend\n");
    CHECK(all.starts_with("SIGSEGV: invalid memory access at address 0x10\n\n"));
    CHECK(all.contains("  exception   std::runtime_error: the file?is gone\n"));
    CHECK(all.contains("  time        2026-11-27 14:00:00 UTC\n"));
    CHECK(all.contains("  core 1  GET /cart/{id}  request ID 9f2c\n  core 2  POST (no route)\n"));
    CHECK(all.contains("\nRequests that waited\n  core 1  GET /a  request ID 7c  for 1203 ms at shop.cpp:31\n"));
    CHECK(all.contains("  0  shop::order(int)  shop+0x1234\n"));
    CHECK(all.contains("  1  ?  0x7f00\n"));
    CHECK_FALSE(all.contains("incomplete"));
    CHECK(shown(head).ends_with("Stack\n  unknown\n\nThe report is incomplete: its writing was interrupted.\n"));
}

TEST_CASE("hostile crash reports are shown without effect, or refused") {
    CHECK_FALSE(shown(head + "thread\t%1b[31m%07\n").contains('\x1b'));
    std::string expands = "_Z1f1pIiiE";
    for (const char c : std::string("0123456789ABCDEFGHIJKLMNOP")) expands += std::string("S_IS") + c + "_S" + c + "_E";
    CHECK(shown(head + "frame\t1\t/a\t1\t\t" + expands + "\t0\n").contains(expands));
    std::string many = head;
    for (int i = 0; i < 9000; ++i) many += "frame\t1\t/a\t1\t\tf\t0\n";
    CHECK(shown(many).size() < 10'000);

    CHECK(error_of("").contains("line 1"));
    CHECK(error_of("\x7f"
                   "ELF")
              .contains("line 1 is not `apus crash report 1`"));
    CHECK(error_of("apus crash report 1\n").contains("not followed by a signal"));
    CHECK(error_of(head + "\x1b[31m\n").contains("line 3 has an unescaped control character"));
    CHECK(error_of(head + "\n").contains("line 3 has no key"));
    CHECK(error_of(head + "a\t\t\t\t\t\t\t\t\t\n").contains("line 3 has too many fields"));
    CHECK(error_of(head + std::string(5000, 'a')).contains("line 3 is too long"));
    std::string lines = head;
    for (int i = 0; i < 10'000; ++i) lines += "a\n";
    CHECK(error_of(lines).contains("is one too many"));
}
