#pragma once

namespace highwater {

/// Lowers the calling thread's priority by the means of the system.
void lowerSystemPriority();

} // namespace highwater
