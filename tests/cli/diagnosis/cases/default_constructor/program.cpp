// SPDX-License-Identifier: Apache-2.0
struct todo {
    explicit todo(int);
};

todo* make() { return new todo(); }
