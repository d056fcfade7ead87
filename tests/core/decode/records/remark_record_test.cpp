#include "core/decode/records/remark_record.h"

#include "core/event/opcodes.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstring>

using namespace highwater;
using namespace highwater::decode;

namespace {

const RemarkPlace kPlace{100, 200, 11, true, ZoneEdge::LastRecord, ZoneEdge::HeaderEnd, kEndOfFile};

std::optional<Remark> decoded(const std::vector<std::byte>& payload) {
    etl::RawRecord record;
    record.payload = payload.data();
    record.payloadBytes = static_cast<std::uint32_t>(payload.size());
    return decodeRemark(record);
}

} // namespace

/// Remarks of a source on a recording, and their place.
class RemarkRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void saysWhatWasWritten() {
        const auto plain = decoded(encodeRemark({"The program ended.", false}));
        QVERIFY(plain && !plain->isBound && !plain->place);
        QCOMPARE(plain->sentence, std::string("The program ended."));
        const auto located = decoded(encodeRemark({"The end is missing.", true, kPlace}));
        QVERIFY(located && located->isBound && located->place == kPlace);
        QCOMPARE(located->sentence, std::string("The end is missing."));
    }
    /// The sentence is valid, whatever follows it.
    void aPlaceThatIsCutOffIsNone() {
        const auto whole = encodeRemark({"a", true, kPlace});
        for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
            const auto cut = decoded({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)});
            QCOMPARE(cut.has_value(), bytes >= 4);
            const auto beforeText = whole.size() - std::strlen(kEndOfFile) - 1;
            if (cut) QCOMPARE(cut->place.has_value(), bytes > beforeText);
        }
    }
    void anEdgeThatThereIsNotIsNoPlace() {
        auto place = kPlace;
        place.endEdge = static_cast<ZoneEdge>(200);
        const auto remark = decoded(encodeRemark({"a", true, place}));
        QVERIFY(remark && !remark->place);
        QCOMPARE(remark->sentence, std::string("a"));
    }
    void longTextsAreCut() {
        const auto remark = decoded(encodeRemark({std::string(5000, 'a'), true, kPlace}));
        QCOMPARE(remark->sentence.size(), kMostRemarkBytes);
        QVERIFY(remark->place == kPlace);
    }
};

HIGHWATER_TEST(RemarkRecordTest);
#include "remark_record_test.moc"
