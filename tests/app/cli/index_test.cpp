#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/trace_loader.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/managed_program.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>

using namespace highwater;
using namespace highwater::tests;

namespace {

std::string managedFile() {
    static const auto path = [] {
        auto file = temporaryPath("managed.etl");
        return fixtures::managedProgramTrace().writeTo(file).hasValue() ? file : std::string();
    }();
    return path;
}

/// Real traces, the built one in several shapes, and one with managed code and objects.
std::map<QString, std::string> tracesByName() {
    std::map<QString, std::string> traces;
    const QDir shared(qEnvironmentVariable("HIGHWATER_SHARED_TRACES"));
    for (const auto& file : shared.entryInfoList({"*.etl"}, QDir::Files))
        traces[file.fileName()] = file.absoluteFilePath().toStdString();
    for (const auto* shape : {"plain", "32-bit", "keys", "no-stacks", "merged"})
        traces[shape] = exercise2File(shape);
    traces["managed"] = managedFile();
    return traces;
}

std::vector<QStringList> questions() {
    std::vector<QStringList> all{{"info", "--json", "--processes", "--modules"},
                                 {"info"},
                                 {"explain"},
                                 {"heaps"},
                                 {"leaks"},
                                 {"generations"},
                                 {"histogram", "--table", "heap"},
                                 {"flames", "--table", "heap"}};
    for (const auto* table : {"heap", "virtualalloc", "frees", "snapshot", "managed", "gcheap"}) {
        all.push_back({"table", "--table", table, "--by", "Process,Stack", "--format", "json"});
        all.push_back({"table", "--table", table, "--by", "Process,Handle,Thread", "--format", "csv"});
        all.push_back({"table", "--table", table, "--by", "Process,Stack", "--range", "1:3", "--format", "csv"});
        all.push_back({"timeline", "--table", table, "--points", "77", "--by", "Process", "--format", "json"});
    }
    return all;
}

/// What takes long is not part of an answer; of the log, only what names the index is asked for.
struct CacheHome {
    explicit CacheHome(const QString& folder) : before(qgetenv("XDG_CACHE_HOME")) {
        qputenv("XDG_CACHE_HOME", folder.toUtf8());
    }
    ~CacheHome() {
        if (before.isNull())
            qunsetenv("XDG_CACHE_HOME");
        else
            qputenv("XDG_CACHE_HOME", before);
    }
    CacheHome(const CacheHome&) = delete;
    CacheHome& operator=(const CacheHome&) = delete;
    QByteArray before;
};

} // namespace

/// What was opened before gives the same answers by its index, to the byte.
class IndexTest : public QObject {
    Q_OBJECT
  private slots:
    void changesNoAnswer_data() {
        QTest::addColumn<QString>("path");
        for (const auto& [name, path] : tracesByName())
            QTest::newRow(qPrintable(name)) << QString::fromStdString(path);
    }
    void changesNoAnswer() {
#ifdef Q_OS_WIN
        QSKIP("The folder is one of the system's there.");
#endif
        QFETCH(QString, path);
        const QTemporaryDir folder;
        const CacheHome home(folder.path());
        const auto file = path.toStdString();
        {
            const std::filesystem::path indexes = folder.path().toStdString();
            pipeline::TraceLoader loader({file},
                                         std::make_shared<pipeline::TraceIndexCache>(pipeline::TraceIndexCache::Options{
                                             .folder = indexes / pipeline::kTraceIndexFolder, .leastTraceBytes = 0}));
            loader.wait();
            if (loader.state() != pipeline::LoadState::Finished) QSKIP("It is no trace.");
            if (!loader.facts().properties.closed) QSKIP("Its recorder did not finish it: it gets no index.");
        }
        QVERIFY(has(runCli({"info", file, "-v"}).messages, "was read from an index"));
        QVERIFY(!has(runCli({"info", file, "-v", "--no-index"}).messages, "was read from an index"));
        for (const auto& question : questions()) {
            std::vector<std::string> arguments{question[0].toStdString(), file};
            for (const auto& word : question.mid(1))
                arguments.push_back(word.toStdString());
            const auto indexed = runCli(arguments);
            arguments.emplace_back("--no-index");
            const auto loaded = runCli(arguments);
            const auto asked = qPrintable(question.join(' '));
            QVERIFY2(indexed.exitCode == loaded.exitCode, asked);
            QVERIFY2(indexed.answers == loaded.answers, asked);
            QVERIFY2(indexed.messages == loaded.messages, asked);
        }
    }
};
HIGHWATER_TEST(IndexTest);
#include "index_test.moc"
