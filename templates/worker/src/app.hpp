// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "work.hpp"

/// What tells how the worker is. Called once on each core.
apus::app make_app(const work& done);
