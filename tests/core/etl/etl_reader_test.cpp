#include "core/etl/etl_reader.h"

#include "core/etl/record_merge.h"
#include "core/etl/xpress.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>

using namespace highwater;
using namespace highwater::etl;
using namespace highwater::tests;

namespace {

constexpr std::size_t kBufferBytes = 4096;
constexpr std::size_t kBuffers = 8; // in exampleFile, including the header buffer

std::vector<OwnedRecord> records(std::size_t count) {
    std::vector<OwnedRecord> out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(classicRecord(HeaderType::System64, 2000 + static_cast<std::int64_t>(i), 0, 368));
    return out;
}

/// 10 records of 400 bytes in each of 7 data buffers.
std::vector<std::byte> exampleFile(Compression compression = Compression::None) {
    return writeTrace(records(70), {.bufferBytes = kBufferBytes, .compression = compression});
}

struct Outcome {
    std::uint64_t records = 0;
    std::uint64_t buffers = 0;
    HealthReport health;
    std::string error;
};

Outcome readAll(const std::vector<std::byte>& file) {
    Outcome outcome;
    TraceHealth health;
    auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
    if (!reader.hasValue()) return {0, 0, {}, reader.error().message};
    outcome.buffers = reader.value().buffers().found;
    RecordMerge merge({&reader.value(), 1}, health);
    RecordBatch batch;
    for (; merge.fill(batch, 1024); batch.recycle())
        outcome.records += batch.records.size();
    outcome.health = health.report();
    return outcome;
}

std::vector<std::byte> without(std::vector<std::byte> file, std::size_t buffer) {
    const auto at = file.begin() + static_cast<std::ptrdiff_t>(buffer * kBufferBytes);
    file.erase(at, at + kBufferBytes);
    return file;
}

} // namespace

