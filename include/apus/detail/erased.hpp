// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/chain.hpp>

namespace apus {
struct security_note;
}

namespace apus::detail {

struct operation;
struct needed_value;

/// How a handler uses the body, in ascending order.
enum class body_use : unsigned char {
    ignored,
    streamed,
    whole
};

/// A handler or middleware, type-erased and owned: a step of a chain.
struct erased {
    void* self;
    pending (*run)(const step* here, request&, response& out);
    void (*destroy)(void* self);
    body_use body = body_use::ignored;
    const operation* about = nullptr;                       // null for middleware
    const needed_value* needs = nullptr;                    // values that outer middleware must set
    const void* sets = &may_set_anything;                   // for middleware: key of the type it sets, or null
    security_note (*security)(const void* self) = nullptr;  // null: middleware without `security`, or a handler
    const char* spelled = nullptr;                          // for middleware: `spell` of its type
};

template <class F>
erased own(F f, decltype(erased::run) run, body_use body) {
    return {new F(std::move(f)), run, [](void* self) { delete static_cast<F*>(self); }, body};
}

}  // namespace apus::detail
