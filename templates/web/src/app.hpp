// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <memory>
#include <mutex>

/// What guests have written, in memory, for all cores.
class guestbook {
public:
    guestbook();
    ~guestbook();

private:
    friend apus::app make_app(guestbook&);
    struct parts;
    std::unique_ptr<parts> parts_;
};

/// The service. Called once on each core; what the cores share is made in main. Reads the folders
/// `pages` and `public` of the current folder.
apus::app make_app(guestbook&);
