// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/sql.hpp>

/// Adds GET /db, /queries?queries=N and /updates?queries=N on the table `world`.
/// /db returns a random row, /queries N rows, each by a statement of its own, and /updates also changes them.
void add_world(apus::app& app, const apus::sql::database& db);
