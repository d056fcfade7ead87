#include "core/etl/foreign_format.h"

#include "tests/support/test_registry.h"

#include <QTest>

#include <span>

#include <string>

using namespace highwater;

class ForeignFormatTest : public QObject {
    Q_OBJECT

    static std::string formatOf(std::string_view start) {
        const auto* bytes = reinterpret_cast<const std::byte*>(start.data());
        return std::string(etl::foreignFormat({bytes, start.size()}));
    }

  private slots:
    void namesWhatPeopleTryToOpen_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QString>("named");
        QTest::newRow("Chrome trace with a mark") << QByteArray("\xEF\xBB\xBF{\"traceEvents\":[") << "Perfetto";
        QTest::newRow("Chrome trace in UTF-16")
            << QByteArray("\xFF\xFE") + QByteArray("{\0\"\0t\0r\0a\0c\0e\0E\0v\0e\0n\0t\0s\0\"\0:\0[\0", 32)
            << "Perfetto";
        QTest::newRow("folded stacks in UTF-16") << QByteArray("\xFF\xFE") + QByteArray("a\0;\0b\0 \0"
                                                                                        "1\0\r\0\n\0",
                                                                                        14)
                                                 << "folded";
        QTest::newRow("text in UTF-16") << QByteArray("\xFE\xFF\0O\0n\0c\0e", 10) << "text in UTF-16";
        QTest::newRow("gzip through PowerShell") << QByteArray("\xFF\xFE\x1F\0\x39\x20\x08\0", 8) << "was corrupted";
        QTest::newRow("perf") << QByteArray("PERFILE2\x68\0\0", 11) << "perf";
        QTest::newRow("Java heap dump") << QByteArray("JAVA PROFILE 1.0.2\0", 19) << "Eclipse MAT";
        QTest::newRow("Flight Recorder") << QByteArray("FLR\0\0\2", 6) << "JDK Mission Control";
        QTest::newRow("minidump") << QByteArray("MDMP\x93\xa7") << "WinDbg";
        QTest::newRow("kernel dump") << QByteArray("PAGEDU64") << "WinDbg";
        QTest::newRow("Chrome trace") << QByteArray("{\"traceEvents\":[") << "Perfetto";
        QTest::newRow("Chrome trace as a list") << QByteArray("[{\"name\":\"x\"") << "Perfetto";
        QTest::newRow("V8 heap snapshot") << QByteArray("{\"snapshot\":{\"meta\"") << "DevTools";
        QTest::newRow("V8 CPU profile") << QByteArray("{\"nodes\":[{\"id\":1") << "V8 CPU profile";
        QTest::newRow("callgrind") << QByteArray("# callgrind format\nversion: 1") << "KCachegrind";
        QTest::newRow("Go: goroutines") << QByteArray("goroutine profile: total 1\n1 @ 0x1") << "goroutine profile";
        QTest::newRow("Go: stacks") << QByteArray("goroutine 34 [running]:\n") << "list of goroutines";
        QTest::newRow("Go: threads") << QByteArray("threadcreate profile: total 4\n") << "thread creation";
        QTest::newRow("Go: block") << QByteArray("--- contention:\ncycles/second=2596170976\n") << "contention";
        QTest::newRow("Go: mutex") << QByteArray("--- mutex:\ncycles/second=2596170976\n") << "mutex";
        QTest::newRow("Java heapz") << QByteArray("--- heapz 1 ---\nformat = java\n") << "Java heap profile";
        QTest::newRow("CPU profile of gperftools")
            << QByteArray("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\x27", 26) << "gperftools CPU profile";
        QTest::newRow("core file") << QByteArray("\x7F"
                                                 "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0",
                                                 18)
                                   << "highwater-cli holders --core";
        QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08", 3) << "a gzip file";
        QTest::newRow("bzip2") << QByteArray("BZh91AY&SY") << "bzip2";
        QTest::newRow("bzip2 -1") << QByteArray("BZh11AY&SY") << "bzip2";
        QTest::newRow("bzip2 of nothing") << QByteArray("BZh9\x17\x72\x45\x38\x50\x90") << "bzip2";
        QTest::newRow("xz") << QByteArray("\xFD"
                                          "7zXZ\0\0",
                                          7)
                            << "xz";
        QTest::newRow("LZ4") << QByteArray("\x04\x22\x4D\x18\x64", 5) << "LZ4";
        QTest::newRow("compress") << QByteArray("\x1F\x9D\x90", 3) << "compress";
        QTest::newRow("speedscope") << QByteArray("{\n  \"exporter\": \"speedscope@0.6.0\",\n  \"$schema\": "
                                                  "\"https://www.speedscope.app/file-format-schema.json\"")
                                    << "speedscope";
        QTest::newRow("Firefox") << QByteArray("{\n  \"meta\": {\n    \"product\": \"Firefox\",") << "Firefox";
        QTest::newRow("Chrome trace by event") << QByteArray("[\n  {\"pid\": 0, \"ph\": \"B\"") << "Perfetto";
        QTest::newRow("Chrome trace with a blank") << QByteArray("{ \"traceEvents\": [") << "Perfetto";
        QTest::newRow("GHC") << QByteArray("{\n\"program\": \"a\",\n\"rts_arguments\": [\"-pj\"]") << "GHC";
        QTest::newRow("ms_print") << QByteArray("-----\nCommand:            kate\nMassif arguments:   (none)\n")
                                  << "ms_print";
        QTest::newRow("folded stacks") << QByteArray("main;work;_dl_name [unknown] 4263\nmain 7\n") << "folded";
        QTest::newRow("nettrace") << QByteArray("Nettrace") << "PerfView";
    }
    void namesWhatPeopleTryToOpen() {
        QFETCH(QByteArray, start);
        QFETCH(QString, named);
        const auto format = formatOf({start.data(), static_cast<std::size_t>(start.size())});
        QVERIFY2(format.find(named.toStdString()) != std::string::npos, format.c_str());
        QCOMPARE(formatOf({start.data(), 2}), std::string()); // too short to be one
    }
    void saysWhatAnUnknownFileIsAndWhatCanBeOpened() {
        const auto text = [](const QByteArray& start) {
            return QString::fromStdString(
                etl::describeForeign(std::as_bytes(std::span(start.data(), static_cast<std::size_t>(start.size())))));
        };
        const QString opens =
            ". Highwater opens event traces (.etl, also in .zip and .diagsession archives) and heap profiles from ";
        QVERIFY(
            text("PAGE 1\r\n\tprofile\n").startsWith("a text file in a format that Highwater does not read" + opens));
        QVERIFY(text("\xC3\xA9t\xC3\xA9\n").startsWith("a text file"));
        QVERIFY(
            text(QByteArray("\0\1\2", 3)).startsWith("a binary file that does not begin with a trace header" + opens));
        QVERIFY(text("\x89PNG\r\n\x1a\n").startsWith("a PNG image" + opens));
        QCOMPARE(text("MDMP\x93\xa7"), "a minidump; open it in WinDbg or Visual Studio."); // there is a better program
    }
};

HIGHWATER_TEST(ForeignFormatTest);
#include "foreign_format_test.moc"
