// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace apus::detail {

/// The inside of a public class, of a type that only the library knows the inside of.
template <class Parts>
class owned_parts {
public:
    owned_parts(Parts* of, void (*destroy)(const Parts*) noexcept) noexcept : of_(of), destroy_(destroy) {}
    owned_parts(owned_parts&& other) noexcept : of_(std::exchange(other.of_, nullptr)), destroy_(other.destroy_) {}
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

/// To be called where `Parts` is complete.
template <class Parts>
owned_parts<Parts> own_parts(Parts* of) noexcept {
    return {of, [](const Parts* p) noexcept { delete p; }};
}

}  // namespace apus::detail
