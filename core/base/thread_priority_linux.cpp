#include "core/base/thread_priority.h"
#include "core/base/thread_priority_system.h"

#include <algorithm>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace highwater {
namespace {

/// A thirtieth of the share of a normal thread, because there are several such threads. Not the lowest priority because
/// such a thread may hold a lock that another thread waits for.
constexpr int kNice = 15;

} // namespace

/// On Linux, this sets the priority of the thread, not of the process.
void lowerSystemPriority() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

unsigned usableProcessors() {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    // Fails if the machine has more processors than fit here.
    if (::sched_getaffinity(0, sizeof(processors), &processors) != 0)
        return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&processors)));
}

} // namespace highwater
