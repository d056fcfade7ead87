#include "core/source/etl_files/lost_parts.h"

#include "core/event/trace_notes.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <string_view>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

constexpr std::size_t kBufferBytes = 4096, kBuffers = 8;
constexpr std::int64_t kLastTicks = 2069;

/// A header buffer, then seven buffers with ten records each, one per tick: buffers 1 to 7 start at 2000, 2010, ...,
/// 2060.
std::vector<std::byte> exampleFile(std::uint32_t processors = 1, std::string_view session = "a session") {
    std::vector<OwnedRecord> records;
    for (std::int64_t i = 0; i < 70; ++i)
        records.push_back(classicRecord(etl::HeaderType::System64, 2000 + i, 0, 368));
    auto properties = exampleProperties();
    properties.processors = processors;
    properties.sessionName = session;
    return writeTrace(records, {.bufferBytes = kBufferBytes}, properties);
}

auto at(std::vector<std::byte>& file, std::size_t buffer) {
    return file.begin() + static_cast<std::ptrdiff_t>(buffer * kBufferBytes);
}

std::vector<std::byte> without(std::vector<std::byte> file, std::size_t buffer) {
    file.erase(at(file, buffer), at(file, buffer + 1));
    return file;
}

std::vector<std::byte> cut(std::vector<std::byte> file, std::size_t bytes) {
    file.resize(bytes);
    return file;
}

/// "2010-2030 1 buffers missing": count and kind; with a question mark it may have started earlier.
QString lostIn(const std::vector<std::byte>& file, std::int64_t lastTicks) {
    TraceHealth health;
    const auto reader = etl::EtlReader::open({file, nullptr, "test.etl"}, health);
    if (!reader.hasValue()) return reader.error().message.c_str();
    QStringList parts;
    for (const auto& part : lostParts(reader.value(), lastTicks)) {
        const auto line = QString("%1-%2 %3 %4").arg(part.first).arg(part.last).arg(part.count).arg(part.what.c_str());
        parts << (part.isStartCertain ? line : line + "?");
    }
    return parts.join(", ");
}

QString edgesIn(const std::vector<std::byte>& file, std::int64_t lastTicks) {
    TraceHealth health;
    const auto reader = etl::EtlReader::open({file, nullptr, "test.etl"}, health);
    if (!reader.hasValue()) return reader.error().message.c_str();
    QStringList parts;
    for (const auto& part : lostParts(reader.value(), lastTicks)) {
        const auto text = [](ZoneEdge edge) { return QString::fromStdString(std::string(describe(edge))); };
        parts << text(part.startEdge) + " - " + text(part.endEdge);
    }
    return parts.join(", ");
}

} // namespace

