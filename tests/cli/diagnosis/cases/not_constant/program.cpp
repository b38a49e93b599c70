// SPDX-License-Identifier: Apache-2.0
int size();
constexpr int n = size();
