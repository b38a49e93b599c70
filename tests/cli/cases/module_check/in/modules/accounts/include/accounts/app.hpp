#include <billing/bill.hpp>
#include "store.hpp"
