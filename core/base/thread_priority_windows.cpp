#include "core/base/thread_priority_system.h"

#include <windows.h>

namespace highwater {

void lowerSystemPriority() { (void)::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL); }

} // namespace highwater
