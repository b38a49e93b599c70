// SPDX-License-Identifier: Apache-2.0
#pragma once

// Includes the schema tables of all supported types.

#include <apus/detail/schema_kinds.hpp>
#include <apus/detail/schema_object.hpp>
#include <apus/detail/schema_variant.hpp>
