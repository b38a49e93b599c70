// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace arena {

/// The realistic application that public benchmarks ask of every framework, as far as Apus has
/// what it takes: sums of query and body, pipelined answers, uploads.
apus::app make_app();

}  // namespace arena
