// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/hub.hpp>

/// Creates the app of the service.
/// Called once on each core; all cores use the same hub. Reads the folder `public` in the working directory.
apus::app make_app(apus::hub& rooms);
