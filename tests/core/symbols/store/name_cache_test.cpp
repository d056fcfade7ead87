#include "core/symbols/store/name_cache.h"

#include "core/symbols/resolver/module_resolver.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

/// Answers with one function each, named by the address and a suffix; odd addresses have an inlined call, multiples of
/// 7 no name.
ResolvedAddresses cachedAnswers(std::span<const Rva> addresses, const std::string& suffix) {
    ResolvedAddresses names;
    for (const auto address : addresses) {
        if (address % 7 != 0) {
            if (address % 2 == 1) {
                names.functions.push_back({"inlined" + suffix, NameOrigin::Private, 0});
                names.files.push_back("inlined.h");
                names.frames.push_back({static_cast<std::uint32_t>(names.functions.size() - 1),
                                        static_cast<std::uint32_t>(names.files.size() - 1), 7, 0, true});
            }
            names.functions.push_back({"f" + std::to_string(address) + suffix, NameOrigin::Public, 2});
            names.frames.push_back({static_cast<std::uint32_t>(names.functions.size() - 1), kNoFile, 0, 5, false});
        }
        names.firstFrame.push_back(static_cast<std::uint32_t>(names.frames.size()));
    }
    return names;
}

std::string cachedText(const ModuleNames& names, Rva address) {
    const auto frames = names.framesAt(address);
    if (!frames) return "not asked";
    std::string all;
    for (const auto& frame : *frames)
        all += names.function(frame).linkageName + (frame.isInlined ? " < " : "");
    return all;
}

std::string cachedExpected(Rva address, const std::string& suffix) {
    if (address % 7 == 0) return "";
    return (address % 2 == 1 ? "inlined" + suffix + " < " : "") + "f" + std::to_string(address) + suffix;
}

SymbolIdentity cacheIdentity(std::uint32_t number) {
    SymbolIdentity one;
    one.pdbGuid.data1 = number;
    one.pdbAge = 1;
    return one;
}

NameCache::Entry entryOf(std::vector<Rva> addresses, const std::string& suffix) {
    auto names = cachedAnswers(addresses, suffix);
    return {ModuleNames(std::move(addresses), std::move(names)), NameCache::Quality::Private};
}

} // namespace

