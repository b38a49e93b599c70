// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

/// Creates the app of the service. Called once on each core.
apus::app make_app();
