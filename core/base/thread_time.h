#pragma once

#include <chrono>

namespace highwater {

/// Processor time that the calling thread has used so far. Unlike real time it does not depend on how busy the machine
/// is.
[[nodiscard]] std::chrono::nanoseconds threadTime();

} // namespace highwater
