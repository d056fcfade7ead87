#include "core/files/bounded_file.h"

#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace highwater;
namespace fs = std::filesystem;

/// Files and pipes that a user specifies where a list is expected.
class BoundedFileTest : public QObject {
    Q_OBJECT

    static constexpr std::size_t kMost = 1 << 20;

    fs::path newPipe() {
        const auto path = fs::path(temporary_.path().toStdString()) / ("pipe" + std::to_string(++pipes_));
        return ::mkfifo(path.c_str(), 0600) == 0 ? path : fs::path();
    }
    /// Writes piece by piece, as another program does.
    static std::jthread writer(const fs::path& pipe, std::vector<std::string> pieces, std::chrono::milliseconds pause) {
        return std::jthread([pipe, pieces = std::move(pieces), pause] {
            std::this_thread::sleep_for(pause);
            const int fd = ::open(pipe.c_str(), O_WRONLY);
            for (const auto& piece : pieces) {
                (void)!::write(fd, piece.data(), piece.size());
                std::this_thread::sleep_for(pause);
            }
            ::close(fd);
        });
    }

  private slots:
    void initTestCase() { ::signal(SIGPIPE, SIG_IGN); } // writers continue after the reader has closed
    void readsFiles() {
        const auto path = temporary_.filePath("list");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(100'000, 'x'));
        file.close();
        QCOMPARE(readBounded(path.toStdString(), kMost).value(), std::string(100'000, 'x'));
        QCOMPARE(readBounded(path.toStdString(), 99'999).error().message,
                 "Cannot read " + path.toStdString() + ": it is larger than 97.7 KB.");
        QCOMPARE(readBounded("/proc/self/comm", kMost).value().empty(), false); // its length is 0, as the system says
        QCOMPARE(readBounded("/dev/null", kMost).value(), std::string());
    }
    void saysWhyItReadsNothing() {
        const auto folder = temporary_.path().toStdString();
        QCOMPARE(readBounded(folder + "/none", kMost).error().kind, ErrorKind::NotFound);
        QCOMPARE(readBounded(folder + "/none", kMost).error().message,
                 "Cannot read " + folder + "/none: No such file or directory.");
        QCOMPARE(readBounded(folder, kMost).error().message, "Cannot read " + folder + ": it is a folder.");
        QCOMPARE(readBounded("/dev/zero", kMost).error().message,
                 std::string("Cannot read /dev/zero: it is larger than 1.0 MB."));
    }
    void doesNotWaitForAPipeThatNobodyWrites() {
        const auto pipe = newPipe();
        QElapsedTimer took;
        took.start();
        const auto read = readBounded(pipe, kMost, {.writer = std::chrono::milliseconds(200)});
        QCOMPARE(read.error().message, "Cannot read " + pipe.string() + ": it is a pipe that no process writes to.");
        QVERIFY(took.elapsed() < 10'000);
    }
    void readsAPipeToItsEnd() {
        const auto pipe = newPipe();
        const auto writing =
            writer(pipe, {"one\n", "two\n", std::string(200'000, 'x')}, std::chrono::milliseconds(150));
        QCOMPARE(readBounded(pipe, kMost).value(), "one\ntwo\n" + std::string(200'000, 'x'));
    }
    /// As that of a shell's <(command).
    void readsAPipeWhoseWriterIsGone() {
        for (const std::string text : {"all of it", ""}) {
            int ends[2];
            QCOMPARE(::pipe(ends), 0);
            QCOMPARE(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
            ::close(ends[1]);
            QElapsedTimer took;
            took.start();
            QCOMPARE(readBounded("/proc/self/fd/" + std::to_string(ends[0]), kMost).value(), text);
            QVERIFY(took.elapsed() < 1'500); // the end is noticed at once
            ::close(ends[0]);
        }
    }
    void doesNotWaitForAWriterThatSaysNothing() {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const auto path = "/proc/self/fd/" + std::to_string(ends[0]);
        const auto read = readBounded(path, kMost, {.byte = std::chrono::milliseconds(300)});
        QVERIFY2(read.error().message.starts_with("Cannot read " + path + ": its end was not reached within 0."),
                 read.error().message.c_str());
        ::close(ends[0]);
        ::close(ends[1]);
    }
    void doesNotWaitForeverForAWriterThatDrips() {
        const auto pipe = newPipe();
        const std::vector<std::string> drops(100, ".");
        const auto writing = writer(pipe, drops, std::chrono::milliseconds(20));
        QElapsedTimer took;
        took.start();
        const auto read = readBounded(pipe, kMost, {.whole = std::chrono::milliseconds(400)});
        QVERIFY(!read.hasValue());
        QVERIFY(took.elapsed() < 1'900);
    }

  private:
    QTemporaryDir temporary_;
    int pipes_ = 0;
};
HIGHWATER_TEST(BoundedFileTest);
#include "bounded_file_test_linux.moc"
