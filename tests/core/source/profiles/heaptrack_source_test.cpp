#include "core/source/profiles/heaptrack_source.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <zlib.h>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

/// Format 3: strings with a length prefix. Two allocations of 1000 bytes by leak() in main(), one of 64 that is freed.
constexpr std::string_view kHeaptrackFile = "v 10400 3\n"
                                            "X ./app --fast\n"
                                            "I 1000 5e298f\n"
                                            "s 8 /bin/app\n" // 1
                                            "s 4 main\n"     // 2
                                            "s 6 leak()\n"   // 3
                                            "s 4 a.cc\n"     // 4
                                            "s 5 small\n"    // 5
                                            "i 401000 1 2 4 a\n"
                                            "t 1 0\n"
                                            "i 402000 1 5 4 7 3 4 5\n" // small(), inlined into leak()
                                            "t 2 1\n"
                                            "a 3e8 2\n"
                                            "+ 0\n"
                                            "c a\n"
                                            "i 7f0000001234 0\n" // in no module
                                            "t 3 1\n"
                                            "a 40 3\n"
                                            "+ 1\n"
                                            "- 1\n"
                                            "c 14\n"
                                            "+ 0\n"
                                            "c 1e\n"
                                            "R 100\n"
                                            "# strings: 5\n";

std::string heaptrackWith(std::string_view what, std::string_view by) {
    std::string text(kHeaptrackFile);
    const auto at = text.find(what);
    return at == std::string::npos ? "not there" : text.replace(at, what.size(), by);
}

std::vector<std::byte> gzip(std::string_view text) {
    std::vector<std::byte> packed(text.size() + 100);
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string remarksOf(const ProfileTrace& opened) {
    std::string text;
    for (const auto& remark : opened.health.remarks)
        text += remark + '\n';
    return text;
}

} // namespace

