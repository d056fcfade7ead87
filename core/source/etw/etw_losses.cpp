#include "core/source/etw/etw_losses.h"

#include <algorithm>

namespace highwater::source {

void EtwLossCounter::note(const EtwLosses& told) {
    most_.events = std::max(most_.events, told.events);
    most_.buffers = std::max(most_.buffers, told.buffers);
}

EtwLosses EtwLossCounter::tell(TraceHealth& health) {
    const EtwLosses told{most_.events - reported_.events, most_.buffers - reported_.buffers};
    if (told.events > 0) health.countAtLeast(Loss::EventsLost, told.events);
    if (told.buffers > 0) health.count(Loss::BuffersLost, told.buffers);
    reported_ = most_;
    return told;
}

} // namespace highwater::source
