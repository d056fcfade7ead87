#include "core/log/log_file.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace highwater;
namespace fs = std::filesystem;

namespace {

LogLine shortLine() { return {std::chrono::system_clock::now(), LogLevel::Information, LogArea::Open, "short"}; }

/// While it exists, no file can grow beyond this many bytes, as on a full disk.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

  private:
    rlimit before_{};
    void (*handler_)(int);
};

} // namespace

class LogFileLinuxTest : public QObject {
    Q_OBJECT
  private slots:
    /// A pipe would block the program until there is a reader; a link would redirect the lines.
    void writesToNothingButAFile() {
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        QCOMPARE(::mkfifo((folder / "highwater.log").c_str(), 0600), 0);
        fs::create_symlink(folder / "victim", folder / "highwater-2.log");
        QCOMPARE(::mkfifo((folder / "highwater-3.lock").c_str(), 0600), 0);
        const auto file = LogFile::open(folder, [](const std::string&) {});
        QVERIFY(file.hasValue());
        QCOMPARE(file.value()->path(), folder / "highwater-4.log");
        QVERIFY(!fs::exists(folder / "victim"));
    }
    void isForItsOwnerAlone() {
        const QTemporaryDir temporary;
        const fs::path folder = fs::path(temporary.path().toStdString()) / "state/highwater";
        const auto before = ::umask(0);
        {
            auto file = LogFile::open(folder, [](const std::string&) {});
            QVERIFY(file.hasValue());
            for (int i = 0; i < 1200; ++i) // and a second file
                file.value()->write(
                    {std::chrono::system_clock::now(), LogLevel::Information, LogArea::Open, std::string(1000, 'x')});
        }
        ::umask(before);
        QCOMPARE(fs::status(folder).permissions(), fs::perms::owner_all);
        int files = 0;
        for (const auto& entry : fs::directory_iterator(folder)) {
            QCOMPARE(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
            ++files;
        }
        QCOMPARE(files, 3); // including the one that reserves the place
    }
    void closesAFolderThatWasOpenToOthers() {
        const QTemporaryDir temporary;
        const fs::path folder = fs::path(temporary.path().toStdString()) / "highwater";
        fs::create_directory(folder);
        fs::permissions(folder, fs::perms::all);
        QVERIFY(LogFile::open(folder, [](const std::string&) {}).hasValue());
        QCOMPARE(fs::status(folder).permissions(), fs::perms::owner_all);
    }
    void saysOnceThatTheDiskIsFull() {
        const QTemporaryDir temporary;
        std::mutex mutex;
        std::vector<std::string> problems;
        {
            const SmallFiles full(8);
            auto file = LogFile::open(temporary.path().toStdString(), [&](const std::string& problem) {
                const std::lock_guard lock(mutex);
                problems.push_back(problem);
            });
            QVERIFY(file.hasValue());
            for (int i = 0; i < 10; ++i)
                file.value()->write(shortLine());
        }
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(problems[0].find("highwater.log") != std::string::npos, problems[0].c_str());
    }
    void noProgramThatIsStartedInheritsTheFile() {
        const QTemporaryDir temporary;
        auto file = LogFile::open(temporary.path().toStdString(), [](const std::string&) {});
        QVERIFY(file.hasValue());
        int found = 0;
        for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
            std::error_code gone;
            const auto target = fs::read_symlink(entry.path(), gone);
            if (gone || !target.string().starts_with(temporary.path().toStdString())) continue;
            ++found;
            const int fd = std::stoi(entry.path().filename().string());
            QVERIFY2((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, target.c_str());
        }
        QCOMPARE(found, 2);
    }
};
HIGHWATER_TEST(LogFileLinuxTest);
#include "log_file_test_linux.moc"
