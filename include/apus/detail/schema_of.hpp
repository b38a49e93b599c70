// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tables of all types that can have one.

#include <apus/detail/schema_kinds.hpp>
#include <apus/detail/schema_object.hpp>
#include <apus/detail/schema_variant.hpp>
