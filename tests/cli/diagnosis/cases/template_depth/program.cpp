// SPDX-License-Identifier: Apache-2.0
template <int N>
struct tree {
    static constexpr int size = tree<N + 1>::size + 1;
};

int main() { return tree<0>::size; }
