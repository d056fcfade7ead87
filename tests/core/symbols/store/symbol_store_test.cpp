#include "core/symbols/store/symbol_store.h"

#include "core/symbols/store/cabinet_file.h"
#ifndef _WIN32
#include "core/symbols/elf/elf_alt_file.h"
#endif

#include "tests/core/symbols/symbol_programs.h"
#include "tests/core/symbols/symbol_server.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

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
                openProgram("stripped.elf")->identity(), true};
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
    void unpacksWhatCameWithTheTraceIntoNoCache() {
        const auto came = folder_->filePath("t.etl.NGENPDB");
        writeFile(treePath(came).chopped(1) + "_", cabinet(file("exercise2.pdb")));
        const auto found = searchBeside(came, pdb_);
        QVERIFY2(found.state == State::Found, toText(found).c_str());
        QVERIFY(found.origin == SymbolSearch::Origin::BesideTrace);
        QVERIFY(found.file->hasPrivateSymbols());
        QVERIFY(!QFile::exists(folder_->filePath("default")));
    }
    void refusesCabinetsThatGrowTooMuch() {
        const auto packed = folder_->filePath("x.pd_"), target = folder_->filePath("out/x.pdb");
        writeFile(packed, cabinet(QByteArray(100'000, 'x')));
        const auto unpack = [&](std::uint64_t most) {
            return unpackCabinet(packed.toStdString(), target.toStdString(), most);
        };
        const auto refused = unpack(99'999);
        QVERIFY(!refused.hasValue() && refused.error().message.find("expands to more than") != std::string::npos);
        QVERIFY(QDir(folder_->filePath("out")).isEmpty());
        QVERIFY(!unpackCabinetToMemory(packed.toStdString(), 99'999).hasValue());
        QVERIFY(unpack(100'000).hasValue());
        QCOMPARE(QFileInfo(target).size(), 100'000);
        // It claims to contain 4 GB, which no cabinet of its size does.
        auto bomb = cabinet(QByteArray(1000, 'x'));
        bomb.replace(36 + 8, 4, QByteArray("\xFF\xFF\xFF\x7F", 4));
        writeFile(packed, bomb);
        const auto lied = unpack(kMostUnpackedBytes);
        QVERIFY(!lied.hasValue() && lied.error().message.find("64.0 MB") != std::string::npos);
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
        QCOMPARE(found.tried.size(), std::size_t{4}); // each folder as a tree and directly
        QCOMPARE(QDir::fromNativeSeparators(QString::fromStdString(found.tried[1].place)),
                 folder_->filePath("a/exercise2.pdb"));
        for (const auto& place : found.tried)
            QCOMPARE(place.outcome, std::string("not found"));
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
    void asksAndMakesNothingForNamesThatAreNone_data() {
        QTest::addColumn<QString>("name");
        for (const auto* name : {"../x.pdb", "..\\..\\x.pdb", "/x.pdb", "C:\\x.pdb", "x.pdb:stream", "CON.pdb", "nul",
                                 "..", "x.pdb.", "a\nb.pdb", "a?b.pdb"})
            QTest::newRow(name) << name;
    }
    void asksAndMakesNothingForNamesThatAreNone() {
        QFETCH(QString, name);
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        auto evil = pdb_;
        evil.pdbName = evil.name = name.toStdString();
        QVERIFY(search("srv**" + QString::fromStdString(server.url("ok")), evil).state == State::NotFound);
        QVERIFY(server.requests().isEmpty());
        QVERIFY(QDir(folder_->path()).isEmpty());
    }
    void asksForANameWhateverLettersItHas() {
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        auto odd = pdb_;
        odd.pdbName = "a b%2e#c&d+\xC3\xA4.pdb";
        QVERIFY(search("srv**" + QString::fromStdString(server.url("ok")), odd).state == State::NotFound);
        const auto key = QString::fromStdString(pdbKey(pdb_.identity));
        QCOMPARE(server.requests().value(0).trimmed(),
                 "GET /ok/a%20b%252e%23c%26d%2B%C3%A4.pdb/" + key + "/a%20b%252e%23c%26d%2B%C3%A4.pdb");
        QVERIFY(!QFile::exists(folder_->filePath("default/" + QString::fromStdString(odd.pdbName))));
    }
    void leavesNoFolderForWhatIsNotThere() {
        SymbolServer server(folder_->filePath("server"));
        if (!server.isRunning()) QSKIP("python3 is not installed (installer/packages-test.txt)");
        QVERIFY(search("srv**" + QString::fromStdString(server.url("ok")) +
                           ";debuginfod:" + QString::fromStdString(server.url("ok")),
                       pdb_)
                    .state == State::NotFound);
        QVERIFY(search("debuginfod:" + QString::fromStdString(server.url("ok")), elf_).state ==
                State::Found); // the image itself
        QVERIFY(QDir(folder_->filePath("default")).isEmpty());
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
        QCOMPARE(found.tried.back().outcome, std::string("found; public names only"));
        QVERIFY(found.origin == SymbolSearch::Origin::Image);
        QVERIFY(std::filesystem::equivalent(found.path, elf_.path));
    }
    void looksAtNoPathOfAForeignTrace() {
        auto foreign = elf_;
        foreign.isPathTrusted = false;
        const auto found = search(folder_->filePath("nothing"), foreign);
        QVERIFY(found.state == State::NotFound);
        QCOMPARE(found.tried.back().place, elf_.path);
        QCOMPARE(found.tried.back().outcome, std::string(kForeignPathOutcome));
    }
    void looksAtNoPathOfTheNetworkWhoeverSaysIt() {
        for (const auto* path :
             {"\\\\host\\share\\x.dll", "//host/share/x.dll", "/net/host/x.so", "/dev/tty", "stripped.elf"}) {
            auto reached = elf_;
            reached.path = path;
            const auto found = search("", reached);
            QVERIFY2(found.state == State::NotFound, path);
            QVERIFY2(found.tried.back().outcome.ends_with("skipped"), found.tried.back().outcome.c_str());
        }
    }
    void followsNoPointerToWhereTheUserNamedNothing() {
        const auto pointer = QFileInfo(treePath(folder_->filePath("tree"))).path() + "/file.ptr";
        for (const auto* target :
             {"\\\\host\\share\\x.pdb", "//host/share/x.pdb", "/net/host/x.pdb", "/proc/self/mem", "x.pdb"}) {
            writeFile(pointer, QByteArray("PATH:") + target);
            const auto found = search("srv*" + folder_->filePath("tree"), pdb_);
            QVERIFY2(found.state == State::NotFound, target);
            QVERIFY2(found.tried.back().outcome.ends_with("skipped"), toText(found).c_str());
        }
    }
    void followsNoPointerThatCameWithTheTrace() {
        copy("exercise2.pdb", folder_->filePath("elsewhere/other-name.pdb"));
        const auto came = folder_->filePath("t.etl.NGENPDB");
        writeFile(QFileInfo(treePath(came)).path() + "/file.ptr",
                  "PATH:" + folder_->filePath("elsewhere/other-name.pdb").toUtf8());
        QVERIFY(search(came, pdb_).state == State::Found); // a folder like any other
        const auto found = searchBeside(came, pdb_);
        QVERIFY2(found.state == State::NotFound, toText(found).c_str());
    }
    void followsNoLinkThatCameWithTheTrace() {
#ifdef _WIN32
        QSKIP("Making links needs rights of its own there.");
#else
        copy("exercise2.pdb", folder_->filePath("elsewhere/exercise2.pdb"));
        const auto came = folder_->filePath("t.etl.NGENPDB");
        QVERIFY(QDir().mkpath(came));
        QVERIFY(QFile::link(folder_->filePath("elsewhere/exercise2.pdb"), came + "/exercise2.pdb"));
        QVERIFY(search(came, pdb_).state == State::Found);
        QVERIFY(searchBeside(came, pdb_).state == State::NotFound);
#endif
    }
    void asksNothingOfWhatLinksBesideTheTraceLeadTo() {
#ifdef _WIN32
        QSKIP("Making links needs rights of its own there.");
#else
        // Whether the link has a target or not, the answer is the same because it is not followed.
        for (const bool isThere : {true, false}) {
            const auto came = folder_->filePath(QString("t%1.etl.NGENPDB").arg(isThere));
            const auto elsewhere = folder_->filePath(QString("elsewhere%1").arg(isThere));
            if (isThere) {
                copy("exercise2.pdb", treePath(elsewhere));
                copy("stripped.elf", elsewhere + "/debug");
            }
            QVERIFY(QDir().mkpath(came + "/.build-id"));
            const auto hex = QString::fromStdString(buildIdHex(elf_.identity));
            QVERIFY(QFile::link(elsewhere, came + "/.build-id/" + hex.left(2)));
            QVERIFY(QFile::link(elsewhere + "/debug", came + "/stripped.elf"));
            auto image = elf_;
            image.path.clear();
            const auto found = searchBeside(came, image);
            QVERIFY2(found.state == State::NotFound, toText(found).c_str());
            QCOMPARE(linksIn(found), 2);
            QVERIFY(QFile::link(elsewhere + "/exercise2.pdb", came + "/exercise2.pdb"));
            const auto tree = searchBeside(came, pdb_);
            QVERIFY2(tree.state == State::NotFound, toText(tree).c_str());
            QCOMPARE(linksIn(tree), 2); // the tree, the file
        }
#endif
    }
    void looksForSharedPartsBelowTheFolderOfTheTraceOnly() {
#ifdef _WIN32
        QSKIP("Making links needs rights of its own there.");
#else
        const auto root = std::filesystem::path(folder_->path().toStdString());
        const auto came = root / "t.etl.NGENPDB";
        const auto hex = buildIdHex(elf_.identity);
        const auto below = hex.substr(0, 2) + "/" + hex.substr(2) + ".debug";
        const auto isFound = [&](const std::string& path, const LinkedFiles& linked) {
            return openAltFile({path, elf_.identity.buildId}, ElfLinks(came / "x.debug", linked)).has_value();
        };
        using Reach = LinkedFiles::Reach;
        // Beside the folder, where the tree of a file in the folder itself would be.
        copy("stripped.elf", QString::fromStdString((root / below).string()));
        QVERIFY(isFound("", {}));
        QVERIFY(isFound("../" + below, {Reach::Local}));
        QVERIFY(!isFound("", {Reach::Below, came}));
        QVERIFY(!isFound("../" + below, {Reach::Below, came}));
        QVERIFY(!isFound((root / below).string(), {Reach::Below, came}));
        copy("stripped.elf", QString::fromStdString((came / "shared/common.debug").string()));
        QVERIFY(isFound("shared/common.debug", {Reach::Below, came}));
        QVERIFY(std::filesystem::remove(root / below)); // the tree, in which the file is found without a link
        std::filesystem::create_symlink(came / "shared", came / "link");
        QVERIFY(!isFound("link/common.debug", {Reach::Below, came}));
        QVERIFY(!isFound("link/common.debug", {}));
        QVERIFY(isFound("link/common.debug", {Reach::Local})); // the user specified it
#endif
    }
    void followsNoLinkInADownloadedTree() {
#ifdef _WIN32
        QSKIP("Making links needs rights of its own there.");
#else
        const auto root = std::filesystem::path(folder_->path().toStdString());
        const auto hex = buildIdHex(elf_.identity);
        copy("stripped.elf", folder_->filePath("elsewhere/x.debug"));
        std::filesystem::create_directories(root / "tree" / hex.substr(0, 2));
        std::filesystem::create_symlink(root / "elsewhere/x.debug",
                                        root / "tree" / hex.substr(0, 2) / (hex.substr(2) + ".debug"));
        const auto debugFile = root / "tree/ab/cdef.debug";
        QVERIFY(!openAltFile({"", elf_.identity.buildId}, ElfLinks(debugFile, {})).has_value());
        const LinkedFiles local{LinkedFiles::Reach::Local};
        QVERIFY(openAltFile({"", elf_.identity.buildId}, ElfLinks(debugFile, local)).has_value());
#endif
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
        QVERIFY(found.state == State::NotFound); // it belongs to no build
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
        QCOMPARE(found.tried.back().outcome, std::string("not queried because only cached symbols are used"));
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
    SymbolSearch searchBeside(const QString& folder, const SoughtImage& image) {
        Progress progress;
        StoreOptions options;
        options.cacheFolder = folder_->filePath("default").toStdString();
        options.besideTrace = {folder.toStdString()};
        return SymbolStore(SymbolPath::parse(folder.toStdString()), options, fetcher_).find(image, progress, {});
    }
    static int linksIn(const SymbolSearch& search) {
        return static_cast<int>(std::count_if(search.tried.begin(), search.tried.end(), [](const auto& place) {
            return place.outcome.find("through a link") != std::string::npos;
        }));
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
