#include "core/source/generated_code/growing_file_linux.h"

#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;

namespace {

constexpr std::size_t kAll = 1u << 20;

/// The text that was read; a bar where it started again.
class Text {
  public:
    GrowingFile::Reader reader{
        [this](ByteSpan bytes) { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); },
        [this] { text += '|'; }};
    std::string text;
};

} // namespace

/// A file of another process that grows while it is read.
class GrowingFileTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string path_;
    OwnedFile open_;

    void write(const std::string& text, std::ios::openmode mode = std::ios::app) {
        std::ofstream(path_, std::ios::binary | mode) << text;
    }
    GrowingFile file(uid_t owner = ::getuid()) { return {open_.number(), "a.map", owner}; }

  private slots:
    void init() {
        path_ = folder_.path().toStdString() + "/a.map";
        std::filesystem::remove_all(path_);
        open_ = OwnedFile(::open(folder_.path().toStdString().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }

    void whatIsAppendedIsReadOnce() {
        auto growing = file();
        Text read;
        QCOMPARE(growing.read(read.reader, kAll), std::size_t{0}); // there is none yet
        write("one ");
        QCOMPARE(growing.read(read.reader, kAll), std::size_t{4});
        QCOMPARE(growing.read(read.reader, kAll), std::size_t{0});
        write("two ");
        write("three");
        QCOMPARE(growing.read(read.reader, 5), std::size_t{5}); // no more than that
        QCOMPARE(growing.read(read.reader, kAll), std::size_t{4});
        QCOMPARE(read.text, std::string("one two three"));
    }

    void oneThatWasCutBeginsAnew() {
        auto growing = file();
        Text read;
        write("one two ");
        (void)growing.read(read.reader, kAll);
        write("new", std::ios::trunc);
        (void)growing.read(read.reader, kAll);
        QCOMPARE(read.text, std::string("one two |new"));
    }

    /// As HotSpot does: truncated, and longer than before at the next look.
    void oneThatWasWrittenAnewBeginsAnew() {
        auto growing = file();
        Text read;
        write("one two ");
        (void)growing.read(read.reader, kAll);
        write("another file", std::ios::trunc);
        (void)growing.read(read.reader, kAll);
        QCOMPARE(read.text, std::string("one two |another file"));
    }

    void oneThatWasReplacedIsReadToItsEndFirst() {
        auto growing = file();
        Text read;
        write("one ");
        (void)growing.read(read.reader, kAll);
        write("two ");
        std::filesystem::rename(path_, path_ + ".old");
        write("new");
        for (int i = 0; i < 3; ++i)
            (void)growing.read(read.reader, kAll);
        QCOMPARE(read.text, std::string("one two |new"));
    }

    void whatIsGoneIsStillRead() {
        auto growing = file();
        Text read;
        write("one ");
        (void)growing.read(read.reader, kAll);
        const OwnedFile writer(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        std::filesystem::remove(path_);
        QCOMPARE(::write(writer.number(), "two", 3), ssize_t{3});
        (void)growing.read(read.reader, kAll);
        QCOMPARE(read.text, std::string("one two"));
    }

    void oneOfAnotherUserIsNotRead() {
        write("one");
        auto growing = file(::getuid() + 1);
        Text read;
        QCOMPARE(growing.read(read.reader, kAll), std::size_t{0});
        QVERIFY(growing.refusal() == GrowingFile::Refusal::OtherOwner);
        QCOMPARE(read.text, std::string());
    }

    /// Opening a pipe without a writer would block forever.
    void whatIsNoPlainFileIsNotRead() {
        Text read;
        QCOMPARE(::mkfifo(path_.c_str(), 0600), 0);
        auto pipe = file();
        QCOMPARE(pipe.read(read.reader, kAll), std::size_t{0});
        QVERIFY(pipe.refusal() == GrowingFile::Refusal::NoPlainFile);
        std::filesystem::remove(path_);
        std::filesystem::create_directory(path_);
        auto directory = file();
        QCOMPARE(directory.read(read.reader, kAll), std::size_t{0});
        QVERIFY(directory.refusal() == GrowingFile::Refusal::NoPlainFile);
        std::filesystem::remove(path_);
        std::filesystem::create_symlink("/etc/passwd", path_);
        auto link = file();
        QCOMPARE(link.read(read.reader, kAll), std::size_t{0});
        QCOMPARE(read.text, std::string());
    }

    void onlyWhatWasReadIsRemoved() {
        auto growing = file();
        Text read;
        write("one");
        growing.remove(); // not open, so its owner is unknown
        QVERIFY(std::filesystem::exists(path_));
        (void)growing.read(read.reader, kAll);
        std::filesystem::rename(path_, path_ + ".old");
        write("another one's");
        growing.remove();
        QVERIFY(std::filesystem::exists(path_));
        (void)growing.read(read.reader, kAll);
        growing.remove();
        QVERIFY(!std::filesystem::exists(path_));
    }
};
HIGHWATER_TEST(GrowingFileTest);
#include "growing_file_test_linux.moc"
