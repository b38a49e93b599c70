// SPDX-License-Identifier: Apache-2.0
template <class T>
struct box {
    static_assert(sizeof(T) <= 8, "a box holds small things");
    T value;
};

box<char[16]> large;
