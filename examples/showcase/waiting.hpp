// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include <string>

namespace showcase {

/// Waits for `?ms=` milliseconds, by default 1,000. The core serves other requests meanwhile.
apus::task<std::string> slow(apus::request&);

/// Counts the primes below `?below=`, by default 200,000, on a worker thread; with `?here=1`, on
/// this core in slices.
apus::task<std::string> count_primes(apus::request&);

}  // namespace showcase
