#pragma once

#include "core/base/units.h"

namespace highwater::store {

/// The spans of a trace in which its recorder wrote down what was there: processes, threads, modules and memory before
/// the recording began, and again when it ended. What happens in them is mostly the recorder's. Empty: there is none.
struct RundownZones {
    TimeRange begin;
    TimeRange end;
    friend bool operator==(const RundownZones&, const RundownZones&) = default;
};

} // namespace highwater::store
