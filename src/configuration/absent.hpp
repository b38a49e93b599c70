// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"

namespace apus::configuration {

/// Adds to a tree the values that a configuration, unlike JSON, may omit.
/// These are lists and maps that may be empty, and fields that the initializer of their struct sets. Missing structs
/// become empty tables, so that each missing field of theirs is reported. `initial` is an object with its initial
/// values, or null.
void complete(node& tree, const schema::type&, const void* initial);

}  // namespace apus::configuration
