// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"
#include "results.hpp"

namespace load {

/// Prints the results as one line of JSON.
void print_report(const options&, const results& measured, const results& warmed_up);

}  // namespace load
