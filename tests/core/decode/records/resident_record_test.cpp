#include "core/decode/records/resident_record.h"

#include "core/base/varint.h"
#include "core/event/opcodes.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <random>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

using Payloads = std::vector<std::vector<std::byte>>;

/// Mappings in order, with random sizes and pages.
ResidentSample randomSample(std::mt19937_64& random, std::size_t mappings) {
    ResidentSample sample;
    sample.time = TraceTime{static_cast<std::int64_t>(random() % 1'000'000)};
    sample.pid = static_cast<std::uint32_t>(random());
    sample.names = {"", "[heap]", "/usr/lib/lib\xC3\xA4.so (deleted)"};
    Address reached = 0x1000 * (random() % 100);
    for (std::size_t i = 0; i < mappings; ++i) {
        auto& mapping = sample.mappings.emplace_back();
        const auto pages = 1 + random() % (random() % 5 == 0 ? 100'000 : 40);
        mapping.begin = reached + kResidentPageBytes * (random() % 3);
        mapping.end = reached = mapping.begin + pages * kResidentPageBytes;
        mapping.resident = random() % (pages + 1) * kResidentPageBytes;
        mapping.proportional = random() % (pages * kResidentPageBytes + 1);
        mapping.privateDirty = random() % (pages + 1) * kResidentPageBytes;
        mapping.swapped = random() % (pages + 1) * kResidentPageBytes;
        mapping.flags = static_cast<std::uint32_t>(random() % (mapping_flag::kAll + 1));
        mapping.name = static_cast<std::uint32_t>(random() % sample.names.size());
        for (auto runs = random() % 8; runs > 0; --runs)
            mapping.pages.append(1 + random() % (random() % 9 == 0 ? 10'000 : 3), 1 + random() % 3);
        if (!mapping.pages.isWithin(pages)) mapping.pages = {};
    }
    return sample;
}

/// The kernel's own highest mapping.
ResidentSample sampleOfVsyscall() {
    ResidentSample sample;
    sample.names = {"[vsyscall]"};
    auto& mapping = sample.mappings.emplace_back();
    mapping.begin = 0xFFFFFFFFFF600000;
    mapping.end = 0xFFFFFFFFFF601000;
    mapping.flags = mapping_flag::kExecute;
    return sample;
}

struct Reading {
    std::vector<SharedResidentSample> samples;
    std::uint32_t dropped = 0;
};
void takeInto(Reading& reading, ResidentParts& parts, std::span<const std::byte> payload, TraceTime time) {
    etl::RawRecord record;
    record.payload = payload.data();
    record.payloadBytes = static_cast<std::uint32_t>(payload.size());
    auto [sample, dropped] = parts.take(record, time);
    if (sample) reading.samples.push_back(std::move(sample));
    reading.dropped += dropped;
}
Reading readAll(const Payloads& payloads, TraceTime time = {}) {
    Reading reading;
    ResidentParts parts;
    for (const auto& payload : payloads)
        takeInto(reading, parts, payload, time);
    reading.dropped += parts.finish();
    return reading;
}

Payloads encoded(const ResidentSample& sample, std::uint32_t number = 1) {
    return encodeResidentSample(sample, number);
}

/// A sample so large that its record has several parts.
ResidentSample largeSample() {
    std::mt19937_64 random(11);
    return randomSample(random, 60'000);
}

} // namespace

class ResidentRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void samplesAreReadAsTheyWereWritten() {
        std::mt19937_64 random(3);
        for (const std::size_t mappings : {0, 1, 2, 10, 500, 5000, 20'000}) {
            const auto sample = randomSample(random, mappings);
            QVERIFY(isValid(sample));
            const auto payloads = encoded(sample);
            for (const auto& payload : payloads)
                QVERIFY(payload.size() <= kMostPartBytes);
            QVERIFY(payloads.size() > 1 || mappings < 20'000);
            const auto read = readAll(payloads, sample.time);
            QCOMPARE(read.dropped, 0u);
            QCOMPARE(read.samples.size(), std::size_t{1});
            QVERIFY(*read.samples[0] == sample);
        }
        const auto vsyscall = sampleOfVsyscall();
        QVERIFY(*readAll(encoded(vsyscall)).samples.at(0) == vsyscall);
    }
    void anInvalidSampleIsNotWritten() {
        auto sample = sampleOfVsyscall();
        sample.mappings[0].name = 1;
        QVERIFY(encoded(sample).empty());
    }
    void namesBecomeUtf8() {
        auto sample = sampleOfVsyscall();
        sample.names[0] = "a\xFF";
        QCOMPARE(readAll(encoded(sample)).samples.at(0)->names[0], std::string("a\xEF\xBF\xBD"));
    }
    void samplesFollowEachOther() {
        const auto sample = largeSample();
        auto payloads = encoded(sample, 1);
        const auto count = payloads.size();
        QVERIFY(count >= 4);
        for (const auto& payload : encoded(sample, 2))
            payloads.push_back(payload);
        const auto both = readAll(payloads);
        QCOMPARE(both.samples.size(), std::size_t{2});
        QCOMPARE(both.dropped, 0u);
    }
    void aLostPartDropsItsSampleOnly() {
        const auto sample = largeSample();
        const auto first = encoded(sample, 1);
        for (std::size_t lost = 0; lost < first.size(); ++lost) {
            auto payloads = first;
            payloads.erase(payloads.begin() + static_cast<std::ptrdiff_t>(lost));
            for (const auto& payload : encoded(sample, 2))
                payloads.push_back(payload);
            const auto read = readAll(payloads);
            QCOMPARE(read.samples.size(), std::size_t{1});
            QCOMPARE(read.dropped, 1u);
        }
    }
    void aSampleWithoutItsEndIsDropped() {
        auto payloads = encoded(largeSample());
        payloads.pop_back();
        const auto read = readAll(payloads);
        QCOMPARE(read.samples.size(), std::size_t{0});
        QCOMPARE(read.dropped, 1u);
    }
    void aRepeatedOrSwappedPartDropsItsSample() {
        const auto whole = encoded(largeSample());
        for (std::size_t part = 0; part + 1 < whole.size(); ++part) {
            auto repeated = whole;
            repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(part), whole[part]);
            auto read = readAll(repeated);
            QCOMPARE(read.samples.size(), std::size_t{0});
            QCOMPARE(read.dropped, 1u);
            auto swapped = whole;
            std::swap(swapped[part], swapped[part + 1]);
            read = readAll(swapped);
            QCOMPARE(read.samples.size(), std::size_t{0});
            QVERIFY(read.dropped >= 1);
        }
    }
    void aRepeatedRecordIsNotASecondSample() {
        const auto payloads = encoded(sampleOfVsyscall());
        const auto read = readAll({payloads[0], payloads[0]});
        QCOMPARE(read.samples.size(), std::size_t{1});
    }
    void aForeignPartDropsTheSample() {
        auto sample = largeSample();
        auto payloads = encoded(sample);
        ++sample.pid;
        payloads[2] = encoded(sample)[2];
        const auto read = readAll(payloads);
        QCOMPARE(read.samples.size(), std::size_t{0});
        QVERIFY(read.dropped >= 1);
    }
    void damagedBytesAreHarmless() {
        std::mt19937_64 random(5);
        const auto payload = encoded(randomSample(random, 40)).at(0);
        for (std::size_t at = 0; at < payload.size(); ++at) {
            for (const auto flip : {0x01, 0x80, 0xFF, 0x40}) {
                auto damaged = payload;
                damaged[at] ^= static_cast<std::byte>(flip);
                const auto read = readAll({damaged});
                QCOMPARE(read.samples.size() + read.dropped, std::size_t{1});
                for (const auto& sample : read.samples)
                    QVERIFY(isValid(*sample));
            }
        }
    }
    void cutOffBytesAreHarmless() {
        std::mt19937_64 random(6);
        const auto payload = encoded(randomSample(random, 40)).at(0);
        for (std::size_t bytes = 0; bytes < payload.size(); ++bytes) {
            const auto read = readAll({{payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(bytes)}});
            QCOMPARE(read.samples.size(), std::size_t{0});
            QCOMPARE(read.dropped, 1u);
        }
    }
    /// 40 MB of mappings of 8 bytes each would need 480 MB in memory.
    void theMemoryOfASampleIsLimited() {
        std::string bytes("\x01\x00", 2);
        putVarint(bytes, 5'000'000);
        for (int i = 0; i < 5'000'000; ++i)
            bytes.append("\x00\x01\x00\x00\x00\x00\x00\x00\x00", 9);
        constexpr std::size_t kOfPart = kMostPartBytes - 16;
        const auto parts = static_cast<std::uint32_t>((bytes.size() + kOfPart - 1) / kOfPart);
        Reading reading;
        ResidentParts assembly;
        for (std::uint32_t part = 0; part < parts; ++part) {
            std::vector<std::byte> payload(16);
            const std::uint32_t words[] = {7, 1, part, parts};
            std::memcpy(payload.data(), words, sizeof(words));
            const auto piece = std::as_bytes(std::span(std::string_view(bytes).substr(part * kOfPart, kOfPart)));
            payload.insert(payload.end(), piece.begin(), piece.end());
            takeInto(reading, assembly, payload, {});
        }
        QCOMPARE(reading.samples.size(), std::size_t{0});
        QCOMPARE(reading.dropped, 1u);
    }
    void theDecoderDeliversThemAtTheTimeOfTheirRecord() {
        auto sample = largeSample();
        sample.time = TraceTime{20};
        RecordStream stream;
        stream.tick(10);
        const auto payloads = encoded(sample);
        for (std::size_t part = 0; part < payloads.size(); ++part) {
            if (part == 1) stream.tick(20);
            auto& record = stream.add(20, 0, highwater_opcode::kResident, stream.payload());
            record.kind = etl::RawRecord::Kind::Provider;
            record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
            record.payload = payloads[part].data();
            record.payloadBytes = static_cast<std::uint32_t>(payloads[part].size());
        }
        auto& cut = stream.add(30, 0, highwater_opcode::kResident, stream.payload().u32(1));
        cut.kind = etl::RawRecord::Kind::Provider;
        cut.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
        RecordingSink sink;
        const auto health = stream.decodeInto(sink);
        QCOMPARE(sink.residentSamples.size(), std::size_t{1});
        QVERIFY(*sink.residentSamples[0] == sample);
        QCOMPARE(health[Loss::RecordsTruncated], std::uint64_t{1});
    }
};

HIGHWATER_TEST(ResidentRecordTest);
#include "resident_record_test.moc"
