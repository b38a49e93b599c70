// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/sql.hpp>

/// Adds GET /db, /queries?queries=N and /updates?queries=N on the table `world`.
/// /db returns a random row; /queries returns N rows, each read by a separate statement; /updates also changes them.
void add_world(apus::app& app, const apus::sql::database& db);