class HeaptrackSourceTest : public QObject {
    Q_OBJECT
  private slots:
    void readsEventsWithTheirStacks() {
        const auto opened = openText(kHeaptrackFile, "heaptrack.app.4321.gz");
        QCOMPARE(opened.error, std::string());
        const auto& trace = *opened.trace;
        QCOMPARE(sizesOf(trace), std::string("1000 outstanding, 64 freed, 1000 outstanding"));
        QCOMPARE(framesOf(trace, 0), (Frames{"app!small a.cc:7 < leak() a.cc:5", "app!main a.cc:10"}));
        QCOMPARE(framesOf(trace, 1), (Frames{"?", "app!main a.cc:10"}));
        QCOMPARE(framesOf(trace, 2), framesOf(trace, 0));
        QCOMPARE(trace.processes->key(ProcessIndex{0}), std::string("app (4321)"));
        QCOMPARE((*trace.processes)[ProcessIndex{0}].commandLine, std::string("./app --fast"));
        QVERIFY(!opened.health.totalsAreBounds());
    }
    void givesEventsTheTimeOfTheLastTick() {
        const auto opened = openText(kHeaptrackFile);
        const auto& heap = opened.trace->heap;
        QCOMPARE(heap.begin(0).ns / 1'000'000, std::int64_t{0});
        QCOMPARE(heap.begin(1).ns / 1'000'000, std::int64_t{10});
        QCOMPARE(heap.begin(2).ns / 1'000'000, std::int64_t{20});
        QVERIFY(heap.end(1) > heap.begin(1)); // their order is kept
        QCOMPARE(opened.trace->horizon.ns / 1'000'000, std::int64_t{30});
        QCOMPARE(opened.health.notes.size(), std::size_t{2});
        QVERIFY(opened.health.notes[0].find("10 ms") != std::string::npos);
    }
    /// As heaptrack itself counts temporary blocks: only size and stack distinguish them. Libraries that a program
    /// loads are part of its memory use; a rundown would be part of the recorder's.
    void hasNoRundown() {
        const auto trace = openText(heaptrackWith("c a\ni 7f0000001234 0\n", "c a\ns 9 /lib/b.so\ni 501000 6\n")).trace;
        QCOMPARE(trace->processes->modules().size(), std::size_t{2});
        QVERIFY(trace->rundown.begin.isEmpty() && trace->rundown.end.isEmpty());
    }
    void theNewestOfSeveralAlikeIsFreed() {
        const auto opened = openText(heaptrackWith("- 1\n", "+ 1\n+ 1\n- 1\n- 1\n+ 1\n"));
        QCOMPARE(sizesOf(*opened.trace), std::string("1000 outstanding, 64 outstanding, 64 freed, 64 freed, "
                                                     "64 outstanding, 1000 outstanding"));
        QVERIFY(opened.trace->heap.end(2) > opened.trace->heap.end(3));
    }
    void readsPackedFiles() {
        const auto packed = gzip(kHeaptrackFile);
        QCOMPARE(sizesOf(*openBytes(packed, "a.gz").trace), sizesOf(*openText(kHeaptrackFile).trace));
        // Several gzip members are one file, as in gzip.
        const auto half = kHeaptrackFile.find("c a\n");
        auto members = gzip(kHeaptrackFile.substr(0, half));
        const auto rest = gzip(kHeaptrackFile.substr(half));
        members.insert(members.end(), rest.begin(), rest.end());
        QCOMPARE(sizesOf(*openBytes(members, "a.gz").trace), sizesOf(*openText(kHeaptrackFile).trace));
    }
    void readsFunctionsWithoutSource() {
        const auto opened = openText(heaptrackWith("i 401000 1 2 4 a\n", "i 401000 1 2\n"));
        QCOMPARE(framesOf(*opened.trace, 0).back(), std::string("app!main"));
        QCOMPARE(remarksOf(opened), std::string());
    }
    /// Formats 1 and 2 have strings up to the end of their line, and heaptrack 1.0 wrote another version.
    void readsOlderFormats() {
        auto text = std::string(kHeaptrackFile);
        for (const auto* length : {"s 8 ", "s 4 ", "s 6 ", "s 5 ", "s 4 "})
            text.replace(text.find(length), 4, "s ");
        for (const auto* version : {"v 10100 2", "v 10000 1", "v 10200"}) {
            auto older = text;
            older.replace(0, 9, version);
            const auto opened = openText(older);
            QCOMPARE(opened.error, std::string());
            QCOMPARE(framesOf(*opened.trace, 0), framesOf(*openText(kHeaptrackFile).trace, 0));
        }
    }
    void readsLinesOfWindows_data() {
        QTest::addColumn<QString>("version");
        QTest::newRow("3") << "v 10400 3";
        QTest::newRow("2, whose strings do not say how long they are") << "v 10300 2";
    }
    void readsLinesOfWindows() {
        QFETCH(QString, version);
        auto text = heaptrackWith("v 10400 3", version.toStdString());
        if (version.endsWith('2'))
            for (const std::string what : {"s 8 /", "s 4 m", "s 6 l", "s 4 a", "s 5 s"})
                text.replace(text.find(what), what.size(), "s " + what.substr(4));
        const auto opened = openText(withReturns(text));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(remarksOf(opened), std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("1000 outstanding, 64 freed, 1000 outstanding"));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (1)"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!small a.cc:7 < leak() a.cc:5", "app!main a.cc:10"}));
    }
    void readsStringsWithLineBreaks() {
        const auto opened = openText(heaptrackWith("s 6 leak()\n", "s 8 le\n\nak()\n"));
        QCOMPARE(framesOf(*opened.trace, 0).front(), std::string("app!small a.cc:7 < le\n\nak() a.cc:5"));
        QCOMPARE(remarksOf(opened), std::string());
    }
    void countsLinesThatMakeNoSense_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("sizes");
        const auto* whole = "1000 outstanding, 64 freed, 1000 outstanding";
        QTest::newRow("unknown kind") << "R 100\n"
                                      << "R 100\n? 1\n"
                                      << whole;
        QTest::newRow("no number") << "R 100\n"
                                   << "R 100\n+ x\n"
                                   << whole;
        QTest::newRow("unknown allocation") << "R 100\n"
                                            << "R 100\n+ 77\n"
                                            << whole;
        QTest::newRow("free of nothing") << "R 100\n"
                                         << "R 100\n- 1\n"
                                         << whole;
        QTest::newRow("unknown string") << "i 401000 1 2 4 a"
                                        << "i 401000 1 99 4 a" << whole;
        QTest::newRow("no number of a line") << "i 401000 1 2 4 a"
                                             << "i 401000 1 2 4 x" << whole;
        QTest::newRow("frame of itself") << "t 2 1"
                                         << "t 2 2" << whole;
        QTest::newRow("unknown stack") << "a 3e8 2"
                                       << "a 3e8 9"
                                       << "0 outstanding, 64 freed, 0 outstanding";
        QTest::newRow("no machine has it") << "a 3e8 2"
                                           << "a ffffffffffffffff 2"
                                           << "0 outstanding, 64 freed, 0 outstanding";
        QTest::newRow("year 9999") << "c a\n"
                                   << "c fffffffffffffff\n"
                                   << whole;
    }
    void countsLinesThatMakeNoSense() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, sizes);
        const auto opened = openText(heaptrackWith(what.toStdString(), by.toStdString()));
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), sizes.toStdString());
        QCOMPARE(remarksOf(opened), std::string("1 damaged line was skipped in a.file.\n"));
        QVERIFY(opened.health.totalsAreBounds());
    }
    void readsWhatIsThereOfACutFile() {
        auto packed = gzip(kHeaptrackFile);
        packed.resize(packed.size() - 30);
        const auto opened = openBytes(packed, "a.gz");
        QCOMPARE(opened.error, std::string());
        QVERIFY(remarksOf(opened).find("a.gz is cut off or damaged; the rest is missing.") != std::string::npos);
    }
    void saysWhenTextIsCutOff() {
        QVERIFY(remarksOf(openText(kHeaptrackFile)).empty());
        const auto cut = openText(kHeaptrackFile.substr(0, kHeaptrackFile.find("+ 1\n") + 2));
        QVERIFY(remarksOf(cut).find("a.file is cut off; the rest is missing.") != std::string::npos);
    }
    void saysWhenNothingOfItCanBeUnpacked_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QString>("error");
        const auto* const cut = "a.file is cut off or damaged and cannot be unpacked.";
