#include "core/source/profiles/v8_heap_profile.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// As node 20 writes it: nested calls, lines from 0.
constexpr std::string_view kV8File =
    R"json({"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},
"selfSize":7,"id":1,"children":[{"callFrame":{"functionName":"","scriptId":"80","url":"node:a","lineNumber":-1,"columnNumber":-1},
"selfSize":0,"id":3,"children":[{"callFrame":{"functionName":"leak","scriptId":"81","url":"/srv/a.js","lineNumber":4,"columnNumber":2},
"selfSize":2512016,"id":4,"children":[]},{"callFrame":{"functionName":"other","scriptId":"81","url":"/srv/a.js","lineNumber":9,
"columnNumber":2},"selfSize":64,"id":5,"children":[]}]}]},"samples":[{"size":2512016,"nodeId":4,"ordinal":1}]})json";

std::string v8With(std::string_view what, std::string_view by) {
    std::string text(kV8File);
    const auto at = text.find(what);
    return at == std::string::npos ? "not there" : text.replace(at, what.size(), by);
}

} // namespace

class V8HeapProfileTest : public QObject {
    Q_OBJECT
  private slots:
    void readsBytesInUseOfEachStack() {
        const auto opened = openText(kV8File, "a.heapprofile");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("2512016 outstanding, 64 outstanding, 7 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!leak /srv/a.js:5", "[unknown]!(anonymous) node:a:0"}));
        QCOMPARE(framesOf(*opened.trace, 1),
                 (Frames{"[unknown]!other /srv/a.js:10", "[unknown]!(anonymous) node:a:0"}));
        QCOMPARE(framesOf(*opened.trace, 2), Frames()); // the root is not a call
        QVERIFY(!opened.health.totalsAreBounds());
        QCOMPARE(opened.health.notes.size(), std::size_t{1});
    }
    void readsWhatIsPrintedWithBlanks() {
        const auto opened = openText("\n" + v8With("{\"head\":{\"callFrame\":", "{ \"head\": {\n  \"callFrame\" : "));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(opened.trace->heap.rows, RowId{3});
    }
    /// The answer of HeapProfiler.stopSampling, written unchanged.
    void readsWhatTheDebuggersProtocolAnswers() {
        const auto opened = openText("{\"profile\": " + std::string(kV8File) + "}");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("2512016 outstanding, 64 outstanding, 7 outstanding"));
        QVERIFY(!openText(R"({"other": {"head":{"callFrame":{}}}})").error.empty());
    }
    void readsWhatThereIsOfACutFile() {
        for (auto size = kV8File.find(",\"id\":4"); size < kV8File.size(); ++size) {
            const auto opened = openText(kV8File.substr(0, size));
            QCOMPARE(opened.error, std::string());
            QVERIFY(sizesOf(*opened.trace).starts_with("2512016 outstanding"));
            QCOMPARE(opened.health.remarks,
                     std::vector<std::string>{"a.file is cut off or damaged; the rest is missing."});
        }
        QCOMPARE(openText(kV8File.substr(0, 60)).error,
                 std::string("a.file is cut off or damaged and contains no allocations."));
    }
    void leavesOutWhatIsDamaged_data() {
        QTest::addColumn<QString>("size");
        QTest::newRow("negative") << "-5";
        QTest::newRow("no machine has it") << "9000000000000000000";
        QTest::newRow("no number of bytes") << "1e300";
    }
    void leavesOutWhatIsDamaged() {
        QFETCH(QString, size);
        const auto opened = openText(v8With("2512016", size.toStdString()));
        QCOMPARE(sizesOf(*opened.trace), std::string("64 outstanding, 7 outstanding"));
        QVERIFY(opened.health.totalsAreBounds());
    }
    void endsWhereCallsAreDeeperThanAnyStack() {
        std::string text(R"json({"head":{"callFrame":{},"selfSize":1)json");
        for (int i = 0; i < 2000; ++i)
            text += R"json(,"children":[{"callFrame":{"functionName":"f"},"selfSize":1)json";
        const auto opened = openText(text);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(opened.trace->heap.rows, RowId{1024});
        QVERIFY(opened.health.totalsAreBounds());
    }
};

HIGHWATER_TEST(V8HeapProfileTest);
#include "v8_heap_profile_test.moc"
