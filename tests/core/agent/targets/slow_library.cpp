// A library that takes its time to be loaded: as long as its loading goes on, a test can end who asked for it.
#include <ctime>

namespace {

__attribute__((constructor)) void takeTime() {
    timespec left{1, 0};
    while (nanosleep(&left, &left) != 0) {
    }
}

} // namespace
