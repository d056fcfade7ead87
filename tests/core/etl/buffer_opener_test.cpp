#include "core/etl/buffer_opener.h"

#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <deque>
#include <string>

using namespace highwater;
using namespace highwater::etl;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kOpenedBufferBytes = 4096;

/// `late`: the buffer whose time is long before the others.
std::vector<std::byte> traceToOpen(Compression compression, std::size_t late = 0) {
    std::vector<OwnedRecord> records;
    for (std::size_t i = 0; i < 6'000; ++i) {
        records.push_back(classicRecord(HeaderType::System64, 2000 + static_cast<std::int64_t>(i), 0, 8 + i % 40));
        if (late > 0 && i == late) records.back().fields.ticks = 1;
    }
    return writeTrace(records, {.bufferBytes = kOpenedBufferBytes, .compression = compression});
}

EtlReader readerOf(const std::vector<std::byte>& file) {
    TraceHealth health;
    return std::move(EtlReader::open({file, nullptr, "test.etl"}, health).value());
}

std::string textOf(const OpenedBuffer& opened) {
    std::string text = std::to_string(static_cast<int>(opened.listing.end)) + (opened.listing.isInOrder ? "o" : "-") +
                       (opened.listing.hasTimes ? "t" : "-") + std::to_string(opened.damagedTimes);
    if (!opened.image) return text + " none";
    for (const auto& record : opened.records) {
        text += " " + std::to_string(record.ticks) + ":" + std::to_string(record.offset) + ":" +
                std::to_string(record.bytes);
        text += std::to_string(static_cast<int>(opened.image->bytes[record.offset + record.bytes - 1]));
    }
    return text;
}

std::vector<std::string> openedOneByOne(const EtlReader& reader) {
    std::vector<std::string> texts;
    OpenedBuffer opened;
    for (const auto& place : reader.buffers().places) {
        openBuffer(reader, place, reader.timeLimits(), opened);
        texts.push_back(textOf(opened));
    }
    return texts;
}

} // namespace

class BufferOpenerTest : public QObject {
    Q_OBJECT
  private slots:
    void opensWhatOpeningOneByOneDoes_data() {
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<int>("compression");
        for (const unsigned threads : {1u, 2u, 4u}) {
            QTest::addRow("%u plain", threads) << threads << int(Compression::None);
            QTest::addRow("%u xpress", threads) << threads << int(Compression::Xpress);
        }
    }
    void opensWhatOpeningOneByOneDoes() {
        QFETCH(unsigned, threads);
        QFETCH(int, compression);
        const auto file = traceToOpen(static_cast<Compression>(compression));
        const auto reader = readerOf(file);
        const auto& places = reader.buffers().places;
        QVERIFY(places.size() > 50);
        BufferOpener opener(threads);
        std::deque<BufferOpener::Opening*> added;
        std::vector<std::string> texts;
        OpenedBuffer opened; // one for all: the rest of the previous one does no harm
        std::size_t next = 0, most = 0;
        while (texts.size() < places.size()) {
            for (; next < places.size() && opener.wantsMore(); ++next)
                added.push_back(opener.add(reader, places[next]));
            most = std::max(most, added.size());
            QVERIFY(!added.empty() && added.front() != nullptr);
            opener.take(*added.front(), opened);
            added.pop_front();
            texts.push_back(textOf(opened));
        }
        QCOMPARE(texts, openedOneByOne(reader));
        QVERIFY(most >= 8 && most < 100); // ahead, but not of everything
    }
    void leavesAllToItsOwnerWithoutThreads() {
        BufferOpener opener(0);
        QVERIFY(!opener.wantsMore());
    }
    void leavesLargeBuffersToTheirOwner() {
        const auto file = traceToOpen(Compression::None);
        const auto reader = readerOf(file);
        auto place = reader.buffers().places[1];
        place.imageBytes = 3u << 20;
        BufferOpener opener(1);
        QVERIFY(opener.wantsMore());
        QVERIFY(opener.add(reader, place) == nullptr);
    }
    void opensWhatIsWantedBeforeItIsHandedOn() {
        const auto file = traceToOpen(Compression::Xpress);
        const auto reader = readerOf(file);
        BufferOpener opener(1);
        OpenedBuffer opened;
        const auto expected = openedOneByOne(reader);
        for (std::size_t i = 0; i < 20; ++i) { // one at a time, so no span is ever full
            auto* opening = opener.add(reader, reader.buffers().places[i]);
            opener.take(*opening, opened);
            QCOMPARE(textOf(opened), expected[i]);
        }
    }
    void tellsWhatIsOutOfOrderAndWhatDoesNotExpand() {
        const auto file = traceToOpen(Compression::Xpress, 3'000);
        const auto reader = readerOf(file);
        std::size_t disordered = 0;
        OpenedBuffer opened;
        for (const auto& place : reader.buffers().places) {
            openBuffer(reader, place, {}, opened);
            disordered += !opened.listing.isInOrder;
            QCOMPARE(opened.listing.isInOrder, std::ranges::is_sorted(opened.records, {}, &RecordExtent::ticks));
        }
        QCOMPARE(disordered, std::size_t{1});
        auto place = reader.buffers().places[1];
        ++place.imageBytes;
        openBuffer(reader, place, {}, opened);
        QVERIFY(!opened.image && opened.records.empty());
    }
    void mendsTimesOutsideOfTheLimits() {
        const auto file = traceToOpen(Compression::None);
        const auto reader = readerOf(file);
        const auto& place = reader.buffers().places[5];
        OpenedBuffer opened;
        openBuffer(reader, place, {}, opened);
        const auto last = opened.records.back().ticks;
        TimeLimits limits;
        limits.latest = last - 1;
        openBuffer(reader, place, limits, opened);
        QCOMPARE(opened.damagedTimes, std::uint64_t{1});
        QCOMPARE(opened.records.back().ticks, last - 1);
        QVERIFY(opened.listing.isInOrder);
    }
};
HIGHWATER_TEST(BufferOpenerTest);
#include "buffer_opener_test.moc"
