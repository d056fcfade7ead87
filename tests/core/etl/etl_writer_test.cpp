#include "core/etl/etl_writer.h"

#include "core/etl/packed_copy.h"
#include "core/etl/record_merge.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::etl;
using namespace highwater::tests;

namespace {

std::vector<std::byte> guidBytes(std::uint32_t data1) {
    std::vector<std::byte> out(16, std::byte{0x5A});
    std::memcpy(out.data(), &data1, 4);
    return out;
}

/// One chain of two items, 16 bytes each.
std::vector<std::byte> twoItems() {
    std::vector<std::byte> out;
    for (const auto b : QByteArray::fromHex("10000c00010008001111111111111111"
                                            "10000b00000004002222222200000000")) {
        out.push_back(static_cast<std::byte>(b));
    }
    return out;
}

std::vector<OwnedRecord> recordsOfAllForms() {
    std::vector<OwnedRecord> records;
    std::int64_t ticks = 2000;
    const auto add = [&](OwnedRecord record) {
        record.fields.pid = 4242;
        record.fields.tid = 77;
        records.push_back(std::move(record));
    };
    using enum HeaderType;
    for (auto type : {System32, System64, Compact32, Compact64, PerfInfo32, PerfInfo64, Full32, Full64, Instance32,
                      Instance64, Event32, Event64}) {
        for (std::size_t payload : {0, 1, 7, 28, 1000}) {
            ++ticks;
            add(classicRecord(type, ticks, static_cast<std::uint16_t>(ticks % 3), payload));
        }
    }
    for (auto type : {Full32, Full64, Instance64, Event32, Event64, Message}) {
        auto record = classicRecord(type, ++ticks, 1, 20);
        record.fields.kind = type == Message ? RawRecord::Kind::Message : RawRecord::Kind::Provider;
        record.fields.eventId = type == Full32 || type == Full64 || type == Instance64 ? 0 : 501;
        record.provider = guidBytes(static_cast<std::uint32_t>(ticks));
        if (type == Event64) record.extended = twoItems();
        add(record);
    }
    return records;
}

/// The expected delivery for a written record.
std::string expectedText(OwnedRecord record) {
    using enum HeaderType;
    auto& fields = record.fields;
    const auto type = fields.header;
    const bool narrow = type == System32 || type == Compact32 || type == PerfInfo32 || type == Full32 ||
                        type == Instance32 || type == Event32;
    const bool hasGuid = type == Full32 || type == Full64 || type == Instance32 || type == Instance64 ||
                         type == Event32 || type == Event64;
    fields.pointerBytes = narrow ? 4 : 8;
    if (type == PerfInfo32 || type == PerfInfo64) fields.pid = fields.tid = kNoId;
    if (fields.kind != RawRecord::Kind::Classic) fields.group = 0;
    if (type == Message) fields.opcode = 0, fields.version = 0;
    if (hasGuid && record.provider.empty()) {
        for (const auto b : QByteArray::fromHex("ab6229228061884ba825346b75f2a24a"))
            record.provider.push_back(static_cast<std::byte>(b));
    }
    return record.text();
}

struct Content {
    TraceHeader header;
    std::vector<std::string> records; ///< without the trace header
    std::size_t headers = 0;
    HealthReport health;
    BufferList buffers;
};

Content readBack(const std::vector<std::byte>& file) {
    TraceHealth health;
    auto reader = EtlReader::open({file, nullptr, "test.etl"}, health);
    if (!reader.hasValue()) return {};
    Content content{reader.value().header(), {}, 0, {}, reader.value().buffers()};
    RecordMerge merge({&reader.value(), 1}, health);
    RecordBatch batch;
    for (; merge.fill(batch, 100); batch.recycle()) {
        for (const auto& record : batch.records) {
            if (parseTraceHeader(record)) {
                ++content.headers;
            } else {
                content.records.push_back(ownedCopy(record).text());
            }
        }
    }
    content.health = health.report();
    return content;
}

} // namespace

