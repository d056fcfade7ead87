#include "core/event/memory_picture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>

using namespace highwater;

namespace {

constexpr auto kNone = PictureBlock::kNone;

/// The blocks 0 and 1, reached from a variable, and 2 and 3, which are leaked: root -> 0 -> 1, 2 -> 3.
MemoryPicture usualPicture() {
    MemoryPicture picture;
    picture.names = {"libapp.so"};
    picture.roots = {{.address = 0x500, .kind = RootKind::Variable}};
    picture.blocks = {
        {.address = 0x1000, .bytes = 16, .holder = 4, .dominator = kNone, .reachability = Reachability::Reachable},
        {.address = 0x1010, .bytes = 16, .holder = 0, .dominator = 0, .reachability = Reachability::Possible},
        {.address = 0x2000, .bytes = 0, .holder = kNone, .dominator = kNone, .reachability = Reachability::Unreachable},
        {.address = 0x2008, .bytes = 8, .holder = 2, .dominator = 2, .reachability = Reachability::OnlyLeaked},
    };
    return picture;
}

template <typename Change>
bool isValidAfter(const Change& change) {
    auto picture = usualPicture();
    change(picture);
    return isValid(picture);
}

} // namespace

class MemoryPictureTest : public QObject {
    Q_OBJECT

  private slots:
    void aPictureOfReachedAndLeakedBlocksIsValid() {
        QVERIFY(isValid(MemoryPicture()));
        QVERIFY(isValid(usualPicture()));
    }
    void blocksAreByAddressAndDoNotOverlap() {
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].bytes = 17; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[1].address = 0xFF0; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[3].address = 0x2000; })); // as the empty one
        QVERIFY(isValidAfter([](MemoryPicture& picture) { picture.blocks[3].address = 0x2001; }));
    }
    void blocksEndBeforeTheEndOfTheAddressSpace() {
        constexpr auto kLast = std::numeric_limits<Address>::max();
        const auto atEnd = [&](ByteCount bytes) {
            return isValidAfter([&](MemoryPicture& picture) {
                picture.blocks[3].address = kLast - 8;
                picture.blocks[3].bytes = bytes;
            });
        };
        QVERIFY(atEnd(8));
        QVERIFY(!atEnd(9));
        QVERIFY(!atEnd(kLast));
    }
    void aHolderIsABlockOrARoot() {
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].holder = 5; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].holder = kNone; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].holder = kNone - 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.roots.clear(); }));
    }
    void reachedBlocksAreHeldByReachedOnesAndLeakedByLeakedOnes() {
        QVERIFY(
            !isValidAfter([](MemoryPicture& picture) { picture.blocks[2].holder = 4; })); // unreachable, from a root
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[3].holder = 4; })); // leaked, from a root
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[3].holder = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[1].holder = 2; }));
    }
    void dominatorsAreBlocksOfTheSameSide() {
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[1].dominator = 2; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[3].dominator = 0; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[2].dominator = 3; }));
    }
    void rootsDominateReachedBlocksOnly() {
        const auto validWith = [](std::size_t block, std::uint32_t dominator) {
            return isValidAfter([&](MemoryPicture& picture) { picture.blocks[block].dominator = dominator; });
        };
        QVERIFY(validWith(0, 4) && validWith(1, 4));
        QVERIFY(!validWith(2, 4) && !validWith(3, 4));
        QVERIFY(!validWith(0, 5) && !validWith(0, kNone - 1)); // no such root
    }
    void aParentIsAnEarlierRootWithoutAParent() {
        const auto validWith = [](std::uint32_t second, std::uint32_t third) {
            return isValidAfter([&](MemoryPicture& picture) {
                picture.roots.resize(3);
                picture.roots[1].parent = second, picture.roots[2].parent = third;
            });
        };
        QVERIFY(validWith(0, 0) && validWith(0, PictureRoot::kNoParent));
        QVERIFY(!validWith(1, 0) && !validWith(2, 0) && !validWith(3, 0));
        QVERIFY(!validWith(0, 1));
    }
    void chainsOfHoldersAndOfDominatorsEnd() {
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[1].holder = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].holder = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[1].dominator = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[0].dominator = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.blocks[3].holder = 3; }));
    }
    void namesAndKindsExist() {
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.names.clear(); }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.roots[0].name = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.roots[0].threadName = 1; }));
        QVERIFY(!isValidAfter([](MemoryPicture& picture) { picture.roots[0].kind = RootKind{kRootKinds}; }));
        QVERIFY(!isValidAfter(
            [](MemoryPicture& picture) { picture.blocks[0].reachability = Reachability{kReachabilities}; }));
    }
    void typesExistAndAreThoseOfBlocks() {
        const auto validWith = [](std::uint32_t type, std::size_t types) {
            return isValidAfter([&](MemoryPicture& picture) {
                picture.blocks[1].type = type;
                picture.types.resize(types, "Session");
            });
        };
        QVERIFY(validWith(1, 1) && validWith(2, 2));
        QVERIFY(!validWith(1, 0) && !validWith(3, 2));
        QVERIFY(!validWith(0, 1));
    }
    void longChainsAreCheckedInLinearTime() {
        constexpr std::uint32_t kBlocks = 2'000'000; // quadratic would take hours, a recursion would overflow the stack
        auto picture = usualPicture();
        picture.blocks.resize(kBlocks);
        for (std::uint32_t i = 0; i < kBlocks; ++i) {
            const auto next = i + 1 < kBlocks ? i + 1 : kBlocks;
            picture.blocks[i] = {.address = 0x1000 + 16 * Address{i},
                                 .bytes = 16,
                                 .holder = next,
                                 .dominator = i + 1 < kBlocks ? next : kNone,
                                 .reachability = Reachability::Reachable};
        }
        QVERIFY(isValid(picture));
        picture.blocks.back().holder = 0;
        QVERIFY(!isValid(picture));
    }
    void itsSizeInMemoryIncludesNamesRootsAndBlocks() {
        const auto empty = MemoryPicture().bytes();
        const auto usual = usualPicture().bytes();
        QVERIFY(usual >= empty + 4 * sizeof(PictureBlock) + sizeof(PictureRoot) + sizeof(std::string));
        QVERIFY(usual < empty + 1000);
    }
};

HIGHWATER_TEST(MemoryPictureTest);
#include "memory_picture_test.moc"
