// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule link_table[] = {
    {.name = "no-main",
     .from = origin::linker,
     .messages = {"undefined reference to 'main'*", "undefined symbol: main"},
     .what = "the program has no function main",
     .fix = "write int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }, and list its source "
            "in apus_application(...)"},
    {.name = "vtable",
     .from = origin::linker,
     .messages = {"undefined reference to 'vtable for {class}'*", "undefined symbol: vtable for {class}"},
     .what = "no source defines the first virtual function of {class}",
     .fix = "define each virtual function that is not pure (= 0), and list the source in CMakeLists.txt"},
    {.name = "undefined-apus",
     .from = origin::linker,
     .messages = {"undefined reference to 'apus::{name}'*", "undefined symbol: apus::{name}"},
     .what = "apus::{name} is declared, but the program is not linked with the Apus library that defines it",
     .fix = "in CMakeLists.txt: target_link_libraries(NAME PRIVATE apus::apus), which apus_application(...) does by "
            "itself",
     .alone = true},
    {.name = "undefined-of-library",
     .from = origin::linker,
     .messages = {"undefined reference to '{symbol}'*", "undefined symbol: {symbol}"},
     .what = "{symbol} is in {library}, which is not linked",
     .fix = "apus add {library}; by hand: apt-get install {package}, then link {library}",
     .by = lookup::symbol},
    {.name = "undefined",
     .from = origin::linker,
     .messages = {"undefined reference to '{symbol}'*", "undefined symbol: {symbol}"},
     .what = "{symbol} is declared and used, but no source or library defines it",
     .fix = "list the source that defines it in CMakeLists.txt, or link its library; compare the parameter types of "
            "declaration and definition"},
    {.name = "defined-twice",
     .from = origin::linker,
     .messages = {"multiple definition of '{symbol}'*", "duplicate symbol: *: *: {symbol}",
                  "duplicate symbol: {symbol}"},
     .what = "{symbol} is defined in more than one source",
     .fix = "in a header, declare it inline; otherwise keep one definition, or put each into an unnamed namespace"},
    {.name = "library-missing",
     .from = origin::linker,
     .messages = {"cannot find -l{library}: No such file or directory", "unable to find library -l{library}",
                  "library not found: {library}"},
     .what = "the library {library} is not installed",
     .fix = "apus add {library}; by hand: apt-get install {package}",
     .by = lookup::library},
    {.name = "library-unknown",
     .from = origin::linker,
     .messages = {"cannot find -l{library}: No such file or directory", "unable to find library -l{library}",
                  "library not found: {library}"},
     .what = "the linker cannot find the library {library}",
     .fix = "correct its name in target_link_libraries, or find its package: apt-file search lib{library}.so"},
    {.name = "library-not-named",
     .from = origin::linker,
     .messages = {"DSO missing from command line"},
     .what = "a library is used, but linked only indirectly",
     .fix = "link it directly: target_link_libraries(NAME PRIVATE ...)"},
};

}  // namespace

std::span<const rule> link_rules() { return link_table; }

}  // namespace apus::cli::diagnosis
