#pragma once

namespace highwater {

/// Lowers the priority of the calling thread with the system's own call.
void lowerSystemPriority();

} // namespace highwater
