// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/rules.hpp>
#include <mutex>
#include <vector>

/// An entry as sent by the form.
struct entry {
    apus::text<1, 40> name;
    apus::text<1, 500> message;
};

/// Entries in memory, shared by all cores.
class guestbook {
public:
    void sign(entry written);
    std::vector<entry> entries() const;

private:
    mutable std::mutex lock_;
    std::vector<entry> entries_;
};