namespace {

/// On three processors, with compressible contents.
std::vector<OwnedRecord> manyRecords(int count) {
    std::vector<OwnedRecord> records;
    for (int i = 0; i < count; ++i)
        records.push_back(classicRecord(HeaderType::Compact64, 2000 + i, static_cast<std::uint16_t>(i % 3), 28));
    return records;
}

void compareRecords(const std::vector<std::byte>& bytes, const std::vector<OwnedRecord>& records) {
    const auto content = readBack(bytes);
    QCOMPARE(content.records.size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i)
        QCOMPARE(content.records[i], expectedText(records[i]));
    QVERIFY(content.health.isClean());
}

} // namespace

class EtlWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void roundTripsEveryForm_data() {
        QTest::addColumn<int>("compression");
        QTest::addRow("plain") << int(Compression::None);
        QTest::addRow("xpress") << int(Compression::Xpress);
    }
    void roundTripsEveryForm() {
        QFETCH(int, compression);
        const auto records = recordsOfAllForms();
        const auto content =
            readBack(writeTrace(records, {.bufferBytes = 4096, .compression = static_cast<Compression>(compression)}));
        QCOMPARE(content.headers, std::size_t{1});
        QCOMPARE(content.records.size(), records.size());
        for (std::size_t i = 0; i < records.size(); ++i)
            QCOMPARE(content.records[i], expectedText(records[i]));
        QVERIFY(content.health.isClean());
        QCOMPARE(content.buffers.compressed > 0, compression == int(Compression::Xpress));
    }
    /// By a thread that always has enough time, or never.
    void packsAside_data() {
        QTest::addColumn<int>("patienceMs");
        QTest::addRow("in time") << 1'000'000;
        QTest::addRow("never in time") << 0;
    }
    void packsAside() {
        QFETCH(int, patienceMs);
        const bool isInTime = patienceMs > 0;
        const auto records = manyRecords(isInTime ? 5000 : 20'000); // this many are made faster than packed
        const WriterOptions options{.bufferBytes = 4096,
                                    .compression = Compression::Xpress,
                                    .packing = Packing::Aside,
                                    .packingPatience = std::chrono::milliseconds(patienceMs)};
        MemoryOutput output;
        auto writer = EtlWriter::create(output, exampleProperties(), options);
        for (const auto& record : records)
            QVERIFY(writer.value()->write(record.view()).hasValue());
        QVERIFY(writer.value()->finish(exampleProperties().startFileTime + 10'000'000).hasValue());
        QVERIFY(!writer.value()->isPacking());
        QCOMPARE(writer.value()->oldestUnwritten(), std::nullopt);
        const auto expected = writeTrace(records, {.bufferBytes = 4096, .compression = Compression::Xpress});
        compareRecords(output.bytes(), records);
        if (isInTime) QCOMPARE(output.bytes().size(), expected.size());
        // Buffers left plain are packed later, to the same bytes as if there had been time.
        QVERIFY(isInTime || writer.value()->buffersLeftPlain() > 0);
        MemoryOutput packed;
        QVERIFY(copyPacked(output.bytes(), packed).hasValue());
        compareRecords(packed.bytes(), records);
        QCOMPARE(packed.bytes().size(), expected.size());
    }
    /// Waiting buffers are written, at the latest, by a flush after the patience has expired.
    void isReadableAFlushLaterWherePackedAside() {
        MemoryOutput output;
        auto writer = EtlWriter::create(output, exampleProperties(),
                                        {.compression = Compression::Xpress,
                                         .packing = Packing::Aside,
                                         .packingPatience = std::chrono::milliseconds(20)});
        QVERIFY(writer.value()->write(classicRecord(HeaderType::System64, 2000, 0, 4).view()).hasValue());
        QVERIFY(!writer.value()->isPacking());
        QVERIFY(writer.value()->flush().hasValue());
        QTest::qSleep(30);
        QVERIFY(writer.value()->flush().hasValue());
        QVERIFY(!writer.value()->isPacking());
        QCOMPARE(readBack(output.bytes()).records.size(), std::size_t{1});
    }
    void refusesToPackWhatIsNoTrace() {
        const auto whole = writeTrace(manyRecords(1000), {.bufferBytes = 4096});
        MemoryOutput output;
        QVERIFY(!copyPacked(ByteSpan(whole).first(whole.size() - 100), output).hasValue());
        const std::vector<std::byte> zeros(5000);
        QVERIFY(!copyPacked(zeros, output).hasValue());
    }
    void describesTheMachineInItsHeader() {
        for (std::uint32_t pointerBytes : {4u, 8u}) {
            auto properties = exampleProperties();
            properties.pointerBytes = pointerBytes;
            properties.sessionName = "G\xC3\xA4ste \xF0\x9F\x98\x80";
            const auto header =
                readBack(writeTrace({classicRecord(HeaderType::System64, 2000, 9, 4)}, {}, properties)).header;
            QCOMPARE(header.sessionName, properties.sessionName);
            QCOMPARE(header.pointerBytes, pointerBytes);
            QCOMPARE(header.bufferBytes, 65536u);
            QCOMPARE(header.osBuild, 19045u);
            QCOMPARE(header.processors, 10u); // greater than any index that was used
            QCOMPARE(header.buffersWritten, 2u);
            QCOMPARE(header.ticks, properties.firstTicks);
            QCOMPARE(header.startFileTime, properties.startFileTime);
            QCOMPARE(header.bootFileTime, properties.bootFileTime);
            QCOMPARE(header.biasMinutes, -60);
            QCOMPARE(header.cpuSpeedMhz, 2400u);
            QCOMPARE(ticksPerSecondOf(header), std::int64_t{10'000'000});
            QVERIFY(header.isClosed());
        }
    }
    void isReadableBeforeItIsFinished() {
        MemoryOutput output;
        auto writer = EtlWriter::create(output, exampleProperties(), {});
        QCOMPARE(readBack(output.bytes()).headers, std::size_t{1});
        QVERIFY(writer.value()->write(classicRecord(HeaderType::System64, 2000, 0, 4).view()).hasValue());
        QCOMPARE(readBack(output.bytes()).records.size(), std::size_t{0});
        QVERIFY(writer.value()->flush().hasValue());
        const auto content = readBack(output.bytes());
        QCOMPARE(content.records.size(), std::size_t{1});
        QVERIFY(!content.header.isClosed());
        QCOMPARE(content.health.remarks.size(), std::size_t{1});
        QVERIFY(content.health.remarks[0].find("was not ended properly") != std::string::npos);
        QVERIFY(content.health.counts == HealthReport().counts);
    }
    void doesNotRepeatTheHeaderOfAnotherFile() {
        OwnedRecord header = classicRecord(HeaderType::System64, 2000, 0, 400);
        header.fields.group = header.fields.opcode = 0;
        QCOMPARE(readBack(writeTrace({header})).headers, std::size_t{1});
    }
    void storesLossesInTheHeader() {
        MemoryOutput output;
        auto writer = EtlWriter::create(output, exampleProperties(), {});
        QVERIFY(writer.value()->finish(1, 12, 3).hasValue());
        const auto content = readBack(output.bytes());
        QCOMPARE(content.health[Loss::EventsLost], std::uint64_t{12});
        QCOMPARE(content.health[Loss::BuffersLost], std::uint64_t{3});
    }
    void refusesWhatDoesNotFit() {
        MemoryOutput output;
        QVERIFY(!EtlWriter::create(output, exampleProperties(), {.bufferBytes = 1000}).hasValue());
        QVERIFY(!EtlWriter::create(output, exampleProperties(), {.bufferBytes = 0}).hasValue());
        auto writer = EtlWriter::create(output, exampleProperties(), {.bufferBytes = 4096});
        const auto tooLong = classicRecord(HeaderType::System64, 2000, 0, 4096 - 72 - 32 + 1);
        QCOMPARE(writer.value()->write(tooLong.view()).error().kind, ErrorKind::Usage);
        const auto longest = classicRecord(HeaderType::System64, 2000, 0, 4096 - 72 - 32);
        QVERIFY(writer.value()->write(longest.view()).hasValue());
        auto badChain = classicRecord(HeaderType::Event64, 2001, 0, 4);
        badChain.extended.resize(8);
        QCOMPARE(writer.value()->write(badChain.view()).error().kind, ErrorKind::Usage);
        auto unknownGroup = classicRecord(HeaderType::Full64, 2001, 0, 4);
        unknownGroup.fields.group = 0x1D;
        QCOMPARE(writer.value()->write(unknownGroup.view()).error().kind, ErrorKind::Usage);
    }
    void repeatsAnOutputError() {
        class FullDisk final : public ByteOutput {
          public:
            Result<void> append(ByteSpan) override {
                if (++appended > 1) return Error{ErrorKind::Io, "Disk full."};
                return {};
            }
            Result<void> overwrite(std::uint64_t, ByteSpan) override { return {}; }
            [[nodiscard]] std::uint64_t size() const override { return 0; }
            int appended = 0;
        } output;
        auto writer = EtlWriter::create(output, exampleProperties(), {});
        QVERIFY(writer.value()->write(classicRecord(HeaderType::System64, 2000, 0, 4).view()).hasValue());
        QCOMPARE(writer.value()->flush().error().message, std::string("Disk full."));
        QCOMPARE(writer.value()->write(classicRecord(HeaderType::System64, 2000, 0, 4).view()).error().message,
                 std::string("Disk full."));
        QCOMPARE(writer.value()->finish(1).error().kind, ErrorKind::Io);
        QCOMPARE(output.appended, 2);
    }
    void writesFiles() {
        const QTemporaryDir folder;
        const auto path = std::filesystem::path(folder.filePath("a.etl").toStdString());
        {
            auto output = createFileOutput(path);
            QVERIFY(output.hasValue());
            auto writer = EtlWriter::create(*output.value(), exampleProperties(), {});
            QVERIFY(writer.value()->write(classicRecord(HeaderType::System64, 2000, 0, 4).view()).hasValue());
            QVERIFY(writer.value()->finish(exampleProperties().startFileTime + 10'000'000).hasValue());
        }
        QFile file(folder.filePath("a.etl"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto expected = writeTrace({classicRecord(HeaderType::System64, 2000, 0, 4)});
        QCOMPARE(file.readAll(),
                 QByteArray(reinterpret_cast<const char*>(expected.data()), static_cast<int>(expected.size())));
        const auto refused = createFileOutput(path / "below a file" / "b.etl");
        QVERIFY(!refused.hasValue());
        QVERIFY(refused.error().message.find("b.etl") != std::string::npos);
    }
    void agreesWithAnIndependentReader_data() { roundTripsEveryForm_data(); }
    void agreesWithAnIndependentReader() {
        QFETCH(int, compression);
        const auto script = QDir(QString::fromStdString(sharedTracesFolder()) + "/../tools").filePath("etlscan.py");
        if (sharedTracesFolder().empty() || !QFile::exists(script))
            QSKIP("The independent reader etlscan.py is not here.");
        const QTemporaryDir folder;
        const auto path = folder.filePath("written.etl");
        std::vector<OwnedRecord> records;
        for (std::int64_t repeat = 0; repeat < 50; ++repeat) {
            for (auto record : recordsOfAllForms()) {
                record.fields.ticks += repeat * 1000;
                records.push_back(std::move(record));
            }
        }
        const auto file =
            writeTrace(records, {.bufferBytes = 8192, .compression = static_cast<Compression>(compression)});
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(reinterpret_cast<const char*>(file.data()), static_cast<qint64>(file.size()));
        out.close();
        QProcess python;
        python.start("python3", {script, path});
        if (!python.waitForStarted()) QSKIP("python3 is not installed.");
        QVERIFY(python.waitForFinished(60000));
        const auto report = QString::fromUtf8(python.readAllStandardOutput());
        const auto content = readBack(file);
        QVERIFY2(report.contains(QString("%1 buffers, %2 events, compressed=%3")
                                     .arg(content.buffers.places.size())
                                     .arg(records.size() + 1)
                                     .arg(content.buffers.compressed)),
                 qPrintable(report));
        QVERIFY2(!report.contains("ERROR"), qPrintable(report));
        QVERIFY2(report.contains("per-cpu order violations 0"), qPrintable(report));
        QVERIFY2(report.contains("'EVENT64': 300, 'MESSAGE': 50"), qPrintable(report));
        QVERIFY2(report.contains("'Example', '[multiple files]'"), qPrintable(report));
    }
};
HIGHWATER_TEST(EtlWriterTest);
#include "etl_writer_test.moc"
