#include "core/pipeline/core_files/core_contents.h"

#include "core/event/resident_sample.h"
#include "tests/core/pipeline/core_files/fake_core.h"
#include "tests/fixtures/payload_writer.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <cstring>
#include <random>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

namespace {

constexpr std::size_t kClassAt = 4, kDataAt = 5, kTypeAt = 16, kMachineAt = 18, kSegmentsAt = 56, kFirstSegment = 64,
                      kSegmentBytes = 56, kOffsetIn = 8, kAddressIn = 16, kFileBytesIn = 32, kBytesIn = 40;

/// A core file of a process with two threads, 5 mappings and 2 files.
QByteArray example() {
    FakeCores cores;
    FakeProcess process;
    process.mapping(0x40'0000, 0x41'0000, kReadOnly | mapping_flag::kFile, "/bin/app");
    process.thread(kCorePid, "app");
    process.thread(8, "worker").registers[3] = 0x1234;
    QFile file(QString::fromStdString(cores.write(process)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Result<CoreContents> readBytes(const QByteArray& bytes) {
    return readCore(std::as_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))), "x.core");
}

std::string errorOf(const QByteArray& bytes) {
    const auto read = readBytes(bytes);
    return read.hasValue() ? "" : read.error().message;
}

template <typename T>
QByteArray with(QByteArray bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
}

std::size_t inSegment(std::size_t number, std::size_t field) { return kFirstSegment + number * kSegmentBytes + field; }

void checkSegments(const CoreContents& found, std::size_t fileBytes) {
    Address reached = 0;
    for (const auto& segment : found.segments) {
        QVERIFY(segment.begin >= reached && segment.end > segment.begin);
        QVERIFY(segment.bytes <= segment.end - segment.begin);
        QVERIFY(segment.bytes == 0 || (segment.offset <= fileBytes && segment.bytes <= fileBytes - segment.offset));
        reached = segment.end;
    }
}

} // namespace

class CoreContentsTest : public QObject {
    Q_OBJECT

