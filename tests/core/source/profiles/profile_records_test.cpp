#include "core/source/profiles/profile_records.h"

#include "core/event/opcodes.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace highwater;
using source::NamePool;
using source::ProfileRecords;

namespace {

std::size_t recordsOf(const etl::RecordBatch& batch, std::uint8_t opcode) {
    return static_cast<std::size_t>(std::ranges::count(batch.records, opcode, &etl::RawRecord::opcode));
}

} // namespace

class ProfileRecordsTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsEachNameOnce() {
        NamePool names;
        ProfileRecords records(1, names);
        const std::vector<NamedFunction> functions{{names.idOf("f"), names.idOf("a.cc"), 7}};
        for (Address address = 1; address <= 100; ++address)
            (void)records.addFrame(0, names.idOf("app"), address, functions);
        etl::RecordBatch batch;
        records.moveTo(batch);
        QCOMPARE(recordsOf(batch, highwater_opcode::kText), std::size_t{2});
        QCOMPARE(recordsOf(batch, highwater_opcode::kNames), std::size_t{100});
    }
    void givesEachNamedFrameAnAddressOfItsOwn() {
        NamePool names;
        ProfileRecords records(1, names);
        const std::vector<NamedFunction> f{{names.idOf("f"), 0, 0}}, g{{names.idOf("g"), 0, 0}};
        const auto module = names.idOf("app");
        const auto first = records.addFrame(0, module, 0x1000, f);
        QVERIFY(records.addFrame(0, module, 0x1000, g) != first);
        QCOMPARE(records.addFrame(0, module, 0x1000, {}), first); // without a name, its place identifies it
        QVERIFY(records.addFrame(0, names.idOf("other"), 0x1000, g) != first);
    }
    void tellsNoMoreFramesThanCountAsCut() {
        NamePool names;
        ProfileRecords records(1, names);
        const std::vector<Address> frames(5'000, 0x1000);
        records.addSample(0, {.address = 16, .bytes = 1, .objects = 1, .frames = frames});
        etl::RecordBatch batch;
        records.moveTo(batch);
        constexpr std::size_t kHeaderBytes = 16;
        QCOMPARE(std::size_t{batch.records[0].extendedBytes},
                 kHeaderBytes + source::kMostWrittenFrames * sizeof(Address));
    }
};

HIGHWATER_TEST(ProfileRecordsTest);
#include "profile_records_test.moc"
