// SPDX-License-Identifier: Apache-2.0
struct todo;

int id(const todo& t) { return t.id; }
