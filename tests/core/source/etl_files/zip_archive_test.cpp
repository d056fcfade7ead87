#include "core/source/etl_files/zip_archive.h"

#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/core/source/etl_files/zip_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;
using namespace highwater::tests::zip_writer;

namespace {

Bytes trace(std::int64_t ticks) { return writeTrace({classicRecord(etl::HeaderType::System64, ticks, 0, 8)}); }

struct ArchiveOutcome {
    std::size_t records = 0;
    std::string error;
    HealthReport health;
};

ArchiveOutcome open(const Bytes& archive) {
    TraceHealth health;
    auto source = EtlFileSource::fromMemory(archive, "a.zip", health);
    if (!source.hasValue()) return {0, source.error().message, health.report()};
    KeepingSink sink;
    Progress progress;
    const auto result = source.value()->run(sink, health, {}, progress);
    return {sink.records.size(), result.hasValue() ? "" : result.error().message, health.report()};
}

} // namespace

class ZipArchiveTest : public QObject {
    Q_OBJECT
  private slots:
    void readsStoredAndDeflatedEntries() {
        const auto text = bytesOf("some text, some text, some text");
        for (bool deflate : {false, true}) {
            for (bool zip64 : {false, true}) {
                const auto archive = zip({{.name = "a.txt", .content = text, .deflate = deflate, .zip64 = zip64}});
                auto opened = ZipArchive::open(archive, "a.zip");
                QVERIFY(opened.hasValue());
                QCOMPARE(opened.value().entries().size(), std::size_t{1});
                QCOMPARE(opened.value().entries()[0].name, std::string("a.txt"));
                UnpackingRoom room{1000};
                auto content = opened.value().read(opened.value().entries()[0], room);
                QVERIFY(content.hasValue());
                QVERIFY(content.value().isWhole);
                QCOMPARE(Bytes(content.value().bytes.begin(), content.value().bytes.end()), text);
            }
        }
    }
    void opensAllTracesOfAnArchiveTogether() {
        const auto outcome = open(zip({{.name = "folder/a.etl", .content = trace(2000)},
                                       {.name = "notes.txt", .content = bytesOf("hello")},
                                       {.name = "B.ETL", .content = trace(1500), .deflate = false}}));
        QCOMPARE(outcome.error, std::string());
        QCOMPARE(outcome.records, std::size_t{4}); // two trace headers, two records
        QVERIFY(outcome.health.isClean());
    }
    void saysWhenThereIsNoTrace() {
        const auto error = open(zip({{.name = "notes.txt", .content = bytesOf("hello")}})).error;
        QCOMPARE(error, std::string("a.zip is a zip archive without an .etl file in it."));
    }
    void namesTheEntryThatIsNoTrace() {
        const auto error = open(zip({{.name = "x.etl", .content = bytesOf("hello")}})).error;
        QVERIFY2(error.starts_with("x.etl in a.zip is a text file in a format that Highwater does not read. "),
                 error.c_str());
    }
    void refusesBombs() {
        const Bytes zeros(5'000'000);
        const auto larger = open(zip({{.name = "x.etl", .content = zeros, .claimedBytes = 1000}})).error;
        QVERIFY2(larger.find("expands to more than it claims") != std::string::npos, larger.c_str());
        const auto ratio =
            open(zip({{.name = "x.etl", .content = bytesOf("tiny"), .claimedBytes = 100'000'000}})).error;
        QVERIFY2(ratio.find("which is too large") != std::string::npos, ratio.c_str());
        const auto huge =
            open(zip({{.name = "x.etl", .content = zeros, .claimedBytes = 100ull << 30, .zip64 = true}})).error;
        QVERIFY2(huge.find("which is too large") != std::string::npos, huge.c_str());
    }
    void refusesArchivesThatExpandFarMoreThanTracesDo() {
        Bytes content(300'000);
        for (std::size_t i = 0; i < content.size(); ++i)
            content[i] = static_cast<std::byte>((i * i) >> 5);
        const auto error = open(zip({{.name = "x.etl", .content = content, .claimedBytes = 300 << 20}})).error;
        QVERIFY2(error.find("which is too large") != std::string::npos, error.c_str());
        // All entries together.
        const Bytes fewer(90 << 20);
        const auto joint = open(zip({{.name = "x.etl", .content = fewer},
                                     {.name = "y.etl", .content = fewer},
                                     {.name = "z.etl", .content = fewer}}))
                               .error;
        QVERIFY2(joint.find("z.etl in a.zip claims to expand") != std::string::npos, joint.c_str());
    }
    void unpacksLargeEntriesToAFile() {
        Bytes content(5'000'000);
        for (std::size_t i = 0; i < content.size(); ++i)
            content[i] = static_cast<std::byte>(i * i >> 7);
        const auto archive = zip({{.name = "a.etl", .content = content}, {.name = "b.etl", .content = content}});
        const auto opened = ZipArchive::open(archive, "a.zip");
        QVERIFY(opened.hasValue());
        UnpackingRoom room{.bytes = 10'000'000, .memoryBytes = 6'000'000};
        for (const auto& entry : opened.value().entries()) { // the first in memory, the second does not fit
            const auto read = opened.value().read(entry, room);
            QVERIFY(read.hasValue());
            QVERIFY(read.value().isWhole);
            QVERIFY(std::equal(content.begin(), content.end(), read.value().bytes.begin(), read.value().bytes.end()));
        }
        QCOMPARE(room.bytes, std::uint64_t{0});
        QCOMPARE(room.memoryBytes, std::uint64_t{1'000'000});
    }
    void refusesEntriesThatOverlap() {
        auto archive = zip({{.name = "x.etl", .content = trace(2000)}, {.name = "y.etl", .content = trace(2500)}});
        // The directory places the second where the first is.
        const auto second = archive.size() - 22 - 4 - 5;
        patch(archive, second, std::uint32_t{0});
        QCOMPARE(open(archive).error,
                 std::string("a.zip is a zip archive whose entries overlap. It is damaged, or crafted to "
                             "expand without end."));
    }
    void refusesWhatItCannotRead() {
        const auto encrypted = open(zip({{.name = "x.etl", .content = trace(2000), .flags = 1}})).error;
        QVERIFY(encrypted.find("is encrypted") != std::string::npos);
        const auto method = open(zip({{.name = "x.etl", .content = trace(2000), .method = 12}})).error;
        QVERIFY(method.find("uses a compression method") != std::string::npos);
    }
    void readsWhatIsLeftOfADamagedEntry() {
        auto archive = zip({{.name = "x.etl", .content = trace(2000), .deflate = false}});
        archive[30 + 5 + 65536 + 100] ^= std::byte{0xFF}; // inside a payload or header: the checksum is wrong
        const auto outcome = open(archive);
        QVERIFY(!outcome.health.isClean());
        QCOMPARE(outcome.health.remarks.at(0), std::string("x.etl in a.zip is damaged or cut off."));
    }
    void survivesEveryPrefixAndEveryCorruptedByte() {
        const auto whole =
            zip({{.name = "x.etl", .content = trace(2000)}, {.name = "y.etl", .content = trace(2500), .zip64 = true}});
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const auto outcome = open({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
            QVERIFY(!outcome.error.empty() || !outcome.health.isClean());
        }
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const unsigned change : {0x01u, 0x80u, 0xFFu}) {
                auto archive = whole;
                archive[at] ^= static_cast<std::byte>(change);
                open(archive);
            }
        }
    }
};
HIGHWATER_TEST(ZipArchiveTest);
#include "zip_archive_test.moc"
