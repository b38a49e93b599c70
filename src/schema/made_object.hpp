// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>

#include <cstring>
#include <vector>

namespace apus::schema {

/// An object created like `new T` in memory filled with a known byte.
/// Uninitialized fields keep that byte.
class made_object {
public:
    made_object(const type& aggregate, unsigned char pattern) : type_(&aggregate), bytes_(aggregate.size + alignment) {
        std::memset(bytes_.data(), pattern, bytes_.size());
        // When the lifetime of an object begins, the compiler may remove earlier writes to its memory (dead stores).
        // The asm statement hides the call from the compiler, so that the known bytes stay in memory.
        void (*make)(void*) = aggregate.object->make;
        asm volatile("" : "+r"(make) : "r"(at()) : "memory");
        make(at());
        asm volatile("" : : "r"(at()) : "memory");
    }
    made_object(const made_object&) = delete;
    made_object& operator=(const made_object&) = delete;
    ~made_object() { type_->object->destroy(at()); }

    unsigned char* at() noexcept {
        const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
        return bytes_.data() + (alignment - begin % alignment) % alignment;
    }

private:
    static constexpr std::size_t alignment = 64;  // exceeds the alignment of any member without an explicit alignas

    const type* type_;
    std::vector<unsigned char> bytes_;
};

}  // namespace apus::schema
