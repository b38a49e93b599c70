// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/sql.hpp>

/// Adds GET /db, which returns a random row of the table `world`, /queries?queries=N, which returns N rows, each by a
/// statement of its own, and /updates?queries=N, which also changes them.
void add_world(apus::app& app, const apus::sql::database& db);
