#include <unistd.h>

/// With an argument it waits until it is ended.
int main(int count, char**) {
    if (count > 1) pause();
    return 0;
}
