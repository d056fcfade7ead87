#include "core/base/huge_pages.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <cstdlib>
#include <malloc.h>

using namespace highwater;

namespace {

constexpr std::size_t kMB = 1u << 20;

/// Bytes in the pieces that the heap gets from the system, and returns to it, one by one.
std::size_t mappedPieceBytes() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    return ::mallinfo2().hblkhd;
#else
    return 0;
#endif
}

/// Whether a piece that is allocated now is such a piece.
bool isMappedAlone(std::size_t bytes) {
    const auto before = mappedPieceBytes();
    void* volatile piece = std::malloc(bytes);
    const auto during = mappedPieceBytes();
    std::free(piece);
    return during >= before + bytes;
}

} // namespace

/// Memory that comes from the system and is returned to it.
class HugePagesLinuxTest : public QObject {
    Q_OBJECT
  private slots:
    void largePiecesGoBackWhateverWasFreedBefore() {
        if (!isMappedAlone(24 * kMB)) QSKIP("this heap is not glibc's");
        // From now on, glibc caches pieces of up to 24 MB.
        QVERIFY(!isMappedAlone(5 * kMB));
        releaseLargeMemoryImmediately();
        releaseFreeMemory(); // the cached memory may have room for them
        QVERIFY(isMappedAlone(5 * kMB));
        QVERIFY(isMappedAlone(24 * kMB));
        QVERIFY(isMappedAlone(5 * kMB));
        QVERIFY(!isMappedAlone(100'000)); // small pieces are fast
    }
    void largeVectorsComeZeroedFromTheSystem() {
        QVERIFY(LargeAllocator<int>::isZeroed(kMB));
        QVERIFY(!LargeAllocator<int>::isZeroed(10));
        LargeAllocator<int> allocator;
        auto* memory = allocator.allocate(kMB);
        for (std::size_t i = 0; i < kMB; i += 1000)
            QCOMPARE(memory[i], 0);
        allocator.deallocate(memory, kMB);
    }
};

HIGHWATER_TEST(HugePagesLinuxTest);
#include "huge_pages_linux_test.moc"
