#include "core/symbols/store/symbol_fetcher.h"

#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/store/part_file.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/core/symbols/symbol_server.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>
#include <sys/resource.h>
#include <thread>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

using Outcome = SymbolFetcher::Outcome;

namespace {

/// Large enough to be cut, random enough to reveal a wrong part.
QByteArray content(char seed) {
    QByteArray bytes;
    unsigned value = static_cast<unsigned char>(seed);
    for (int i = 0; i < 300'000; ++i) {
        value = value * 1103515245u + 12345u;
        bytes.append(static_cast<char>(value >> 16));
    }
    return bytes;
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class SymbolFetcherTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(folder_->path()).mkdir("server") && QDir(folder_->path()).mkdir("cache"));
        writeFile(folder_->filePath("server/a.pdb"), content('a'));
        writeFile(folder_->filePath("server/wrong"), content('w'));
        writeFile(folder_->filePath("server/empty"), {});
        server_ = std::make_unique<SymbolServer>(folder_->filePath("server"));
        if (!server_->isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        fetcher_ = std::make_unique<SymbolFetcher>(options());
    }
    /// In every case, files in the cache are complete and correct; otherwise there is at most the start of one, to be
    /// resumed.
    void cleanup() {
        if (!server_ || !server_->isRunning()) return;
        for (const auto& name : cached()) {
            const auto bytes = read(folder_->filePath("cache/" + name));
            if (name == "a.pdb") QVERIFY(bytes == content('a'));
            if (name.endsWith(".part")) QVERIFY(!bytes.isEmpty() && content('a').startsWith(bytes));
            QVERIFY2(name == "a.pdb" || name.endsWith(".part") || name.endsWith(".tag"), qPrintable(name));
        }
        QVERIFY(cached().size() <= 2);
        QVERIFY(!cached().contains("a.pdb") || cached().size() == 1);
    }

