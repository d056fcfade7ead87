#include "core/etl/record_times.h"

#include "core/etl/record_merge.h"
#include "tests/core/etl/record_fixture.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <initializer_list>
#include <string>

using namespace highwater;
using namespace highwater::etl;
using namespace highwater::tests;

namespace {

constexpr std::int64_t kSecond = 10'000'000, kDayTicks = 86'400 * kSecond;

/// A closed file of 10 s that starts at 1,000 ticks of 10 MHz.
TraceHeader tenSeconds() {
    TraceHeader header;
    header.clockType = 1;
    header.performanceFrequency = kSecond;
    header.ticks = 1000;
    header.buffersWritten = 3;
    header.startFileTime = 1'000'000'000;
    header.endFileTime = header.startFileTime + 10 * kSecond;
    return header;
}

std::vector<RecordExtent> recordsAt(std::initializer_list<std::int64_t> times) {
    std::vector<RecordExtent> records;
    for (const auto ticks : times)
        records.push_back({ticks, 0, 0});
    return records;
}

/// "2: 5 5 6": the number of damaged times, and the times.
std::string mended(std::initializer_list<std::int64_t> times, const TimeLimits& limits) {
    auto records = recordsAt(times);
    auto text = std::to_string(repairTimes(records, limits)) + ":";
    for (const auto& record : records)
        text += " " + std::to_string(record.ticks);
    return text;
}

/// The time of this record in the file, without changing the time of its buffer.
void setTime(std::vector<std::byte>& file, std::int64_t from, std::int64_t to) {
    for (auto at = file.size() - 8; at > 0; at -= 8)
        if (loadUnchecked<std::int64_t>(file.data() + at) == from) return patch(file, at, to);
    qFatal("there is no such record");
}

struct ReadTimes {
    std::vector<std::int64_t> ticks;
    HealthReport health;
};

ReadTimes timesOf(const std::vector<std::byte>& file) {
    TraceHealth health;
    std::vector<EtlReader> readers;
    readers.push_back(EtlReader::open({file, nullptr, "test.etl"}, health).value());
    RecordMerge merge(readers, health);
    RecordBatch batch;
    ReadTimes read;
    for (; merge.fill(batch, 64); batch.recycle())
        for (const auto& record : batch.records)
            if (record.group != 0) read.ticks.push_back(record.ticks);
    read.health = health.report();
    return read;
}

std::vector<OwnedRecord> someTimes(std::initializer_list<std::int64_t> times) {
    std::vector<OwnedRecord> records;
    for (const auto ticks : times) {
        auto record = classicRecord(HeaderType::Compact64, ticks, 0, 16);
        record.fields.group = 2;
        record.fields.opcode = 98;
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace

class RecordTimesTest : public QObject {
    Q_OBJECT

  private slots:
    void limitsFollowTheHeader() {
        auto header = tenSeconds();
        QCOMPARE(timeLimitsOf(header, true).latest, 1000 + 610 * kSecond);
        QCOMPARE(timeLimitsOf(header, true).earliest, 1000 - kDayTicks);
        QCOMPARE(timeLimitsOf(header, false).latest, 1000 + 366 * kDayTicks);
        header.endFileTime = 0; // not closed
        QCOMPARE(timeLimitsOf(header, true).latest, 1000 + 366 * kDayTicks);
        header = tenSeconds();
        header.endFileTime = header.startFileTime - 1;
        QCOMPARE(timeLimitsOf(header, true).latest, 1000 + 366 * kDayTicks);
    }

    void headersThatCannotSayLimitNothing() {
        const auto isFree = [](const TraceHeader& header) {
            const auto limits = timeLimitsOf(header, true);
            return limits.latest == TimeLimits().latest && limits.earliest == TimeLimits().earliest;
        };
        auto slow = tenSeconds();
        slow.performanceFrequency = 5;
        QVERIFY(isFree(slow));
        auto appended = tenSeconds();
        appended.logMode = log_mode::kAppend;
        QVERIFY(isFree(appended));
        auto fast = tenSeconds(); // nothing overflows
        fast.performanceFrequency = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(timeLimitsOf(fast, true).latest, TimeLimits().latest);
        fast.ticks = std::numeric_limits<std::int64_t>::min();
        QCOMPARE(timeLimitsOf(fast, true).earliest, TimeLimits().earliest);
    }

    void damagedTimesBecomeThoseBefore() {
        const TimeLimits limits{10, 1000, 100};
        QCOMPARE(mended({}, limits), std::string("0:"));
        QCOMPARE(mended({10, 20, 1000}, limits), std::string("0: 10 20 1000"));
        QCOMPARE(mended({20, 5000, 30}, limits), std::string("1: 20 20 30"));
        QCOMPARE(mended({20, 9, 5000, 30}, limits), std::string("2: 20 20 20 30"));
        QCOMPARE(mended({5000, -3, 30, 40}, limits), std::string("2: 30 30 30 40"));
        QCOMPARE(mended({20, 30, 5000}, limits), std::string("1: 20 30 30"));
        QCOMPARE(mended({20, 0, 30}, limits), std::string("0: 20 0 30")); // a record with time 0, at the start
        // Without a reference, nothing is corrected.
        QCOMPARE(mended({5000, 6000}, limits), std::string("0: 5000 6000"));
        // A leap that no later time confirms; then time that continues after a leap, and time that goes back.
        QCOMPARE(mended({20, 500, 30}, limits), std::string("1: 20 20 30"));
        QCOMPARE(mended({20, 500, 510}, limits), std::string("0: 20 500 510"));
        QCOMPARE(mended({20, 500, 10}, limits), std::string("0: 20 500 10"));
        // A leap back would put a free before its allocation.
        QCOMPARE(mended({520, 0, 530}, limits), std::string("1: 520 520 530"));
        QCOMPARE(mended({520, 400, 530}, limits), std::string("1: 520 520 530"));
        QCOMPARE(mended({520, 430, 530}, limits), std::string("0: 520 430 530"));
        QCOMPARE(mended({520, 30, 40}, limits), std::string("0: 520 30 40"));
        QCOMPARE(mended({20, 30, 500}, limits), std::string("0: 20 30 500"));
    }

    /// One bit of one time in a file that lasts some seconds.
    void oneDamagedTimeDoesNotStretchAFile() {
        const auto whole = writeTrace(someTimes({2000, 3000, 4000, 5000}), {.compression = Compression::None});
        QCOMPARE(timesOf(whole).ticks, (std::vector<std::int64_t>{2000, 3000, 4000, 5000}));
        for (const std::int64_t from : {2000, 4000, 5000}) {
            auto file = whole;
            setTime(file, from, from | std::int64_t{1} << 60);
            const auto read = timesOf(file);
            QCOMPARE(read.ticks.size(), std::size_t{4});
            QVERIFY(*std::max_element(read.ticks.begin(), read.ticks.end()) <= 5000);
            QVERIFY(!read.health.totalsAreBounds());
            QCOMPARE(read.health.notes,
                     std::vector<std::string>{"The time of 1 record is damaged: far outside the trace, or far from the "
                                              "neighbouring records. It is treated as simultaneous with the preceding "
                                              "record."});
        }
    }
};

HIGHWATER_TEST(RecordTimesTest);
#include "record_times_test.moc"
