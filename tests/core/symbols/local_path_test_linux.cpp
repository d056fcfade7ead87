#include "core/symbols/places/local_mounts_linux.h"
#include "core/symbols/places/trusted_image_path.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace highwater;
using namespace highwater::symbols;

class LocalPathTest : public QObject {
    Q_OBJECT
  private slots:
    void knowsWhatIsMountedWhere() {
        const auto mounts = LocalMounts::parse("22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
                                               "23 22 0:21 / /proc rw - proc proc rw\n"
                                               "30 22 0:30 / /home rw shared:2 master:1 - nfs4 server:/home rw\n"
                                               "31 22 0:31 / /mnt/a\\040b rw - cifs //host/share rw\n"
                                               "32 22 0:32 / /misc rw - autofs systemd-1 rw\n"
                                               "33 22 8:2 / /home/local rw - xfs /dev/sda2 rw\n"
                                               "34 22 0:33 / /over rw - ext4 /dev/sda3 rw\n"
                                               "35 34 0:34 / /over rw - fuse.sshfs me@host: rw\n"
                                               "damaged\n");
        const auto kind = [&](const char* path) { return std::string(mounts.kindAt(path)); };
        QCOMPARE(kind("/usr/lib/x"), std::string("ext4"));
        QCOMPARE(kind("/homes/x"), std::string("ext4"));
        QCOMPARE(kind("/home"), std::string("nfs4"));
        QCOMPARE(kind("/home/me/x"), std::string("nfs4"));
        QCOMPARE(kind("/home/local/x"), std::string("xfs"));
        QCOMPARE(kind("/mnt/a b/x"), std::string("cifs"));
        QCOMPARE(kind("/misc/host"), std::string("autofs"));
        QCOMPARE(kind("/over/x"), std::string("fuse.sshfs")); // the last mount
        QCOMPARE(std::string(LocalMounts::parse("").kindAt("/x")), std::string());
        for (const auto* local : {"ext4", "xfs", "btrfs", "tmpfs", "overlay"})
            QVERIFY2(LocalMounts::isLocalKind(local), local);
        for (const auto* other :
             {"nfs", "nfs4", "cifs", "smb3", "autofs", "fuse.sshfs", "fuse", "9p", "proc", "devtmpfs", ""})
            QVERIFY2(!LocalMounts::isLocalKind(other), other);
    }

    void findsOrdinaryFilesOnly() {
        const QTemporaryDir folder;
        const auto path = [&](const char* name) { return QFile::encodeName(folder.filePath(name)).toStdString(); };
        QFile file(folder.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly) && QDir(folder.path()).mkdir("folder"));
        QCOMPARE(::mkfifo(path("fifo").c_str(), 0600), 0);
        QVERIFY(trustedPath(path("file")).hasValue());
        QCOMPARE(trustedPath(path("folder")).error().message, std::string("is not a regular file; skipped"));
        QCOMPARE(trustedPath(path("fifo")).error().message, std::string("is not a regular file; skipped"));
        QCOMPARE(trustedPath(path("nothing")).error().message, std::string("not found"));
        QCOMPARE(trustedPath(path("file/x")).error().message, std::string("not found"));
    }

    void followsLinksOnlyToWhatItWouldLookAt() {
        const QTemporaryDir folder;
        const auto at = [&](const char* name) { return folder.filePath(name); };
        const auto trusted = [&](const char* name) { return trustedPath(at(name).toStdString()); };
        QFile file(at("file"));
        QVERIFY(file.open(QIODevice::WriteOnly) && QDir(folder.path()).mkdir("folder"));
        QVERIFY(QFile::link("../file", at("folder/up")) && QFile::link(at("folder"), at("way")));
        QCOMPARE(QString::fromStdString(trusted("way/up").value().string()), QFileInfo(at("file")).canonicalFilePath());
        for (const auto& [name, target] : {std::pair{"net", "/net/host"}, {"dev", "/dev"}, {"proc", "/proc/self"}}) {
            QVERIFY(QFile::link(target, at(name)));
            const auto outcome = trustedPath((at(name) + "/x").toStdString());
            QVERIFY2(!outcome.hasValue() && outcome.error().message.starts_with("is a link to /"),
                     outcome.error().message.c_str());
        }
        QVERIFY(QFile::link(at("self"), at("self")));
        QCOMPARE(trusted("self").error().message, std::string("skipped: too many symbolic links"));
    }
};
HIGHWATER_TEST(LocalPathTest);
#include "local_path_test_linux.moc"