    void fetchesInManyWays_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("requests");
        QTest::newRow("at once") << "ok" << 1;
        QTest::newRow("redirected") << "redirect" << 2;
        QTest::newRow("slowly") << "slow" << 1;
        QTest::newRow("cut off once") << "cut-once" << 2;
        QTest::newRow("cut off, the server sends all again") << "no-range" << 2;
        QTest::newRow("cut off, the file changes meanwhile") << "changing" << 2;
        QTest::newRow("cut off, nothing says what the rest belongs to") << "untagged" << 2;
        QTest::newRow("busy once") << "busy-once" << 2;
    }
    void fetchesInManyWays() {
        QFETCH(QString, how);
        QFETCH(int, requests);
        Progress progress;
        const auto answer = get(how + "/a.pdb", progress);
        QVERIFY2(answer.outcome == Outcome::Fetched, answer.sentence.c_str());
        QVERIFY(read(target()) == content('a'));
        QCOMPARE(progress.done.load(), std::uint64_t(content('a').size()));
        QCOMPARE(progress.total.load(), progress.done.load());
        QCOMPARE(server_->requests().size(), requests);
        // Again: it is cached.
        QVERIFY(get(how + "/a.pdb").outcome == Outcome::Fetched);
        QCOMPARE(server_->requests().size(), requests);
    }
    void goesOnWhereItWasCutOff() {
        QVERIFY(get("cut-once/a.pdb").outcome == Outcome::Fetched);
        const auto expected = QString("GET /cut-once/a.pdb bytes=%1-").arg(content('a').size() / 2);
        QCOMPARE(server_->requests().at(1), expected);
    }

    void tellsWhyItCannot_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("outcome");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("404") << "ok/b.pdb" << int(Outcome::NotThere) << "not found (status 404)";
        QTest::newRow("500") << "error/a.pdb" << int(Outcome::NotThere) << "not found (status 500)";
        QTest::newRow("a name and a password are asked for")
            << "denied/a.pdb" << int(Outcome::NotThere) << "not found (status 401)";
        QTest::newRow("redirects without end") << "loop/a.pdb" << int(Outcome::NotThere) << "invalid answer";
        QTest::newRow("another file") << "wrong/a.pdb" << int(Outcome::OtherBuild) << "refused: it is another file";
        QTest::newRow("an empty file") << "ok/empty" << int(Outcome::OtherBuild) << "refused: it is another file";
        QTest::newRow("busy") << "busy/a.pdb" << int(Outcome::ServerDown) << "the server is busy (status 503)";
        QTest::newRow("too many requests")
            << "limited/a.pdb" << int(Outcome::ServerDown) << "the server is busy (status 429) and asks to wait 3600 s";
        QTest::newRow("cut off every time") << "cut/a.pdb" << int(Outcome::CutOff) << "cut off after";
        QTest::newRow("stalls") << "stall/a.pdb" << int(Outcome::CutOff) << "cut off after";
    }
    void tellsWhyItCannot() {
        QFETCH(QString, path);
        QFETCH(int, outcome);
        QFETCH(QString, sentence);
        const auto answer = get(path);
        QCOMPARE(int(answer.outcome), outcome);
        QVERIFY2(QString::fromStdString(answer.sentence).startsWith(sentence), answer.sentence.c_str());
        QVERIFY2(!server_->requests().contains("CREDENTIALS"), "nobody's name or password is sent");
        QCOMPARE(cached().size(), outcome == int(Outcome::CutOff) ? 2 : 0);
        // The server is not asked again until requested.
        const auto requests = server_->requests().size();
        QCOMPARE(int(get(path).outcome), outcome);
        QCOMPARE(server_->requests().size(), requests);
        fetcher_->forgetFailures();
        QCOMPARE(int(get(path).outcome), outcome);
        QVERIFY(server_->requests().size() > requests);
    }
    void asksADeadServerOnce() {
        const auto dead = server_->url("ok/a.pdb");
        server_->stop();
        QVERIFY(fetch(dead).outcome == Outcome::ServerDown);
        // Any other file from it fails without a connection: at once, a thousand times.
        for (int i = 0; i < 1000; ++i) {
            const auto answer = fetch(dead + std::to_string(i));
            QVERIFY(answer.outcome == Outcome::ServerDown);
            QVERIFY(answer.sentence.ends_with("(queried before)"));
        }
        QVERIFY(fetch("http://host.invalid/x").outcome == Outcome::ServerDown);
    }
    void stopsWhenCancelled() {
        std::stop_source stop;
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(150));
            stop.request_stop();
        });
        Progress progress;
        const auto answer =
            fetcher_->fetch(server_->url("stall/a.pdb"), target().toStdString(), check(), progress, stop.get_token());
        QVERIFY(answer.outcome == Outcome::Cancelled);
        QVERIFY(get("ok/a.pdb").outcome == Outcome::Fetched); // not remembered as a failure
    }
    void replacesABadFileOfTheCache() {
        writeFile(target(), "left over");
        QVERIFY(get("ok/a.pdb").outcome == Outcome::Fetched);
        QVERIFY(read(target()) == content('a'));
    }
    void saysWhenItCannotWrite() {
        writeFile(folder_->filePath("blocked"), "a file where a folder should be");
        Progress progress;
        const auto answer = fetcher_->fetch(server_->url("ok/a.pdb"), folder_->filePath("blocked/a.pdb").toStdString(),
                                            check(), progress, {});
        QVERIFY(answer.outcome == Outcome::CannotWrite);
    }
    void fetchesOneFileOnceForManyThreads() {
        std::vector<std::jthread> threads;
        std::atomic<int> fetched{0};
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                if (get("slow/a.pdb").outcome == Outcome::Fetched) ++fetched;
            });
        }
        threads.clear();
        QCOMPARE(fetched.load(), 8);
        QCOMPARE(server_->requests().size(), 1);
    }
    void unpacksWhatAServerPacks() {
        Progress progress;
        QVERIFY(get("gzip/a.pdb", progress).outcome == Outcome::Fetched);
        QVERIFY(read(target()) == content('a'));
        QCOMPARE(progress.done.load(), std::uint64_t(content('a').size()));
    }
    void goesOnInTheNextRun() {
        SymbolFetcher killed(FetchOptions{std::chrono::milliseconds(2000), std::chrono::milliseconds(300), 1});
        Progress progress;
        const auto url = server_->url("cut-once/a.pdb");
        QVERIFY(killed.fetch(url, target().toStdString(), check(), progress, {}).outcome == Outcome::CutOff);
        QVERIFY(get("cut-once/a.pdb").outcome == Outcome::Fetched);
        QCOMPARE(server_->requests().at(1), QString("GET /cut-once/a.pdb bytes=%1-").arg(content('a').size() / 2));
    }
    void doesNotGoOnWithAnotherContent() {
        SymbolFetcher killed(FetchOptions{std::chrono::milliseconds(2000), std::chrono::milliseconds(300), 1});
        Progress progress;
        const auto url = server_->url("changing/a.pdb");
        QVERIFY(killed.fetch(url, target().toStdString(), check(), progress, {}).outcome == Outcome::CutOff);
        for (const auto& name : cached()) { // as if from another file
            if (name.endsWith(".part")) writeFile(folder_->filePath("cache/" + name), content('b').left(1000));
        }
        QVERIFY(get("changing/a.pdb").outcome == Outcome::Fetched);
        QVERIFY(read(target()) == content('a'));
    }
    void doesNotPutPartsTogetherThatDoNotFit_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("another part than was asked for") << "other-part";
        QTest::newRow("the rest of a changed file") << "careless";
    }
    void doesNotPutPartsTogetherThatDoNotFit() {
        QFETCH(QString, how);
        const auto answer = get(how + "/a.pdb"); // the second attempt is the last one
        QVERIFY2(answer.outcome == Outcome::CutOff, answer.sentence.c_str());
        QVERIFY(cached().isEmpty());
        fetcher_->forgetFailures();
        QVERIFY(get(how + "/a.pdb").outcome == Outcome::Fetched);
        QVERIFY(read(target()) == content('a'));
    }
    void removesOldLeftovers() {
        const std::filesystem::path root = folder_->filePath("tree").toStdString();
        const std::string module = "a.pdb/4E0B7AB9C1D24B7E9F1234567890ABCD1/";
        const std::string key = "0123456789abcdef";
        const auto put = [&](const std::string& name, std::chrono::hours age) {
            std::filesystem::create_directories((root / name).parent_path());
            writeFile(QString::fromStdString((root / name).string()), "begin");
            std::filesystem::last_write_time(root / name, std::filesystem::file_time_type::clock::now() - age);
        };
        constexpr std::chrono::hours kMonth(24 * 30);
        const std::vector<std::string> old{module + "a.pdb." + key + ".part", module + "a.pdb." + key + ".tag",
                                           module + "a.pdb.unpacked"};
        // A recent download, a debug file, and another program's file in a folder that was chosen as cache.
        const std::vector<std::string> kept{module + "a.pdb", "Downloads/film.part", "a.pdb/folder/film.part",
                                            module + "film.part", module + "deeper/a.pdb." + key + ".part"};
        for (const auto& name : old)
            put(name, kMonth);
        for (const auto& name : kept)
            put(name, kMonth);
        const auto fresh = module + "a.pdb.fedcba9876543210.part";
        put(fresh, std::chrono::hours(1));
        fetcher_->removeLeftovers(root);
        for (const auto& name : old)
            QVERIFY2(!std::filesystem::exists(root / name), name.c_str());
        for (const auto& name : kept)
            QVERIFY2(std::filesystem::exists(root / name), name.c_str());
        QVERIFY(std::filesystem::exists(root / fresh));
    }
    void waitsForAnotherProcess() {
        // Two fetchers share no state, like two processes: the lock is on the file.
        SymbolFetcher other(options());
        std::jthread first([&] {
            Progress progress;
            (void)other.fetch(server_->url("slow/a.pdb"), target().toStdString(), check(), progress, {});
        });
        QTRY_VERIFY(!cached().isEmpty());
        QVERIFY(get("slow/a.pdb").outcome == Outcome::Fetched);
        first.join();
        QVERIFY(read(target()) == content('a'));
        QCOMPARE(server_->requests().size(), 1);
    }
    void doesNotWaitForAProcessThatHangs() {
        const auto part = PartFile::open(target().toStdString(), keyOfUrl("ok/a.pdb"));
        QVERIFY(part.state() == PartFile::State::Open);
        SymbolFetcher impatient(FetchOptions{std::chrono::milliseconds(100), std::chrono::milliseconds(200), 2});
        Progress progress;
        const auto answer = impatient.fetch(server_->url("ok/a.pdb"), target().toStdString(), check(), progress, {});
        QVERIFY(answer.outcome == Outcome::Fetched);
        QVERIFY(QFile::remove(QString::fromStdString(part.path().string())));
    }
    void usesTheProxyOfTheEnvironment() {
        qputenv("http_proxy", QString("http://127.0.0.1:%1").arg(server_->port()).toUtf8());
        const auto answer = fetch("http://symbols.invalid/ok/a.pdb");
        qunsetenv("http_proxy");
        QVERIFY2(answer.outcome == Outcome::Fetched, answer.sentence.c_str());
        QCOMPARE(server_->requests(), QStringList{"GET http://symbols.invalid/ok/a.pdb"});
    }
    void refusesAServerThatIsNotTrusted() {
        const auto certificate = folder_->filePath("server.pem");
        QProcess openssl;
        openssl.start("openssl", {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                                  "/CN=127.0.0.1", "-keyout", certificate, "-out", folder_->filePath("certificate")});
        if (!openssl.waitForFinished() || openssl.exitCode() != 0) QSKIP("openssl is not installed");
        writeFile(certificate, read(certificate) + read(folder_->filePath("certificate")));
        const SymbolServer secure(folder_->filePath("server"), certificate);
        QVERIFY(secure.isRunning());
        const auto answer = fetch(secure.url("ok/a.pdb"));
        QVERIFY(answer.outcome == Outcome::ServerDown);
        QVERIFY2(answer.sentence.starts_with("no secure connection to the server: SSL certificate problem"),
                 answer.sentence.c_str());
        QVERIFY(cached().isEmpty());
    }
    void refusesWhatIsTooLarge_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("as the server says") << "huge"
                                            << "refused: it is larger than 1.0 MB";
        QTest::newRow("as it turns out") << "endless"
                                         << "refused: it is larger than 1.0 MB";
        QTest::newRow("the page of an error") << "endless-page"
                                              << "not found (status 500)";
    }
    void refusesWhatIsTooLarge() {
        QFETCH(QString, how);
        QFETCH(QString, sentence);
        auto limited = options();
        limited.mostBytes = 1 << 20;
        limited.longest = std::chrono::seconds(20);
        fetcher_ = std::make_unique<SymbolFetcher>(limited);
        Progress progress;
        const auto answer = get(how + "/a.pdb", progress);
        QVERIFY(answer.outcome == Outcome::WrongFile || answer.outcome == Outcome::NotThere);
        QCOMPARE(QString::fromStdString(answer.sentence), sentence);
        QVERIFY(progress.done <= limited.mostBytes);
        QVERIFY(cached().isEmpty());
        QCOMPARE(server_->requests().size(), 1);
    }
    /// The total cost of a server is limited over all files, not only per file.
    void givesUpAServerThatCostsTooMuch_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("asked");
        QTest::addColumn<QString>("why");
        QTest::newRow("slow") << "stall" << 3 << "the server is too slow: ";
        QTest::newRow("wrong files") << "wrong" << 3 << "the server failed to send 3 files";
        QTest::newRow("much") << "ok" << 2 << "the server has already sent 0.6 MB";
    }
    void givesUpAServerThatCostsTooMuch() {
        QFETCH(QString, how);
        QFETCH(int, asked);
        QFETCH(QString, why);
        constexpr int kFiles = 12;
        auto limited = options();
        limited.attempts = 1;
        limited.quick = std::chrono::milliseconds(0);
        // With stalls of 300 ms each; a busy machine takes longer.
        limited.serverPatience = std::chrono::milliseconds(how == "stall" ? 700 : 600'000);
        limited.mostFailures = how == "stall" ? kFiles : 3;
        if (how == "ok") limited.mostServerBytes = 500'000;
        SymbolFetcher fetcher(limited);
        const QTemporaryDir cache;
        const auto fetch = [&](const SymbolServer& server, int file) {
            const auto name = QString("f%1").arg(file);
            writeFile(folder_->filePath("server/" + name), content('a'));
            Progress progress;
            return fetcher.fetch(server.url(how + "/" + name), cache.filePath(name).toStdString(),
                                 check(), progress, {});
        };
        QElapsedTimer took;
        took.start();
        SymbolFetcher::Answer last;
        for (int file = 0; file < kFiles; ++file)
            last = fetch(*server_, file);
        QVERIFY2(took.elapsed() < 20'000, qPrintable(QString::number(took.elapsed())));
        const auto requests = static_cast<int>(server_->requests().size());
        QVERIFY2(how == "stall" ? requests <= asked : requests == asked, qPrintable(QString::number(requests)));
        QCOMPARE(last.outcome, Outcome::ServerDown);
        QVERIFY2(last.sentence.starts_with("no longer queried because " + why.toStdString()), last.sentence.c_str());
        SymbolServer other(folder_->filePath("server"));
        (void)fetch(other, kFiles);
        QCOMPARE(other.requests().size(), 1); // costs nothing yet
        fetcher.forgetFailures();
        (void)fetch(*server_, kFiles + 1);
        QCOMPARE(server_->requests().size(), requests + 1);
    }
    void givesUpWhatNeverEnds_data() {
        QTest::addColumn<int>("longestMs");
        QTest::addColumn<int>("paceMs");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("in all") << 500 << 60'000 << "gave up after 0 s with ";
        QTest::newRow("too slow") << 60'000 << 500 << "gave up because only ";
    }
    void givesUpWhatNeverEnds() {
        QFETCH(int, longestMs);
        QFETCH(int, paceMs);
        QFETCH(QString, sentence);
        auto limited = options();
        limited.longest = std::chrono::milliseconds(longestMs);
        limited.paceTime = std::chrono::milliseconds(paceMs);
        fetcher_ = std::make_unique<SymbolFetcher>(limited);
        std::stop_source tooLong; // or the test would never end
        std::jthread watch([&](const std::stop_token& done) {
            for (int i = 0; i < 200 && !done.stop_requested(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            tooLong.request_stop();
        });
        Progress progress;
        const auto answer = fetcher_->fetch(server_->url("trickle/a.pdb"), target().toStdString(), check(), progress,
                                            tooLong.get_token());
        QVERIFY2(QString::fromStdString(answer.sentence).startsWith(sentence), answer.sentence.c_str());
        QVERIFY(answer.outcome == Outcome::CutOff);
        QCOMPARE(server_->requests().size(), 1);
        for (const auto& name : cached()) // bytes that differ from those that cleanup() expects
            QVERIFY(QFile::remove(folder_->filePath("cache/" + name)));
    }
    void goesNotFromHttpsToHttp() {
        const auto certificate = folder_->filePath("server.pem");
        QProcess openssl;
        openssl.start("openssl", {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                                  "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate,
                                  "-out", folder_->filePath("trusted")});
        if (!openssl.waitForFinished() || openssl.exitCode() != 0) QSKIP("openssl is not installed");
        writeFile(certificate, read(certificate) + read(folder_->filePath("trusted")));
        writeFile(folder_->filePath("server/port"), QByteArray::number(server_->port()));
        SymbolServer secure(folder_->filePath("server"), certificate);
        QVERIFY(secure.isRunning());
        auto trusting = options();
        trusting.certificates = folder_->filePath("trusted").toStdString();
        fetcher_ = std::make_unique<SymbolFetcher>(trusting);
        const auto answer = fetch(secure.url("plain/a.pdb"));
        QVERIFY2(answer.outcome == Outcome::NotThere, answer.sentence.c_str());
        QVERIFY2(answer.sentence.ends_with("redirects from https to another protocol, which is not allowed"),
                 answer.sentence.c_str());
        QVERIFY(server_->requests().isEmpty());
        QVERIFY2(fetch(secure.url("redirect/a.pdb")).outcome == Outcome::Fetched, "https to https");
    }
    void saysWhenTheDiskIsFull() {
        struct rlimit before {};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        auto limited = before;
        limited.rlim_cur = 100'000; // a third of the file
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &limited), 0);
        const auto answer = get("ok/a.pdb");
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, handler);
        QVERIFY2(answer.outcome == Outcome::CannotWrite, answer.sentence.c_str());
        QVERIFY2(answer.sentence.ends_with("cannot be written: File too large"), answer.sentence.c_str());
        QVERIFY(cached().isEmpty()); // the room is free again
        QVERIFY(get("ok/a.pdb").outcome == Outcome::Fetched);
    }
    void knowsTheServerOfAUrl() {
        QCOMPARE(serverOf("https://a.b:80/c/d"), std::string("https://a.b:80"));
        QCOMPARE(serverOf("http://a"), std::string("http://a"));
        QCOMPARE(serverOf("nonsense"), std::string("nonsense"));
    }

  private:
    static FetchOptions options() {
        return {std::chrono::milliseconds(2000), std::chrono::milliseconds(300), 2, std::chrono::milliseconds(20),
                std::chrono::milliseconds(200)};
    }
    [[nodiscard]] QStringList cached() const {
        return QDir(folder_->filePath("cache")).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }
    [[nodiscard]] std::string keyOfUrl(const QString& path) const { return partKey(server_->url(path)); }
    [[nodiscard]] QString target() const { return folder_->filePath("cache/a.pdb"); }
    static SymbolFetcher::Check check() {
        return [](const std::filesystem::path& file) -> Result<void> {
            if (read(QString::fromStdString(file.string())) == content('a')) return {};
            return Error{ErrorKind::NotFound, "it is another file"};
        };
    }
    SymbolFetcher::Answer fetch(const std::string& url) {
        Progress progress;
        return fetcher_->fetch(url, target().toStdString(), check(), progress, {});
    }
    SymbolFetcher::Answer get(const QString& path, Progress& progress) {
        return fetcher_->fetch(server_->url(path), target().toStdString(), check(), progress, {});
    }
    SymbolFetcher::Answer get(const QString& path) {
        Progress progress;
        return get(path, progress);
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<SymbolServer> server_;
    std::unique_ptr<SymbolFetcher> fetcher_;
};
HIGHWATER_TEST(SymbolFetcherTest);
#include "symbol_fetcher_test.moc"
