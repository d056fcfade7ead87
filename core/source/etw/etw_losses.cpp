#include "core/source/etw/etw_losses.h"

#include <algorithm>

namespace highwater::source {

void EtwLossCounter::note(const EtwLosses& told) {
    most_.events = std::max(most_.events, told.events);
    most_.buffers = std::max(most_.buffers, told.buffers);
}

void EtwLossCounter::tell(TraceHealth& health) {
    if (most_.events > reported_.events) health.count(Loss::EventsLost, most_.events - reported_.events);
    if (most_.buffers > reported_.buffers) health.count(Loss::BuffersLost, most_.buffers - reported_.buffers);
    reported_ = most_;
}

} // namespace highwater::source
