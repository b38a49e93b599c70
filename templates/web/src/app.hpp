// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "guestbook.hpp"

/// The service. Called once on each core; what the cores share is made in main. Reads the folders
/// `pages` and `public` of the current folder.
apus::app make_app(guestbook&);
