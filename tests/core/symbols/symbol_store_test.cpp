#include "core/symbols/symbol_store.h"

#include "tests/core/symbols/symbol_programs.h"
#include "tests/core/symbols/symbol_server.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

using State = SymbolSearch::State;

namespace {

void copy(const QString& from, const QString& to) {
    QVERIFY(QDir().mkpath(QFileInfo(to).path()));
    QVERIFY(QFile::copy(BuiltPrograms::instance().path(from), to));
}

/// A cabinet with one file, stored without compression ("MSCF", one folder, one data block of at most 32 KB each).
QByteArray cabinet(const QByteArray& content) {
    constexpr int kBlock = 32768;
    const int blocks = (static_cast<int>(content.size()) + kBlock - 1) / kBlock;
    QByteArray out;
    const auto put = [&](quint64 value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            out.append(static_cast<char>(value >> (8 * i)));
    };
    const QByteArray name("exercise2.pdb\0", 14);
    const quint64 filesAt = 36 + 8;
    const quint64 dataAt = filesAt + 16 + name.size();
    const quint64 total = dataAt + content.size() + 8 * blocks;
    out.append("MSCF");
    put(0, 4), put(total, 4), put(0, 4), put(filesAt, 4), put(0, 4);
    put(3, 1), put(1, 1), put(1, 2), put(1, 2), put(0, 2), put(0, 2), put(0, 2);
    put(dataAt, 4), put(blocks, 2), put(0, 2); // the folder, not compressed
    put(content.size(), 4), put(0, 4), put(0, 2), put(0, 2), put(0, 2), put(0, 2);
    out.append(name);
    for (int i = 0; i < blocks; ++i) {
        const auto part = content.mid(i * kBlock, kBlock);
        put(0, 4), put(part.size(), 2), put(part.size(), 2); // checksum 0: none
        out.append(part);
    }
    return out;
}

std::string toText(const SymbolSearch& search) {
    std::string text;
    for (const auto& place : search.tried)
        text += place.place + ": " + place.outcome + "\n";
    return text;
}

} // namespace

class SymbolStoreTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        folder_ = std::make_unique<QTemporaryDir>();
        pdb_ = {"", "exercise2.exe", "exercise2.pdb", openProgram("exercise2.pdb")->identity()};
        elf_ = {BuiltPrograms::instance().path("stripped.elf").toStdString(), "stripped.elf", "",
                openProgram("stripped.elf")->identity()};
    }

    void findsAPdbInATree_data() {
        QTest::addColumn<QString>("entry");
        QTest::newRow("folder") << "%1";
        QTest::newRow("cache") << "cache*%1";
        QTest::newRow("server that is a folder") << "srv*%1";
        QTest::newRow("cache of a server") << "srv*%1*http://host.invalid";
        QTest::newRow("variable") << "%TREE%";
    }
    void findsAPdbInATree() {
        QFETCH(QString, entry);
        const auto tree = folder_->filePath("tree");
        copy("exercise2.pdb", treePath(tree));
        const auto found = search(entry.contains("%1") ? entry.arg(tree) : entry, pdb_);
        QVERIFY(found.state == State::Found);
        QCOMPARE(QString::fromStdString(found.path.generic_string()), treePath(tree));
        QCOMPARE(found.tried.back().outcome, std::string("found"));
        QVERIFY(found.file->hasPrivateSymbols());
    }
    void findsAPdbInAPlainFolder() {
        copy("exercise2.pdb", folder_->filePath("build/exercise2.pdb"));
        QVERIFY(search(folder_->filePath("build"), pdb_).state == State::Found);
    }
    void leavesOutUntickedEntries() {
        copy("exercise2.pdb", folder_->filePath("build/exercise2.pdb"));
        const auto found = search("!" + folder_->filePath("build"), pdb_);
        QVERIFY(found.state == State::NotFound);
        QVERIFY(found.tried.empty());
    }
    void unpacksCompressedFiles() {
        const auto packed = cabinet(file("exercise2.pdb"));
        writeFile(treePath(folder_->filePath("tree")).chopped(1) + "_", packed);
        const auto found = search("srv*" + folder_->filePath("tree"), pdb_);
        QVERIFY2(found.state == State::Found, toText(found).c_str());
        QCOMPARE(QString::fromStdString(found.path.generic_string()), treePath(folder_->filePath("default")));
    }
    void followsPointers() {
        copy("exercise2.pdb", folder_->filePath("elsewhere/other-name.pdb"));
        writeFile(QFileInfo(treePath(folder_->filePath("tree"))).path() + "/file.ptr",
                  "PATH:" + folder_->filePath("elsewhere/other-name.pdb").toUtf8() + "\r\n");
        QVERIFY(search("srv*" + folder_->filePath("tree"), pdb_).state == State::Found);
    }
    void tellsEveryPlaceItLookedAt() {
        const auto found = search(folder_->filePath("a") + ";" + folder_->filePath("b"), pdb_);
        QVERIFY(found.state == State::NotFound);
        QCOMPARE(found.tried.size(), std::size_t{4}); // each folder as a tree and plainly
        QCOMPARE(QDir::fromNativeSeparators(QString::fromStdString(found.tried[1].place)),
                 folder_->filePath("a/exercise2.pdb"));
        for (const auto& place : found.tried)
            QCOMPARE(place.outcome, std::string("not there"));
    }
    void tellsAMismatchAndGoesOn() {
        copy("exercise2.pdb", folder_->filePath("a/exercise2.pdb"));
        auto other = pdb_;
        other.identity.pdbGuid.data1 ^= 1;
        const auto refused = search(folder_->filePath("a"), other);
        QVERIFY(refused.state == State::Mismatched);
        QVERIFY(refused.file == nullptr);
        QVERIFY(refused.tried.back().outcome.find("belongs to another build") != std::string::npos);

        auto bytes = file("exercise2.pdb");
        writeFile(folder_->filePath("damaged/exercise2.pdb"), bytes.left(1000));
        const auto found = search(folder_->filePath("damaged") + ";" + folder_->filePath("a"), pdb_);
        QVERIFY(found.state == State::Found);
    }
    void neverLeavesTheTreeForANameOfTheTrace() {
        copy("exercise2.pdb", folder_->filePath("exercise2.pdb"));
        auto evil = pdb_;
        evil.pdbName = "../exercise2.pdb";
        QVERIFY(search(folder_->filePath("tree"), evil).state == State::NotFound);
    }

    void findsTheDebugFileOfAStrippedProgram_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("entry");
        const auto hex = QString("BUILDID");
        QTest::newRow("build-id folder") << "ids/%1/%2.debug"
                                         << "build-id:%1/ids";
        QTest::newRow(".build-id below a folder") << "debug/.build-id/%1/%2.debug"
                                                  << "%1/debug";
        QTest::newRow("beside") << "beside/stripped.elf.debug"
                                << "%1/beside";
        QTest::newRow("debuginfod cache") << "default/buildid/%1%2/debuginfo"
                                          << "debuginfod:http://host.invalid";
    }
    void findsTheDebugFileOfAStrippedProgram() {
        QFETCH(QString, file);
        QFETCH(QString, entry);
        const auto hex = QString::fromStdString(buildIdHex(elf_.identity));
        copy("stripped.debug", folder_->filePath(file.contains("%1") ? file.arg(hex.left(2), hex.mid(2)) : file));
        const auto found = search(entry.contains("%1") ? entry.arg(folder_->path()) : entry, elf_);
        QVERIFY(found.state == State::Found);
        QCOMPARE(found.file->hasPrivateSymbols(), kHasLlvm);
        std::vector<Rva> addresses;
        for (Rva address = 0x1000; address < 0x1600; ++address)
            addresses.push_back(address);
        const auto names = found.file->resolve(addresses);
        QVERIFY(std::any_of(names.functions.begin(), names.functions.end(),
                            [](const auto& f) { return f.linkageName == "_Z18InnerLoopOperationi"; }));
    }
    void fallsBackToTheImage() {
        const auto found = search(folder_->filePath("nothing"), elf_);
        QVERIFY(found.state == State::Found);
        QVERIFY(!found.file->hasPrivateSymbols());
        QCOMPARE(found.path.string(), elf_.path);
    }
    void triesWhatTheUserChose() {
        copy("exercise2.pdb", folder_->filePath("x/renamed.pdb"));
        copy("exercise2.pdb", folder_->filePath("y/exercise2.pdb"));
        const auto store = storeFor("");
        QVERIFY(store.tryFile(pdb_, folder_->filePath("x/renamed.pdb").toStdString()).state == State::Found);
        QVERIFY(store.tryFile(pdb_, folder_->filePath("y").toStdString()).state == State::Found);
        QVERIFY(store.tryFile(elf_, folder_->filePath("x/renamed.pdb").toStdString()).state == State::Mismatched);
    }

    void downloads_data() {
        QTest::addColumn<QString>("how");
        QTest::newRow("plainly") << "ok";
        QTest::newRow("redirected") << "redirect";
        QTest::newRow("cut off") << "cut-once";
    }
    void downloads() {
        QFETCH(QString, how);
        copy("exercise2.pdb", treePath(folder_->filePath("server")));
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        const auto entry = "srv*" + folder_->filePath("mine") + "*" + QString::fromStdString(server.url(how));
        QVERIFY(search(entry, pdb_).state == State::Found);
        QVERIFY(QFile::exists(treePath(folder_->filePath("mine"))));
        server.stop(); // the second time it is in the cache
        SymbolFetcher fresh;
        const auto again = search(entry, pdb_);
        QVERIFY(again.state == State::Found);
        QCOMPARE(QString::fromStdString(again.path.generic_string()), treePath(folder_->filePath("mine")));
    }
    void downloadsCompressedFiles() {
        writeFile(treePath(folder_->filePath("server")).chopped(1) + "_", cabinet(file("exercise2.pdb")));
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        const auto found = search("srv**" + QString::fromStdString(server.url("ok")), pdb_);
        QVERIFY(found.state == State::Found);
        QCOMPARE(QDir(QFileInfo(treePath(folder_->filePath("default"))).path()).entryList(QDir::Files),
                 QStringList{"exercise2.pdb"});
    }
    void downloadsFromDebuginfod() {
        const auto hex = QString::fromStdString(buildIdHex(elf_.identity));
        copy("stripped.debug", folder_->filePath("server/buildid/" + hex + "/debuginfo"));
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        const auto found = search("debuginfod:" + QString::fromStdString(server.url("ok")), elf_);
        QVERIFY(found.state == State::Found);
        QCOMPARE(found.file->hasPrivateSymbols(), kHasLlvm);
    }
    void keepsAWrongFileOutOfTheCache() {
        copy("exercise2.pdb", treePath(folder_->filePath("server")));
        writeFile(folder_->filePath("server/wrong"), "something else");
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        const auto found = search("srv**" + QString::fromStdString(server.url("wrong")), pdb_);
        QVERIFY(found.state == State::Mismatched);
        QVERIFY(found.tried.back().outcome.find("refused") != std::string::npos);
        QVERIFY(!QFile::exists(treePath(folder_->filePath("default"))));
    }
    void downloadsNothingWhenOnlyTheCacheMayBeUsed() {
        SymbolFetcher fetcher;
        StoreOptions options{folder_->filePath("default").toStdString(), systemEnvironment(),
                             StoreOptions::Reach::OnlyCached};
        const SymbolStore store(SymbolPath::parse("srv**http://host.invalid"), options, fetcher);
        Progress progress;
        const auto found = store.find(pdb_, progress, {});
        QVERIFY(found.state == State::NotFound);
        QCOMPARE(found.tried.back().outcome, std::string("not asked: only cached symbols"));
    }

  private:
    [[nodiscard]] QString treePath(const QString& root) const {
        return root + "/exercise2.pdb/" + QString::fromStdString(pdbKey(pdb_.identity)) + "/exercise2.pdb";
    }
    static QByteArray file(const QString& name) {
        QFile file(BuiltPrograms::instance().path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    SymbolStore storeFor(const QString& path) {
        const auto tree = folder_->filePath("tree").toStdString();
        StoreOptions options{folder_->filePath("default").toStdString(),
                             [tree](const std::string& name) -> std::optional<std::string> {
                                 if (name == "TREE") return tree;
                                 return std::nullopt;
                             },
                             StoreOptions::Reach::Everything};
        return {SymbolPath::parse(path.toStdString()), options, fetcher_};
    }
    SymbolSearch search(const QString& path, const SoughtImage& image) {
        Progress progress;
        return storeFor(path).find(image, progress, {});
    }

    std::unique_ptr<QTemporaryDir> folder_;
    SymbolFetcher fetcher_{FetchOptions{std::chrono::milliseconds(2000), std::chrono::milliseconds(2000), 2}};
    SoughtImage pdb_, elf_;
};
HIGHWATER_TEST(SymbolStoreTest);
#include "symbol_store_test.moc"
