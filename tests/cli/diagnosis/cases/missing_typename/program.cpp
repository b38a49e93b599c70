// SPDX-License-Identifier: Apache-2.0
template <class T>
void walk(T& all) {
    T::iterator at = all.begin();
    ++at;
}
