// SPDX-License-Identifier: Apache-2.0
struct todo {
    int id;
};

int id(todo* t) { return t->id; }

int main(int argc, char**) { return argc > 8 ? id(nullptr) : argc << 40; }
