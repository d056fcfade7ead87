#include "core/store/published/image_index.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>
#include <random>
#include <string>

using namespace highwater;
using namespace highwater::store;

namespace {

ImageEvent loadOf(std::uint32_t pid, Address base, ByteCount size, std::string path) {
    ImageEvent event;
    event.time = TraceTime{1};
    event.occasion = Occasion::Start;
    event.pid = pid;
    event.base = base;
    event.size = size;
    event.path = std::move(path);
    return event;
}

} // namespace

class ImageIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void findsWhatTheTableFinds() {
        std::mt19937 random(11);
        for (int round = 0; round < 50; ++round) {
            ProcessTable table;
            constexpr std::uint32_t kPids[] = {0, 8, 12};
            for (int i = 0; i < 60; ++i) {
                const auto pid = kPids[random() % 3];
                const Address half = random() % 4 == 0 ? kKernelBit : 0;
                table.apply(loadOf(pid, half + random() % 100, 1 + random() % 30, std::to_string(random() % 5)));
            }
            table.apply(loadOf(0, std::numeric_limits<Address>::max() - 5, 100, "last"));
            ImageIndex index(table);
            for (int i = 0; i < 3000; ++i) {
                const auto process = static_cast<std::uint32_t>(random() % (table.processes().size() + 1));
                const StackRoot root{ProcessIndex{process}, static_cast<std::uint32_t>(random() % 30)};
                const Address half = random() % 3 == 0 ? kKernelBit : 0;
                const auto address =
                    random() % 50 == 0 ? std::numeric_limits<Address>::max() - random() % 10 : half + random() % 140;
                QCOMPARE(index.find(root, address), table.findImage(root, address));
            }
        }
    }
    /// Walking through all images for each of them would take minutes.
    void hundredThousandImagesOfOneProcess() {
        constexpr std::uint32_t kImages = 100'000;
        ProcessTable table;
        for (std::uint32_t i = 0; i < kImages; ++i) // each replaces the previous one
            table.apply(loadOf(8, 0x10000, 0x1000, i % 2 == 0 ? "a" : "b"));
        for (std::uint32_t i = 0; i < kImages; ++i)
            table.apply(loadOf(8, Address{0x100000} + i * Address{0x1000}, 0x1000, "c"));
        ImageIdentityEvent identity;
        identity.pid = 8;
        for (std::uint32_t i = 0; i < kImages; ++i) {
            identity.base = Address{0x100000} + i * Address{0x1000};
            identity.identity.pdbName = std::to_string(i);
            table.apply(identity);
        }
        const auto process = table.current(8);
        QCOMPARE(table[process].epoch, kImages - 1);
        QCOMPARE(table.modules().size(), std::size_t{3});
        QCOMPARE(table.modules()[2].identity.pdbName, std::to_string(kImages - 1));
        ImageIndex index(table);
        for (std::uint32_t i = 0; i < kImages; ++i) {
            const auto* replaced = index.find({process, i}, 0x10008);
            QVERIFY(replaced != nullptr);
            QCOMPARE(replaced->firstEpoch, i);
            // An image that replaced nothing has an unknown load time.
            QVERIFY(index.find({process, i}, Address{0x100000} + i * Address{0x1000}) != nullptr);
        }
    }
    void findsVolumesByTheirLongestName() {
        VolumeNames volumes;
        volumes.add({"\\Device\\Volume1", "X:"});
        volumes.add({"\\Device\\Volume1\\", "C:\\"});
        volumes.add({"\\DEVICE\\volume1\\", "late"});
        volumes.add({"\\Device\\Volume12\\", "D:\\"});
        QCOMPARE(volumes.dosPath("\\device\\VOLUME1\\A.dll"), std::string("C:\\A.dll"));
        QCOMPARE(volumes.dosPath("\\Device\\Volume12\\b"), std::string("D:\\b"));
        QCOMPARE(volumes.dosPath("\\Device\\Volume13\\b"), std::string("X:3\\b"));
        QCOMPARE(volumes.dosPath("\\Device\\Volume1"), std::string("X:"));
        QCOMPARE(volumes.dosPath("\\Device"), std::string("\\Device"));
    }
    /// Sorting all of them for each would take minutes.
    void hundredThousandVolumes() {
        constexpr int kVolumes = 100'000;
        ProcessTable table;
        for (int i = 0; i < kVolumes; ++i)
            table.apply(VolumeMappingEvent{"\\V" + std::to_string(i) + "\\", "C" + std::to_string(i) + ":\\"});
        for (int i = 0; i < kVolumes; ++i)
            QCOMPARE(table.dosPath("\\v" + std::to_string(i) + "\\x"), "C" + std::to_string(i) + ":\\x");
    }
};

HIGHWATER_TEST(ImageIndexTest);
#include "image_index_test.moc"
