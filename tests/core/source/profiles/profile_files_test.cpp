#include "core/source/profiles/profile_files.h"

#include "core/etl/buffer.h"
#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QFile>
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
  private slots:
    void namesWhatIsPacked_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("error");
        const auto foreign = [](const char* what) { return QStringLiteral("a.gz is packed. Unpacked, it is ") + what; };
        QTest::newRow("Chrome") << QByteArray("{\"traceEvents\":[]}")
                                << foreign("a trace of Chrome; Perfetto (ui.perfetto.dev) opens it.");
        QTest::newRow("Flight Recorder") << QByteArray("FLR\0\0\2\0\0", 8)
                                         << foreign(
                                                "a recording of Java's Flight Recorder; JDK Mission Control opens it.");
        QTest::newRow("PDF") << QByteArray("%PDF-1.4") << foreign("a PDF document.");
        QTest::newRow("packed twice") << gzipOf("heap") << foreign("a gzip file.");
        QTest::newRow("zip") << QByteArray("PK\3\4\0\0\0\0", 8)
                             << "a.gz is packed. Unpacked, it is a zip archive; unpack it first.";
        QTest::newRow("text") << QByteArray("Once upon a time\n")
                              << "a.gz is packed, and Highwater reads no file as the one that is in it.";
        QTest::newRow("nothing") << QByteArray("") << "a.gz is empty when it is unpacked.";
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
        QVERIFY(!source::isProfile(path)); // so that whoever asks for one of another profiler gets no other
    }
    /// No trace is read out of gzip.
    void saysThatATraceIsToBeUnpacked() {
        QByteArray trace(4096, '\0'); // its first buffer
        etl::storeBufferHeader({.storedBytes = 4096, .offset = 4096, .type = etl::buffer_type::kHeader},
                               reinterpret_cast<std::byte*>(trace.data()));
        QCOMPARE(openBytes(bytesOf(gzipOf(trace)), "a.etl.gz").error,
                 std::string("a.etl.gz is an event trace that is packed: unpack it first (gzip -d FILE)."));
    }
    void saysWhatIsDamaged() {
        const auto packed = gzipOf("{\"traceEvents\":[]}");
        QCOMPARE(openBytes(bytesOf(packed.left(11)), "a.gz").error,
                 std::string("a.gz is cut off or damaged: nothing of it can be unpacked."));
    }
};

HIGHWATER_TEST(ProfileFilesTest);
#include "profile_files_test.moc"
