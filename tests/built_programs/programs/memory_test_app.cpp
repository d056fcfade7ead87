// The program of Exercise 2 as in its trace: the same functions, long enough to contain all the places where they call
// each other in the trace (see tests/fixtures/exercise2.cpp). Built without any library. With INLINE_LOOP its leaking
// function is inlined into main, as compilers do in Release builds.
#define NEVER_INLINE __attribute__((noinline))
#ifdef INLINE_LOOP
#define LOOP_INLINE static inline __attribute__((always_inline))
#else
#define LOOP_INLINE NEVER_INLINE
#endif

volatile int sink;

#define WORK_8                                                                                                         \
    sink = sink + 1;                                                                                                   \
    sink = sink + 2;                                                                                                   \
    sink = sink + 3;                                                                                                   \
    sink = sink + 4;                                                                                                   \
    sink = sink + 5;                                                                                                   \
    sink = sink + 6;                                                                                                   \
    sink = sink + 7;                                                                                                   \
    sink = sink + 8;
#define WORK WORK_8 WORK_8 WORK_8

NEVER_INLINE void* operator new(unsigned long long bytes) { WORK return reinterpret_cast<void*>(bytes); }

NEVER_INLINE void operator delete(void*) noexcept {WORK}

NEVER_INLINE void ManipulateTemporaryBuffer(){WORK}

NEVER_INLINE void Operation1() {
    ManipulateTemporaryBuffer();
    WORK
}

LOOP_INLINE void InnerLoopOperation() {
    WORK sink = static_cast<int>(reinterpret_cast<unsigned long long>(::operator new(40)));
}

NEVER_INLINE void Operation2() { WORK ::operator delete(::operator new(64)); }

int main() {
    WORK Operation1();
    InnerLoopOperation();
    Operation2();
    return 0;
}

static NEVER_INLINE int __scrt_common_main_seh() { WORK return main(); }

extern "C" void entry() {
    sink = __scrt_common_main_seh();
    for (;;) {
    }
}
