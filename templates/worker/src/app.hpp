// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "work.hpp"

/// Creates the app, which reports the state of the work. Called once on each core.
apus::app make_app(const work& done);
