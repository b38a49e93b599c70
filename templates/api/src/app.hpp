// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

#include "notes.hpp"

/// The service. Called once on each core; what the cores share is made in main.
apus::app make_app(notes& store);
