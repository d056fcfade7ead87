#include "core/source/profiles/profile_files.h"

#include "core/etl/buffer.h"
#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QStringConverter>
#include <QTemporaryDir>
#include <QTest>

#include <zlib.h>

#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

QByteArray gzipOf(const QByteArray& text) {
    QByteArray packed(text.size() + 100, '\0');
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<int>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

std::vector<std::byte> bytesOf(const QByteArray& text) {
    return bytesOfText({text.data(), static_cast<std::size_t>(text.size())});
}

} // namespace

class ProfileFilesTest : public QObject {
    Q_OBJECT

    /// With ' in place of ".
    static QByteArray json(QByteArray text) { return text.replace('\'', '"'); }

  private slots:
    /// As Windows editors and PowerShell write text.
    void readsTextOfAnyEncoding_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("massif") << QByteArray(
            "desc: (none)\ncmd: ./app\ntime_unit: i\n#-----------\nsnapshot=0\n#-----------\ntime=5\nmem_heap_B=100\n"
            "mem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=detailed\nn0: 100 0x1234: main (a.cc:1)\n");
        const QByteArray points =
            "'cmd':'./äpp','pid':7,'tg':3,'te':9,'pps':[{'tb':100,'tbk':1,'tl':1,'mb':100,'mbk':1,"
            "'gb':100,'gbk':1,'eb':100,'ebk':1,'fs':[1]}],\n";
        QTest::newRow("dhat") << json("{'dhatFileVersion':2,'mode':'heap','verb':'Allocated','bklt':true,'bkacc':false,"
                                      "'tu':'instrs','Mtu':'Minstr','tuth':500," +
                                      points + "'ftbl':['[root]','0x1234: main (a.cc:1)']}\n");
        QTest::newRow("dhat of Rust") << json(
            "{'dhatFileVersion':2,'mode':'rust-heap','verb':'Allocated','bklt':true,'bkacc':false,'tu':'µs','Mtu':'s',"
            "'tuth':10," +
            points + "'ftbl':['[root]','0x1234: app::main (src/main.rs:3:5)']}\n");
        QTest::newRow("gperftools") << QByteArray("heap profile:      1:      100 [     1:      100] @ heapprofile\n"
                                                  "     1:      100 [     1:      100] @ 0x1234 0x2345\n\n"
                                                  "MAPPED_LIBRARIES:\n1000-9000 r-xp 00000000 08:01 1 /srv/äpp\n");
        QTest::newRow("jemalloc") << QByteArray("heap_v2/1\n  t*: 1: 100 [0: 0]\n  t0: 1: 100 [0: 0]\n@ 0x1234 0x2345\n"
                                                "  t*: 1: 100 [0: 0]\n  t0: 1: 100 [0: 0]\n\nMAPPED_LIBRARIES:\n"
                                                "1000-9000 r-xp 00000000 08:01 1 /srv/app\n");
        QTest::newRow("V8") << json("{'head':{'callFrame':{'functionName':'(root)','url':''},'selfSize':0,'children':[{"
                                    "'callFrame':{'functionName':'größe','url':'file:///a.js','lineNumber':1},"
                                    "'selfSize':100,'children':[]}]},'samples':[]}\n");
        QTest::newRow("heaptrack") << QByteArray(
            "v 10500 3\nX ./app\nI 1000 1000\ns 4 main\ni 1234 0 1\nt 1 0\na 64 1\n+ 0\n");
    }
    void readsTextOfAnyEncoding() {
        QFETCH(QByteArray, text);
        const auto plain = openBytes(bytesOf(text), "a.file");
        QCOMPARE(QString::fromStdString(plain.error), QString());
        QCOMPARE(plain.trace->heap.rows, RowId{1});
        QVERIFY(plain.health.remarks.empty());
        const auto inWindows = QString::fromUtf8(text).replace("\n", "\r\n");
        const auto encoded = [&](QStringConverter::Encoding encoding) {
            return QByteArray(QStringEncoder(encoding, QStringConverter::Flag::WriteBom)(inWindows));
        };
        for (const auto& other : {encoded(QStringConverter::Utf8), encoded(QStringConverter::Utf16LE),
                                  encoded(QStringConverter::Utf16BE), gzipOf(encoded(QStringConverter::Utf16LE))}) {
            const auto opened = openBytes(bytesOf(other), "a.file");
            QCOMPARE(QString::fromStdString(opened.error), QString());
            QCOMPARE(opened.trace->heap.rows, plain.trace->heap.rows);
            QCOMPARE(opened.trace->heap.size(0), plain.trace->heap.size(0));
            QCOMPARE(opened.trace->heap.end(0), plain.trace->heap.end(0));
            QVERIFY(opened.health.remarks.empty());
        }
    }
    void namesWhatIsPacked_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("error");
        const auto foreign = [](const char* what) { return QStringLiteral("a.gz is packed. Unpacked, it is ") + what; };
        const QString opens =
            ". Highwater opens event traces (.etl, also in .zip and .diagsession archives) and heap profiles from "
            "heaptrack, pprof, DHAT, massif, V8, gperftools and jemalloc.";
        QTest::newRow("Chrome") << QByteArray("{\"traceEvents\":[]}")
                                << foreign("a Chrome trace; open it in Perfetto (ui.perfetto.dev).");
        QTest::newRow("Flight Recorder") << QByteArray("FLR\0\0\2\0\0", 8)
                                         << foreign(
                                                "a Java Flight Recorder recording; open it in JDK Mission Control.");
        QTest::newRow("PDF") << QByteArray("%PDF-1.4") << foreign("a PDF document") + opens;
        QTest::newRow("packed twice") << gzipOf("heap") << foreign("a gzip file") + opens;
        QTest::newRow("zip") << QByteArray("PK\3\4\0\0\0\0", 8)
                             << "a.gz is packed. Unpacked, it is a zip archive; unpack it first.";
        QTest::newRow("text") << QByteArray("Once upon a time\n")
                              << foreign("a text file in a format that Highwater does not read") + opens;
        QTest::newRow("nothing") << QByteArray("") << "a.gz is empty when unpacked.";
    }
    void namesWhatIsPacked() {
        QFETCH(QByteArray, content);
        QFETCH(QString, error);
        const auto packed = gzipOf(content);
        QCOMPARE(QString::fromStdString(openBytes(bytesOf(packed), "a.gz").error), error);
        const QTemporaryDir folder;
        QFile file(folder.filePath("a.gz"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(packed) == packed.size());
        file.close();
        const auto path = std::filesystem::path(file.fileName().toStdString());
        QVERIFY(source::isPacked(path));
        QVERIFY(!source::isProfile(path)); // so that it is not opened as another profiler's profile
    }
    /// Traces are not read from gzip files.
    void saysThatATraceIsToBeUnpacked() {
        QByteArray trace(4096, '\0'); // its first buffer
        etl::storeBufferHeader({.storedBytes = 4096, .offset = 4096, .type = etl::buffer_type::kHeader},
                               reinterpret_cast<std::byte*>(trace.data()));
        QCOMPARE(openBytes(bytesOf(gzipOf(trace)), "a.etl.gz").error,
                 std::string("a.etl.gz is a packed event trace. Unpack it first (gzip -d FILE)."));
    }
    void saysWhatIsDamaged() {
        const auto packed = gzipOf("{\"traceEvents\":[]}");
        QCOMPARE(openBytes(bytesOf(packed.left(11)), "a.gz").error,
                 std::string("a.gz is cut off or damaged and cannot be unpacked."));
    }
};

HIGHWATER_TEST(ProfileFilesTest);
#include "profile_files_test.moc"
