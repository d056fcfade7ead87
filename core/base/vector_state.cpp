#include "core/base/vector_state.h"

namespace highwater {

#if defined(__x86_64__)

// The program itself is compiled for every x86-64, and so has no such instruction of its own.
void clearUpperVectorState() {
    static const bool hasAvx = __builtin_cpu_supports("avx") != 0;
    if (hasAvx) asm volatile("vzeroupper");
}

#else

void clearUpperVectorState() {}

#endif

} // namespace highwater
