#pragma once

namespace highwater {

/// Of the calling thread, by the means of the system.
void lowerSystemPriority();

} // namespace highwater
