// A small program for Windows and Linux, built by the tests without any library: the functions of Exercise 2, one of
// them inlined, one in a template and a namespace, and two with identical code so that the linker folds them. Line
// numbers matter: built_program_test.cpp contains them.
#define NEVER_INLINE __attribute__((noinline))
#define ALWAYS_INLINE inline __attribute__((always_inline))

volatile int sink;
volatile int source;

ALWAYS_INLINE int addOne(int value) {
    return value * source + 1; // line 11
}

ALWAYS_INLINE int addTwo(int value) {
    return addOne(value) + addOne(value + sink); // line 15
}

namespace buffers {
template <typename T>
struct Ring {
    NEVER_INLINE T push(T value) {
        sink = sink + static_cast<int>(value);
        return value;
    }
};
} // namespace buffers

NEVER_INLINE void ManipulateTemporaryBuffer(int bytes) {
    sink = addTwo(bytes); // line 29
    buffers::Ring<long> ring;
    sink = static_cast<int>(ring.push(sink));
}

NEVER_INLINE void Operation1() {
    ManipulateTemporaryBuffer(source);
    sink = sink + 1;
}

NEVER_INLINE int InnerLoopOperation(int index) {
    sink = index; // line 40
    return index * 3 + source;
}

NEVER_INLINE int firstTwin(int value) {
    sink = 77;
    return value + 77;
}

NEVER_INLINE int secondTwin(int value) {
    sink = 77;
    return value + 77;
}

extern "C" NEVER_INLINE int plainC(int value) {
    sink = value;
    return value;
}

static NEVER_INLINE void hidden() { sink = source - sink; }

int main() {
    for (int i = 0; i < source; ++i) {
        Operation1();
        InnerLoopOperation(i);
    }
    hidden();
    return firstTwin(1) + secondTwin(2) + plainC(3);
}

extern "C" void entry() {
    main();
    for (;;) {
    }
}

#ifdef __linux__
// A function without a length, as in assembler code: it must not extend beyond the end of its section.
asm(".pushsection .text.bare,\"ax\",@progbits\n.globl bare\n.type bare,@function\nbare: ret\nret\n.popsection");
#endif
