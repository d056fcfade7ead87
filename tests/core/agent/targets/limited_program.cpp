// A program with resource limits: `limited_program CASE`.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

void allocate(int count, std::size_t bytes) {
    for (int i = 0; i < count; ++i) {
        void* volatile block = std::malloc(bytes);
        std::free(block);
    }
}

long lockedKilobytes() {
    char status[8192] = {};
    const int file = open("/proc/self/status", O_RDONLY);
    const auto bytes = read(file, status, sizeof status - 1);
    close(file);
    const char* const line = bytes > 0 ? std::strstr(status, "VmLck:") : nullptr;
    return line != nullptr ? std::atol(line + std::strlen("VmLck:")) : -1;
}

/// As an ordinary user, who usually may lock 8 MB.
void becomeUnprivileged() {
    const rlimit limit{8u << 20, 8u << 20};
    setrlimit(RLIMIT_MEMLOCK, &limit);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[2] = {};
    syscall(SYS_capset, &header, none);
}

/// Prints whether locking succeeded, and how much is locked then.
int lockAll(bool isSystemCall) {
    const int flags = MCL_CURRENT | MCL_FUTURE;
    const long failed = isSystemCall ? syscall(SYS_mlockall, flags) : mlockall(flags);
    std::printf("%ld %s %ld\n", failed, failed != 0 ? std::strerror(errno) : "locked", lockedKilobytes());
    std::fflush(stdout);
    allocate(300'000, 777);
    return failed != 0;
}

} // namespace

int main(int count, char** arguments) {
    const char* const what = count > 1 ? arguments[1] : "";
    const int before = count > 2 ? std::atoi(arguments[2]) : 0;
    allocate(before, 777);
    if (std::strcmp(what, "lockasuser") == 0) {
        becomeUnprivileged();
        return lockAll(false);
    }
    if (std::strcmp(what, "lock") == 0) return lockAll(false);
    if (std::strcmp(what, "locksyscall") == 0) return lockAll(true);
    if (std::strcmp(what, "addresses") == 0) { // limits itself; whatever it prints as its own is then
        const rlimit limit{64u << 20, 64u << 20};
        setrlimit(RLIMIT_AS, &limit);
    }
    allocate(300'000, 777);
    void* const large = mmap(nullptr, 40u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::printf("%d\n", large != MAP_FAILED);
    return large == MAP_FAILED;
}
