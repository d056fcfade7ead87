#include "core/source/profiles/pprof.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QStringList>
#include <QTest>

#include <protozero/pbf_writer.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// A profile in the layout of profile.proto, field by field.
class PprofWriter {
  public:
    explicit PprofWriter(const std::vector<std::string>& types, const std::string& period = {}) {
        if (!period.empty()) {
            protozero::pbf_writer(writer_, 11).add_int64(1, text(period));
            writer_.add_int64(12, 1);
        }
        for (const auto& type : types)
            addType(type, type == "allocations" ? "count" : "bytes");
    }
    void addType(const std::string& type, const std::string& unit) {
        protozero::pbf_writer message(writer_, 1);
        message.add_int64(1, text(type));
        message.add_int64(2, text(unit));
    }
    void setDuration(std::int64_t nanoseconds) { writer_.add_int64(10, nanoseconds); }
    void setDefaultType(const std::string& type) { writer_.add_int64(14, text(type)); }
    void addMapping(std::uint64_t id, const std::string& file) {
        protozero::pbf_writer message(writer_, 3);
        message.add_uint64(1, id);
        message.add_int64(5, text(file));
    }
    void addFunction(std::uint64_t id, const std::string& name, const std::string& file) {
        protozero::pbf_writer message(writer_, 5);
        message.add_uint64(1, id);
        message.add_int64(2, text(name));
        message.add_int64(4, text(file));
    }
    /// Functions and lines, inlined ones first.
    void addLocation(std::uint64_t id, std::uint64_t mapping, std::uint64_t address,
                     const std::vector<std::pair<std::uint64_t, std::int64_t>>& lines) {
        protozero::pbf_writer message(writer_, 4);
        message.add_uint64(1, id);
        message.add_uint64(2, mapping);
        message.add_uint64(3, address);
        for (const auto& [function, line] : lines) {
            protozero::pbf_writer of(message, 4);
            of.add_uint64(1, function);
            of.add_int64(2, line);
        }
    }
    void addSample(const std::vector<std::uint64_t>& locations, const std::vector<std::int64_t>& values) {
        protozero::pbf_writer message(writer_, 2);
        message.add_packed_uint64(1, locations.begin(), locations.end());
        message.add_packed_int64(2, values.begin(), values.end());
    }
    /// The texts come after everything that needs them, as some tools write them.
    [[nodiscard]] std::string bytes() const {
        auto all = bytes_;
        protozero::pbf_writer writer(all);
        for (const auto& text : texts_)
            writer.add_string(6, text);
        return all;
    }

  private:
    std::int64_t text(const std::string& text) {
        texts_.push_back(text);
        return static_cast<std::int64_t>(texts_.size()) - 1;
    }

    std::string bytes_;
    protozero::pbf_writer writer_{bytes_};
    std::vector<std::string> texts_{""};
};

PprofWriter ofGo() {
    PprofWriter writer({"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"});
    writer.addMapping(1, "/srv/app");
    writer.addFunction(7, "main.leak", "/src/leak.go");
    writer.addFunction(8, "main.main", "/src/main.go");
    writer.addLocation(1, 1, 0x401000, {{7, 12}});
    writer.addLocation(2, 1, 0x402000, {{8, 30}});
    return writer;
}

std::uint64_t objectsOf(const ProfileTrace& opened, RowId row) { return opened.trace->columns->heap.rows.objects(row); }

/// "5 of 100 outstanding, ...": objects and bytes of the rows in their order.
std::string rowsOf(const ProfileTrace& opened) {
    if (opened.trace == nullptr) return opened.error;
    std::string text;
    for (RowId row = 0; row < opened.trace->heap.rows; ++row)
        text += (row == 0 ? "" : ", ") + std::to_string(objectsOf(opened, row)) + " of " +
                std::to_string(opened.trace->heap.size(row)) +
                (opened.trace->heap.end(row) == kNever ? " outstanding" : " freed");
    return text;
}

