#include "core/pipeline/index/trace_index_cache.h"
#include "core/pipeline/trace_loader.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/core/pipeline/index/forged_index.h"
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

/// Durations are not part of an answer; of the log, only lines that name the index are compared.
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

/// The words of a file that a test changes: spread evenly, several changes for each.
std::vector<std::size_t> placesToForge(const ForgedIndex& index) {
    constexpr std::size_t kWord = 4, kMost = 300;
    const auto words = (index.payloadEnd() - ForgedIndex::kHeader) / kWord;
    const auto step = qEnvironmentVariableIsSet("HIGHWATER_FORGE_ALL") ? 1 : words / kMost + 1;
    std::vector<std::size_t> places;
    for (std::size_t word = 0; word < words; word += step)
        places.push_back(ForgedIndex::kHeader + word * kWord);
    return places;
}

/// A trace that was opened before gives identical answers from its index, byte for byte.
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
        QVERIFY(has(runCli({"info", file, "-v"}).messages, "was read from a saved index"));
        QVERIFY(!has(runCli({"info", file, "-v", "--no-index"}).messages, "was read from a saved index"));
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

    /// An attacker who can compute checksums can write any value to any place: if an index is still accepted, every
    /// query must be safe.
    void answersWhateverAForgedIndexSays_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("plain") << QString::fromStdString(exercise2File("plain"));
        QTest::newRow("managed") << QString::fromStdString(managedFile());
    }
    void answersWhateverAForgedIndexSays() {
        QFETCH(QString, path);
        const auto trace = path.toStdString();
        const QTemporaryDir home;
        const CacheHome cache(home.path());
        const pipeline::TraceIndexCache::Options options{
            .folder = (std::filesystem::path(home.path().toStdString()) / pipeline::kTraceIndexFolder),
            .leastTraceBytes = 0};
        auto indexes = std::make_shared<pipeline::TraceIndexCache>(options);
        pipeline::TraceLoader({trace}, indexes).wait();
        const auto key = indexes->keyOf({trace});
        QVERIFY(indexes->find(key, {trace}).has_value());
        const auto file = std::filesystem::directory_iterator(options.folder)->path();
        const ForgedIndex index(file);
        const auto all = questions();
        std::size_t refused = 0, asked = 0;
        for (const auto place : placesToForge(index)) {
            for (const std::uint32_t value : {0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x00010000u, 1u, 0u}) {
                index.writeWith(file, place, value);
                if (!indexes->find(key, {trace}).has_value()) {
                    ++refused;
                    continue;
                }
                const auto& question = all[asked++ % all.size()];
                std::vector<std::string> words{question.front().toStdString(), trace, "--no-symbols"};
                if (words.front() == "info" || words.front() == "heaps") words.pop_back();
                for (const auto& word : question.mid(1))
                    words.push_back(word.toStdString());
                const auto answer = runCli(words);
                QVERIFY2(answer.exitCode >= 0, qPrintable(question.join(' ')));
            }
        }
        QVERIFY2(refused > 60, qPrintable(QString::number(refused)));
        QVERIFY2(asked > 60, qPrintable(QString::number(asked)));
    }
};
HIGHWATER_TEST(IndexTest);
#include "index_test.moc"
