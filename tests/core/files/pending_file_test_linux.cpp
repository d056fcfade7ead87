#include "core/files/pending_file.h"

#include "core/files/nameless_file.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstring>
#include <span>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace highwater;

namespace {

constexpr auto kText = "all of it";

bool writeText(PendingFile& pending) {
    const auto file = pending.takeFile();
    return file->append(std::as_bytes(std::span(kText, std::strlen(kText)))).hasValue();
}

} // namespace

/// Files that get their name when they are complete.
class PendingFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::filesystem::path place() const { return folder_.filePath("a.etl").toStdString(); }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden | QDir::System); }
    QByteArray content(const QString& name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not there");
    }
    void put(const QString& name, const QByteArray& bytes) const {
        QFile file(folder_.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }

  private slots:
    void init() {
        QVERIFY(folder_.isValid());
        for (const auto& name : files())
            QFile::remove(folder_.filePath(name));
        if (!createNameless(place(), NamelessFile::Readers::Owner))
            QSKIP("files without a name are not known to this file system");
    }

    void hasNoNameUntilItIsWhole() {
        auto pending = PendingFile::beside(place(), ".partial");
        QVERIFY(pending.hasValue() && writeText(pending.value()));
        QCOMPARE(files(), QStringList());
        QVERIFY(pending.value().takePlace().hasValue());
        QCOMPARE(files(), QStringList("a.etl"));
        QCOMPARE(content("a.etl"), QByteArray(kText));
        QVERIFY(!OutputFile::isBeingWritten(place()));
    }
    void takesThePlaceOfWhatIsThere() {
        put("a.etl", "before");
        put("a.etl.partial", "of somebody else");
        auto pending = PendingFile::beside(place(), ".partial");
        QVERIFY(pending.hasValue() && writeText(pending.value()));
        QCOMPARE(content("a.etl"), QByteArray("before"));
        QVERIFY(pending.value().takePlace().hasValue());
        QCOMPARE(files(), QStringList({"a.etl", "a.etl.partial"}));
        QCOMPARE(content("a.etl"), QByteArray(kText));
        QCOMPARE(content("a.etl.partial"), QByteArray("of somebody else"));
    }
    void leavesWhatIsThereWhereItMayNotTakeThePlace() {
        QVERIFY(QDir(folder_.path()).mkdir("a.etl"));
        {
            auto pending = PendingFile::beside(place(), ".partial");
            QVERIFY(pending.hasValue() && writeText(pending.value()));
            QVERIFY(!pending.value().takePlace().hasValue());
            QVERIFY(QFileInfo(folder_.filePath("a.etl")).isDir());
        }
        QCOMPARE(files(), QStringList());
        QVERIFY(QDir(folder_.path()).rmdir("a.etl"));
    }
    void isForItsOwnerAloneUnlessSaidOtherwise() {
        const auto mask = ::umask(0022);
        for (const auto& [readers, mode] :
             {std::pair{OutputFile::Readers::Owner, 0600}, std::pair{OutputFile::Readers::AsUsual, 0644}}) {
            auto pending = PendingFile::beside(place(), ".partial", readers);
            QVERIFY(pending.hasValue() && writeText(pending.value()) && pending.value().takePlace().hasValue());
            struct stat facts {};
            QCOMPARE(::stat(place().c_str(), &facts), 0);
            QCOMPARE(static_cast<int>(facts.st_mode & 0777), mode);
        }
        ::umask(mask);
    }
    void nothingIsLeftOfAProgramThatIsKilled() {
        const auto child = ::fork();
        if (child == 0) {
            auto pending = PendingFile::beside(place(), ".partial");
            (void)(pending.hasValue() && writeText(pending.value()));
            ::kill(::getpid(), SIGKILL);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        QCOMPARE(files(), QStringList());
    }
    void tellsWhyNothingCanBeMade() {
        const auto none = PendingFile::beside(folder_.filePath("none/a.etl").toStdString(), ".partial");
        QVERIFY(!none.hasValue());
        QVERIFY(none.error().kind == ErrorKind::NotFound);
    }
};

HIGHWATER_TEST(PendingFileTest);
#include "pending_file_test_linux.moc"
