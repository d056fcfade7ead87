#include "core/base/vector_state.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <cstdint>

using namespace highwater;

class VectorStateTest : public QObject {
    Q_OBJECT
  private slots:
    void clearsTheUpperPartsAndKeepsTheLower() {
#if defined(__x86_64__)
        if (!__builtin_cpu_supports("avx")) QSKIP("This processor has no AVX.");
        alignas(32) const std::array<std::uint64_t, 4> before{1, 2, 3, 4};
        alignas(32) std::array<std::uint64_t, 4> after{};
        asm volatile("vmovaps %1, %%ymm15\n\tvmovaps %%ymm15, %0" : "=m"(after) : "m"(before) : "xmm15");
        QCOMPARE(after, before); // as AVX code leaves it

        asm volatile("vmovaps %0, %%ymm15" : : "m"(before) : "xmm15");
        clearUpperVectorState();
        asm volatile("vmovaps %%ymm15, %0" : "=m"(after) : : "xmm15");
        QCOMPARE(after[0], before[0]);
        QCOMPARE(after[1], before[1]);
        QCOMPARE(after[2], 0u);
        QCOMPARE(after[3], 0u);
#else
        QSKIP("Only x86-64 has this state.");
#endif
    }
};

HIGHWATER_TEST(VectorStateTest);
#include "vector_state_test.moc"
