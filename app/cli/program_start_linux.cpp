#include "app/cli/program_start.h"

#include <pthread.h>
#include <sys/resource.h>
#include <system_error>
#include <thread>

namespace highwater::cli {

namespace {

constexpr std::size_t kUsualStackBytes = 8u << 20;

/// The C library takes the stack size of threads from the limit.
void giveThreadsUsualStacks() {
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return;
    ::pthread_attr_setstacksize(&attributes, kUsualStackBytes);
    ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
}

} // namespace

int onUsualStack(const std::function<int()>& work) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kUsualStackBytes) return work();
    giveThreadsUsualStacks();
    int result = 0;
    std::thread worker;
    try {
        worker = std::thread([&] { result = work(); });
    } catch (const std::system_error&) { // no threads, or no memory for the stack
        return work();
    }
    worker.join();
    return result;
}

std::vector<std::string> startProgram(int argc, char** argv) {
    if (argc < 1) return {};
    return {argv + 1, argv + argc};
}

} // namespace highwater::cli
