// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/rules.hpp>
#include <mutex>
#include <vector>

/// What a guest writes, as the form sends it.
struct entry {
    apus::text<1, 40> name;
    apus::text<1, 500> message;
};

/// What guests have written, in memory. All cores share it.
class guestbook {
public:
    void sign(entry written);
    std::vector<entry> entries() const;

private:
    mutable std::mutex lock_;
    std::vector<entry> entries_;
};
