// A program that ends in the way that its argument names, or executes itself to end that way: exiting_program WAY. Its
// handler of exit() and its global object write a line when they run. It plants blocks whose sizes say what has become
// of them at its end.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kEach = 20;

void say(const char* line) {
    if (write(1, line, std::strlen(line)) < 0) _exit(9);
}

struct Owner {
    void* blocks[kEach];
    ~Owner() {
        for (auto*& block : blocks) {
            std::free(block);
            block = nullptr;
        }
        say("destroyed\n");
    }
};
Owner owner;       ///< frees its blocks when the program ends
void* kept[kEach]; ///< never freed
void* volatile lost;

__attribute__((noinline)) void plant() {
    for (int i = 0; i < kEach; ++i) {
        owner.blocks[i] = std::malloc(1302);
        kept[i] = std::malloc(1303);
        lost = std::malloc(1301);
        lost = nullptr;
    }
    asm volatile("" ::"r"(&owner), "r"(kept) : "memory");
}

/// The compiler keeps the pointer in a register while the nodes are allocated.
__attribute__((noinline)) void loseMap() {
    auto* const map = new std::map<int, int>;
    for (int i = 0; i < 31; ++i)
        (*map)[i] = i;
}

/// They go on while the program ends.
void beginBusyThreads() {
    for (int i = 0; i < 4; ++i)
        std::thread([] {
            while (true) {
                lost = std::malloc(64);
                std::free(lost);
            }
        }).detach();
}

/// Overwrites what earlier calls have left on the stack.
__attribute__((noinline)) void clearStack() {
    volatile char room[16 * 1024];
    for (auto& byte : room)
        byte = 0;
}

} // namespace

int main(int count, char** arguments) {
    const char* const way = count > 1 ? arguments[1] : "return";
    const auto is = [way](const char* other) { return std::strcmp(way, other) == 0; };
    std::atexit([] { say("handler\n"); });
    plant();
    if (is("map")) loseMap();
    if (is("busy")) beginBusyThreads();
    clearStack();
    if (is("handler that hangs")) std::atexit([] { pause(); });
    if (is("exit")) std::exit(3);
    if (is("_exit")) _exit(3);
    if (is("signal")) std::raise(SIGTERM);
    if (is("exec")) execl("/proc/self/exe", arguments[0], "_exit", nullptr);
    if (is("fork and exec")) { // the child ends by returning from main
        const auto child = fork();
        if (child == 0) {
            std::free(std::malloc(100));
            execl("/proc/self/exe", arguments[0], "return", nullptr);
        }
        int status = 0;
        waitpid(child, &status, 0);
        _exit(3);
    }
    if (is("fork")) { // the child ends by exit(), its parent does not
        const auto child = fork();
        if (child == 0) {
            std::free(std::malloc(100));
            std::exit(0);
        }
        int status = 0;
        if (waitpid(child, &status, 0) != child || status != 0) _exit(8);
        say("waited\n");
        _exit(3);
    }
    return 3;
}
