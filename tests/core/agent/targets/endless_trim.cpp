// A program with its own malloc_trim, which does not end, or ends the process: endless_trim [abort|exit].
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace {
const char* trimDoes = "";
}

extern "C" int malloc_trim(std::size_t) {
    if (std::strcmp(trimDoes, "abort") == 0) std::abort();
    if (std::strcmp(trimDoes, "exit") == 0) std::exit(0);
    for (volatile bool isEndless = true; isEndless;) {
    }
    return 0;
}

int main(int count, char** arguments) {
    if (count > 1) trimDoes = arguments[1];
    std::atexit([] { std::puts("exits"); });
    std::signal(SIGABRT, [](int) { static_cast<void>(write(STDOUT_FILENO, "aborts\n", 7)); });
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    std::puts("ready");
    char line[64];
    while (std::fgets(line, sizeof line, stdin) != nullptr)
        std::printf("%s", line);
    return 0;
}
