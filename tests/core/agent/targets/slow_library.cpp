// A library that loads slowly: while it loads, a test can end the process that requested it.
#include <ctime>

namespace {

__attribute__((constructor)) void takeTime() {
    timespec left{1, 0};
    while (nanosleep(&left, &left) != 0) {
    }
}

} // namespace
