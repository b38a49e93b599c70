// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace apus::detail {

/// Always false, but only at instantiation.
/// g++ 12 rejects `static_assert(false)` in a template that is not instantiated.
template <class...>
inline constexpr bool none_of_these = false;

/// Parameters and result of a callable.
template <class R, class... A>
struct call_shape {
    using returns = R;
    template <template <class...> class To>
    using arguments = To<A...>;
};

/// The signature of F's only call operator, or of the function that F points to.
template <class F>
struct signature : call_shape<void> {
    static_assert(none_of_these<F>, "a handler must be a function or a lambda with typed parameters, not auto");
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
    static_assert(none_of_these<C>, "a handler must not be mutable: one object serves concurrent requests");
};

}  // namespace apus::detail
