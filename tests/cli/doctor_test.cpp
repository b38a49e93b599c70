// SPDX-License-Identifier: Apache-2.0
// A healthy machine, described by facts and by the files of a folder. Each case changes some of these, and lists the
// findings that are not "ok".
#include "cli/doctor/examine.hpp"
#include "cli/doctor/fixes.hpp"
#include "cli/doctor/probe.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/terminal/shell.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

namespace fs = std::filesystem;
using namespace apus::cli::doctor;

namespace {

using files = std::map<std::string, std::string>;

const files well = {
    {"proc/sys/kernel/osrelease", "6.1.0-30-amd64\n"},
    {"proc/sys/kernel/io_uring_disabled", "0\n"},
    {"proc/sys/kernel/core_pattern", "|/usr/lib/systemd/systemd-coredump\n"},
    {"proc/sys/net/core/somaxconn", "4096\n"},
    {"proc/sys/net/ipv4/tcp_max_syn_backlog", "4096\n"},
    {"proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n"},
    {"proc/sys/net/ipv4/ip_unprivileged_port_start", "80\n"},
    {"proc/sys/fs/inotify/max_user_watches", "65536\n"},
    {"proc/sys/fs/file-max", "9223372036854775807\n"},
    {"proc/self/limits",
     "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 1048576              files  "
     "   \n"},
    {"proc/self/status", "Name:\tapus\nSeccomp:\t0\n"},
    {"proc/meminfo", "MemTotal:  8000000 kB\nMemAvailable:    4194304 kB\n"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
    {"run/systemd/system/x", ""},
    {"etc/systemd/system/shop.service",
     "[Service]\nLimitNOFILE=1048576\nRestart=on-failure\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n"},
    {"usr/include/c++/12/expected", ""},
    {"usr/include/doctest/doctest.h", ""},
    {"usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-x86_64.a", ""},
    {"usr/lib/pkgconfig/liburing.pc", "Name: liburing\nVersion: 2.3\n"},
    {"usr/lib/pkgconfig/libsodium.pc", ""},
    {"usr/lib/pkgconfig/openssl.pc", ""},
    {"usr/lib/pkgconfig/zlib.pc", ""},
    {"usr/lib/pkgconfig/libdeflate.pc", ""},
    {"usr/lib/pkgconfig/libbrotlienc.pc", ""},
    {"usr/lib/pkgconfig/libzstd.pc", ""},
};

const running_facts facts = {.uring_error = 0,
                             .clock_synchronized = true,
                             .superuser = true,
                             .locale = "C.UTF-8",
                             .versions = {{"clang++-19", "19.1.7"},
                                          {"g++", "12.2.0"},
                                          {"cmake", "3.25.1"},
                                          {"ninja", "1.11.1"},
                                          {"mold", "1.10.1"},
                                          {"ccache", "4.7.5"},
                                          {"clang-format-19", "19.1.7"},
                                          {"clang-tidy-19", "19.1.7"},
                                          {"clang-query-19", "19.1.7"},
                                          {"llvm-profdata-19", "19.1.7"},
                                          {"pkg-config", "1.8.1"}}};

// A temporary folder with these files.
class made_up {
public:
    explicit made_up(const files& all)
        : machine{.root = fs::temp_directory_path() / ("apus-doctor-" + std::to_string(getpid())),
                  .running = facts,
                  .free_bytes = 50ULL << 30} {
        for (const auto& [path, content] : all) {
            fs::create_directories((machine.root / path).parent_path());
            std::ofstream(machine.root / path) << content;
        }
    }
    ~made_up() { fs::remove_all(machine.root); }
    made_up(const made_up&) = delete;
    made_up& operator=(const made_up&) = delete;

    apus::cli::doctor::machine machine;
};

// Returns the lines of findings that are not "ok".
std::string complaints(const findings& all) {
    findings some;
    for (const finding& each : all) {
        if (each.is != state::ok) some.push_back(each);
        CHECK((each.is == state::ok || !each.fix.empty()));
        CHECK(!each.says.empty());
    }
    const std::string text = text_of(some);
    return text.substr(0, text.rfind("\n\n") + 1);
}

// Returns the findings that are not "ok" after these files are changed; "-" removes a file.
std::string seen(const files& different, void (*change)(machine&) = [](machine&) {}) {
    files all = well;
    for (const auto& [path, content] : different) {
        if (content == "-") all.erase(path);
        else all[path] = content;
    }
    made_up at(all);
    change(at.machine);
    return complaints(examine(at.machine));
}

std::string seen_production(const files& different, std::string_view service = "shop") {
    files all = well;
    for (const auto& [path, content] : different) all[path] = content;
    const made_up at(all);
    return complaints(examine_production(at.machine, service));
}

}  // namespace

TEST_CASE("doctor: a healthy machine has no findings") {
    CHECK(seen({}) == "");
    CHECK(seen_production({}) == "");
    CHECK(seen({}, [](machine& m) {
              m.running.reset();
          }).starts_with("broken         compiler: clang 19 is not installed\n"));
}

TEST_CASE("doctor: programs needed beyond building") {
    CHECK(seen({{"usr/include/doctest/doctest.h", "-"}}) ==
          "warning        commands: doctest-dev is not installed; needed by `apus test`\n               fix: apt-get "
          "install -y doctest-dev\n");
    CHECK(seen({},
               [](machine& m) {
                   m.running->versions.erase("clang-format-19"), m.running->versions.erase("clang-tidy-19");
               }) ==
          "warning        commands: clang-format-19 is not installed; needed by `apus fmt` and `apus check format`\n   "
          "            fix: apt-get install -y clang-format-19\n"
          "warning        commands: clang-tidy-19 is not installed; needed by `apus check lint`\n               fix: "
          "apt-get install -y clang-tidy-19\n");
    CHECK(seen({},
               [](machine& m) {
                   for (const char* name : {"clang-format-19", "clang-tidy-19", "clang-query-19"})
                       m.running->versions.erase(name);
                   m.running->versions["clang-format"] = "14.0.6";
                   m.running->versions["clang-tidy"] = "19.1.7";
                   m.running->versions["clang-query"] = "20.1.0";
               }) ==
          "warning        commands: clang-format-19 is not installed; needed by `apus fmt` and `apus check format` "
          "(clang-format 14.0.6 does not suffice)\n               fix: apt-get install -y clang-format-19\n"
          "warning        commands: clang-tools-19 is not installed; needed by `apus check lifetimes` (clang-query "
          "20.1.0 does not suffice)\n               fix: apt-get install -y clang-tools-19\n");
    CHECK(seen({{"usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-x86_64.a", "-"}},
               [](machine& m) { m.running->versions.erase("llvm-profdata-19"); }) ==
          "warning        commands: libclang-rt-19-dev is not installed; needed by `--sanitize` and `apus test "
          "--coverage`\n               fix: apt-get install -y libclang-rt-19-dev\n"
          "warning        commands: llvm-19 is not installed; needed by `apus test --coverage`, and by `--sanitize` "
          "for source positions\n"
          "               fix: apt-get install -y llvm-19\n");
}

TEST_CASE("doctor: tools") {
    const std::string fix = "               fix: apt-get install -y clang-19\n";
    CHECK(seen({}, [](machine& m) { m.running->miscompiling = {"g++"}; }) == "");
    CHECK(seen({}, [](machine& m) { m.running->versions.erase("clang++-19"), m.running->miscompiling = {"g++"}; }) ==
          "broken         compiler: g++ 12.2.0 miscompiles coroutines (docs/compilers.md)\n" + fix);
    CHECK(seen({}, [](machine& m) {
              m.running->versions.erase("clang++-19"), m.running->versions["g++"] = "16.1.0";
          }) == "warning        compiler: clang 19, the default compiler of projects, is not installed\n" + fix);
    CHECK(seen({}, [](machine& m) {
              m.running->versions["clang++-19"] = "18.1.0", m.running->versions["g++"] = "11.4";
          }) == "broken         compiler: clang 19 is not installed\n" + fix);
    CHECK(seen({}, [](machine& m) { m.running->miscompiling = {"clang++-19"}; }) ==
          "broken         compiler: clang++-19 19.1.7 miscompiles coroutines (docs/compilers.md)\n" + fix);
    CHECK(seen({{"usr/include/c++/12/expected", "-"}}) ==
          "broken         C++ library: libstdc++ 12 or newer, which clang uses, is not installed\n"
          "               fix: apt-get install -y libstdc++-12-dev\n");
    CHECK(seen({}, [](machine& m) { m.running->versions["cmake"] = "3.18.4", m.running->versions.erase("ninja"); }) ==
          "broken         cmake: 3.18.4 is older than 3.25\n               fix: apt-get install -y cmake\n"
          "broken         ninja: not installed\n               fix: apt-get install -y ninja-build\n");
    CHECK(
        seen({{"usr/lib/pkgconfig/liburing.pc", "-"}, {"usr/lib/pkgconfig/openssl.pc", "-"}}) ==
        "broken         libraries: liburing is not installed; required for every program\n               fix: apt-get "
        "install -y liburing-dev\n"
        "warning        libraries: openssl is not installed; required for TLS\n               fix: apt-get install -y "
        "libssl-dev\n");
    CHECK(seen({}, [](machine& m) { m.running->versions.erase("mold"), m.running->versions.erase("ccache"); }) ==
          "warning        mold: not installed; it links several times faster\n               fix: apt-get install -y "
          "mold\n"
          "warning        ccache: not installed; it caches compiler output\n               fix: "
          "apt-get install -y ccache\n");
}

TEST_CASE("doctor: the kernel, and restrictions of io_uring") {
    CHECK(seen({{"proc/sys/kernel/osrelease", "5.10.0-8-amd64\n"}})
              .starts_with("broken         kernel: 5.10.0-8-amd64; Apus requires 5.15 or newer\n"));
    CHECK(seen({{"proc/sys/kernel/osrelease", "5.15.0\n"}})
              .starts_with("warning        kernel: 5.15.0; io_uring requires 6.1, so epoll is used\n"));
    CHECK(seen({{"proc/sys/kernel/io_uring_disabled", "2\n"}}, [](machine& m) { m.running->uring_error = EPERM; }) ==
          "warning        io_uring: kernel.io_uring_disabled is 2, which disables io_uring; epoll is used, at a higher "
          "CPU cost\n"
          "               fix: sysctl -w kernel.io_uring_disabled=0\n"
          "               persist: echo kernel.io_uring_disabled=0 >> /etc/sysctl.d/90-apus.conf\n");
    CHECK(seen({{"proc/self/status", "Name:\tapus\nSeccomp:\t2\n"}}, [](machine& m) {
              m.running->uring_error = EPERM;
          }).starts_with("warning        io_uring: blocked by a seccomp filter, as in containers; epoll is used"));
    CHECK(seen({}, [](machine& m) {
              m.running->uring_error = EPERM;
          }).starts_with("warning        io_uring: blocked by a security module"));
    CHECK(seen({}, [](machine& m) {
              m.running->uring_error = ENOSYS;
          }).starts_with("warning        io_uring: not supported by this kernel"));
    CHECK(seen({}, [](machine& m) {
              m.running->uring_error = ENOMEM;
          }).starts_with("warning        io_uring: the limit for locked memory is too low"));
    CHECK(seen({}, [](machine& m) {
              m.running->uring_error = EINVAL;
          }).starts_with("warning        io_uring: does not work: Invalid argument"));
}

TEST_CASE("doctor: limits and environment") {
    CHECK(seen({{"proc/self/limits", "x\nMax open files            256                  1024                 files\n"}})
              .starts_with("warning        descriptors: limited to 1024"));
    CHECK(seen({{"proc/sys/net/core/somaxconn", "128\n"}})
              .starts_with("warning        backlog: net.core.somaxconn is 128: "));
    CHECK(seen({{"proc/sys/net/ipv4/ip_local_port_range", "50000 50999\n"}})
              .starts_with("warning        ports: 1000 for outgoing connections"));
    CHECK(seen({{"proc/sys/fs/inotify/max_user_watches", "8192\n"}})
              .starts_with("warning        watches: fs.inotify.max_user_watches is 8192"));
    CHECK(seen({}, [](machine& m) {
              m.free_bytes = 100 << 20;
          }).starts_with("broken         disk: 100 MB free, which is too little for a build\n"));
    CHECK(seen({}, [](machine& m) { m.free_bytes = 1 << 30; }).starts_with("warning        disk: 1024 MB free\n"));
    CHECK(seen({{"proc/meminfo", "MemAvailable: 500000 kB\n"}})
              .starts_with("warning        memory: 488 MB available; a compiler process uses up to 1 GB\n"));
    CHECK(seen({}, [](machine& m) {
              m.running->clock_synchronized = false;
          }).starts_with("warning        clock: not synchronized"));
    CHECK(seen({}, [](machine& m) {
              m.running->locale = "C";
          }).starts_with("warning        locale: C, which is not UTF-8"));
    CHECK(seen({}, [](machine& m) {
              m.running->locale = "";
          }).starts_with("warning        locale: none, which is not UTF-8"));
}

TEST_CASE("doctor: missing or unexpected facts are not judged") {
    CHECK(seen({{"proc/sys/kernel/osrelease", "-"},
                {"proc/self/limits", "-"},
                {"proc/meminfo", "-"},
                {"proc/sys/net/core/somaxconn", "many"},
                {"proc/sys/net/ipv4/ip_local_port_range", "x"}}) == "");
}

TEST_CASE("doctor: a production host") {
    CHECK(seen_production({{"proc/sys/net/core/somaxconn", "1024\n"}})
              .starts_with("warning        backlog: net.core.somaxconn is 1024: after a restart, all clients reconnect "
                           "at the same time"));
    CHECK(seen_production({{"sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n"}})
              .starts_with("warning        huge pages: always on"));
    CHECK(seen_production({{"proc/sys/kernel/core_pattern", "core\n"}})
              .starts_with("warning        core files: written to the working directory of the service"));
    CHECK(seen_production({}, "stock").starts_with("warning        service: missing unit stock.service\n"));
    CHECK(seen_production({{"etc/systemd/system/shop.service", "[Service]\nLimitNOFILE=1024:4096\n"},
                           {"proc/sys/net/ipv4/ip_unprivileged_port_start", "1024\n"}}) ==
          "warning        descriptors: shop.service has LimitNOFILE=1024:4096, and each connection uses one\n"
          "               fix: systemctl edit shop.service\n               persist: [Service] LimitNOFILE=1048576\n"
          "warning        service: shop.service is not restarted after a crash\n"
          "               fix: systemctl edit shop.service\n               persist: [Service] Restart=on-failure\n"
          "warning        ports 80 and 443: only root may listen on ports below 1024; a systemd unit needs "
          "AmbientCapabilities=CAP_NET_BIND_SERVICE\n"
          "               fix: sysctl -w net.ipv4.ip_unprivileged_port_start=80\n"
          "               persist: echo net.ipv4.ip_unprivileged_port_start=80 >> /etc/sysctl.d/90-apus.conf\n");
    const std::time_t now = 1800000000;  // 15 January 2027, 8:00
    CHECK(examine_certificate("a.pem", "notAfter=Jan 15 08:00:00 2028 GMT\n", now).says ==
          "a.pem is valid for 365 days");
    CHECK(examine_certificate("a.pem", "notAfter=Jan 20 08:00:00 2027 GMT\n", now).is == state::warning);
    CHECK(examine_certificate("a.pem", "notAfter=Jan 15 07:59:59 2027 GMT\n", now).says == "a.pem has expired");
    CHECK(examine_certificate("a.pem", "", now).is == state::broken);
}

TEST_CASE("doctor: --fix runs each safe command once, and one for all packages") {
    files all = well;
    all.erase("usr/lib/pkgconfig/zlib.pc");
    all["proc/sys/net/core/somaxconn"] = "128";
    all["proc/sys/net/ipv4/ip_local_port_range"] = "1 2";
    made_up at(all);
    at.machine.running->versions.erase("mold");
    at.machine.running->locale = "C";
    std::string commands;
    for (const auto& words : safe_commands(examine(at.machine))) {
        for (const std::string& word : words) commands += word + " ";
        commands += "\n";
    }
    CHECK(commands == "apt-get install -y mold zlib1g-dev \nsysctl -w net.core.somaxconn=1024 \n");
}

TEST_CASE("doctor: --fix fixes the findings") {
    made_up at(well);
    at.machine.running.reset();
    const auto put = [&](const std::string& path, const std::string& text) {
        fs::create_directories((at.machine.root / path).parent_path());
        std::ofstream(at.machine.root / path) << text;
    };
    for (const char* each : {"kernel/io_uring_disabled", "net/core/somaxconn", "net/ipv4/tcp_max_syn_backlog",
                             "fs/inotify/max_user_watches", "fs/file-max", "net/netfilter/nf_conntrack_max"})
        put("proc/sys/" + std::string(each), "1\n");
    for (const char* each :
         {"usr/lib/pkgconfig/libzstd.pc", "usr/lib/pkgconfig/liburing.pc", "usr/include/c++/12/expected"})
        fs::remove(at.machine.root / each);
    // Stubs of programs, which use this folder instead of the machine's root.
    const std::string root = at.machine.root.string();
    put("bin/sysctl",
        "#!/bin/sh\n[ \"$1\" = -w ] && echo \"${2#*=}\" > " + root + "/proc/sys/$(echo \"${2%%=*}\" | tr . /)\n");
    put("bin/apt-get",
        "#!/bin/sh\n[ \"$1 $2\" = 'install -y' ] || exit 1\nshift 2\nfor each; do case $each in\nllvm-19) touch " +
            root + "/usr/bin/llvm-profdata-19 ;;\nclang-tools-19) touch " + root +
            "/usr/bin/clang-query-19 ;;\nlib*-dev) mkdir -p " + root + "/usr/include/c++/12; touch " + root +
            "/usr/include/c++/12/expected " + root + "/usr/lib/pkgconfig/${each%-dev}.pc ;;\n*) touch " + root +
            "/usr/bin/$each " + root + "/usr/bin/${each%-build} " + root + "/usr/bin/clang++-19 ;;\nesac; done\n");
    for (const char* each : {"sysctl", "apt-get"})
        fs::permissions(at.machine.root / "bin" / each, fs::perms::owner_all);
    fs::create_directories(at.machine.root / "usr/bin");
    const std::string path = std::getenv("PATH");
    setenv("PATH", (root + "/bin:" + path).c_str(), 1);
    apus::cli::terminal::shell quiet(apus::cli::terminal::colors::never, apus::cli::terminal::verbosity::quiet);
    const auto safe = [](const findings& found) {
        return std::ranges::count_if(found, [](const finding& each) { return each.safe; });
    };
    CHECK(safe(examine(at.machine)) > 8);
    CHECK(apply_fixes(examine(at.machine), true, quiet));
    CHECK(safe(examine(at.machine)) == 0);
    CHECK(safe(examine_production(at.machine, "shop")) == 4);
    CHECK(apply_fixes(examine_production(at.machine, "shop"), true, quiet));
    CHECK(safe(examine_production(at.machine, "shop")) == 0);
    setenv("PATH", path.c_str(), 1);
}

TEST_CASE("doctor: the probe detects compilers that miscompile coroutines") {
    for (const auto& [compiler, faulty] : {std::pair("clang++-19", false),
                                           {"g++", true},
                                           {"true", false},
                                           {"false", false},
                                           {"no-such-compiler", false}}) {
        CAPTURE(compiler);
        CHECK(miscompiles_coroutines(compiler) == faulty);
    }
}

TEST_CASE("doctor: fixing requires root, and reports failures") {
    apus::cli::terminal::shell shell(apus::cli::terminal::colors::never, apus::cli::terminal::verbosity::quiet);
    CHECK(!apply_fixes(findings{{.about = "x", .says = "fine"}}, false, shell));
    CHECK(apply_fixes(findings{{.about = "x", .says = "odd", .fix = "true", .safe = true}}, true, shell));
    auto code_of = [&](std::string_view command, bool superuser) -> std::string {
        try {
            apply_fixes(findings{{.about = "x", .says = "odd", .fix = std::string(command), .safe = true}}, superuser,
                        shell);
        } catch (const apus::cli::errors::failure& why) {
            return std::string(why.code()) + ": " + why.message();
        }
        return "no failure";
    };
    CHECK(code_of("true", false) == "E0801: `true` requires root");
    CHECK(
        code_of("ls --absent-option", true).starts_with("E0802: `ls --absent-option` failed: ls: unrecognized option"));
    CHECK(code_of("no-such-program-here", true).starts_with("E0107: "));
}

TEST_CASE("doctor: a missing program is reported with its package") {
    const auto hint = [](const char* program) { return apus::cli::system::no_program(program).hint(); };
    CHECK(hint("dpkg-shlibdeps") == "`apt-get install dpkg-dev` installs it");
    CHECK(hint("clang-tidy-19") == "`apt-get install clang-tidy-19` installs it");
    CHECK(hint("g++-12") == "`apt-get install g++` installs it");
    CHECK(hint("git-12x") == "install it, or add its folder to PATH");
    CHECK(hint("7") == "install it, or add its folder to PATH");
}

TEST_CASE("doctor: versions") {
    CHECK(version_in("Debian clang version 19.1.7 (3)") == "19.1.7");
    CHECK(version_in("none") == "");
    CHECK(version_in("g++ 12.") == "12");
    CHECK(at_least("3.25.1", "3.25"));
    CHECK(at_least("12", "12"));
    CHECK(at_least("19.1.7", "6.1"));
    CHECK(!at_least("3.9", "3.25"));
    CHECK(!at_least("11.4.0", "12"));
    CHECK(at_least("", "12"));
}
