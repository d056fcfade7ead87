#include "core/base/thread_priority.h"
#include "core/base/thread_priority_system.h"

#include <algorithm>
#include <thread>

#include <windows.h>

namespace highwater {

void lowerSystemPriority() { (void)::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

unsigned usableProcessors() { return std::max(1u, std::thread::hardware_concurrency()); }

} // namespace highwater
