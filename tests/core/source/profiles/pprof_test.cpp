#include "core/source/profiles/pprof.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <protozero/pbf_writer.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// A profile as profile.proto has it, field by field.
class PprofWriter {
  public:
    explicit PprofWriter(const std::vector<std::string>& types, const std::string& period = {}) {
        if (!period.empty()) {
            protozero::pbf_writer(writer_, 11).add_int64(1, text(period));
            writer_.add_int64(12, 1);
        }
        for (const auto& type : types) {
            protozero::pbf_writer message(writer_, 1);
            message.add_int64(1, text(type));
            message.add_int64(2, text("bytes"));
        }
    }
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
    /// Functions and lines, what was inlined first.
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
    /// The texts stand behind all that needs them, as some tools have it.
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

} // namespace

class PprofTest : public QObject {
    Q_OBJECT
  private slots:
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
        writer.addLocation(2, 0, 0, {{1, 9}}); // V8 has no addresses: places are told apart all the same
        writer.addSample({1}, {3, 300});
        writer.addSample({2}, {1, 50});
        const auto opened = openText(writer.bytes());
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding, 50 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!leak a.js:5"}));
        QCOMPARE(framesOf(*opened.trace, 1), (Frames{"[unknown]!leak a.js:9"}));
        QCOMPARE(opened.health.notes.size(), std::size_t{1});
    }
    /// Go's runtime says its period before all else.
    void knowsAProfileByItsTypesWhereverTheyStand() {
        PprofWriter writer({"inuse_objects", "inuse_space"}, "space");
        writer.addSample({}, {3, 300});
        const auto opened = openText(writer.bytes());
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding"));
        QVERIFY(!openText("\"a\",\"b\"\nZ\x02hi").error.empty()); // fields of no profile
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
        protozero::pbf_writer(bytes).add_uint64(6, 200); // the table of texts holds no numbers
        const auto opened = openText(bytes);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("16 outstanding, 48 freed"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void refusesProfilesOfSomethingElse() {
        PprofWriter writer({"samples", "cpu"});
        writer.addSample({}, {1, 10});
        QCOMPARE(openText(writer.bytes(), "cpu.pb").error,
                 std::string("cpu.pb is a profile of pprof, but of no heap: it says samples, cpu."));
    }
    void leavesOutWhatIsDamaged_data() {
        QTest::addColumn<QList<qint64>>("values");
        QTest::newRow("negative") << QList<qint64>{1, -10, 1, 10};
        QTest::newRow("more in use than allocated") << QList<qint64>{1, 10, 2, 10};
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
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"Damaged parts of a.file that were left out: 1."});
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
            (void)openText(ofGo().bytes().substr(0, bytes)); // says something, or opens
    }
};

HIGHWATER_TEST(PprofTest);
#include "pprof_test.moc"
