#include "core/symbols/answers/symbol_table.h"

#include "core/symbols/resolver/module_resolver.h"
#include "core/symbols/store/symbol_file_opener.h"
#include "tests/core/symbols/symbol_programs.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>
#include <thread>

using namespace highwater;
using namespace highwater::symbols;
using namespace highwater::tests;

namespace {

constexpr store::ModuleIndex kModule{3};

/// Answers with one function each, named by the address and a suffix; odd addresses have an inlined call, those that
/// divide by 7 no name.
ResolvedAddresses answers(std::span<const Rva> addresses, const std::string& suffix) {
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

std::string text(const ModuleNames& names, Rva address) {
    const auto frames = names.framesAt(address);
    if (!frames) return "not asked";
    std::string all;
    for (const auto& frame : *frames)
        all += names.function(frame).linkageName + (frame.isInlined ? " < " : "");
    return all;
}

std::string expected(Rva address, const std::string& suffix) {
    if (address % 7 == 0) return "";
    return (address % 2 == 1 ? "inlined" + suffix + " < " : "") + "f" + std::to_string(address) + suffix;
}

SymbolIdentity identity(std::uint32_t number) {
    SymbolIdentity one;
    one.pdbGuid.data1 = number;
    one.pdbAge = 1;
    return one;
}

NameCache::Entry entryOf(std::vector<Rva> addresses, const std::string& suffix) {
    auto names = answers(addresses, suffix);
    return {ModuleNames(std::move(addresses), std::move(names)), NameCache::Quality::Private};
}

} // namespace

class SymbolTableTest : public QObject {
    Q_OBJECT
  private slots:
    void mergesAnswersInAnyOrder() {
        std::mt19937 random(5);
        std::map<Rva, std::string> model;
        SymbolTable table;
        for (int round = 0; round < 50; ++round) {
            std::vector<Rva> some;
            for (int i = 0; i < 40; ++i)
                some.push_back(random() % 300);
            const auto suffix = "#" + std::to_string(round);
            const auto open = table.unanswered(kModule, some);
            for (const auto address : some)
                QCOMPARE(std::binary_search(open.begin(), open.end(), address), !model.contains(address));
            table.add(kModule, some, answers(some, suffix));
            for (const auto address : some)
                model[address] = expected(address, suffix);
            const auto view = table.view();
            for (Rva address = 0; address < 300; ++address) {
                const auto known = model.find(address);
                QCOMPARE(text(*view->module(kModule), address), known == model.end() ? "not asked" : known->second);
            }
        }
    }
    void leavesOldViewsAsTheyWere() {
        SymbolTable table;
        const auto empty = table.view();
        const std::vector<Rva> address{10};
        table.add(kModule, address, answers(address, "a"));
        const auto first = table.view();
        table.add(kModule, address, answers(address, "b"));
        table.forget(kModule);
        QVERIFY(empty->module(kModule) == nullptr);
        QCOMPARE(text(*first->module(kModule), 10), std::string("f10a"));
        QCOMPARE(first->module(kModule)->functionAt(10)->linkageName, std::string("f10a"));
        QVERIFY(table.view()->module(kModule) == nullptr);
        QVERIFY(empty->revision() < first->revision() && first->revision() < table.view()->revision());
    }
    void isReadWhileItIsFilled() {
        SymbolTable table;
        std::atomic<bool> stop{false};
        std::jthread reader([&] {
            std::uint64_t last = 0;
            while (!stop) {
                const auto view = table.view();
                QVERIFY(view->revision() >= last);
                last = view->revision();
                if (const auto* names = view->module(kModule); names != nullptr) {
                    for (const auto address : names->addresses())
                        QCOMPARE(text(*names, address), expected(address, ""));
                }
            }
        });
        std::vector<std::jthread> writers;
        for (Rva writer = 0; writer < 3; ++writer) {
            writers.emplace_back([&table, writer] {
                for (Rva i = 0; i < 60; ++i) {
                    const std::vector<Rva> address{i * 3 + writer};
                    table.add(kModule, address, answers(address, ""));
                }
            });
        }
        writers.clear();
        stop = true;
        reader.join();
        QCOMPARE(table.view()->module(kModule)->addresses().size(), std::size_t{180});
        QCOMPARE(table.view()->revision(), std::uint64_t{180});
    }
};
HIGHWATER_TEST(SymbolTableTest);

class NameCacheTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void givesBackWhatItKept() {
        NameCache cache(path());
        QVERIFY(!cache.load(identity(1)));
        const auto entry = entryOf({1, 2, 7, 9, 1ull << 40}, "x");
        QVERIFY(cache.save(identity(1), entry).hasValue());
        const auto loaded = NameCache(path()).load(identity(1));
        QVERIFY(loaded.has_value());
        QVERIFY(loaded->quality == NameCache::Quality::Private);
        QVERIFY(loaded->names.addresses() == entry.names.addresses());
        QVERIFY(loaded->names.names().frames == entry.names.names().frames);
        QVERIFY(loaded->names.names().functions == entry.names.names().functions);
        QVERIFY(loaded->names.names().files == entry.names.names().files);
        QVERIFY(loaded->names.names().firstFrame == entry.names.names().firstFrame);
        QVERIFY(!cache.load(identity(2)));
        QVERIFY(cache.save({}, entry).hasValue()); // no identity: nothing to keep it under
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 1);
    }
    void takesADamagedFileForNone() {
        NameCache cache(path());
        QVERIFY(cache.save(identity(1), entryOf({1, 2, 3}, "x")).hasValue());
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
            return cache.load(identity(1)).has_value();
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
        QVERIFY(cache.save(identity(2), entryOf({1}, "y")).hasValue());
        QVERIFY(QFile::remove(name));
        const auto other = QDir(folder_->path()).entryList(QDir::Files).at(0);
        QVERIFY(QFile::rename(folder_->filePath(other), name));
        QVERIFY(!cache.load(identity(1)));
    }
    void staysWithinItsLimit() {
        std::vector<Rva> many;
        for (Rva i = 0; i < 2000; ++i)
            many.push_back(i);
        NameCache cache(path(), 1'000'000);
        for (std::uint32_t i = 1; i <= 20; ++i) {
            QVERIFY(cache.save(identity(i), entryOf(many, "x")).hasValue());
            if (i > 1) QVERIFY(cache.load(identity(1)).has_value()); // used again and again
            QTest::qSleep(2);
        }
        qint64 total = 0;
        for (const auto& file : QDir(folder_->path()).entryInfoList(QDir::Files))
            total += file.size();
        QVERIFY2(total <= 1'000'000 && total > 200'000, qPrintable(QString::number(total)));
        QVERIFY(cache.load(identity(20)).has_value());
        QVERIFY(cache.load(identity(1)).has_value());
        QVERIFY(!cache.load(identity(2)));
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
        QVERIFY(cache.save(identity(1), entryOf({1}, "x")).hasValue());
        QVERIFY(!std::filesystem::exists(path() / old));
        QVERIFY(std::filesystem::exists(path() / fresh)); // another one may be writing it
        QVERIFY(std::filesystem::exists(path() / film));  // another program's
    }
    void isSharedBySeveralWriters() {
        std::vector<std::jthread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([this, t, &wrong] {
                NameCache cache(path()); // as another process has it
                for (int i = 0; i < 30; ++i) {
                    (void)cache.save(identity(1), entryOf({Rva(t + 1), 100}, "x")).hasValue();
                    const auto loaded = cache.load(identity(1));
                    if (!loaded || text(loaded->names, 100) != expected(100, "x")) ++wrong;
                }
            });
        }
        threads.clear();
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files).size(), 1);
    }
    void saysWhenItCannotWrite() {
        NameCache cache("/proc/no-such-folder");
        QVERIFY(!cache.save(identity(1), entryOf({1}, "x")).hasValue());
        QVERIFY(!cache.load(identity(1)));
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
        // What came with a trace gives names to that trace, and to the cache none.
        const auto beside = resolve(forged.parent_path(), true);
        QVERIFY(beside.state == SymbolSearch::State::Found && beside.origin == SymbolSearch::Origin::BesideTrace);
        QVERIFY(!cache.load(image.identity));
        // A folder that the user named once gives none to searches that do not name it.
        QVERIFY(resolve(forged.parent_path(), false).state == SymbolSearch::State::Found);
        QVERIFY(cache.load(image.identity).has_value());
        QVERIFY(resolve(path() / "nothing", false).state == SymbolSearch::State::NotFound);
        const auto read = resolve(honest.parent_path(), false);
        QVERIFY(read.state == SymbolSearch::State::Found && !read.isFromCache);
        QVERIFY(cache.load(image.identity)->source == stampOf(honest));
        QVERIFY(resolve(honest.parent_path(), false).isFromCache);
        // The file became another one.
        std::filesystem::last_write_time(honest, std::filesystem::last_write_time(honest) + std::chrono::seconds(5));
        QVERIFY(!resolve(honest.parent_path(), false).isFromCache);
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
        // Not all of them are known, and the file is gone: what is known stays.
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
#include "symbol_table_test.moc"