/// Two stacks: one that grew, and one whose blocks are gone.
ProfileTrace ofTypes(const std::vector<std::string>& types, const std::vector<std::int64_t>& grew,
                     const std::vector<std::int64_t>& gone) {
    PprofWriter writer(types);
    writer.addFunction(1, "main", "");
    writer.addLocation(1, 0, 0, {{1, 1}});
    writer.addSample({1}, grew);
    writer.addSample({}, gone);
    return openText(writer.bytes(), "heap.pb");
}

} // namespace

class PprofTest : public QObject {
    Q_OBJECT
  private slots:
    /// A code location has one name, whether a stack begins with it or goes through it.
    void namesEachPlaceOnceWhateverTheAddresses_data() {
        QTest::addColumn<QList<qulonglong>>("addresses"); // root, caller and two functions that allocate
        QTest::newRow("none") << QList<qulonglong>{0, 0, 0, 0};
        QTest::newRow("rising") << QList<qulonglong>{10, 11, 12, 13};
        QTest::newRow("falling") << QList<qulonglong>{13, 12, 11, 10};
        QTest::newRow("one") << QList<qulonglong>{10, 10, 10, 10};
        QTest::newRow("apart") << QList<qulonglong>{0x1000, 0x2000, 0x3000, 0x4000};
    }
    void namesEachPlaceOnceWhateverTheAddresses() {
        QFETCH(QList<qulonglong>, addresses);
        PprofWriter writer({"inuse_space"});
        writer.addMapping(1, "/srv/app");
        for (std::uint64_t id = 1; id <= 4; ++id) {
            const std::string names[] = {"root", "caller", "leafA", "leafB"};
            writer.addFunction(id, names[id - 1], "");
            const std::uint64_t location[] = {4, 1, 3, 2};
            writer.addLocation(location[id - 1], 1, addresses[static_cast<int>(id) - 1], {{id, 1}});
        }
        writer.addSample({3, 1, 4}, {1000});
        writer.addSample({2, 4}, {5000});
        const auto opened = openText(writer.bytes(), "heap.pb");
        QCOMPARE(opened.trace->heap.rows, RowId{2});
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!leafA", "app!caller", "app!root"}));
        QCOMPARE(framesOf(*opened.trace, 1), (Frames{"app!leafB", "app!root"}));
        std::map<Address, std::string> places; // as they are in stacks
        const auto& stacks = opened.trace->columns->stacks;
        for (RowId row = 0; row < 2; ++row) {
            auto node = opened.trace->leaf(opened.trace->heap.site(row).stack);
            for (const auto& name : framesOf(*opened.trace, row)) {
                QCOMPARE(places.emplace(stacks.node(node).address, name).first->second, name);
                node = stacks.node(node).parent;
            }
        }
    }
    /// A frame without a name shows the address in the file, and never the name of a neighbour.
    void showsAddressesOfWhatHasNoName_data() {
        QTest::addColumn<qulonglong>("named");
        for (qulonglong named = 0x2000 - 3; named <= 0x2000 + 3; ++named)
            QTest::addRow("0x%llx", named) << named;
    }
    void showsAddressesOfWhatHasNoName() {
        QFETCH(qulonglong, named);
        for (const bool isFirst : {true, false}) {
            PprofWriter writer({"inuse_space"});
            writer.addMapping(1, "/srv/app");
            writer.addFunction(1, "known", "");
            writer.addLocation(1, 1, named, {{1, 1}});
            writer.addLocation(2, 1, 0x2000, {});
            const auto addStacks = [&](const std::vector<std::vector<std::uint64_t>>& stacks) {
                for (const auto& stack : stacks)
                    writer.addSample(stack, {1000});
            };
            isFirst ? addStacks({{1, 2, 1}, {2, 1, 2}}) : addStacks({{2, 1, 2}, {1, 2, 1}});
            const auto opened = openText(writer.bytes(), "heap.pb");
            const RowId ofNamed = isFirst ? 0 : 1, ofUnnamed = isFirst ? 1 : 0;
            QCOMPARE(framesOf(*opened.trace, ofNamed), (Frames{"app!known", "app!?", "app!known"}));
            QCOMPARE(framesOf(*opened.trace, ofUnnamed), (Frames{"app!?", "app!known", "app!?"}));
            QCOMPARE(addressesOf(*opened.trace, ofNamed)[1], Address{0x2000});
            QCOMPARE(addressesOf(*opened.trace, ofUnnamed)[0], Address{0x2000});
            QCOMPARE(addressesOf(*opened.trace, ofUnnamed)[2], Address{0x2000});
            const auto places = addressesOf(*opened.trace, ofNamed);
            QVERIFY(places[0] != Address{0x2000} && places[2] != Address{0x2000});
        }
    }
    /// As `cat` makes them from files with times, which all tools write. pprof refuses them as well.
    void refusesProfilesOneAfterTheOther_data() {
        QTest::addColumn<int>("field");
        QTest::addColumn<int>("times");
        QTest::addColumn<bool>("isOne");
        QTest::newRow("one") << 9 << 1 << true;
        QTest::newRow("two, with times") << 9 << 2 << false;
        QTest::newRow("two, with durations") << 10 << 2 << false;
        QTest::newRow("two, with periods") << 12 << 2 << false;
        QTest::newRow("three") << 9 << 3 << false;
    }
    void refusesProfilesOneAfterTheOther() {
        QFETCH(int, field);
        QFETCH(int, times);
        QFETCH(bool, isOne);
        auto writer = ofGo();
        writer.addSample({1, 2}, {3, 30, 1, 10});
        auto one = writer.bytes();
        protozero::pbf_writer(one).add_int64(static_cast<protozero::pbf_tag_type>(field), 5);
        std::string all;
        for (int i = 0; i < times; ++i)
            all += one;
        QCOMPARE(openText(all, "heap.pb").error,
                 std::string(isOne ? ""
                                   : "heap.pb contains several profiles, and Highwater reads one per file. If they "
                                     "still exist as separate files, go tool pprof -proto FILE1 FILE2 > NEW.pb.gz "
                                     "adds them up."));
    }
    void splitsASampleIntoWhatIsInUseAndWhatWasFreed() {
        auto writer = ofGo();
        writer.addSample({1, 2}, {1'000'000'000, 64'000'000'000, 250'000'000, 16'000'000'000});
        const auto opened = openText(writer.bytes(), "heap.pb");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("16000000000 outstanding, 48000000000 freed"));
        QCOMPARE(objectsOf(opened, 0), std::uint64_t{250'000'000});
        QCOMPARE(objectsOf(opened, 1), std::uint64_t{750'000'000});
        QCOMPARE(framesOf(*opened.trace, 0),
                 (Frames{"app!main.leak /src/leak.go:12", "app!main.main /src/main.go:30"}));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (1)"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void readsWhatIsInUseOnly() {
        PprofWriter writer({"objects", "space"});
        writer.addFunction(1, "leak", "a.js");
        writer.addLocation(1, 0, 0, {{1, 5}});
        writer.addLocation(2, 0, 0, {{1, 9}}); // V8 has no addresses, but places are distinct all the same
        writer.addSample({1}, {3, 300});
        writer.addSample({2}, {1, 50});
        const auto opened = openText(writer.bytes());
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding, 50 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!leak a.js:5"}));
        QCOMPARE(framesOf(*opened.trace, 1), (Frames{"[unknown]!leak a.js:9"}));
        QCOMPARE(opened.health.notes.size(), std::size_t{1});
    }
    /// Go's runtime writes its period before everything else.
    void knowsAProfileByItsTypesWhereverTheyStand() {
        PprofWriter writer({"inuse_objects", "inuse_space"}, "space");
        writer.addSample({}, {3, 300});
        const auto opened = openText(writer.bytes());
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding"));
        QVERIFY(!openText("\"a\",\"b\"\nZ\x02hi").error.empty()); // not fields of a profile
    }
    void readsInlinedFunctions() {
        auto writer = ofGo();
        writer.addLocation(3, 1, 0x403000, {{7, 1}, {8, 2}});
        writer.addSample({3}, {1, 10, 1, 10});
        QCOMPARE(framesOf(*openText(writer.bytes()).trace, 0),
                 (Frames{"app!main.leak /src/leak.go:1 < main.main /src/main.go:2"}));
    }
    void passesOverAFieldOfAnotherWireType() {
        auto writer = ofGo();
        writer.addSample({1, 2}, {4, 64, 1, 16});
        auto bytes = writer.bytes();
        protozero::pbf_writer(bytes).add_uint64(6, 200); // the text table does not contain numbers
        const auto opened = openText(bytes);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("16 outstanding, 48 freed"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void refusesProfilesOfSomethingElse() {
        PprofWriter writer({"samples", "cpu"});
        writer.addSample({}, {1, 10});
        QCOMPARE(openText(writer.bytes(), "cpu.pb").error,
                 std::string("cpu.pb is a pprof CPU profile, not a heap profile. Its sample types are: samples, cpu."));
    }
    void namesWhatIsNoHeapProfile_data() {
        QTest::addColumn<QStringList>("types");
        QTest::addColumn<QString>("kind");
        QTest::newRow("Go: mutex, block") << QStringList{"contentions", "delay"} << "a pprof contention profile";
        QTest::newRow("Go: goroutine") << QStringList{"goroutine"} << "a pprof goroutine profile";
        QTest::newRow("Go: threads") << QStringList{"threadcreate"} << "a pprof thread creation profile";
        QTest::newRow("Node") << QStringList{"sample", "wall"} << "a pprof wall-clock profile";
        QTest::newRow("Datadog") << QStringList{"cpu-time", "cpu-samples"} << "a pprof CPU profile";
        QTest::newRow("Java: live objects") << QStringList{"live"} << "counts objects but not bytes";
        QTest::newRow("Ruby") << QStringList{"cpu-time", "alloc-samples"} << "counts objects but not bytes";
        QTest::newRow("GPU") << QStringList{"gpu-space"} << "not a heap profile";
        QTest::newRow("tcmalloc: lifetimes")
            << QStringList{"allocated_objects", "allocated_space", "deallocated_objects", "deallocated_space"}
            << "allocation lifetime profile";
        QTest::newRow("others") << QStringList{"files"} << "not a heap profile";
    }
    void namesWhatIsNoHeapProfile() {
        QFETCH(QStringList, types);
        QFETCH(QString, kind);
        std::vector<std::string> names;
        for (const auto& type : types)
            names.push_back(type.toStdString());
        PprofWriter writer(names);
        writer.addSample({}, std::vector<std::int64_t>(names.size(), 1));
        const auto error = QString::fromStdString(openText(writer.bytes()).error);
        QVERIFY2(error.contains(kind), qPrintable(error));
        QVERIFY2(error.endsWith("Its sample types are: " + types.join(", ") + '.'), qPrintable(error));
    }
    /// In use, and allocated: 60 objects of 60,000 bytes in use; 40 of 40,000 and 900 of 9,000 were freed.
    void readsTheTypesOfOtherTools_data() {
        QTest::addColumn<QStringList>("types");
        const auto order = [](const char* tool, QStringList types) { QTest::newRow(tool) << types; };
        order("Go", {"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"});
        order("Perfetto: malloc",
              {"Total malloc count", "Total malloc size", "Unreleased malloc count", "Unreleased malloc size"});
        order("Perfetto: another heap", {"Total count", "Total size", "Unreleased count", "Unreleased size"});
        order("Perfetto: a named heap",
              {"Total my.heap count", "Total my.heap size", "Unreleased my.heap count", "Unreleased my.heap size"});
        order("ddprof", {"alloc-samples", "alloc-space", "inuse-objects", "inuse-space"});
        order("Datadog: Ruby", {"alloc-samples", "alloc-size", "heap-live-samples", "heap-live-size"});
        order("Datadog: .NET", {"alloc-samples", "alloc-size", "inuse-objects", "inuse-space"});
    }
    void readsTheTypesOfOtherTools() {
        QFETCH(QStringList, types);
        std::vector<std::string> names;
        for (const auto& type : types)
            names.push_back(type.toStdString());
        const auto opened = ofTypes(names, {100, 100'000, 60, 60'000}, {900, 9'000, 0, 0});
        QCOMPARE(rowsOf(opened), std::string("60 of 60000 outstanding, 40 of 40000 freed, 900 of 9000 freed"));
        QVERIFY(!opened.health.totalsAreBounds());
        QVERIFY(opened.health.notes.empty());
        QVERIFY(!opened.lacks.counts);
    }
    void readsTypesOfMemoryInUseOnly_data() {
        QTest::addColumn<QStringList>("types");
        QTest::newRow("V8, tcmalloc") << QStringList{"objects", "space"};
        QTest::newRow("JAX") << QStringList{"allocations", "space"};
        QTest::newRow("Parca") << QStringList{"inuse_objects", "inuse_space"};
        QTest::newRow("Java") << QStringList{"heap-live-samples", "heap-live-size"};
    }
    void readsTypesOfMemoryInUseOnly() {
        QFETCH(QStringList, types);
        const auto opened = ofTypes({types[0].toStdString(), types[1].toStdString()}, {3, 300}, {1, 50});
        QCOMPARE(rowsOf(opened), std::string("3 of 300 outstanding, 1 of 50 outstanding"));
        QCOMPARE(opened.health.notes.size(), std::size_t{1});
        QVERIFY(!opened.lacks.counts);
    }
    void hasNoCountsWhereOnlyBytesAreKnown() {
        const auto opened = ofTypes({"inuse_space"}, {300}, {50}); // jemalloc_pprof
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding, 50 outstanding"));
        QVERIFY(opened.lacks.counts);
        // Python: the number of objects in use is missing
        const auto python = ofTypes({"alloc-samples", "alloc-space", "heap-space"}, {5, 500, 300}, {1, 50, 0});
        QCOMPARE(sizesOf(*python.trace), std::string("300 outstanding, 200 freed, 50 freed"));
        QVERIFY(python.lacks.counts);
    }
    void readsMemoryBesideOtherTypes() {
        PprofWriter writer({"cpu-time", "inuse-objects", "inuse-space"});
        writer.addSample({}, {1'000'000, 0, 0});
        writer.addSample({}, {0, 2, 64});
        const auto opened = openText(writer.bytes(), "all.pb");
        QCOMPARE(rowsOf(opened), std::string("2 of 64 outstanding"));
        QCOMPARE(opened.health.notes.back(), std::string("Sample types of all.pb that are not shown: cpu-time."));
    }
    void readsUnits() {
        PprofWriter writer({});
        writer.addType("inuse_objects", "count");
        writer.addType("inuse_space", "kilobytes");
        writer.addSample({}, {2, 3});
        writer.addSample({}, {1, std::int64_t{1} << 60}); // does not fit
        const auto opened = openText(writer.bytes());
        QCOMPARE(rowsOf(opened), std::string("2 of 3072 outstanding"));
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"1 damaged part was skipped in a.file."});
    }
    /// It is unknown which of them are in use: they count as freed, and health reports that.
    void readsAllocationsAlone_data() {
        QTest::addColumn<QStringList>("types");
        QTest::newRow("Go, Pyroscope") << QStringList{"alloc_objects", "alloc_space"};
        QTest::newRow("Perfetto: ART") << QStringList{"Total allocation count", "Total allocation size"};
        QTest::newRow("Java: TLAB") << QStringList{"alloc_in_new_tlab_objects", "alloc_in_new_tlab_bytes"};
        QTest::newRow("Java: samples") << QStringList{"alloc_sample_objects", "alloc_sample_bytes"};
        QTest::newRow("Java: malloc") << QStringList{"malloc_objects", "malloc_bytes"};
        QTest::newRow("PHP") << QStringList{"alloc-samples", "alloc-size"};
    }
    void readsAllocationsAlone() {
        QFETCH(QStringList, types);
        const auto opened = ofTypes({types[0].toStdString(), types[1].toStdString()}, {3, 300}, {1, 50});
        QCOMPARE(rowsOf(opened), std::string("3 of 300 freed, 1 of 50 freed"));
        QVERIFY(opened.health.totalsAreBounds());
        QVERIFY2(opened.health.remarks.front().find("does not show which of them are in use") != std::string::npos,
                 opened.health.remarks.front().c_str());
    }
    void sumsUpWhatJavaAllocatesInBuffersOfThreadsAndOutside() {
        PprofWriter writer({"alloc_in_new_tlab_bytes", "alloc_outside_tlab_bytes"});
        writer.addSample({}, {300, 7});
        QCOMPARE(sizesOf(*openText(writer.bytes()).trace), std::string("307 freed"));
    }
    /// Allocations of 30 s look like memory in use, except for the type that is shown first.
    void knowsAllocationProfilesOfTcmalloc() {
        PprofWriter writer({"objects", "space"});
        writer.setDuration(30'000'000'000);
        writer.setDefaultType("objects");
        writer.addSample({}, {3, 300});
        QCOMPARE(rowsOf(openText(writer.bytes())), std::string("3 of 300 freed"));
        PprofWriter heap({"objects", "space"});
        heap.setDefaultType("space");
        heap.addSample({}, {3, 300});
        QCOMPARE(rowsOf(openText(heap.bytes())), std::string("3 of 300 outstanding"));
    }
    /// A dump has the types of allocations, but all of its objects are in use.
    void knowsHeapDumpsOfPerfetto() {
        PprofWriter writer({"Total allocation count", "Total allocation size"});
        writer.addFunction(1, "App [ROOT_JAVA_FRAME]", "");
        writer.addLocation(1, 0, 0, {{1, 0}});
        writer.addSample({1}, {3, 300});
        QCOMPARE(rowsOf(openText(writer.bytes())), std::string("3 of 300 outstanding"));
    }
    /// A decrease cannot be outstanding: it is counted, and the file is not damaged.
    void readsDifferences() {
        auto writer = ofGo();
        writer.addSample({1, 2}, {10, 10'240, 10, 10'240});
        writer.addSample({2}, {5, 5'120, -20, -20'480});
        writer.addSample({1}, {0, 0, -100, -1'048'576});
        const auto opened = openText(writer.bytes(), "delta.pb");
        QCOMPARE(rowsOf(opened), std::string("10 of 10240 outstanding, 5 of 5120 freed"));
        QVERIFY(opened.health.totalsAreBounds());
        QCOMPARE(
            opened.health.remarks,
            std::vector<std::string>{
                "delta.pb is a difference of two profiles. Memory in use is 1,069,056 bytes (120 objects) lower in 2 "
                "stacks and 10,240 bytes (10 objects) higher in 1 stack; only increases are shown. To see both, "
                "compare the two original profiles (highwater-cli diff BEFORE --with AFTER)."});
    }
    /// pprof -diff_base writes each stack twice: negated, as it was before, and as it is now.
    void readsDifferencesThatHoldBothSides() {
        auto writer = ofGo();
        writer.addSample({1, 2}, {50, 5'000, 30, 3'000});
        writer.addSample({2}, {9, 900, 2, 200});
        writer.addSample({1, 2}, {-20, -2'000, -10, -1'000});
        writer.addSample({2}, {-9, -900, -9, -900});
        const auto opened = openText(writer.bytes());
        QCOMPARE(rowsOf(opened), std::string("20 of 2000 outstanding, 10 of 1000 freed"));
        QVERIFY2(opened.health.remarks.front().find(
                     "700 bytes (7 objects) lower in 1 stack and 2,000 bytes (20 objects) higher "
                     "in 1 stack") != std::string::npos,
                 opened.health.remarks.front().c_str());
    }
    void readsDifferencesOfAllocationsThatFell() {
        const auto opened = ofTypes({"alloc_objects", "alloc_space"}, {1, 10}, {-4, -40});
        QCOMPARE(rowsOf(opened), std::string("1 of 10 freed"));
        QVERIFY2(opened.health.remarks.back().find("Allocations are below zero in 1 stack, by 40 bytes (4 objects)") !=
                     std::string::npos,
                 opened.health.remarks.back().c_str());
    }
    /// Writers round each number separately: a byte less allocated than in use is not an error.
    void readsDifferencesThatWereRounded() {
        const auto opened = ofTypes({"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"},
                                    {10, 10'239, 10, 10'240}, {7, 700, -1, -100});
        QCOMPARE(rowsOf(opened), std::string("10 of 10240 outstanding, 7 of 700 freed"));
    }
    /// Allocations of the last 15 s beside all memory in use.
    void doesNotMixAllocationsOfAnotherSpanWithMemoryInUse() {
        PprofWriter writer({"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"});
        writer.addSample({}, {2, 2'000, 500, 500'000});
        writer.addSample({}, {900, 90'000, 1, 100});
        const auto opened = openText(writer.bytes(), "interval.pb");
        QCOMPARE(rowsOf(opened), std::string("500 of 500000 outstanding, 1 of 100 outstanding"));
        QVERIFY(!opened.health.totalsAreBounds());
        QCOMPARE(
            opened.health.notes,
            std::vector<std::string>{
                "Allocations in interval.pb cover a different time span than memory in use because 1 stack has less "
                "allocated than in use. Only memory in use is shown; 92,000 bytes of allocations (902 objects) are "
                "left out."});
    }
    /// Estimates of objects may contradict each other where a stack allocates several sizes.
    void takesMoreObjectsInUseThanAllocatedAsAnEstimate() {
        const auto opened =
            ofTypes({"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}, {1, 10, 2, 10}, {0, 0, 0, 0});
        QCOMPARE(rowsOf(opened), std::string("2 of 10 outstanding"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    /// A stack of a service that runs for months.
    void keepsAllocationsOfMoreBytesThanAMachineHas() {
        constexpr std::int64_t kAllocated = std::int64_t{20} << 40;
        const auto opened = ofTypes({"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"},
                                    {1000, kAllocated + 100, 10, 100}, {0, 0, 0, 0});
        std::uint64_t bytes = 0, objects = 0;
        for (RowId row = 0; row < opened.trace->heap.rows; ++row) {
            bytes += opened.trace->heap.size(row);
            objects += objectsOf(opened, row);
        }
        QCOMPARE(bytes, static_cast<std::uint64_t>(kAllocated + 100));
        QCOMPARE(objects, std::uint64_t{1000});
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void keepsWhatComesBeforeADamagedPart() {
        auto writer = ofGo();
        writer.addSample({1, 2}, {1, 10, 1, 10});
        const auto bytes = writer.bytes() + "\x32\x7f cut"; // a text that is longer than the file
        const auto opened = openText(bytes);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("10 outstanding"));
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"a.file is cut off or damaged; the rest is missing."});
    }
    void leavesOutWhatIsDamaged_data() {
        QTest::addColumn<QList<qint64>>("values");
        QTest::newRow("no machine has it") << QList<qint64>{1, qint64{1} << 62, 1, 10};
        QTest::newRow("too few") << QList<qint64>{1, 10};
    }
    void leavesOutWhatIsDamaged() {
        QFETCH(QList<qint64>, values);
        auto writer = ofGo();
        writer.addSample({1}, {1, 10, 1, 10});
        writer.addSample({1}, {values.begin(), values.end()});
        const auto opened = openText(writer.bytes());
        QCOMPARE(sizesOf(*opened.trace), std::string("10 outstanding"));
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"1 damaged part was skipped in a.file."});
    }
    void countsFramesThatPointToNothing() {
        auto writer = ofGo();
        writer.addSample({1, 99}, {1, 10, 1, 10});
        const auto opened = openText(writer.bytes());
        QCOMPARE(framesOf(*opened.trace, 0).size(), std::size_t{1});
        QVERIFY(opened.health.totalsAreBounds());
    }
    void isNotFooledByOtherBytes() {
        QCOMPARE(openText("\n\x04plain text that begins like a message").trace, nullptr);
        QCOMPARE(openText("").trace, nullptr);
        for (std::size_t bytes = 0; bytes < ofGo().bytes().size(); ++bytes)
            (void)openText(ofGo().bytes().substr(0, bytes)); // reports an error, or opens
    }
};

HIGHWATER_TEST(PprofTest);
#include "pprof_test.moc"