/// Gaps that the buffers of a file reveal.
class LostPartsTest : public QObject {
    Q_OBJECT
  private slots:
    void nothingIsMissingInAWholeFile() { QCOMPARE(lostIn(exampleFile(), kLastTicks), ""); }
    void aGapLiesBetweenTheNumbersAroundIt() {
        QCOMPARE(lostIn(without(exampleFile(), 3), kLastTicks), "2010-2030 1 buffers missing");
        QCOMPARE(lostIn(without(without(exampleFile(), 3), 5), kLastTicks),
                 "2010-2030 1 buffers missing, 2040-2060 1 buffers missing");
    }
    /// The lost buffer may belong to any processor: all of them have started another one where the zone ends.
    void aGapEndsWhereEveryProcessorHasBegunAnotherBuffer() {
        auto file = without(exampleFile(2), 3);
        for (const std::size_t buffer : {std::size_t{5}, std::size_t{6}})
            patch(file, buffer * kBufferBytes + 40, std::uint8_t{1}); // the numbers 6 and 7
        QCOMPARE(lostIn(file, kLastTicks), "2010-2050 1 buffers missing?");
    }
    void aCutFileEndsWhereItsLastRecordIs() {
        auto file = exampleFile();
        const auto end = lostIn(cut(file, 3 * kBufferBytes + 72 + 4 * 400), 2023);
        QVERIFY2(end.startsWith("2023-") && end.endsWith("the end of the file") && !end.contains(','), qPrintable(end));
        patch(file, 72 + 32 + 16, std::int64_t{0}); // not closed: unknown how long it continued
        QCOMPARE(lostIn(file, kLastTicks), "2069-2069 0 the end of the file?"); // not certain
    }
    /// The numbers 0, 1, 2, 4: the processor that had taken 3 started to fill it before 4 was started.
    void whatWasBeingFilledAtTheCutIsMissingEarlier() {
        auto file = exampleFile(2);
        std::swap_ranges(at(file, 3), at(file, 4), at(file, 4));
        const auto end = lostIn(cut(file, 4 * kBufferBytes), 2039);
        QVERIFY2(end.startsWith("2010-"), qPrintable(end));
    }
    /// The missing buffer may belong to any processor, so the gap starts with the oldest of the processors' last
    /// buffers.
    void aGapBeginsBehindTheOldestLastBuffer() {
        auto file = exampleFile(2);
        patch(file, kBufferBytes + 40, std::uint8_t{1}); // the number 1 belongs to the other processor
        QCOMPARE(lostIn(without(file, 5), kLastTicks), "2000-2050 1 buffers missing");
        const auto end = lostIn(cut(file, 5 * kBufferBytes), 2039);
        QVERIFY2(end.startsWith("2000-") && end.endsWith(" 3 the end of the file"), qPrintable(end));
    }
    /// The Linux agent uses a single one, whichever processors ran.
    void processorsThatWereNotSeenMayHaveBegunEarlier() {
        QCOMPARE(lostIn(without(exampleFile(2), 5), kLastTicks), "2030-2050 1 buffers missing?");
        QCOMPARE(lostIn(without(exampleFile(2, kAgentSessionName), 5), kLastTicks), "2030-2050 1 buffers missing");
    }
    void aBufferTellsThatSomethingWasLostBeforeIt() {
        auto file = exampleFile();
        for (const std::size_t buffer : {std::size_t{4}, std::size_t{5}, std::size_t{7}})
            patch(file, buffer * kBufferBytes + 52, std::uint16_t{2}); // events lost
        QCOMPARE(lostIn(file, kLastTicks), "2020-2040 0 events lost?, 2050-2060 0 events lost?");
    }
    /// The reasons for the width of a zone.
    void whatAZoneBeginsAndEndsWith() {
        QCOMPARE(edgesIn(without(exampleFile(), 3), kLastTicks),
                 "the oldest of the processors' last buffers - the next buffer of every processor");
        QCOMPARE(edgesIn(without(exampleFile(), 1), kLastTicks),
                 "the start of the trace - the next buffer of every processor");
        auto file = exampleFile();
        patch(file, 1 * kBufferBytes + 52, std::uint16_t{2}); // events lost
        QCOMPARE(edgesIn(file, kLastTicks), "the start of the trace - the buffer that reports the loss");
        patch(file, 1 * kBufferBytes + 52, std::uint16_t{0});
        patch(file, 4 * kBufferBytes + 52, std::uint16_t{2});
        QCOMPARE(edgesIn(file, kLastTicks),
                 "the preceding buffer of the same processor - the buffer that reports the loss");
    }
    void whatTheEndOfAFileBeginsAndEndsWith() {
        auto file = exampleFile();
        QCOMPARE(edgesIn(cut(file, 3 * kBufferBytes), 2019),
                 "the last record of the file - the end time in the file header");
        QCOMPARE(edgesIn(cut(exampleFile(2), 4 * kBufferBytes), 2029),
                 "the oldest of the processors' last buffers - the end time in the file header");
        patch(file, 72 + 32 + 16, std::int64_t{0}); // not closed
        QCOMPARE(edgesIn(file, kLastTicks), "the last record of the file - the last record of the file");
    }
    void saysHowMuchOfAFileIsThere() {
        TraceHealth health;
        const auto place = [&](const std::vector<std::byte>& file) {
            return earlyEnd(etl::EtlReader::open({file, nullptr, "test.etl"}, health).value(), 1).place;
        };
        QCOMPARE(place(cut(exampleFile(), 3 * kBufferBytes)), std::string("after 12,288 of 32,768 bytes"));
        QCOMPARE(place(cut(exampleFile(), kBufferBytes)),
                 std::string("after 4,096 bytes")); // the rest may be compressed
        QCOMPARE(place(cut(exampleFile(), 10000)),
                 std::string("in the middle of a buffer, after 10,000 of 32,768 bytes"));
    }
};
HIGHWATER_TEST(LostPartsTest);
#include "lost_parts_test.moc"