#ifdef Q_OS_WIN // there is no library of it for mingw-w64
        QTest::newRow("Zstandard") << QByteArray("\x28\xB5\x2F\xFD")
                                   << "a.file is packed with Zstandard, which Highwater does not unpack on Windows. "
                                      "Unpack it first with zstd -d or 7-Zip.";
#else
        QTest::newRow("Zstandard") << QByteArray("\x28\xB5\x2F\xFD") << cut;
#endif
        QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08") << cut;
    }
    void saysWhenNothingOfItCanBeUnpacked() {
        QFETCH(QByteArray, start);
        QFETCH(QString, error);
        QCOMPARE(openText(start.toStdString()).error, error.toStdString());
    }
    void saysWhatItDoesNotRead() {
        QCOMPARE(openText(heaptrackWith("v 10400 3", "v 20000 4")).error,
                 std::string("a.file was written by a newer heaptrack (format 4): Highwater reads formats 1 to 3."));
        QCOMPARE(openText("v 10400 3\nx 8 /bin/app\n").error,
                 std::string("a.file is raw heaptrack output without names. Interpret it first: zstd -dc < FILE | "
                             "/usr/lib/heaptrack/libexec/heaptrack_interpret > NEW"));
        QCOMPARE(
            openText("v 100\nX app\n").error,
            std::string("a.file was written by a version of heaptrack before 1.0: Highwater reads formats 1 to 3."));
    }
};

HIGHWATER_TEST(HeaptrackSourceTest);
#include "heaptrack_source_test.moc"
