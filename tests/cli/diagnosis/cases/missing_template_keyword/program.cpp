// SPDX-License-Identifier: Apache-2.0
template <class T>
int first(T& all) {
    return all.get<int>();
}
