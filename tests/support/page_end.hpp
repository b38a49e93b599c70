// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace apus::test {

/// Memory that ends right before an inaccessible page: reading one byte too far crashes in every
/// build.
class page_end {
public:
    explicit page_end(std::size_t most) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        size_ = (most + page - 1) / page * page;
        mapped_ = size_ + page;
        void* at = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) std::abort();
        begin_ = static_cast<char*>(at);
        if (mprotect(begin_ + size_, page, PROT_NONE) != 0) std::abort();
    }
    page_end(const page_end&) = delete;
    page_end& operator=(const page_end&) = delete;
    ~page_end() { munmap(begin_, mapped_); }

    /// Copies `bytes` to the end of the page. The copy is valid until the next call.
    std::string_view place(std::string_view bytes) {
        if (bytes.size() > size_) std::abort();
        char* to = begin_ + size_ - bytes.size();
        if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
        return {to, bytes.size()};
    }

private:
    char* begin_;
    std::size_t size_;
    std::size_t mapped_;
};

}  // namespace apus::test
