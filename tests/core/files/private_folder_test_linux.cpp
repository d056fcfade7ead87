#include "core/files/private_folder.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace highwater;
namespace fs = std::filesystem;

class PrivateFolderTest : public QObject {
    Q_OBJECT
  private slots:
    void isForItsOwnerAlone() {
        const auto before = ::umask(0);
        const fs::path folder = temporary_.path().toStdString();
        fs::create_directory(folder / "old");
        std::error_code failed;
        QVERIFY(makePrivateFolder(folder / "old/new/below", failed));
        ::umask(before);
        QVERIFY(!failed);
        QCOMPARE(fs::status(folder / "old/new").permissions(), fs::perms::owner_all);
        QCOMPARE(fs::status(folder / "old/new/below").permissions(), fs::perms::owner_all);
        QCOMPARE(fs::status(folder / "old").permissions(), fs::perms::all); // not ours
        QVERIFY(makePrivateFolder(folder / "old/new/below", failed));
    }
    void saysWhyThereIsNone() {
        const fs::path folder = temporary_.path().toStdString();
        QFile file(temporary_.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        std::error_code failed;
        QVERIFY(!makePrivateFolder(folder / "file/below", failed));
        QVERIFY(static_cast<bool>(failed));
        QVERIFY(!makePrivateFolder(folder / "file", failed));
        QVERIFY(static_cast<bool>(failed));
    }

    /// A file whose content is trusted.
    void opensWhatOnlyItsOwnerCanHaveWritten() {
        const fs::path folder = temporary_.path().toStdString();
        const auto file = folder / "mine";
        QFile content(QString::fromStdString(file.string()));
        QVERIFY(content.open(QIODevice::WriteOnly));
        content.write("mine");
        content.close();
        const auto opened = openPrivateFile(file);
        QVERIFY(opened.hasValue());
        QCOMPARE(opened.value()->bytes().size(), std::size_t{4});
        QCOMPARE(openPrivateFile(folder / "none").error().kind, ErrorKind::NotFound);

        fs::create_symlink(file, folder / "link");
        QCOMPARE(openPrivateFile(folder / "link").error().message,
                 (folder / "link").string() + " is not used because it is a link.");
        QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
        QCOMPARE(openPrivateFile(folder / "pipe").error().message,
                 (folder / "pipe").string() + " is not used because it is not a regular file.");
        ::chmod(file.c_str(), 0620);
        QCOMPARE(openPrivateFile(file).error().message,
                 file.string() + " is not used because other users may write to it.");
        ::chmod(file.c_str(), 0644); // others may read it
        QVERIFY(openPrivateFile(file).hasValue());
        ::chmod(folder.c_str(), 0777);
        QCOMPARE(openPrivateFile(file).error().message,
                 folder.string() + " is not used because other users may write to it.");
        ::chmod(folder.c_str(), 0700);
    }

  private:
    QTemporaryDir temporary_;
};
HIGHWATER_TEST(PrivateFolderTest);
#include "private_folder_test_linux.moc"
