#pragma once

namespace highwater {

/// Marks the upper parts of the calling thread's vector registers as unused. AVX code in a
/// library may have left them in use, on this thread or on the thread that started it. Each SSE instruction then waits
/// for the previous one: copying records takes three times as long. Takes a few cycles; call it in long loops, for each
/// batch.
void clearUpperVectorState();

} // namespace highwater
