// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace apus::detail {

/// Shared owner of a `Parts`, which is complete only in the library.
/// `Owner` declares the functions that count references: `static void keep(Parts*)` and `static void let_go(Parts*)`.
template <class Owner, class Parts>
class shared {
public:
    explicit shared(Parts* made) noexcept : parts_(made) {}
    shared(const shared& other) noexcept : parts_(other.parts_) {
        if (parts_) Owner::keep(parts_);
    }
    shared(shared&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    shared& operator=(shared other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~shared() {
        if (parts_) Owner::let_go(parts_);
    }

    Parts& operator*() const noexcept { return *parts_; }
    Parts* operator->() const noexcept { return parts_; }

private:
    Parts* parts_;
};

}  // namespace apus::detail
