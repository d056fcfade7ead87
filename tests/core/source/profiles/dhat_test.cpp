#include "core/source/profiles/dhat.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

constexpr std::string_view kDhatFile =
    R"json({"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true
,"cmd":"./app --x","pid":42,"te":1000,"tg":900
,"pps":[{"tb":100000,"tbk":100,"tl":5,"mb":1,"mbk":1,"gb":1,"gbk":1,"eb":40000,"ebk":40,"rb":0,"wb":1,"acc":[-992,100]
        ,"fs":[1,2,3]}
       ,{"tb":64,"tbk":2,"tl":5,"eb":0,"ebk":0,"fs":[3]}]
,"ftbl":["[root]","0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat.so)","0x109164: leakOne(int) (a.cc:4)","0x1: ???"]})json";

std::string dhatWith(std::string_view what, std::string_view by) {
    std::string text(kDhatFile);
    const auto at = text.find(what);
    return at == std::string::npos ? "not there" : text.replace(at, what.size(), by);
}

} // namespace

class DhatTest : public QObject {
    Q_OBJECT
  private slots:
    void readsWhatWasAllocatedAndWhatIsLeft() {
        const auto opened = openText(kDhatFile);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("40000 outstanding, 60000 freed, 64 freed"));
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{40});
        QCOMPARE(opened.trace->columns->heap.rows.objects(1), std::uint64_t{60});
        QCOMPARE(opened.trace->columns->heap.rows.objects(2), std::uint64_t{2});
        QCOMPARE(framesOf(*opened.trace, 0),
                 (Frames{"vgpreload_dhat.so!malloc", "[unknown]!leakOne(int) a.cc:4", "?"}));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (42)"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void saysWhatItDoesNotRead() {
        QCOMPARE(openText(dhatWith("Version\":2", "Version\":3")).error,
                 std::string("a.file is a file of DHAT of version 3: Highwater reads version 2."));
        QCOMPARE(openText(dhatWith("\"heap\"", "\"copy\"")).error,
                 std::string("a.file is a file of DHAT in another mode than heap: it is about no heap."));
        QCOMPARE(openText(kDhatFile.substr(0, 30)).error,
                 std::string("a.file is cut off or damaged: there is nothing to read."));
        QCOMPARE(openText(kDhatFile.substr(0, kDhatFile.size() / 2)).error,
                 std::string("a.file is cut off or damaged: it lacks the names of its frames."));
    }
    void leavesOutWhatIsDamaged_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::newRow("negative") << "\"tb\":64"
                                  << "\"tb\":-64";
        QTest::newRow("more left than allocated") << "\"eb\":0"
                                                  << "\"eb\":100";
        QTest::newRow("no machine has it") << "\"tb\":64"
                                           << "\"tb\":18446744073709551615";
        QTest::newRow("unknown frame") << "\"fs\":[3]}"
                                       << "\"fs\":[99,3]}";
    }
    void leavesOutWhatIsDamaged() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        const auto opened = openText(dhatWith(what.toStdString(), by.toStdString()));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"Damaged parts of a.file that were left out: 1."});
    }
    /// A stack of the machine is no place for what a file nests.
    void readsNoDeepNesting() {
        QVERIFY(!openText(dhatWith("\"acc\":[-992,100]", "\"acc\":" + std::string(100'000, '['))).error.empty());
    }
};

HIGHWATER_TEST(DhatTest);
#include "dhat_test.moc"
