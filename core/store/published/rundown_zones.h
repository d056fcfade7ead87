#pragma once

#include "core/base/units.h"

namespace highwater::store {

/// The spans of a trace in which its recorder wrote down existing state: processes, threads, modules and memory before
/// the start of the recording, and again at its end. Most activity in them is the recorder's. Empty if there is none.
struct RundownZones {
    TimeRange begin;
    TimeRange end;
    friend bool operator==(const RundownZones&, const RundownZones&) = default;
};

} // namespace highwater::store
