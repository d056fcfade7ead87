#include "core/files/output_file.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;

namespace {
ByteSpan bytesOf(const QByteArray& text) {
    return {reinterpret_cast<const std::byte*>(text.constData()), static_cast<std::size_t>(text.size())};
}
QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class OutputFileTest : public QObject {
    Q_OBJECT
  private slots:
    void holdsWhatWasWrittenAtOnce() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("a.etl");
        const auto file = OutputFile::create(path.toStdString());
        QVERIFY(file.value()->append(bytesOf("hello ")).hasValue());
        QVERIFY(file.value()->append(bytesOf("world")).hasValue());
        QCOMPARE(contentOf(path), QByteArray("hello world"));
        QVERIFY(file.value()->overwrite(0, bytesOf("J")).hasValue());
        QVERIFY(file.value()->sync().hasValue());
        QCOMPARE(contentOf(path), QByteArray("Jello world"));
        QCOMPARE(file.value()->size(), std::uint64_t{11});
    }
    void refusesToOverwriteBehindItsEnd() {
        const QTemporaryDir folder;
        const auto file = OutputFile::create(folder.filePath("a.etl").toStdString());
        QVERIFY(file.value()->append(bytesOf("abc")).hasValue());
        QCOMPARE(file.value()->overwrite(2, bytesOf("xy")).error().kind, ErrorKind::Usage);
        QCOMPARE(file.value()->overwrite(~std::uint64_t{0}, bytesOf("x")).error().kind, ErrorKind::Usage);
    }
    void isWrittenByOneAtATime() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("a.etl").toStdString();
        QVERIFY(!OutputFile::isBeingWritten(path));
        {
            const auto file = OutputFile::create(path);
            QVERIFY(file.value()->append(bytesOf("kept")).hasValue());
            QVERIFY(OutputFile::isBeingWritten(path));
            const auto second = OutputFile::create(path);
            QCOMPARE(second.error().kind, ErrorKind::AccessDenied);
            QCOMPARE(contentOf(QString::fromStdString(path)), QByteArray("kept"));
        }
        QVERIFY(!OutputFile::isBeingWritten(path));
        QVERIFY(OutputFile::create(path).hasValue());
        QCOMPARE(contentOf(QString::fromStdString(path)), QByteArray());
    }
    void isHeldAsItIs() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("a.etl").toStdString();
        QCOMPARE(OutputFile::hold(path).error().kind, ErrorKind::NotFound);
        QVERIFY(OutputFile::create(path).value()->append(bytesOf("kept")).hasValue());
        {
            const auto held = OutputFile::hold(path);
            QVERIFY(held.hasValue());
            QVERIFY(OutputFile::isBeingWritten(path));
            QCOMPARE(OutputFile::hold(path).error().kind, ErrorKind::AccessDenied);
            QCOMPARE(OutputFile::create(path).error().kind, ErrorKind::AccessDenied);
        }
        QVERIFY(!OutputFile::isBeingWritten(path));
        QCOMPARE(contentOf(QString::fromStdString(path)), QByteArray("kept"));
    }
    void isNewWhereNothingWas() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath("a.etl").toStdString();
        auto first = createBeside(place, ".recording");
        QCOMPARE(first.value().path, std::filesystem::path(place) += ".recording");
        QVERIFY(first.value().file->append(bytesOf("kept")).hasValue());
        first.value().file.reset();
        QVERIFY(!OutputFile::createNew(first.value().path).hasValue());
        const auto second = createBeside(place, ".recording");
        QCOMPARE(second.value().path, std::filesystem::path(place) += ".2.recording");
        QCOMPARE(contentOf(folder.filePath("a.etl.recording")), QByteArray("kept"));
        QVERIFY(!createBeside("/nonexistent/folder/a.etl", ".recording").hasValue());
    }
    void saysWhyItCannotBeCreated() {
        const auto refused = OutputFile::create("/nonexistent/folder/a.etl");
        QCOMPARE(refused.error().kind, ErrorKind::NotFound);
        QVERIFY(refused.error().message.find("a.etl") != std::string::npos);
    }
    void replacesNoFolder() {
        const QTemporaryDir folder;
        const auto refused = OutputFile::placeFor(folder.path().toStdString());
        QVERIFY(!refused.hasValue());
        QVERIFY2(refused.error().message.ends_with("it is a folder, not a regular file. Choose another name."),
                 refused.error().message.c_str());
        const auto file = folder.filePath("a.etl").toStdString();
        QCOMPARE(OutputFile::placeFor(file).value(), std::filesystem::path(file));
        QVERIFY(OutputFile::create(file).hasValue());
        QCOMPARE(OutputFile::placeFor(file).value(), std::filesystem::path(file));
    }
    /// A recorder that writes to it would continue in a file that has no name any more.
    void replacesNoFileThatIsBeingWritten() {
        const QTemporaryDir folder;
        const auto path = folder.filePath("run.etl.recording").toStdString();
        auto recording = OutputFile::create(path);
        const auto refused = OutputFile::placeFor(path);
        QVERIFY(!refused.hasValue());
        QVERIFY2(refused.error().message.find("run.etl.recording") != std::string::npos,
                 refused.error().message.c_str());
        recording.value().reset();
        QVERIFY(OutputFile::placeFor(path).hasValue());
    }
    void saysThatTheDiskIsFull() {
        if (!QFile::exists(QStringLiteral("/dev/full"))) QSKIP("this system has no /dev/full");
        const auto full = OutputFile::create("/dev/full");
        if (!full.hasValue()) QSKIP("/dev/full cannot be opened here");
        const auto failed = full.value()->append(bytesOf("x"));
        QCOMPARE(failed.error().kind, ErrorKind::Io);
        QCOMPARE(full.value()->size(), std::uint64_t{0});
    }
};
HIGHWATER_TEST(OutputFileTest);
#include "output_file_test.moc"
