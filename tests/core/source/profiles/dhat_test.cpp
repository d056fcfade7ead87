#include "core/source/profiles/dhat.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
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
                 std::string("a.file is a DHAT file with version 3. Highwater reads version 2."));
        QCOMPARE(openText(dhatWith("\"heap\"", "\"copy\"")).error,
                 std::string(
                     "a.file is a DHAT file in mode copy, which counts bytes copied by memcpy and similar functions. "
                     "It is not a heap profile."));
        for (const std::string mode : {"ad-hoc", "rust-ad-hoc"})
            QCOMPARE(openText(dhatWith("\"heap\"", '"' + mode + '"')).error,
                     "a.file is a DHAT file in mode " + mode +
                         ", which counts events that the program reported. It is not a heap profile.");
        QCOMPARE(openText(dhatWith("\"heap\"", "\"moon\"")).error,
                 std::string(
                     "a.file is a DHAT file in mode moon, which Highwater does not read. It is not a heap profile."));
        QCOMPARE(openText(kDhatFile.substr(0, 30)).error,
                 std::string("a.file is cut off or damaged and contains no allocations."));
        QCOMPARE(openText(kDhatFile.substr(0, kDhatFile.size() / 2)).error,
                 std::string("a.file is cut off or damaged: the names of its frames are missing."));
    }
    /// The crate dhat writes a line for each value, with a blank after the colon; other tools write the keys in their
    /// own order, with or without blanks.
    void readsTheCrateOfRustInAllForms_data() {
        QTest::addColumn<std::string>("text");
        const std::string head = R"json("dhatFileVersion": 2, "mode": "rust-heap", "verb": "Allocated", "bklt": true,)json"
                                 R"json( "bkacc": false, "tu": "\u00b5s", "Mtu": "s", "tuth": 10, "cmd": "target/app",)json"
                                 R"json( "pid": 4711, "tg": 100, "te": 200)json";
        const std::string points = R"json("pps": [{"tb": 500000, "tbk": 500, "tl": 10, "mb": 500000, "mbk": 500, "gb": 5,)json"
                                   R"json( "gbk": 5, "eb": 480000, "ebk": 480, "fs": [1, 2]}])json";
        const std::string names = R"json("ftbl": ["[root]", "0x1040: app::Cache::fill (src/cache.rs:12:9)",)json"
                                  R"json( "0x1050: ??? (???:0:0)"])json";
        const auto spread = [](std::string text) {
            for (std::size_t at = 0; at < text.size(); ++at)
                if (std::string_view("{[,").find(text[at]) != std::string_view::npos && text[at + 1] != 'r')
                    text.insert(++at, "\n");
            return text;
        };
        const auto packed = [](std::string text) {
            text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
            return text;
        };
        const auto whole = '{' + head + ", " + points + ", " + names + '}';
        QTest::newRow("as it is written") << spread(whole);
        QTest::newRow("compact") << whole;
        QTest::newRow("without blanks") << packed('{' + head + ", " + points + ", ") + names + '}';
        QTest::newRow("names first") << '{' + names + ", " + head + ", " + points + '}';
        QTest::newRow("points first") << '{' + points + ", " + names + ", " + head + '}';
        QTest::newRow("lines of Windows") << withReturns(spread(whole));
        QTest::newRow("blanks before") << " \n\t" + spread(whole);
    }
    void readsTheCrateOfRustInAllForms() {
        QFETCH(std::string, text);
        const auto opened = openText(text);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("480000 outstanding, 20000 freed"));
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{480});
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!app::Cache::fill src/cache.rs:12", "?"}));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (4711)"));
        QVERIFY(opened.health.remarks.empty());
    }
    void tellsNamesFromPlaces_data() {
        QTest::addColumn<QString>("frame");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* frame, const char* told) { QTest::newRow(frame) << frame << told; };
        row("0x1: keep() (in /srv/my app (beta)/vg)", "vg!keep()");
        row("0x1: Op::operator()(int) const (in /srv/my app (beta)/vg)", "vg!Op::operator()(int) const");
        row("0x1: Op::operator bool() const (in /a/b)", "b!Op::operator bool() const");
        row("0x1: std::function<void (int)>::operator()(int) const (std_function.h:590)",
            "[unknown]!std::function<void (int)>::operator()(int) const std_function.h:590");
        row("0x1: f(void (*)(int)) (in /srv/x (in y)/z)", "z!f(void (*)(int))");
        row("0x1: f(int) (/srv/my app (beta)/x.cpp:5)", "[unknown]!f(int) /srv/my app (beta)/x.cpp:5");
        row("0x1: f(int) (/srv/a) b/x.cpp:5)", "[unknown]!f(int) /srv/a) b/x.cpp:5");
        row("0x1: f(int) (/srv/a (b/x.cpp:5)", "[unknown]!f(int) /srv/a (b/x.cpp:5");
        row("0x1: main::{lambda(int)#1}::operator()(int) const (x.cc:3)",
            "[unknown]!main::{lambda(int)#1}::operator()(int) const x.cc:3");
        row("0x1: (anonymous namespace)::f(int) (x.cc:3)", "[unknown]!(anonymous namespace)::f(int) x.cc:3");
        row("0x1: <fn(i32) -> u32 as core::ops::FnOnce<(i32,)>>::call (C:\\my src (2)\\ops.rs:250:5)",
            "[unknown]!<fn(i32) -> u32 as core::ops::FnOnce<(i32,)>>::call C:\\my src (2)\\ops.rs:250");
        row("0x1: app::lies (C:\\src\\main.rs:12)", "[unknown]!app::lies C:\\src\\main.rs:12");
        row("0x1: größe() (in /srv/Üben/größe)", "größe!größe()");
        row("0x1: f(a:1, b)", "[unknown]!f(a:1, b)");
        row("0x1: f (what: 12x)", "[unknown]!f (what: 12x)");
        row("0x1: app::x (???:0:0)", "[unknown]!app::x");
        row("0x1: f (x.cc:99999999999)", "[unknown]!f x.cc:0");
        row("main", "[unknown]!main");
        row("0x1: ??? (in /a/b.so)", "b.so!?");
        row("0x1: (((((((((( (x.cc:1)", "[unknown]!(((((((((( x.cc:1");
    }
    /// A path contains parentheses and blanks, as function names do.
    void tellsNamesFromPlaces() {
        QFETCH(QString, frame);
        QFETCH(QString, told);
        const auto escaped = QString(frame).replace('\\', "\\\\").toStdString();
        const auto opened = openText(dhatWith("0x109164: leakOne(int) (a.cc:4)", escaped));
        QCOMPARE(framesOf(*opened.trace, 0).at(1), told.toStdString());
    }
    /// valgrind reads inlined calls: two frames with one address.
    void tellsFramesOfOneAddressApart() {
        const auto opened = openText(dhatWith("\"0x1: ???\"", "\"0x109164: main (a.cc:9)\""));
        QCOMPARE(framesOf(*opened.trace, 0),
                 (Frames{"vgpreload_dhat.so!malloc", "[unknown]!leakOne(int) a.cc:4", "[unknown]!main a.cc:9"}));
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
        QCOMPARE(opened.health.remarks, std::vector<std::string>{"1 damaged part was skipped in a.file."});
    }
    /// The nesting of a file must not use up the program's stack.
    void readsNoDeepNesting() {
        QVERIFY(!openText(dhatWith("\"acc\":[-992,100]", "\"acc\":" + std::string(100'000, '['))).error.empty());
    }
};

HIGHWATER_TEST(DhatTest);
#include "dhat_test.moc"
