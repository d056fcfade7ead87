#include "core/log/log_session.h"

#include "core/log/log.h"
#include "core/log/log_listening.h"
#include "core/log/log_place.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

using namespace highwater;

class LogSessionTest : public QObject {
    Q_OBJECT

    static std::filesystem::path below(const QTemporaryDir& folder) {
        return std::filesystem::path(folder.path().toStdU16String()) / "state" / "highwater";
    }
    static QStringList linesOf(const QTemporaryDir& folder) {
        QFile file(folder.filePath("state/highwater/highwater.log"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)
                                              : QStringList();
    }

  private slots:
    void writesNothingBeforeItBegins() {
        const QTemporaryDir folder;
        log(LogLevel::Error, LogArea::Open, "too early");
        QVERIFY(!isLogged(LogLevel::Error));
        QVERIFY(!logPlace().isOn);
        {
            const LogSession session({LogLevel::Information, below(folder)});
            QVERIFY(logPlace().isOn);
            log(LogLevel::Information, LogArea::Open, "in time");
        }
        log(LogLevel::Error, LogArea::Open, "too late");
        const auto lines = linesOf(folder);
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines[0].endsWith("in time"), qPrintable(lines[0]));
    }
    void aLineHasTimeProcessLevelAndArea() {
        const QTemporaryDir folder;
        {
            const LogSession session({LogLevel::Information, below(folder)});
            log(LogLevel::Warning, LogArea::Loss, "2 buffers missing.");
        }
        const auto form =
            QStringLiteral("^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} %1 warning loss      2 buffers "
                           "missing\\.\\r?$")
                .arg(QCoreApplication::applicationPid());
        const auto lines = linesOf(folder);
        QCOMPARE(lines.size(), 1);
        QVERIFY2(QRegularExpression(form).match(lines[0]).hasMatch(), qPrintable(lines[0]));
    }
    void keepsWhatIsOfTheLevelOrAbove() {
        const QTemporaryDir folder;
        {
            const LogSession session({LogLevel::Warning, below(folder)});
            QVERIFY(!isLogged(LogLevel::Information));
            for (const auto level : {LogLevel::Debug, LogLevel::Information, LogLevel::Warning, LogLevel::Error})
                log(level, LogArea::Open, "of level " + std::to_string(static_cast<int>(level)));
        }
        const auto lines = linesOf(folder);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].endsWith("of level 2"));
        QVERIFY(lines[1].endsWith("of level 3"));
    }
    void offMakesNoFileAndNoFolder() {
        const QTemporaryDir folder;
        {
            const LogSession session({LogLevel::Off, below(folder)});
            log(LogLevel::Error, LogArea::Open, "nobody reads this");
        }
        QVERIFY(QDir(folder.path()).isEmpty());
    }
    void goesOnWithoutAFile() {
        const QTemporaryDir folder;
        QFile inTheWay(folder.filePath("state"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        const LogSession session({LogLevel::Information, below(folder)});
        QVERIFY(logPlace().file.empty());
        QVERIFY(!logPlace().problem.empty());
        std::vector<std::string> heard;
        const LogListening listening([&](const LogLine& line) { heard.push_back(line.sentence); });
        log(LogLevel::Information, LogArea::Open, "still heard");
        QCOMPARE(heard.size(), std::size_t{2});
        QVERIFY2(heard[0].starts_with("No log file is written: "), heard[0].c_str());
        QCOMPARE(heard[1], std::string("still heard"));
    }
    void whoComesLateHearsTheNewestLinesFirst() {
        const LogSession session({});
        for (std::size_t i = 0; i <= kKeptLogLines; ++i)
            log(LogLevel::Information, LogArea::Open, std::to_string(i));
        std::vector<std::string> heard;
        {
            const LogListening listening([&](const LogLine& line) { heard.push_back(line.sentence); });
            QCOMPARE(heard.size(), kKeptLogLines);
            QCOMPARE(heard.front(), std::string("1"));
            log(LogLevel::Warning, LogArea::Open, "new");
        }
        log(LogLevel::Warning, LogArea::Open, "after the listener");
        QCOMPARE(heard.back(), std::string("new"));
    }
    void anyThreadLogsAndNoLineIsLostOrMixed() {
        constexpr int kThreads = 8, kLines = 100;
        const QTemporaryDir folder;
        {
            const LogSession session({LogLevel::Information, below(folder)});
            std::vector<std::thread> threads;
            for (int thread = 0; thread < kThreads; ++thread) {
                threads.emplace_back([thread] {
                    for (int i = 0; i < kLines; ++i)
                        log(LogLevel::Information, LogArea::Symbols, std::to_string(thread * kLines + i) + ".");
                });
            }
            for (auto& thread : threads)
                thread.join();
        }
        std::set<int> numbers;
        for (const auto& line : linesOf(folder)) {
            const auto last = line.section(' ', -1).trimmed();
            if (last.endsWith('.')) numbers.insert(last.chopped(1).toInt());
        }
        QCOMPARE(static_cast<int>(numbers.size()), kThreads * kLines);
    }
    void aLogThatEndsWhileOthersLogTakesNoHarm() {
        const QTemporaryDir folder;
        std::atomic<bool> isOver{false};
        std::thread other([&] {
            while (!isOver)
                log(LogLevel::Information, LogArea::Open, "whenever");
        });
        for (int i = 0; i < 20; ++i)
            const LogSession session({LogLevel::Information, below(folder)});
        isOver = true;
        other.join();
        QVERIFY(!isLogged(LogLevel::Error));
    }
};
HIGHWATER_TEST(LogSessionTest);
#include "log_session_test.moc"
