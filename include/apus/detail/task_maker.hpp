// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/task.hpp>

#include <utility>

namespace apus::detail {

/// A type-erased function that creates tasks. It must outlive them.
class task_maker {
public:
    template <class F>
    explicit task_maker(F f)
        : self_(new F(std::move(f))),
          make_([](void* self) -> task<> { return (*static_cast<F*>(self))(); }),
          destroy_([](void* self) noexcept { delete static_cast<F*>(self); }) {}
    task_maker(task_maker&& other) noexcept
        : self_(std::exchange(other.self_, nullptr)), make_(other.make_), destroy_(other.destroy_) {}
    task_maker& operator=(task_maker&&) = delete;
    ~task_maker() {
        if (self_) destroy_(self_);
    }

    task<> operator()() const { return make_(self_); }

private:
    void* self_;
    task<> (*make_)(void*);
    void (*destroy_)(void*) noexcept;
};

}  // namespace apus::detail
