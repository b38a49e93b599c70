// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"

namespace apus::configuration {

/// Adds to a tree the values that a configuration, unlike JSON, may omit.
/// These are lists and maps that may be empty, and fields that the initializer of their struct sets. A missing struct
/// becomes an empty table, so that each of its missing fields is reported. `initial` points to an object with initial
/// values, or is null.
void complete(node& tree, const schema::type&, const void* initial);

}  // namespace apus::configuration
