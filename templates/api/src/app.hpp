// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "notes.hpp"

/// Creates the app of the service. Called once on each core; all cores use the same database.
apus::app make_app(const notes& store);
