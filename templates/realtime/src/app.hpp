// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/hub.hpp>

/// The service.
/// Called once on each core; the hub, which the cores share, is made in main. Reads the folder `public` of the current
/// folder.
apus::app make_app(apus::hub& rooms);
