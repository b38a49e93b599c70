// SPDX-License-Identifier: Apache-2.0
struct todo {
    int id;
};

int id(todo* t) { return t->id; }

int main() { return id(nullptr); }
