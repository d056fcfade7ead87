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

  private:
    QTemporaryDir temporary_;
};
HIGHWATER_TEST(PrivateFolderTest);
#include "private_folder_test_linux.moc"
