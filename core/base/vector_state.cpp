#include "core/base/vector_state.h"

namespace highwater {

#if defined(__x86_64__)

// The program is compiled for every x86-64, so the compiler does not emit this instruction itself.
void clearUpperVectorState() {
    static const bool hasAvx = __builtin_cpu_supports("avx") != 0;
    if (hasAvx) asm volatile("vzeroupper");
}

#else

void clearUpperVectorState() {}

#endif

} // namespace highwater
