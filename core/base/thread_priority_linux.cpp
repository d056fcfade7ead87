#include "core/base/thread_priority.h"
#include "core/base/thread_priority_system.h"

#include <algorithm>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace highwater {
namespace {

/// A thirtieth of what a usual thread gets beside it: there are several. Not the least that there is: such a thread may
/// hold a lock for which somebody waits.
constexpr int kNice = 15;

} // namespace

/// The priority of a thread, not of the process, as Linux has it.
void lowerSystemPriority() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

unsigned usableProcessors() {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    // Refused where the machine has more than there is room for here.
    if (::sched_getaffinity(0, sizeof(processors), &processors) != 0)
        return std::max(1u, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&processors)));
}

} // namespace highwater
