// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <utility>

namespace apus::detail {

/// Storage for a T that is constructed later.
/// Used in tasks instead of std::optional to save compile time: every task type instantiates the class, and this class
/// has fewer functions than std::optional.
template <class T>
class late {
public:
    late() noexcept {}
    late(const late&) = delete;
    late& operator=(const late&) = delete;
    ~late() { reset(); }

    template <class... A>
    void emplace(A&&... from) {
        reset();
        ::new (static_cast<void*>(&value_)) T(std::forward<A>(from)...);
        made_ = true;
    }

    bool has_value() const noexcept { return made_; }
    explicit operator bool() const noexcept { return made_; }
    T& operator*() & noexcept { return value_; }
    T&& operator*() && noexcept { return static_cast<T&&>(value_); }

private:
    void reset() noexcept {
        if (made_) made_ = false, value_.~T();
    }

    union {
        T value_;
    };
    bool made_ = false;
};

}  // namespace apus::detail