/// Cached names of modules that were resolved before, and when they are trusted.
class NameCacheTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void givesBackWhatItKept() {
        NameCache cache(path());
        QVERIFY(!cache.load(cacheIdentity(1)));
        const auto entry = entryOf({1, 2, 7, 9, 1ull << 40}, "x");
        QVERIFY(cache.save(cacheIdentity(1), entry).hasValue());
        const auto loaded = NameCache(path()).load(cacheIdentity(1));
        QVERIFY(loaded.has_value());
        QVERIFY(loaded->quality == NameCache::Quality::Private);
        QVERIFY(loaded->names.addresses() == entry.names.addresses());
        QVERIFY(loaded->names.names().frames == entry.names.names().frames);
        QVERIFY(loaded->names.names().functions == entry.names.names().functions);
        QVERIFY(loaded->names.names().files == entry.names.names().files);
        QVERIFY(loaded->names.names().firstFrame == entry.names.names().firstFrame);
        QVERIFY(!cache.load(cacheIdentity(2)));
        QVERIFY(cache.save({}, entry).hasValue()); // no identity, and therefore no key
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 1);
    }
    void takesADamagedFileForNone() {
        NameCache cache(path());
        QVERIFY(cache.save(cacheIdentity(1), entryOf({1, 2, 3}, "x")).hasValue());
        const auto name = folder_->filePath(QDir(folder_->path()).entryList(QDir::Files).at(0));
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto whole = file.readAll();
        file.close();
        const auto loads = [&](const QByteArray& bytes) {
            QFile out(name);
            if (!out.open(QIODevice::WriteOnly | QIODevice::Truncate)) qFatal("write");
            out.write(bytes);
            out.close();
            return cache.load(cacheIdentity(1)).has_value();
        };
        QVERIFY(loads(whole));
        for (qsizetype i = 0; i < whole.size(); ++i) {
            auto bytes = whole;
            bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
            QVERIFY2(!loads(bytes), qPrintable(QString::number(i)));
            QVERIFY(!loads(whole.left(i)));
        }
        QVERIFY(!loads(whole + '\0'));
        // Another module's file under this name.
        QVERIFY(cache.save(cacheIdentity(2), entryOf({1}, "y")).hasValue());
        QVERIFY(QFile::remove(name));
        const auto other = QDir(folder_->path()).entryList(QDir::Files).at(0);
        QVERIFY(QFile::rename(folder_->filePath(other), name));
        QVERIFY(!cache.load(cacheIdentity(1)));
    }
    void staysWithinItsLimit() {
        std::vector<Rva> many;
        for (Rva i = 0; i < 2000; ++i)
            many.push_back(i);
        NameCache cache(path(), 1'000'000);
        for (std::uint32_t i = 1; i <= 20; ++i) {
            QVERIFY(cache.save(cacheIdentity(i), entryOf(many, "x")).hasValue());
            if (i > 1) QVERIFY(cache.load(cacheIdentity(1)).has_value()); // used again and again
            QTest::qSleep(2);
        }
        qint64 total = 0;
        for (const auto& file : QDir(folder_->path()).entryInfoList(QDir::Files))
            total += file.size();
        QVERIFY2(total <= 1'000'000 && total > 200'000, qPrintable(QString::number(total)));
        QVERIFY(cache.load(cacheIdentity(20)).has_value());
        QVERIFY(cache.load(cacheIdentity(1)).has_value());
        QVERIFY(!cache.load(cacheIdentity(2)));
    }
    void removesWhatKilledWritersLeft() {
        const std::string old = "AB1.0123456789abcdef.part", fresh = "AB1.1123456789abcdef.part", film = "film.part";
        for (const auto& name : {old, fresh, film}) {
            QFile file(folder_->filePath(QString::fromStdString(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        for (const auto& name : {old, film})
            std::filesystem::last_write_time(path() / name,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
        NameCache cache(path());
        QVERIFY(cache.save(cacheIdentity(1), entryOf({1}, "x")).hasValue());
        QVERIFY(!std::filesystem::exists(path() / old));
        QVERIFY(std::filesystem::exists(path() / fresh)); // another process may be writing it
        QVERIFY(std::filesystem::exists(path() / film));  // another program's
    }
    void isSharedBySeveralWriters() {
        std::vector<std::jthread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([this, t, &wrong] {
                NameCache cache(path()); // as another process has it
                for (int i = 0; i < 30; ++i) {
                    (void)cache.save(cacheIdentity(1), entryOf({Rva(t + 1), 100}, "x")).hasValue();
                    const auto loaded = cache.load(cacheIdentity(1));
                    if (!loaded || cachedText(loaded->names, 100) != cachedExpected(100, "x")) ++wrong;
                }
            });
        }
        threads.clear();
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 1);
    }
    void saysWhenItCannotWrite() {
        NameCache cache("/proc/no-such-folder");
        QVERIFY(!cache.save(cacheIdentity(1), entryOf({1}, "x")).hasValue());
        QVERIFY(!cache.load(cacheIdentity(1)));
    }
    void believesOnlyTheFileThatGaveTheNames() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        const auto pdb = BuiltPrograms::instance().path("exercise2.pdb");
        const auto honest = path() / "honest" / "exercise2.pdb";
        const auto forged = path() / "t.etl.NGENPDB" / "exercise2.pdb";
        for (const auto& place : {honest, forged}) {
            std::filesystem::create_directories(place.parent_path());
            std::filesystem::copy_file(pdb.toStdString(), place);
        }
        const auto original = openSymbolFile(honest);
        QVERIFY(original.hasValue());
        SymbolFetcher fetcher;
        NameCache cache(path() / "names");
        const SoughtImage image{"", "exercise2.exe", "exercise2.pdb", original.value()->identity(), false};
        const std::vector<Rva> some{0x1000, 0x1080};
        const auto resolve = [&](const std::filesystem::path& folder, bool isBeside) {
            StoreOptions options;
            options.cacheFolder = path() / "cache";
            if (isBeside) options.besideTrace = {folder};
            const SymbolStore store(SymbolPath::parse(folder.string()), options, fetcher);
            Progress progress;
            return ModuleResolver(store, cache).resolve(image, some, progress, {});
        };
        // Symbols that came with a trace name its own frames, but are not cached.
        const auto beside = resolve(forged.parent_path(), true);
        QVERIFY(beside.state == SymbolSearch::State::Found && beside.origin == SymbolSearch::Origin::BesideTrace);
        QVERIFY(!cache.load(image.identity));
        // A folder that the user specified once does not name modules in searches without it.
        QVERIFY(resolve(forged.parent_path(), false).state == SymbolSearch::State::Found);
        QVERIFY(cache.load(image.identity).has_value());
        QVERIFY(resolve(path() / "nothing", false).state == SymbolSearch::State::NotFound);
        const auto read = resolve(honest.parent_path(), false);
        QVERIFY(read.state == SymbolSearch::State::Found && !read.isFromCache);
        QVERIFY(cache.load(image.identity)->source == stampOf(honest));
        QVERIFY(resolve(honest.parent_path(), false).isFromCache);
        // The file was replaced.
        std::filesystem::last_write_time(honest, std::filesystem::last_write_time(honest) + std::chrono::seconds(5));
        QVERIFY(!resolve(honest.parent_path(), false).isFromCache);
    }
    void isOffWithoutAFolder() {
        const auto before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder_->path()));
        NameCache cache{std::filesystem::path()};
        const auto saved = cache.save(cacheIdentity(1), entryOf({1, 2}, ""));
        const bool isThere = cache.load(cacheIdentity(1)).has_value();
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(saved.hasValue());
        QVERIFY(!isThere);
        QVERIFY(QDir(folder_->path()).isEmpty()); // nothing is written into Highwater's working directory
    }
    void resolvesAModuleOnce() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        const auto pdb = BuiltPrograms::instance().path("exercise2.pdb");
        QVERIFY(QFile::copy(pdb, folder_->filePath("exercise2.pdb")));
        auto file = openSymbolFile(pdb.toStdString());
        QVERIFY(file.hasValue());
        const SoughtImage image{"", "exercise2.exe", "exercise2.pdb", file.value()->identity()};
        SymbolFetcher fetcher;
        const SymbolStore store(SymbolPath::parse(path().string()), {path() / "cache", systemEnvironment(), {}},
                                fetcher);
        NameCache cache(path() / "names");
        const ModuleResolver resolver(store, cache);
        Progress progress;
        const std::vector<Rva> some{0x1080, 0x1000, 0x1080};
        const auto first = resolver.resolve(image, some, progress, {});
        QVERIFY(first.state == SymbolSearch::State::Found && !first.isFromCache && first.hasPrivateSymbols);
        QVERIFY((first.addresses == std::vector<Rva>{0x1000, 0x1080}));
        // More addresses: only those are read, and both are kept.
        const auto more = resolver.resolve(image, std::vector<Rva>{0x1060}, progress, {});
        QVERIFY(!more.isFromCache);
        QVERIFY(QFile::remove(folder_->filePath("exercise2.pdb")));
        const auto again = resolver.resolve(image, some, progress, {});
        QVERIFY(again.isFromCache && again.state == SymbolSearch::State::Found);
        QCOMPARE(toText(again.names), toText(first.names));
        // Not all of them are cached, and the file is gone: the cached ones stay.
        const auto partly = resolver.resolve(image, std::vector<Rva>{0x1000, 0x1010}, progress, {});
        QVERIFY(partly.state == SymbolSearch::State::NotFound);
        QVERIFY(!partly.tried.empty());
        QCOMPARE(partly.names.firstFrame.at(1), first.names.firstFrame.at(1));
    }

  private:
    [[nodiscard]] std::filesystem::path path() const { return folder_->path().toStdString(); }
    static QString toText(const ResolvedAddresses& names) {
        QString text;
        for (const auto& frame : names.frames)
            text +=
                QString::fromStdString(names.functions[frame.function].linkageName) + QString(":%1 ").arg(frame.line);
        return text;
    }
    std::unique_ptr<QTemporaryDir> folder_;
};
HIGHWATER_TEST(NameCacheTest);
#include "name_cache_test.moc"
