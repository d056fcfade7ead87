#include "core/base/thread_priority.h"

#include "core/base/thread_priority_system.h"

namespace highwater {
namespace {

thread_local bool isLow = false;

} // namespace

void lowerThreadPriority() {
    if (isLow) return;
    isLow = true;
    lowerSystemPriority();
}

bool isThreadPriorityLow() { return isLow; }

} // namespace highwater
