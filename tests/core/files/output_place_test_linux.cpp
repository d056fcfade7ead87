#include "core/files/output_file.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
namespace fs = std::filesystem;

/// Files and links that a rename at the end of writing must not replace.
class OutputPlaceTest : public QObject {
    Q_OBJECT
  private slots:
    void isTheNameOfNothingAndOfAFile() {
        QCOMPARE(OutputFile::placeFor(folder_ / "new.etl").value(), folder_ / "new.etl");
        std::ofstream(folder_ / "old.etl") << "old";
        QCOMPARE(OutputFile::placeFor(folder_ / "old.etl").value(), folder_ / "old.etl");
        QCOMPARE(OutputFile::placeFor("relative.etl").value(), fs::path("relative.etl"));
    }
    void isWhatALinkLeadsTo() {
        fs::create_directory(folder_ / "other");
        std::ofstream(folder_ / "other/real.etl") << "old";
        fs::create_symlink("other/real.etl", folder_ / "link.etl");
        fs::create_symlink(folder_ / "link.etl", folder_ / "second.etl");
        QCOMPARE(OutputFile::placeFor(folder_ / "second.etl").value(), folder_ / "other/real.etl");
        fs::create_symlink("other/not yet.etl", folder_ / "dangling.etl");
        QCOMPARE(OutputFile::placeFor(folder_ / "dangling.etl").value(), folder_ / "other/not yet.etl");
        fs::create_symlink("round.etl", folder_ / "round.etl");
        QVERIFY(!OutputFile::placeFor(folder_ / "round.etl").hasValue());
    }
    void isNotWhereAnotherUserLinkedTo() {
        if (::geteuid() != 0) QSKIP("only root can make links of another user");
        constexpr uid_t kNobody = 65534;
        const auto shared = folder_ / "shared";
        fs::create_directory(shared);
        std::ofstream(folder_ / "mine") << "mine";
        fs::create_symlink(folder_ / "mine", shared / "out.etl");
        QCOMPARE(::lchown((shared / "out.etl").c_str(), kNobody, kNobody), 0);
        QCOMPARE(OutputFile::placeFor(shared / "out.etl").value(), folder_ / "mine"); // no other user may write there
        QCOMPARE(::chmod(shared.c_str(), 01777), 0);
        refusesForeign(shared / "out.etl");
        fs::create_symlink(shared / "out.etl", folder_ / "through.etl");
        refusesForeign(folder_ / "through.etl");
        fs::create_symlink(folder_ / "mine", shared / "own.etl");
        QCOMPARE(OutputFile::placeFor(shared / "own.etl").value(), folder_ / "mine");
        QCOMPARE(::chown(shared.c_str(), kNobody, kNobody), 0); // the folder's owner may link there
        QCOMPARE(OutputFile::placeFor(shared / "out.etl").value(), folder_ / "mine");
    }
    void isNoneForWhatIsNoFile() {
        QCOMPARE(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
        fs::create_directory(folder_ / "folder");
        fs::create_symlink("pipe", folder_ / "link to pipe");
        refuses(folder_ / "pipe", "a pipe");
        refuses(folder_ / "folder", "a folder");
        refuses(folder_ / "link to pipe", "a pipe");
        refuses("/dev/null", "a device");
        QVERIFY(fs::is_fifo(folder_ / "pipe"));
    }
    void isNoneForAPipeWithoutAPath() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        refuses("/proc/self/fd/" + std::to_string(ends[1]), "a pipe");
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void isForItsOwnerAlone() {
        const auto before = ::umask(0);
        const auto made = OutputFile::create(folder_ / "mine.etl");
        const auto isNew = OutputFile::createNew(folder_ / "mine, too.etl");
        ::umask(before);
        for (const auto* name : {"mine.etl", "mine, too.etl"})
            QCOMPARE(fs::status(folder_ / name).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    }
    void isNewAlsoWhereALinkLeadsNowhere() {
        fs::create_symlink(folder_ / "victim", folder_ / "trap.recording");
        const auto made = createBeside(folder_ / "trap", ".recording");
        QCOMPARE(made.value().path, folder_ / "trap.2.recording");
        QVERIFY(!OutputFile::createNew(folder_ / "trap.recording").hasValue());
        QVERIFY(!fs::exists(folder_ / "victim"));
    }

  private:
    static void refusesForeign(const fs::path& path) {
        const auto place = OutputFile::placeFor(path);
        QVERIFY2(!place.hasValue(), "the link of another user was followed");
        QCOMPARE(place.error().kind, ErrorKind::AccessDenied);
        QVERIFY2(place.error().message.find("another user created the link") != std::string::npos,
                 place.error().message.c_str());
    }
    static void refuses(const fs::path& path, const std::string& what) {
        const auto place = OutputFile::placeFor(path);
        QVERIFY(!place.hasValue());
        QCOMPARE(place.error().message,
                 "Cannot write " + path.string() + ": it is " + what + ", not a regular file. Choose another name.");
    }

    QTemporaryDir temporary_;
    fs::path folder_ = temporary_.path().toStdString();
};
HIGHWATER_TEST(OutputPlaceTest);
#include "output_place_test_linux.moc"
