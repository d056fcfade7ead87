#include "core/etl/buffer_list.h"
#include "core/etl/etl_reader.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <limits>
#include <tuple>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::size_t kPlainBytes = 4096;

/// The header buffer, then data buffers of ten records each, with this processor count in the header.
std::vector<std::byte> plainFile(std::size_t dataBuffers, std::uint32_t processors) {
    std::vector<OwnedRecord> records;
    for (std::size_t i = 0; i < dataBuffers * 10; ++i)
        records.push_back(classicRecord(etl::HeaderType::System64, 2000 + static_cast<std::int64_t>(i), 0, 368));
    auto properties = exampleProperties();
    properties.processors = processors;
    return writeTrace(records, {.bufferBytes = kPlainBytes}, properties);
}

etl::BufferList listBuffers(const etl::FileImage& file, const etl::TraceHeader& header) {
    etl::BufferList list;
    (void)etl::BufferLister(file, header).listUpTo(std::numeric_limits<std::uint64_t>::max(), list);
    return list;
}

etl::BufferList listOf(const std::vector<std::byte>& file) {
    TraceHealth health;
    const auto reader = etl::EtlReader::open({file, nullptr, "test.etl"}, health);
    return listBuffers(reader.value().image(), reader.value().header());
}

} // namespace

class BufferListTest : public QObject {
    Q_OBJECT
  private slots:
    void placesStandOneBehindTheOther() {
        const auto list = listOf(plainFile(5, 1));
        QCOMPARE(list.found, std::uint64_t{6});
        for (std::size_t i = 0; i < list.places.size(); ++i) {
            QCOMPARE(list.places[i].fileOffset, std::uint64_t{i * kPlainBytes});
            QCOMPARE(list.places[i].isHeader, i == 0);
            QVERIFY(!list.places[i].isCut);
        }
        QCOMPARE(list.missing + list.behindTheEnd + list.truncated + list.unreadable, std::uint64_t{0});
    }
    /// Wherever the file is cut, all buffers are accounted for, and a missing buffer is never counted as a gap.
    void everyBufferOfACutFileIsAccountedFor() {
        for (const std::uint32_t processors : {1u, 4u}) {
            const auto whole = plainFile(9, processors);
            for (auto length = kPlainBytes; length < whole.size(); length += 512) {
                const auto list = listOf({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
                QCOMPARE(list.missing, std::uint64_t{0});
                // A piece too short for a buffer header is not a buffer.
                QCOMPARE(list.found + list.behindTheEnd, std::uint64_t{10});
                QCOMPARE(list.truncated, std::uint64_t{length % kPlainBytes != 0});
            }
        }
    }
    /// A large file is not mapped for this; the listing reads the same bytes from the file.
    void listsTheSameFromAFileAsFromMemory() {
        for (const bool isPacked : {false, true}) {
            std::vector<OwnedRecord> records;
            for (std::size_t i = 0; i < 200; ++i) { // some are larger than the bytes that the listing reads
                records.push_back(classicRecord(etl::HeaderType::System64, 2000 + static_cast<std::int64_t>(i), 0,
                                                i % 7 == 0 ? 3000 : 8));
            }
            const auto whole =
                writeTrace(records, {.bufferBytes = kPlainBytes,
                                     .compression = isPacked ? etl::Compression::Xpress : etl::Compression::None});
            for (auto length = whole.size(); length > kPlainBytes; length -= 700) {
                const std::vector<std::byte> bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
                QTemporaryFile written;
                QVERIFY(written.open());
                written.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
                QVERIFY(written.flush());
                const auto file = MappedFile::open(written.fileName().toStdString());
                TraceHealth health;
                const auto reader = etl::EtlReader::open({bytes, nullptr, "cut.etl"}, health);
                QVERIFY(reader.hasValue());
                const auto& header = reader.value().header();
                const auto inMemory = listBuffers({bytes, nullptr, "cut.etl"}, header);
                const auto inFile = listBuffers({file.value()->bytes(), file.value(), "cut.etl", file.value()}, header);
                QCOMPARE(inFile.places.size(), inMemory.places.size());
                QCOMPARE(inFile.truncated, inMemory.truncated);
                QCOMPARE(inFile.unreadable, inMemory.unreadable);
                for (std::size_t i = 0; i < inFile.places.size(); ++i) {
                    QCOMPARE(inFile.places[i].fileOffset, inMemory.places[i].fileOffset);
                    QCOMPARE(inFile.places[i].startTicks, inMemory.places[i].startTicks);
                    QVERIFY(inFile.places[i].startTicks != etl::kUnknownTicks || inFile.places[i].isCut);
                }
            }
        }
    }
    /// Whichever buffer loses its header or contains a wrong length, the buffers after it are found.
    void goesOnBehindADamagedBufferOfACompressedFile() {
        std::vector<OwnedRecord> records;
        for (std::size_t i = 0; i < 200; ++i)
            records.push_back(classicRecord(etl::HeaderType::System64, 2000 + static_cast<std::int64_t>(i), 0, 368));
        const auto whole = writeTrace(records, {.bufferBytes = kPlainBytes, .compression = etl::Compression::Xpress});
        const auto places = listOf(whole).places;
        QVERIFY(places.size() > 10);
        for (std::size_t damaged = 1; damaged < places.size(); ++damaged) {
            for (const auto& [first, count, value] :
                 {std::tuple{0, 72, 0x00}, std::tuple{0, 72, 0xFF}, std::tuple{0, 200, 0x00}, std::tuple{1, 1, 0x7F}}) {
                auto bytes = whole;
                const auto begin =
                    static_cast<std::size_t>(places[damaged].fileOffset) + static_cast<std::size_t>(first);
                for (auto i = begin; i < std::min(begin + static_cast<std::size_t>(count), bytes.size()); ++i)
                    bytes[i] = static_cast<std::byte>(value);
                const auto list = listOf(bytes);
                const auto isThere = [&](const etl::BufferPlace& place) {
                    return std::ranges::any_of(list.places, [&](const auto& other) {
                        return other.fileOffset == place.fileOffset && other.storedBytes == place.storedBytes;
                    });
                };
                // A gap of 200 bytes may reach into the next buffer.
                const auto lost = static_cast<std::size_t>(
                    std::ranges::count_if(places, [&](const auto& place) { return !isThere(place); }));
                QVERIFY2(lost <= (count == 200 ? 3 : 1),
                         qPrintable(QString("%1 %2 %3").arg(damaged).arg(value).arg(lost)));
                QVERIFY(list.unreadable + list.truncated + list.missing + list.behindTheEnd >= 1);
            }
        }
    }
    void ordersStreamsByProcessorThenTime() {
        etl::BufferPlace early, late, other;
        early.startTicks = 1;
        late.startTicks = 2;
        other.processor = 1;
        QVERIFY(etl::isEarlierInStream(early, late) && !etl::isEarlierInStream(late, early));
        QVERIFY(etl::isEarlierInStream(late, other));
        QVERIFY(etl::isSameStream(early, late) && !etl::isSameStream(early, other));
    }
};
HIGHWATER_TEST(BufferListTest);
#include "buffer_list_test.moc"
