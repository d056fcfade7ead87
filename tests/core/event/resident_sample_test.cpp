#include "core/event/resident_sample.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <limits>
#include <random>
#include <utility>

using namespace highwater;

namespace {

using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>; // first page, pages

Runs listOf(const ResidentRuns& runs) {
    Runs list;
    runs.each([&](std::uint64_t first, std::uint64_t pages) { list.emplace_back(first, pages); });
    return list;
}

Mapping mapping(Address begin, Address end) {
    Mapping made;
    made.begin = begin;
    made.end = end;
    return made;
}

ResidentSample sampleOf(std::vector<Mapping> mappings) {
    ResidentSample sample;
    sample.names = {"", "[heap]"};
    sample.mappings = std::move(mappings);
    return sample;
}

} // namespace

class ResidentSampleTest : public QObject {
    Q_OBJECT

  private slots:
    void runsAreReadAsTheyWereAppended() {
        std::mt19937_64 random(7);
        for (int round = 0; round < 200; ++round) {
            ResidentRuns runs;
            Runs expected;
            std::uint64_t page = 0;
            for (int i = 0; i < 50; ++i) {
                const auto skipped = random() % 4 == 0 ? random() % 100'000 : random() % 3;
                const auto pages = 1 + random() % (random() % 9 == 0 ? 1'000'000 : 5);
                runs.append(skipped, pages);
                expected.emplace_back(page + skipped, pages);
                page += skipped + pages;
            }
            QVERIFY(listOf(runs) == expected);
            QVERIFY(runs.isWithin(page));
            QVERIFY(!runs.isWithin(page - 1));
            QVERIFY(ResidentRuns::fromCoded(runs.coded()) == runs);
        }
    }
    void runsOfFilesAreChecked() {
        ResidentRuns runs;
        runs.append(1, 2);
        auto coded = runs.coded();
        QVERIFY(ResidentRuns::fromCoded(coded).isWithin(3));
        QVERIFY(!ResidentRuns::fromCoded(coded + '\x01').isWithin(100));       // the length is missing
        QVERIFY(!ResidentRuns::fromCoded(coded + "\x80").isWithin(100));       // the number does not end
        QVERIFY(!ResidentRuns::fromCoded(std::string(2, '\0')).isWithin(100)); // no pages
        QVERIFY(!ResidentRuns::fromCoded(std::string(30, '\xFF')).isWithin(std::numeric_limits<std::uint64_t>::max()));
        ResidentRuns huge;
        huge.append(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max());
        QVERIFY(!huge.isWithin(1000));
    }
    void rssOfTheProgramIsWithoutTheAgent() {
        ResidentSample sample;
        sample.names = {"[heap]", "/memfd:highwater-agent (deleted)", "[anon:highwater-agent]",
                        "/opt/libhighwater-agent.so", ""};
        for (std::uint32_t name = 0; name < sample.names.size(); ++name) {
            Mapping mapping;
            mapping.begin = (name + 1) * 0x100000;
            mapping.end = mapping.begin + 0x100000;
            mapping.resident = (ByteCount{1} << name) * kResidentPageBytes;
            mapping.name = name;
            sample.mappings.push_back(mapping);
        }
        QCOMPARE(sample.resident(), 31 * kResidentPageBytes);
        QCOMPARE(sample.residentOfProgram(), (1 + 16) * kResidentPageBytes);
        QCOMPARE(ResidentSample().residentOfProgram(), ByteCount{0});
    }
    void mappingsMustNotOverlapOrHoldMoreThanTheirSize() {
        QVERIFY(isValid(sampleOf({})));
        QVERIFY(isValid(sampleOf({mapping(0x1000, 0x3000), mapping(0x3000, 0x4000)})));
        QVERIFY(!isValid(sampleOf({mapping(0x1000, 0x3000), mapping(0x2000, 0x4000)})));
        QVERIFY(!isValid(sampleOf({mapping(0x3000, 0x4000), mapping(0x1000, 0x2000)})));
        QVERIFY(!isValid(sampleOf({mapping(0x1000, 0x1000)})));
        QVERIFY(!isValid(sampleOf({mapping(0x1000, 0x1800)})));
        auto tooLarge = mapping(0x1000, 0x3000);
        tooLarge.resident = 0x3000;
        QVERIFY(!isValid(sampleOf({tooLarge})));
        auto unnamed = mapping(0x1000, 0x3000);
        unnamed.name = 2;
        QVERIFY(!isValid(sampleOf({unnamed})));
        auto tooManyPages = mapping(0x1000, 0x3000);
        tooManyPages.pages.append(0, 3);
        QVERIFY(!isValid(sampleOf({tooManyPages})));
    }
    void residentIsTheSumOfTheMappings() {
        auto first = mapping(0x1000, 0x3000), second = mapping(0x3000, 0x4000);
        first.resident = 0x2000, first.swapped = 0x1000, second.resident = 0x1000;
        const auto sample = sampleOf({first, second});
        QCOMPARE(sample.resident(), 0x3000u);
        QCOMPARE(sample.swapped(), 0x1000u);
    }
};

HIGHWATER_TEST(ResidentSampleTest);
#include "resident_sample_test.moc"