class EtlReaderTest : public QObject {
    Q_OBJECT
  private slots:
    void readsAWholeFile() {
        const auto outcome = readAll(exampleFile());
        QCOMPARE(outcome.buffers, std::uint64_t{kBuffers});
        QCOMPARE(outcome.records, std::uint64_t{71});
        QVERIFY(outcome.health.isClean());
    }
    void noticesAMissingBuffer() {
        for (std::size_t buffer = 1; buffer < kBuffers; ++buffer) {
            const auto outcome = readAll(without(exampleFile(), buffer));
            QCOMPARE(outcome.records, std::uint64_t{61});
            // The last one could also have been behind the end of a cut file.
            const bool isLast = buffer + 1 == kBuffers;
            QCOMPARE(outcome.health[Loss::BuffersMissing], std::uint64_t{isLast ? 0u : 1u});
            QCOMPARE(outcome.health[Loss::BuffersBehindTheEnd], std::uint64_t{isLast ? 1u : 0u});
        }
    }
    void tellsACutFileFromOneWithGaps() {
        const auto whole = exampleFile();
        const auto cut = [&](std::size_t length) {
            return std::vector<std::byte>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        };
        for (std::size_t left = 1; left < kBuffers; ++left) {
            for (const std::size_t more : {std::size_t{0}, kBufferBytes / 2}) {
                const auto health = readAll(cut(left * kBufferBytes + more)).health;
                QCOMPARE(health[Loss::BuffersMissing], std::uint64_t{0});
                QCOMPARE(health[Loss::BuffersBehindTheEnd], std::uint64_t{kBuffers - left - (more != 0 ? 1 : 0)});
            }
        }
        auto ofOneProcessor = without(cut(5 * kBufferBytes), 2);
        patch(ofOneProcessor, 72 + 32 + 12, std::uint32_t{1});
        const auto both = readAll(ofOneProcessor).health;
        QCOMPARE(both[Loss::BuffersMissing], std::uint64_t{1});
        QCOMPARE(both[Loss::BuffersBehindTheEnd], std::uint64_t{kBuffers - 5});
    }
    /// A processor takes a buffer number when it starts to fill the buffer, which may be written later than those that
    /// others filled meanwhile.
    void aBufferThatWasStillBeingFilledAtTheCutIsNoGap() {
        auto properties = exampleProperties();
        properties.processors = 2;
        auto file = writeTrace(records(70), {.bufferBytes = kBufferBytes}, properties);
        const auto at = [&](std::size_t buffer) {
            return file.begin() + static_cast<std::ptrdiff_t>(buffer * kBufferBytes);
        };
        std::swap_ranges(at(3), at(4), at(4));
        QVERIFY(readAll(file).health.isClean());
        auto cut = file;
        cut.resize(4 * kBufferBytes + 100); // the numbers 0, 1, 2, 4 and the start of 3
        QCOMPARE(readAll(cut).health[Loss::BuffersMissing], std::uint64_t{0});
        cut.resize(4 * kBufferBytes);
        const auto health = readAll(cut).health;
        QCOMPARE(health[Loss::BuffersMissing], std::uint64_t{0});
        QCOMPARE(health[Loss::BuffersBehindTheEnd], std::uint64_t{kBuffers - 4});
        // Not more than the other processors can have had.
        const auto gap = readAll(without(cut, 1)).health;
        QCOMPARE(gap[Loss::BuffersMissing], std::uint64_t{1});
        QCOMPARE(gap[Loss::BuffersBehindTheEnd], std::uint64_t{kBuffers - 4});
    }
    void saysThatTheSpeedOfTheClockWasAssumed() {
        auto file = exampleFile();
        QVERIFY(readAll(file).health.remarks.empty());
        constexpr std::size_t kFrequency = 72 + 32 + 256, kClock = 72 + 32 + 272;
        patch(file, kFrequency, std::int64_t{0});
        const auto remarks = readAll(file).health.remarks;
        QCOMPARE(remarks.size(), std::size_t{1});
        QVERIFY2(remarks[0].ends_with(
                     " does not specify its clock frequency. All times may be wrong because 10 MHz was assumed."),
                 remarks[0].c_str());
        patch(file, kClock, std::uint32_t{2}); // system time does not need a frequency
        QVERIFY(readAll(file).health.remarks.empty());
    }
    void noticesAMissingBufferByItsNumberAlone() {
        auto file = without(exampleFile(), 3);
        patch(file, 72 + 32 + 36, std::uint32_t{kBuffers - 1}); // buffers written, as if a tool had removed one
        QCOMPARE(readAll(file).health[Loss::BuffersMissing], std::uint64_t{1});
    }
    void claimsNoGapsWhereNumbersAreNotReliable() {
        for (std::uint32_t mode : {0x2u, 0x4u, 0x9u, 0x401u}) {
            auto file = without(exampleFile(), 3);
            patch(file, 72 + 32 + 32, mode);
            QCOMPARE(readAll(file).health[Loss::BuffersMissing], std::uint64_t{0});
        }
        auto unclosed = without(exampleFile(), 3);
        patch(unclosed, 72 + 32 + 36, std::uint32_t{0});
        const auto health = readAll(unclosed).health;
        QCOMPARE(health[Loss::BuffersMissing], std::uint64_t{0});
        QCOMPARE(health.remarks.size(), std::size_t{1});
        QVERIFY(health.remarks[0].find("was not ended properly") != std::string::npos);
    }
    void readsEverythingBeforeACut() {
        const auto whole = exampleFile();
        for (std::size_t length = kBufferBytes; length < whole.size(); length += 100) {
            const std::vector<std::byte> file(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
            const auto outcome = readAll(file);
            const auto inBuffer = length % kBufferBytes;
            const auto expected = 1 + (length / kBufferBytes - 1) * 10 +
                                  (inBuffer > 72 ? std::min<std::size_t>((inBuffer - 72) / 400, 10) : 0);
            QCOMPARE(outcome.records, std::uint64_t{expected});
            QCOMPARE(outcome.health[Loss::BuffersTruncated], std::uint64_t{inBuffer != 0});
            QCOMPARE(outcome.health[Loss::RecordsDamaged], std::uint64_t{0});
        }
    }
    void readsEverythingBeforeACutInACompressedFile() {
        const auto whole = exampleFile(Compression::Xpress);
        std::uint64_t most = 0;
        for (std::size_t length = 600; length < whole.size(); length += 50) {
            const auto outcome = readAll({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
            QVERIFY(outcome.error.empty());
            QVERIFY(outcome.records >= most);
            QVERIFY(!outcome.health.isClean());
            most = outcome.records;
        }
        QVERIFY(most >= 60);
    }
    void findsTheNextBufferAfterABadHeader() {
        for (const std::uint32_t badSize : {0u, 71u, 0xFFFFFFFFu, 4097u, 4088u, 100u}) {
            auto file = exampleFile();
            patch(file, 3 * kBufferBytes, badSize);
            const auto outcome = readAll(file);
            QVERIFY2(outcome.records >= 61, qPrintable(QString("%1: %2").arg(badSize).arg(outcome.records)));
            QVERIFY(outcome.health[Loss::BuffersUnreadable] >= 1);
        }
        auto erased = exampleFile();
        std::fill(erased.begin() + 2 * kBufferBytes + 10, erased.begin() + 5 * kBufferBytes - 9, std::byte{0x77});
        const auto outcome = readAll(erased);
        QCOMPARE(outcome.health[Loss::BuffersUnreadable], std::uint64_t{3});
        QCOMPARE(outcome.health[Loss::BuffersMissing], std::uint64_t{0});
        QCOMPARE(outcome.records, std::uint64_t{41});
    }
    void skipsTheRestOfABufferAfterADamagedRecord() {
        auto file = exampleFile();
        patch(file, 2 * kBufferBytes + 72 + 400 + 4, std::uint16_t{0}); // size of the second record
        const auto outcome = readAll(file);
        QCOMPARE(outcome.records, std::uint64_t{71 - 9});
        QCOMPARE(outcome.health[Loss::RecordsDamaged], std::uint64_t{1});
    }
    void countsBuffersThatEndBeforeTheirRecordsDo() {
        auto shrunken = exampleFile();
        for (const std::size_t field : {4u, 8u, 48u})
            patch(shrunken, 2 * kBufferBytes + field, std::uint32_t{72 + 5 * 400});
        auto outcome = readAll(shrunken);
        QCOMPARE(outcome.records, std::uint64_t{71 - 5});
        QCOMPARE(outcome.health[Loss::BuffersEndEarly], std::uint64_t{1});
        QVERIFY(outcome.health.totalsAreBounds());

        auto filled = exampleFile(); // where the second record of a buffer was
        patch(filled, 2 * kBufferBytes + 72 + 400, std::uint32_t{0xFFFFFFFF});
        outcome = readAll(filled);
        QCOMPARE(outcome.records, std::uint64_t{71 - 9});
        QCOMPARE(outcome.health[Loss::BuffersEndEarly], std::uint64_t{1});

        auto packed = exampleFile(Compression::Xpress);
        for (const std::size_t field : {4u, 8u, 48u})
            patch(packed, 512 + field, std::uint32_t{72 + 5 * 400});
        outcome = readAll(packed);
        QCOMPARE(outcome.records, std::uint64_t{71 - 5});
        QCOMPARE(outcome.health[Loss::BuffersEndEarly], std::uint64_t{1});
    }
    void readsOnlyTheFirstBuffersOfAFileThatExpandsWithoutEnd() {
        constexpr std::uint64_t kImageBytes = 500'000;
        const std::vector<std::byte> zeros(kImageBytes - 72);
        std::vector<std::byte> packed;
        xpressCompress(zeros, packed);
        auto file = exampleFile(Compression::Xpress);
        const auto honest = readAll(file).records;
        BufferHeader header;
        header.storedBytes = static_cast<std::uint32_t>(72 + packed.size());
        header.savedOffset = header.offset = kImageBytes;
        header.flags = buffer_flag::kCompressed;
        constexpr std::uint64_t kAdded = 3000; // 1.5 GB in 300 KB
        for (std::uint64_t i = 0; i < kAdded; ++i) {
            file.resize(file.size() + 72);
            storeBufferHeader(header, file.data() + file.size() - 72);
            file.insert(file.end(), packed.begin(), packed.end());
        }
        const auto outcome = readAll(file);
        QCOMPARE(outcome.records, honest);
        const auto read = kAdded - outcome.health[Loss::BuffersNotDecompressed];
        QVERIFY2(read > 0 && read <= ExpansionLimit::kAlwaysBytes / kImageBytes, qPrintable(QString::number(read)));
        const auto& remarks = outcome.health.remarks; // the other one: there are more buffers than the header says
        QCOMPARE(remarks.size(), std::size_t{2});
        QVERIFY2(QString::fromStdString(remarks[1]).contains("buffers were not read"), remarks[1].c_str());
    }
    void countsABufferThatDoesNotExpand() {
        auto file = exampleFile(Compression::Xpress);
        std::fill(file.begin() + 512 + 72, file.begin() + 512 + 100, std::byte{0xFF});
        const auto outcome = readAll(file);
        QCOMPARE(outcome.health[Loss::BuffersNotDecompressed], std::uint64_t{1});
        QCOMPARE(outcome.records, std::uint64_t{61});
    }
    void namesCompressionThatItCannotRead() {
        for (const auto& [format, name] : {std::pair{2u, "LZNT1"}, std::pair{4u, "XPRESS_HUFF"}}) {
            auto file = exampleFile(Compression::Xpress);
            patch(file, 0x2C, std::uint32_t{format});
            const auto outcome = readAll(file);
            QCOMPARE(outcome.records, std::uint64_t{1});
            QCOMPARE(outcome.buffers, std::uint64_t{kBuffers});
            QCOMPARE(outcome.health[Loss::BuffersNotDecompressed], std::uint64_t{kBuffers - 1});
            QCOMPARE(outcome.health.remarks.at(0),
                     std::string("7 buffers are compressed with ") + name + ", which Highwater cannot read.");
        }
        auto plain = exampleFile();
        patch(plain, 0x2C, std::uint32_t{2}); // no buffer is compressed, so the value has another meaning
        QVERIFY(readAll(plain).health.isClean());
    }
    void countsBuffersThatReportALoss() {
        auto file = exampleFile();
        patch(file, 2 * kBufferBytes + 52, std::uint16_t{0x22});
        patch(file, 3 * kBufferBytes + 52, std::uint16_t{0x24});
        QCOMPARE(readAll(file).health[Loss::BuffersMarkedLossy], std::uint64_t{2});
    }
    void ignoresSpaceSetAsideAndNotUsed() {
        auto file = exampleFile();
        file.resize(file.size() + 5 * kBufferBytes);
        patch(file, 72 + 32 + 32, std::uint32_t{0x21}); // preallocated
        const auto outcome = readAll(file);
        QCOMPARE(outcome.records, std::uint64_t{71});
        QVERIFY(outcome.health.isClean());
        patch(file, 72 + 32 + 32, std::uint32_t{0x1});
        QCOMPARE(readAll(file).health[Loss::BuffersUnreadable], std::uint64_t{1});
    }
    void saysWhatAFileIsInstead() {
        const auto error = [](const char* hex) {
            std::vector<std::byte> file;
            for (const auto b : QByteArray::fromHex(hex))
                file.push_back(static_cast<std::byte>(b));
            return QString::fromStdString(readAll(file).error);
        };
        QCOMPARE(error(""), "test.etl is empty.");
        const QString opens =
            " Highwater opens event traces (.etl, also in .zip and .diagsession archives) and heap profiles from "
            "heaptrack, pprof, DHAT, massif, V8, gperftools and jemalloc.";
        QCOMPARE(error("89504e470d0a1a0a0000000d"), "test.etl is a PNG image." + opens);
        QCOMPARE(error("00"), "test.etl is a binary file that does not begin with a trace header." + opens);
        QCOMPARE(error(QByteArray("Total: 12 objects\n").toHex()),
                 "test.etl is a text file in a format that Highwater does not read." + opens);
        auto cut = exampleFile();
        cut.resize(200);
        QCOMPARE(readAll(cut).error, std::string("test.etl is cut off inside its header, so no event can be read."));
        auto damaged = exampleFile();
        patch(damaged, 72, std::uint32_t{0});
        QCOMPARE(readAll(damaged).error, std::string("test.etl is damaged: its trace header cannot be read."));
    }
};
HIGHWATER_TEST(EtlReaderTest);
#include "etl_reader_test.moc"
