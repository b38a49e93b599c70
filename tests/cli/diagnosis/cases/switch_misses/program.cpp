// SPDX-License-Identifier: Apache-2.0
enum class state {
    open,
    done
};

int number(state s) {
    switch (s) {
        case state::open: return 1;
    }
    return 0;
}
