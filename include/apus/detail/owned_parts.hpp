// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace apus::detail {

/// Owner of the private part of a public class. The type `Parts` is complete only in the library.
template <class Parts>
class owned_parts {
public:
    owned_parts(Parts* of, void (*destroy)(const Parts*) noexcept) noexcept : of_(of), destroy_(destroy) {}
    owned_parts(owned_parts&& other) noexcept : of_(other.of_), destroy_(other.destroy_) { other.of_ = nullptr; }
    owned_parts& operator=(owned_parts&& other) noexcept {
        std::swap(of_, other.of_);
        std::swap(destroy_, other.destroy_);
        return *this;
    }
    ~owned_parts() {
        if (of_) destroy_(of_);
    }
    Parts* operator->() const noexcept { return of_; }
    Parts& operator*() const noexcept { return *of_; }

private:
    Parts* of_;
    void (*destroy_)(const Parts*) noexcept;
};

/// Takes ownership of `of`. `Parts` must be complete here.
template <class Parts>
owned_parts<Parts> own_parts(Parts* of) noexcept {
    return {of, [](const Parts* p) noexcept { delete p; }};
}

}  // namespace apus::detail
