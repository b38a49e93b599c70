// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "guestbook.hpp"

/// Creates the app of the service.
/// Called once on each core; all cores use the same guestbook. Reads the folders `pages` and `public` in the working
/// directory.
apus::app make_app(guestbook&);
