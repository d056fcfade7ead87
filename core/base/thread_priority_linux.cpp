#include "core/base/thread_priority_system.h"

#include <sys/resource.h>
#include <unistd.h>

namespace highwater {
namespace {

/// A thirtieth of what a usual thread gets beside it: there are several. Not the least that there is: such a thread may
/// hold a lock for which somebody waits.
constexpr int kNice = 15;

} // namespace

/// The priority of a thread, not of the process, as Linux has it.
void lowerSystemPriority() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

} // namespace highwater
