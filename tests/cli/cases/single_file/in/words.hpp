// SPDX-License-Identifier: Apache-2.0
#pragma once

inline constexpr const char* words = "world";
