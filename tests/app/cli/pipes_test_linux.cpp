#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace highwater;
using namespace highwater::tests;

/// Pipes in place of a list, a trace or a fleet.
class PipesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string newPipe() {
        static int count = 0;
        const auto path = folder_.filePath(QString("pipe%1").arg(++count)).toStdString();
        return ::mkfifo(path.c_str(), 0600) == 0 ? path : std::string();
    }
    static std::vector<std::string> with(std::vector<std::string> words, const std::string& pipe) {
        for (auto& word : words) {
            if (word == "PIPE") word = pipe;
            if (word == "TRACE") word = exercise2File("plain");
        }
        return words;
    }

  private slots:
    void unwrittenPipesDoNotBlock_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("sentence");
        const QString list = "Cannot read PIPE: it is a pipe that no process writes to.";
        const QString file = "PIPE is not a regular file.";
        const QStringList heap{"table", "TRACE", "--table", "heap", "--by", "Stack Tag", "--no-symbols"};
        QTest::newRow("stack tags") << heap + QStringList{"--stack-tags", "PIPE"} << list;
        QTest::newRow("allocators") << heap + QStringList{"--allocator-frames", "PIPE"} << list;
        QTest::newRow("suppressions") << QStringList{"leaks", "TRACE", "--suppressions", "PIPE", "--no-symbols"}
                                      << list;
        QTest::newRow("renames") << QStringList{"diff", "TRACE", "--with", "TRACE", "--renames", "PIPE"} << list;
        QTest::newRow("budget") << QStringList{"check", "--with", "TRACE", "--budget", "PIPE", "--no-symbols"} << list;
        QTest::newRow("trace") << QStringList{"info", "PIPE"} << file;
        QTest::newRow("trace of a comparison") << QStringList{"diff", "TRACE", "--with", "PIPE"} << file;
        QTest::newRow("fleet") << QStringList{"fleet", "runs", "PIPE"} << file;
    }
    void unwrittenPipesDoNotBlock() {
        QFETCH(QStringList, words);
        QFETCH(QString, sentence);
        const auto pipe = newPipe();
        std::vector<std::string> typed;
        for (const auto& word : words)
            typed.push_back(word.toStdString());
        QElapsedTimer took;
        took.start();
        const auto answer = runCliProgram(with(typed, pipe));
        QVERIFY2(took.elapsed() < 15'000, qPrintable(QString::number(took.elapsed())));
        QVERIFY(answer.exitCode > 0);
        const auto expected = sentence.replace("PIPE", QString::fromStdString(pipe)).toStdString();
        QVERIFY2(has(answer.messages, expected), answer.messages.c_str());
    }
    /// Like <(command) in a shell.
    void oneThatIsWrittenIsReadToItsEnd() {
        const auto pipe = newPipe();
        const std::jthread writer([&] {
            const int fd = ::open(pipe.c_str(), O_WRONLY);
            for (const std::string part : {"outstanding ", "1GB\n"}) {
                (void)!::write(fd, part.data(), part.size());
                ::usleep(100'000);
            }
            ::close(fd);
        });
        const auto answer = runCliProgram(
            with({"check", "--with", "TRACE", "--budget", "PIPE", "--table", "heap", "--no-symbols"}, pipe));
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        QVERIFY2(has(answer.answers, "outstanding 1GB"), answer.answers.c_str());
    }
};
HIGHWATER_TEST(PipesTest);
#include "pipes_test_linux.moc"
