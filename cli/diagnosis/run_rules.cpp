// SPDX-License-Identifier: Apache-2.0
#include "cli/diagnosis/rule.hpp"

namespace apus::cli::diagnosis {
namespace {

constexpr rule sanitizer(std::string_view name, std::string_view message, std::string_view also, std::string_view what,
                         std::string_view fix) {
    return {.name = name, .from = origin::sanitizer, .messages = {message}, .also = also, .what = what, .fix = fix};
}

constexpr rule line(std::string_view name, std::string_view message, std::string_view what, std::string_view fix,
                    lookup by = lookup::none) {
    return {.name = name, .from = origin::line, .messages = {message}, .what = what, .fix = fix, .by = by};
}

constexpr rule run_table[] = {
    // `find_coroutine` adds the line "(in the coroutine NAME)" to the report.
    sanitizer("coroutine-double-free", "AddressSanitizer: attempting double-free *", "(in the coroutine {name})",
              "g++ 12 destroys a temporary beside co_await twice", "build with clang 19; see docs/compilers.md"),
    sanitizer("coroutine-use-after-free", "AddressSanitizer: {where}-use-after-{what} *", "(in the coroutine {name})",
              "a coroutine uses freed memory, often a capture of a lambda or a reference parameter",
              "pass the data by value as parameters, which live in the coroutine; captures live in the lambda"),
    sanitizer("double-free", "AddressSanitizer: attempting double-free *", "",
              "double free: the memory was freed before, at {freed}",
              "use one owner that frees it: std::unique_ptr or std::vector"),
    sanitizer("use-after-free", "AddressSanitizer: heap-use-after-free *", "",
              "use after free: the memory was freed at {freed}",
              "keep a value in place of a view, pointer, reference or iterator, or let its owner live longer"),
    sanitizer("use-after-scope", "AddressSanitizer: stack-use-after-scope *", "",
              "use after scope: a variable is used after the end of its block",
              "declare it outside of the block, or keep a copy"),
    sanitizer(
        "use-after-return", "AddressSanitizer: stack-use-after-return *", "",
        "a variable of a function is used after the function has ended",
        "return or keep a value, not a reference, view or pointer; in a coroutine pass it as a parameter by value"),
    sanitizer("out-of-bounds", "AddressSanitizer: {where}-buffer-overflow *", "",
              "buffer overflow: access beyond the bounds ({where})",
              "check the index against size(); all.at(i) checks it and throws, all[i] does not"),
    sanitizer("stack-overflow", "AddressSanitizer: stack-overflow *", "",
              "stack overflow: infinite recursion, or a local variable that is too large",
              "look for the case that should end the recursion; put large arrays into a std::vector"),
    sanitizer("null-pointer", "AddressSanitizer: SEGV on unknown address 0x0000000000*", "",
              "a null pointer is dereferenced", "check it before use: if (!pointer) ..., or take a reference"),
    sanitizer("segmentation-fault", "AddressSanitizer: SEGV *", "", "segmentation fault: access to an invalid address",
              "look for an uninitialized pointer, or a pointer to a destroyed object"),
    sanitizer("leak", "LeakSanitizer: detected memory leaks", "*leak of {size} byte(s) in *",
              "{size} bytes are never freed", "use an owner that frees them: std::unique_ptr, std::vector or a member"),
    sanitizer("data-race", "ThreadSanitizer: data race *", "",
              "data race: two threads access the same memory, at least one writes; the other: {other}",
              "guard it by a std::mutex, make it std::atomic, or create one for each core (in make_app)"),
    sanitizer("thread-misuse", "ThreadSanitizer: {what} (*", "", "thread error: {what}", "the stacks below show where"),
    sanitizer("integer-overflow", "UBSan: signed integer overflow: {what}", "", "signed integer overflow: {what}",
              "use std::int64_t or an unsigned type, or check the range first"),
    sanitizer("shift", "UBSan: shift exponent {amount} is *", "",
              "a number is shifted by {amount} bits, more than its type has", "use std::uint64_t, or fewer bits"),
    // `find_element_access` adds these lines to the report.
    sanitizer("out-of-bounds", "UBSan: *", "(index into an empty container)",
              "the index is beyond the end: the container is empty",
              "check the index against size(); all.at(i) checks it and throws, all[i] does not"),
    sanitizer("out-of-bounds", "UBSan: *", "({name}() of an empty container)",
              "{name}() is called on an empty container", "check empty() first"),
    sanitizer("null-pointer", "UBSan: {what} null pointer of type *", "", "a null pointer is dereferenced",
              "check it before use: if (!pointer) ..., or take a reference"),
    sanitizer("undefined-behavior", "UBSan: {what}", "", "{what}",
              "undefined behavior: other builds may behave differently"),
    sanitizer("sanitizer", "{what}", "", "{what}", "the stacks below show where"),
    {.name = "exception",
     .from = origin::line,
     .messages = {"terminate called after throwing an instance of '{type}'"},
     .also = "what():  {what}",
     .what = "uncaught exception: {type}, \"{what}\"",
     .fix = "catch it; to see where it is thrown: gdb -ex 'catch throw' -ex run --args PROGRAM"},
    line("exception", "terminate called after throwing an instance of '{type}'", "uncaught exception: {type}",
         "catch it; to see where it is thrown: gdb -ex 'catch throw' -ex run --args PROGRAM"),
    line("thread-not-joined", "terminate called without an active exception",
         "a std::thread was destroyed without join()", "use std::jthread, which joins, or call join()"),
    line("address-in-use", "*cannot listen on {where}: Address already in use*", "another program listens on {where}",
         "stop that program (ss -ltnp shows it), or choose another port by --port"),
    line("address-in-use", "*Address already in use*", "another program listens on this address",
         "stop that program (ss -ltnp shows it), or choose another port"),
    line("port-forbidden", "*cannot listen on {where}: Permission denied*", "no permission to listen on {where}",
         "use a port from 1024 on, or allow lower ports: sysctl -w net.ipv4.ip_unprivileged_port_start=80"),
    line(
        "shared-library", "{program}: error while loading shared libraries: {name}: cannot open shared object file*",
        "{program} needs the shared library {name}, which is not found",
        "install its package (apt-file search {name}), or add its folder to the program's run path: -Wl,-rpath,FOLDER"),
    line("library-version", "{program}: * version '{name}' not found (required by *",
         "{program} was built with newer libraries than this system has: {name}",
         "build it on this system, or on an older one"),
    line("disk-full", "*No space left on device*", "the disk is full",
         "df -h shows which disk; apus clean removes build output, ccache -C the compiler's cache"),
    line("not-writable", "*Read-only file system*", "the file system is read-only",
         "build in another folder, or remount the file system writable"),
    line("not-permitted", "*: Permission denied*", "permission denied for a required file",
         "check its owner: ls -l FILE; after a build as root: sudo rm -r build"),
    line("out-of-memory", "*annot allocate memory*", "out of memory",
         "build fewer files at a time: ninja -C build -j1; or add swap"),
    line("command-not-found", "{shell}: *: {name}: *not found", "the program {name} is not installed",
         "apt-get install {package}", lookup::program),
    line("command-not-found", "{shell}: *: {name}: not found", "the program {name} is not installed",
         "apt-get install {package}", lookup::program),
    line("segmentation-fault", "*Segmentation fault*", "segmentation fault: access to invalid memory",
         "build with -fsanitize=address, which shows where"),
};

}  // namespace

std::span<const rule> run_rules() { return run_table; }

}  // namespace apus::cli::diagnosis
