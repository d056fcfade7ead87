#pragma once

namespace highwater {

/// Tells the processor that the calling thread does not use the upper parts of its vector registers. AVX code in a
/// library may have left them in use, on this thread or on the thread that started it. Each SSE instruction then waits
/// for the previous one: copying records takes three times as long. Takes a few cycles; call it in long loops, for each
/// batch.
void clearUpperVectorState();

} // namespace highwater
