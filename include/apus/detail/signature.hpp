// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace apus::detail {

/// Makes a static_assert fail only where it is used: g++ 12 takes none that always fails.
template <class...>
inline constexpr bool none_of_these = false;

/// What a callable takes and gives.
template <class R, class... A>
struct call_shape {
    using returns = R;
    template <template <class...> class To>
    using arguments = To<A...>;
};

/// The shape of F's only call operator, or of the function that F points to.
template <class F>
struct signature : call_shape<void> {
    static_assert(none_of_these<F>, "a handler is a function or a lambda whose parameters have types, not auto");
};
template <class F>
    requires requires { &F::operator(); }
struct signature<F> : signature<decltype(&F::operator())> {};

template <class R, class... A>
struct signature<R (*)(A...)> : call_shape<R, A...> {};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : call_shape<R, A...> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const> : call_shape<R, A...> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const noexcept> : call_shape<R, A...> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...)> : call_shape<R, A...> {
    static_assert(none_of_these<C>, "a handler is not mutable: one object serves many requests at a time");
};

}  // namespace apus::detail
