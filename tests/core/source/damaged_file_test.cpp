#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace highwater;
using namespace highwater::source;
using namespace highwater::tests;

namespace {

/// Reads every byte that a record refers to, so that ASan checks it.
class TouchingSink final : public etl::RecordSink {
  public:
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            ++records;
            for (const auto b : record.payloadSpan())
                sum += std::to_integer<unsigned>(b);
            for (const auto b : record.extendedSpan())
                sum += std::to_integer<unsigned>(b);
            if (record.provider != nullptr) sum += record.providerGuid().data1;
        }
    }
    std::uint64_t records = 0;
    std::uint64_t sum = 0;
};

struct Outcome {
    bool opened = false;
    std::uint64_t records = 0;
    HealthReport health;
};

Outcome readAll(const std::vector<std::byte>& file) {
    Outcome outcome;
    TraceHealth health;
    auto source = EtlFileSource::fromMemory(file, "damaged.etl", health);
    outcome.opened = source.hasValue();
    if (outcome.opened) {
        TouchingSink sink;
        Progress progress;
        outcome.opened = source.value()->run(sink, health, {}, progress).hasValue();
        outcome.records = sink.records;
    } else if (source.error().message.empty()) {
        qFatal("an error without a sentence");
    }
    outcome.health = health.report();
    return outcome;
}

std::vector<std::byte> smallTrace(etl::Compression compression) {
    std::vector<OwnedRecord> records;
    using enum etl::HeaderType;
    std::int64_t ticks = 2000;
    for (auto type : {System64, PerfInfo64, Full64, Event64, Message, System32, Instance32}) {
        for (std::uint16_t processor = 0; processor < 2; ++processor) {
            auto record = classicRecord(type, ++ticks, processor, 24);
            if (type == Message) record.fields.kind = etl::RawRecord::Kind::Message;
            records.push_back(record);
        }
    }
    return writeTrace(records, {.bufferBytes = 4096, .compression = compression});
}

std::vector<std::byte> realTrace(const char* name) {
    QFile file(QString::fromStdString(sharedTracesFolder()) + "/" + name);
    if (sharedTracesFolder().empty() || !file.open(QIODevice::ReadOnly)) return {};
    const auto bytes = file.readAll();
    std::vector<std::byte> out;
    for (const auto b : bytes)
        out.push_back(static_cast<std::byte>(b));
    return out;
}

/// Every byte with several wrong values. The reader must not deliver more than there was; the test limits the time.
void corruptEveryByte(const std::vector<std::byte>& whole, std::size_t step) {
    const auto records = readAll(whole).records;
    for (std::size_t at = 0; at < whole.size(); at += step) {
        for (const unsigned change : {0x01u, 0x80u, 0xFFu, 0x40u}) {
            auto file = whole;
            file[at] ^= static_cast<std::byte>(change);
            const auto outcome = readAll(file);
            if (outcome.opened && outcome.records < records && outcome.health.isClean() && at < 72 + 4096) {
                // Fewer records without a note are allowed only if the file itself now declares this (its valid end,
                // padding).
                const auto inBuffer = at % 4096;
                const bool saysSo =
                    (inBuffer >= 4 && inBuffer < 8) || (inBuffer >= 48 && inBuffer < 54) || inBuffer >= 72;
                QVERIFY2(saysSo, qPrintable(QString("byte %1 ^ %2").arg(at).arg(change)));
            }
        }
    }
}

} // namespace

class DamagedFileTest : public QObject {
    Q_OBJECT
  private slots:
    void survivesEveryPrefix() {
        for (auto compression : {etl::Compression::None, etl::Compression::Xpress}) {
            const auto whole = smallTrace(compression);
            const auto records = readAll(whole).records;
            QCOMPARE(records, std::uint64_t{15});
            for (std::size_t length = 0; length < whole.size(); ++length) {
                const auto outcome = readAll({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
                QVERIFY2(!outcome.opened || !outcome.health.isClean(), qPrintable(QString::number(length)));
                QVERIFY(outcome.records <= records);
            }
        }
    }
    void survivesEveryPrefixOfARealTrace() {
        const auto whole = realTrace("perfview_smallEtlFile.etl");
        if (whole.empty()) QSKIP("The folder of real traces is not here.");
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const auto outcome = readAll({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
            QVERIFY(!outcome.opened || !outcome.health.isClean());
        }
        QVERIFY(readAll(whole).health.isClean());
    }
    void survivesEveryCorruptedByte() {
        corruptEveryByte(smallTrace(etl::Compression::None), 1);
        corruptEveryByte(smallTrace(etl::Compression::Xpress), 1);
    }
    void survivesEveryCorruptedByteOfARealTrace() {
        const auto whole = realTrace("perfview_smallEtlFile.etl");
        if (whole.empty()) QSKIP("The folder of real traces is not here.");
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (int value = 0; value < 256; value += 5) {
                auto file = whole;
                file[at] = static_cast<std::byte>(value);
                readAll(file);
            }
        }
    }
    void survivesBufferSizesThatMakeNoSense() {
        for (auto compression : {etl::Compression::None, etl::Compression::Xpress}) {
            for (const std::uint32_t claimed : {0u, 1u, 71u, 72u, 73u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
                for (const std::size_t buffer :
                     {std::size_t{0}, compression == etl::Compression::None ? std::size_t{4096} : std::size_t{512}}) {
                    auto file = smallTrace(compression);
                    patch(file, buffer, claimed);
                    const auto outcome = readAll(file);
                    QVERIFY2(!outcome.opened || !outcome.health.isClean(),
                             qPrintable(QString("%1 at %2").arg(claimed).arg(buffer)));
                }
            }
        }
    }
    void doesNotBelieveHowFarABufferExpands() {
        for (const std::uint32_t claimed : {0x7FFFFFFFu, 0xFFFFFFFFu, 64u << 20, 65536u}) {
            auto file = smallTrace(etl::Compression::Xpress);
            patch(file, 512 + 4, claimed);
            patch(file, 512 + 48, claimed);
            const auto outcome = readAll(file);
            QVERIFY(outcome.opened);
            QVERIFY(!outcome.health.isClean());
        }
    }
    /// Thousands of tiny buffers, each on a processor of its own, each claiming to be large.
    void isNotSlowedDownByTinyBuffersWithLargeClaims() {
        auto file = smallTrace(etl::Compression::Xpress);
        file.resize(512);
        for (std::uint16_t processor = 0; processor < 20000; ++processor) {
            const auto at = file.size();
            file.resize(at + 80, std::byte{0});
            patch(file, at, std::uint32_t{80});
            patch(file, at + 4, std::uint32_t{600000});
            patch(file, at + 48, std::uint32_t{600000});
            patch(file, at + 40, processor);
            patch(file, at + 52, std::uint16_t{0x60});
        }
        QElapsedTimer timer;
        timer.start();
        const auto outcome = readAll(file);
        QCOMPARE(outcome.health[Loss::BuffersNotDecompressed], std::uint64_t{20000});
        QVERIFY(timer.elapsed() < 20000);
    }
};
HIGHWATER_TEST(DamagedFileTest);
#include "damaged_file_test.moc"