  private slots:
    void threadsHaveTheirRegisters() {
        const auto read = readBytes(example());
        QVERIFY(read.hasValue());
        const auto& notes = read.value().notes;
        QCOMPARE(notes.pid, kCorePid);
        QCOMPARE(notes.program, std::string("app"));
        QCOMPARE(notes.threads.size(), std::size_t{2});
        QCOMPARE(notes.threads[0].name, std::string("app")); // only the first thread of a process has a name
        QCOMPARE(notes.threads[1].name, std::string());
        QCOMPARE(notes.threads[1].tid, 8U);
        QCOMPARE(notes.threads[1].registers[3], std::uint64_t{0x1234});
        QVERIFY(notes.threads[1].stackPointer != 0 && notes.threads[1].threadPointer > notes.threads[1].stackPointer);
    }
    void segmentsAndFilesHaveTheirAddresses() {
        const auto read = readBytes(example());
        QVERIFY(read.hasValue());
        QCOMPARE(read.value().segments.size(), std::size_t{5});
        QCOMPARE(read.value().segments.front().begin, Address{0x40'0000});
        QCOMPARE(read.value().segments.front().bytes, kResidentPageBytes); // the page with the headers
        QCOMPARE(read.value().notes.files.size(), std::size_t{2});
        QCOMPARE(read.value().notes.files.front().name, std::string("/bin/app"));
        QCOMPARE(read.value().cutOff, ByteCount{0});
    }

    void otherFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("error");
        const auto core = example();
        QTest::newRow("empty") << QByteArray() << "x.core is not a core file.";
        QTest::newRow("text") << QByteArray("hello") << "x.core is not a core file.";
        QTest::newRow("program") << with<std::uint16_t>(core, kTypeAt, 2) << "x.core is a program or library";
        QTest::newRow("library") << with<std::uint16_t>(core, kTypeAt, 3) << "x.core is a program or library";
        QTest::newRow("32 bits") << with<std::uint8_t>(core, kClassAt, 1)
                                 << "x.core is the core file of a 32-bit process.";
        QTest::newRow("ARM") << with<std::uint16_t>(core, kMachineAt, 183)
                             << "x.core is the core file of a process on a 64-bit ARM processor.";
        QTest::newRow("RISC-V") << with<std::uint16_t>(core, kMachineAt, 243)
                                << "x.core is the core file of a process on another processor (ELF machine 243).";
        QTest::newRow("big-endian") << with<std::uint8_t>(core, kDataAt, 2)
                                    << "x.core is the core file of a process on a big-endian processor.";
        QTest::newRow("cut in its header") << core.first(40) << "x.core is truncated";
        QTest::newRow("cut in its segments") << core.first(100) << "x.core is truncated";
        QTest::newRow("cut before its notes")
            << with<std::uint64_t>(core, inSegment(0, kOffsetIn), 1 << 30) << "x.core is truncated";
        QTest::newRow("without threads") << with<std::uint32_t>(core, inSegment(0, 0), 0)
                                         << "x.core describes no process.";
    }
    void otherFilesAreRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, error);
        const auto found = QString::fromStdString(errorOf(bytes));
        QVERIFY2(found.startsWith(error), qPrintable(found));
    }

    void aTruncatedFileHasLessMemory() {
        const auto whole = example();
        const auto read = readBytes(whole.first(whole.size() - 4096));
        QVERIFY(read.hasValue());
        QCOMPARE(read.value().cutOff, ByteCount{4096});
        checkSegments(read.value(), static_cast<std::size_t>(whole.size() - 4096));
    }
    /// gcore writes the notes behind the memory.
    void aFileWithoutItsLastNotesIsTruncated() {
        const auto read = readBytes(with<std::uint64_t>(example(), inSegment(0, kFileBytesIn), 1 << 30));
        QVERIFY(read.hasValue());
        QVERIFY(read.value().cutOff > 0);
    }
    void impossibleSegmentsAreLeftOut_data() {
        QTest::addColumn<QByteArray>("bytes");
        const auto core = example();
        const auto field = [&](std::size_t in, std::uint64_t value) { return with(core, inSegment(2, in), value); };
        QTest::newRow("beyond the address space") << field(kBytesIn, std::uint64_t{1} << 63 | 0xFFF'F000);
        QTest::newRow("all addresses") << field(kBytesIn, ~std::uint64_t{0xFFF});
        QTest::newRow("no pages") << field(kAddressIn, 0x1234);
        QTest::newRow("over another one") << field(kAddressIn, 0x40'1000);
    }
    void impossibleSegmentsAreLeftOut() {
        QFETCH(QByteArray, bytes);
        const auto read = readBytes(bytes);
        QVERIFY(read.hasValue());
        QVERIFY(read.value().invalid >= 1);
        checkSegments(read.value(), static_cast<std::size_t>(bytes.size()));
    }
    void claimsBeyondTheFileAreCutOff() {
        const auto core = example();
        for (const auto in : {kOffsetIn, kFileBytesIn}) {
            const auto bytes = with(core, inSegment(2, in), ~std::uint64_t{0});
            const auto read = readBytes(bytes);
            QVERIFY(read.hasValue());
            checkSegments(read.value(), static_cast<std::size_t>(bytes.size()));
        }
        QVERIFY(!readBytes(with<std::uint16_t>(core.first(4096), kSegmentsAt, 0xFFFE)).hasValue());
    }
    /// Each of them describes the same megabyte of notes.
    void sharedNotesAreReadOnce() {
        constexpr std::uint16_t kSegments = 1000;
        constexpr std::uint32_t kNotes = 1 << 20;
        const auto core = example();
        QByteArray bytes = with<std::uint16_t>(core.first(64), kSegmentsAt, kSegments);
        for (int i = 0; i < kSegments; ++i)
            bytes += with<std::uint64_t>(with<std::uint64_t>(QByteArray("\4\0\0\0", 4) + QByteArray(52, '\0'),
                                                             kOffsetIn, 64 + kSegments * kSegmentBytes),
                                         kFileBytesIn, kNotes);
        const auto notesAt =
            loadUnchecked<std::uint64_t>(reinterpret_cast<const std::byte*>(core.data() + inSegment(0, kOffsetIn)));
        bytes += core.mid(static_cast<qsizetype>(notesAt), 4096);
        bytes += QByteArray(static_cast<qsizetype>(64 + kSegments * kSegmentBytes + kNotes) - bytes.size(), '\0');
        const auto read = readBytes(bytes);
        QVERIFY(read.hasValue());
        QCOMPARE(read.value().notes.threads.size(), std::size_t{2});
    }
    void changedBytesAreHarmless() {
        const auto core = example();
        std::mt19937 random(7);
        for (int round = 0; round < 3000; ++round) {
            auto bytes = core.first(3 * 4096);
            for (auto changes = 1 + random() % 8; changes > 0; --changes) {
                constexpr std::array<char, 6> kValues{0, 1, '\x7F', '\x80', '\xFF', 16};
                bytes[static_cast<qsizetype>(random() % 2048)] = kValues[random() % kValues.size()];
            }
            const auto read = readBytes(bytes);
            if (read.hasValue())
                checkSegments(read.value(), static_cast<std::size_t>(bytes.size()));
            else
                QVERIFY(!read.error().message.empty());
        }
    }
};

HIGHWATER_TEST(CoreContentsTest);
#include "core_contents_test.moc"
