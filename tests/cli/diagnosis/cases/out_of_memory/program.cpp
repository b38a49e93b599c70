// SPDX-License-Identifier: Apache-2.0
template <int N>
struct tree {
    static constexpr int size = tree<N - 1>::size + 1;
};
template <>
struct tree<0> {
    static constexpr int size = 0;
};

int main() { return tree<800>::size; }
