// SPDX-License-Identifier: Apache-2.0
#include "profiling/stack.hpp"

#include <csetjmp>
#include <csignal>
#include <cstring>

#include <ucontext.h>
#include <unwind.h>

namespace apus::profiling {
namespace {

constinit thread_local sigjmp_buf* recovery = nullptr;  // where a fault of this thread continues

// The registers with which unwinding begins.
struct registers {
    std::uintptr_t instruction, stack;
};

#if defined(__x86_64__)
registers registers_of(const ucontext_t& c) noexcept {
    return {static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RIP]),
            static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RSP])};
}
// Changes the registers to those of the call of the current function, which has not changed the stack.
void return_from_call(ucontext_t& c) noexcept {
    std::uintptr_t caller;
    std::memcpy(&caller, reinterpret_cast<const void*>(registers_of(c).stack), sizeof caller);
    c.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(caller - 1);
    c.uc_mcontext.gregs[REG_RSP] += static_cast<greg_t>(sizeof caller);
}
#elif defined(__aarch64__)
registers registers_of(const ucontext_t& c) noexcept {
    return {static_cast<std::uintptr_t>(c.uc_mcontext.pc), static_cast<std::uintptr_t>(c.uc_mcontext.sp)};
}
void return_from_call(ucontext_t& c) noexcept {
    constexpr unsigned link_register = 30;
    c.uc_mcontext.pc = c.uc_mcontext.regs[link_register] - 1;
}
#else
#error "profiles need the registers of this processor"
#endif

// The unwinder begins in the signal handler, so addresses before `begin` are skipped.
struct walk {
    std::uintptr_t begin;
    std::span<std::uintptr_t> to;
    std::size_t count = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* of) noexcept {
    auto& w = *static_cast<walk*>(of);
    int exact = 0;
    const std::uintptr_t at = _Unwind_GetIPInfo(frame, &exact);
    if (w.count == 0 && at != w.begin) return _URC_NO_REASON;
    if (at == 0 || w.count == w.to.size()) return _URC_END_OF_STACK;
    w.to[w.count++] = exact ? at : at - 1;
    return _URC_NO_REASON;
}

// libgcc's unwinder (GCC 12 and later, with glibc 2.35 and later) neither locks nor allocates. It reads the tables of
// the compiler, so that it needs no frame pointers, which would cost each request instructions.
void unwind(void* of) noexcept { _Unwind_Backtrace(visit, of); }

void unwind_from_caller(void* of) noexcept { return_from_call(*static_cast<ucontext_t*>(of)); }

}  // namespace

[[gnu::noinline]] bool survives(void (*f)(void*) noexcept, void* of) noexcept {
    sigjmp_buf here;
    sigjmp_buf* const outer = recovery;
    if (sigsetjmp(here, 0) != 0) {
        recovery = outer;
        return false;
    }
    recovery = &here;
    f(of);
    recovery = outer;
    return true;
}

void recover_from_fault() noexcept {
    if (!recovery) return;
    // The kernel blocks the signal in its handler, and ends the process at a fault whose signal is blocked.
    sigset_t faults;
    sigemptyset(&faults);
    for (const int number : {SIGSEGV, SIGBUS}) sigaddset(&faults, number);
    pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
    siglongjmp(*recovery, 1);
}

void prepare_to_capture() noexcept {
    walk nothing{0, {}};
    unwind(&nothing);
}

std::size_t capture_callers(std::uintptr_t return_address, std::span<std::uintptr_t> to) noexcept {
    walk w{return_address, to};
    unwind(&w);
    return w.count;
}

std::uintptr_t interrupted_at(const void* context) noexcept {
    return registers_of(*static_cast<const ucontext_t*>(context)).instruction;
}

std::size_t capture_stack(void* context, std::span<std::uintptr_t> to) noexcept {
    auto& registers = *static_cast<ucontext_t*>(context);
    walk w{interrupted_at(context), to};
    survives(unwind, &w);
    if (w.count > 1 || to.size() < 2) {
        if (w.count == 0 && !to.empty()) to[w.count++] = w.begin;
        return w.count;
    }
    // The unwinder knows no function at this address. The handler returns to the unchanged registers.
    to[0] = w.begin;
    const auto saved = registers.uc_mcontext;
    walk rest{0, to.subspan(1)};
    if (survives(unwind_from_caller, context)) {
        rest.begin = interrupted_at(context);
        survives(unwind, &rest);
    }
    registers.uc_mcontext = saved;
    return 1 + rest.count;
}

}  // namespace apus::profiling
