#include "core/pipeline/symbol_loader.h"
#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/managed_pdbs.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <string>

using namespace highwater;
using namespace highwater::tests;
using analysis::Column;
using fixtures::seconds;

namespace {

constexpr Address kLinesHeap = 0x1D0000;
constexpr std::uint64_t kModule = 0x7000;
const Guid kPdb{0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 8}};
constexpr auto kSource = "/src/App/Cache.cs";

/// Five methods of five lines each: IL 10 of the method of row 3 is line 302.
fixtures::ManagedLines appLines() {
    fixtures::ManagedLines lines;
    lines.guid = kPdb;
    lines.documents = {kSource};
    for (std::uint32_t method = 1; method <= 5; ++method) {
        auto& points = lines.methods.emplace_back();
        for (std::uint32_t line = 0; line < 5; ++line)
            points.push_back({line * 5, method * 100 + line});
    }
    return lines;
}

CodeEvent method(std::uint32_t row, Address start, std::string name) {
    CodeEvent event;
    event.start = start;
    event.size = 0x100;
    event.module = kModule;
    event.method = 0x9000 + row;
    event.token = 0x06000000 + row;
    event.name = std::move(name);
    return event;
}

/// As text, which the trace builders accept.
CodeEvent mapOf(CodeEvent event, std::string map) {
    event.kind = CodeEvent::Kind::IlMap;
    event.ilMap = std::move(map);
    return event;
}

CodeEvent module() {
    CodeEvent event;
    event.kind = CodeEvent::Kind::Module;
    event.module = kModule;
    event.name = "App.dll";
    auto files = std::make_shared<CodeFiles>();
    files->path = "C:\\app\\App.dll";
    files->pdb.pdbGuid = kPdb;
    files->pdb.pdbAge = 1;
    files->pdb.pdbName = "C:\\build\\obj\\App.pdb";
    event.files = std::move(files);
    return event;
}

/// `Plain` is compiled once; `Split` in two parts; `Tiered` twice under one name, `Changed` in two versions (ReJIT);
/// `Bare` without a map. Each has an allocation of its own.
fixtures::TraceBuilder program() {
    fixtures::TraceBuilder builder;
    builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
    double second = 1;
    const auto tell = [&](const CodeEvent& event) { builder.code({seconds(second += 0.01), 10, 11}, event); };
    CodeEvent runtime;
    runtime.kind = CodeEvent::Kind::Runtime;
    tell(runtime);
    tell(method(1, 0x10000, "App.Plain"));
    tell(mapOf(method(1, 0, {}), "64:10 0:-2 16:0 32:5 80:-3"));
    auto cold = method(2, 0x30000, "App.Split");
    cold.part = 1;
    tell(mapOf(cold, "0:20"));
    tell(method(2, 0x20000, "App.Split"));
    tell(mapOf(method(2, 0, {}), "0:5"));
    tell(cold);
    tell(method(3, 0x40000, "App.Tiered"));
    tell(mapOf(method(3, 0, {}), "0:10"));
    tell(method(3, 0x50000, "App.Tiered"));
    tell(mapOf(method(3, 0, {}), "0:15"));
    auto changed = method(4, 0x60000, "App.Changed");
    tell(changed);
    tell(mapOf(changed, "0:5"));
    changed.start = 0x70000;
    changed.version = 7;
    tell(changed);
    tell(mapOf(changed, "0:20"));
    tell(method(5, 0x80000, "App.Bare"));
    tell(module());
    Address block = kLinesHeap + 0x100;
    second = 3;
    // Return addresses are after their calls: 0x10040 is the end of the code that contains 0x1003F.
    for (const auto* frame :
         {"0x10040", "0x10041", "0x20020", "0x30020", "0x40020", "0x50020", "0x60020", "0x70020", "0x80020"}) {
        builder.heapAlloc({seconds(second += 0.1), 10, 11}, kLinesHeap, {block, 64},
                          std::string(frame) + ";app.exe!alloc");
        block += 0x100;
    }
    builder.endsAt(seconds(7));
    return builder;
}

constexpr auto kExpected = "App.dll!App.Plain: /src/App/Cache.cs:101\n"
                           "App.dll!App.Plain: /src/App/Cache.cs:102\n"
                           "App.dll!App.Split: /src/App/Cache.cs:201\n"
                           "App.dll!App.Split: /src/App/Cache.cs:204\n"
                           "App.dll!App.Tiered: /src/App/Cache.cs:~302\n"
                           "App.dll!App.Tiered: /src/App/Cache.cs:~303\n"
                           "App.dll!App.Changed: /src/App/Cache.cs:401\n"
                           "App.dll!App.Changed: /src/App/Cache.cs:404\n"
                           "App.dll!App.Bare: \n";
