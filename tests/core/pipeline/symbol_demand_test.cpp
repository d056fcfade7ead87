#include "core/pipeline/symbol_demand.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/pipeline/trace_loader.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

namespace {

std::shared_ptr<const store::PublishedTrace> loaded(const fixtures::TraceBuilder& trace) {
    const QTemporaryDir folder;
    const auto path = folder.filePath("t1.etl").toStdString();
    if (!trace.writeTo(path).hasValue()) qFatal("cannot write");
    TraceLoader loader({path});
    loader.wait();
    return loader.latest();
}

} // namespace

/// The symbols that the frames of a trace request, for all of it or for a part.
class SymbolDemandTest : public QObject {
    Q_OBJECT
  private slots:
    void countsTheModulesThatOwnFrames() {
        fixtures::TraceBuilder builder;
        builder.addresses().declare("a.exe", {"main", "work"});
        builder.addresses().declare("lib.dll", {"alloc"});
        builder.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"lib.dll", "idle.dll"}});
        builder.processRunsAlready({.pid = 20, .name = "b.exe", .mainTid = 21, .modules = {"lib.dll"}});
        const fixtures::Moment a{fixtures::seconds(1), 10, 11}, b{fixtures::seconds(1), 20, 21};
        builder.heapAlloc(a, 0x1D0000, {0x1D0100, 64}, "a.exe!main;a.exe!work;lib.dll!alloc");
        builder.heapAlloc(a, 0x1D0000, {0x1D0200, 36}, "a.exe!main;a.exe!work");
        builder.heapAlloc(b, 0x1D0000, {0x1D0300, 1000}, "b.exe!main;lib.dll!alloc+0x30");
        builder.endsAt(fixtures::seconds(2));
        const auto trace = loaded(builder);
        const auto all = symbolDemand(*trace, {});
        QCOMPARE(namesOf(*trace, all), std::string("lib.dll b.exe a.exe ")); // idle.dll owns none
        QCOMPARE(all[0].bytes, ByteCount{1064});
        QCOMPARE(all[2].bytes, ByteCount{100}); // once, though main and work are both in a.exe
        QCOMPARE(all[0].addresses, (std::vector<symbols::Rva>{0x1020, 0x1030})); // leaves
        // main returns to 0x1020 after a call; work is a leaf in one stack and a caller in the other, so it is treated
        // as a caller.
        QCOMPARE(all[2].addresses, (std::vector<symbols::Rva>{0x101F, 0x111F}));

        SymbolScope scope;
        for (std::uint32_t i = 0; i < trace->processes->processes().size(); ++i) {
            if (trace->processes->processes()[i].pid == 10) scope.processes.push_back(ProcessIndex{i});
        }
        const auto ofA = symbolDemand(*trace, scope);
        QCOMPARE(namesOf(*trace, ofA), std::string("a.exe lib.dll "));
        QCOMPARE(ofA[1].bytes, ByteCount{64});
        scope.modules = {ofA[1].module};
        QCOMPARE(namesOf(*trace, symbolDemand(*trace, scope)), std::string("lib.dll "));
    }

    void restrictsToNames() {
        const auto trace = loaded(twoProcesses());
        SymbolScope scope;
        scope.processNames = {"B*"};
        QCOMPARE(namesOf(*trace, symbolDemand(*trace, scope)), std::string("lib.dll b.exe "));
        scope.moduleNames = {"*.DLL"};
        QCOMPARE(namesOf(*trace, symbolDemand(*trace, scope)), std::string("lib.dll "));
        scope.processNames = {"nobody.exe"};
        QCOMPARE(namesOf(*trace, symbolDemand(*trace, scope)), std::string());
    }

    void asksJustForTheFramesOfSomeLabels() {
        const auto trace = loaded(twoProcesses());
        analysis::FrameLabels labels;
        const auto all = labels.labelsOf(*trace);
        std::vector<analysis::LabelId> wanted;
        for (const auto label : *all) {
            if (labels.text(label) == "lib.dll!+0x1030" || labels.text(label) == "a.exe!+0x1120")
                wanted.push_back(label);
        }
        const auto some = symbolDemandOfLabels(*trace, {}, labels, wanted);
        std::set<std::string> texts;
        for (const auto& one : some) {
            for (const auto address : one.addresses)
                texts.insert(trace->processes->module(one.module).name + "+" + std::to_string(address));
        }
        QCOMPARE(texts, (std::set<std::string>{"a.exe+4383", "lib.dll+4144"})); // 0x111F, 0x1030
        SymbolScope scope;
        scope.processNames = {"a.exe"};
        QCOMPARE(symbolDemandOfLabels(*trace, scope, labels, wanted).size(), std::size_t{1});
    }

    void passesOverWhatIsNotThere() {
        const auto trace = loaded(twoProcesses());
        SymbolScope scope;
        scope.modules = {store::ModuleIndex{1000}};
        QVERIFY(symbolDemand(*trace, scope).empty());
        scope = {};
        scope.processes = {ProcessIndex{1000}};
        QVERIFY(symbolDemand(*trace, scope).empty());
        analysis::FrameLabels labels;
        const std::vector nowhere{analysis::LabelId{1'000'000}, analysis::FrameLabels::kNoStack};
        QVERIFY(symbolDemandOfLabels(*trace, {}, labels, nowhere).empty());
        QVERIFY(symbolDemandOfLabels(*trace, {}, labels, {}).empty());
    }

    void answersTheSameOnceItKnowsThePlaces() {
        SymbolDemand demand;
        const auto first = loaded(twoProcesses());
        const auto before = namesOf(*first, demand.ofAll(*first, {}));
        QCOMPARE(namesOf(*first, demand.ofAll(*first, {})), before);
        QCOMPARE(before, std::string("lib.dll b.exe a.exe "));
    }

  private:
    /// a.exe with main, work and lib.dll, b.exe with main and lib.dll.
    static fixtures::TraceBuilder twoProcesses() {
        fixtures::TraceBuilder builder;
        builder.addresses().declare("a.exe", {"main", "work"});
        builder.addresses().declare("lib.dll", {"alloc"});
        builder.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"lib.dll"}});
        builder.processRunsAlready({.pid = 20, .name = "b.exe", .mainTid = 21, .modules = {"lib.dll"}});
        const fixtures::Moment a{fixtures::seconds(1), 10, 11}, b{fixtures::seconds(1), 20, 21};
        builder.heapAlloc(a, 0x1D0000, {0x1D0100, 64}, "a.exe!main;a.exe!work;lib.dll!alloc");
        builder.heapAlloc(a, 0x1D0000, {0x1D0200, 36}, "a.exe!main;a.exe!work");
        builder.heapAlloc(b, 0x1D0000, {0x1D0300, 1000}, "b.exe!main;lib.dll!alloc+0x30");
        builder.endsAt(fixtures::seconds(2));
        return builder;
    }
    static std::string namesOf(const store::PublishedTrace& trace, const std::vector<ModuleDemand>& demands) {
        std::string names;
        for (const auto& demand : demands)
            names += trace.processes->module(demand.module).name + " ";
        return names;
    }
};
HIGHWATER_TEST(SymbolDemandTest);
#include "symbol_demand_test.moc"
