#pragma once

namespace highwater {

/// Says to the processor that the upper parts of its vector registers are not in use on the calling thread. AVX code of
/// a library may have left them in use, on this thread or on the one that started it, and from then on each SSE
/// instruction waits for the one before it: copying records takes three times as long. A few cycles; for loops over
/// much, each time they get a batch.
void clearUpperVectorState();

} // namespace highwater