constexpr auto kNoLines = "App.dll!App.Plain: \nApp.dll!App.Plain: \nApp.dll!App.Split: \nApp.dll!App.Split: \n"
                          "App.dll!App.Tiered: \nApp.dll!App.Tiered: \nApp.dll!App.Changed: \nApp.dll!App.Changed: \n"
                          "App.dll!App.Bare: \n";

std::shared_ptr<const store::PublishedTrace> loadedManagedLines() { return load(program().bytes().value()); }

void put(const QString& path, const std::vector<std::byte>& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
}

} // namespace

/// Source lines of managed frames, from the bytes of a trace to the answers.
class ManagedLinesTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::shared_ptr<const store::PublishedTrace> trace_ = loadedManagedLines();
    pipeline::SymbolLoadStatus status_;

    [[nodiscard]] QString at(const QString& name) const { return folder_->filePath(name); }

    /// For each allocation, its managed frame and the line.
    std::string lines(const QString& path) {
        pipeline::SymbolSources sources;
        sources.path = symbols::SymbolPath::parse(path.toStdString());
        sources.options.cacheFolder = at("cache").toStdString();
        sources.nameCacheFolder = at("names").toStdString();
        const auto names = std::make_shared<symbols::SymbolTable>();
        pipeline::SymbolLoader loader(names, sources);
        loader.load(trace_);
        loader.wait();
        status_ = loader.status();
        analysis::FrameLabels labels(names);
        const auto all = labels.labelsOf(*trace_);
        std::string text;
        for (RowId row = 0; row < trace_->heap.rows; ++row) {
            const auto& stacks = trace_->columns->stacks;
            const auto node = stacks.node(trace_->leaf(trace_->heap.site(row).stack)).parent;
            const auto code = labels.code(*all, {node, 0});
            const auto found = analysis::sourcesOf(std::span(&*code, 1));
            text += std::string(labels.text((*all)[node.value])) + ": " + (found.empty() ? "" : found.front().text()) + "\n";
        }
        return text;
    }
    [[nodiscard]] pipeline::ModuleLoad::State stateOfApp() const {
        for (const auto& load : status_.modules)
            if (trace_->processes->module(load.module).isIl) return load.state;
        return pipeline::ModuleLoad::State::Waiting;
    }

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void fromAPortablePdbInAFolder() {
        put(at("App.pdb"), fixtures::portablePdb(appLines()));
        QCOMPARE(lines(folder_->path()), std::string(kExpected));
        QVERIFY(stateOfApp() == pipeline::ModuleLoad::State::Found);
        QFile::remove(at("App.pdb")); // the name cache contains the lines as well
        QCOMPARE(lines(folder_->path()), std::string(kExpected));
    }
    void fromATreeAsServersHaveIt() {
        put(at("tree/App.pdb/11223344556677880102030405060708FFFFFFFF/App.pdb"), fixtures::portablePdb(appLines()));
        QCOMPARE(lines(at("tree")), std::string(kExpected));
    }
    void fromAWindowsPdb() {
        put(at("tree/App.pdb/112233445566778801020304050607081/App.pdb"), fixtures::managedWindowsPdb(appLines()));
        QCOMPARE(lines(at("tree")), std::string(kExpected));
    }
    void fromInsideOfTheModule() {
        put(at("App.dll"), fixtures::moduleWithPdb(appLines()));
        QCOMPARE(lines(folder_->path()), std::string(kExpected));
    }
    void thatOfAnotherBuildIsRefused() {
        auto other = appLines();
        other.guid.data1 = 1;
        put(at("App.pdb"), fixtures::portablePdb(other));
        QCOMPARE(lines(folder_->path()), std::string(kNoLines));
        QVERIFY(stateOfApp() == pipeline::ModuleLoad::State::Mismatched);
    }
    void withoutOneThereAreNames() {
        QCOMPARE(lines(folder_->path()), std::string(kNoLines));
        QVERIFY(stateOfApp() == pipeline::ModuleLoad::State::NotFound);
    }
    void theColumnOfLinesHasThem() {
        put(at("App.pdb"), fixtures::portablePdb(appLines()));
        (void)lines(folder_->path());
        const auto names = std::make_shared<symbols::SymbolTable>();
        pipeline::SymbolSources sources;
        sources.path = symbols::SymbolPath::parse(folder_->path().toStdString());
        sources.nameCacheFolder = at("names").toStdString();
        pipeline::SymbolLoader loader(names, sources);
        loader.load(trace_);
        loader.wait();
        analysis::Query query;
        query.table = analysis::Table::Heap;
        query.interval = {TraceTime{0}, seconds(7)};
        query.keys = {Column::SourceLine};
        const auto text = printed(trace_, query, std::make_shared<analysis::FrameLabels>(names));
        QVERIFY2(text.find("/src/App/Cache.cs:101: 1 64 64\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("/src/App/Cache.cs:~302: 1 64 64\n") != std::string::npos, text.c_str());
    }
};
HIGHWATER_TEST(ManagedLinesTest);
#include "managed_lines_test.moc"
