#include "core/store/published/process_table.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::store;

namespace {

ProcessEvent processEvent(Occasion occasion, std::int64_t time, std::string name) {
    ProcessEvent event;
    event.time = TraceTime{time};
    event.occasion = occasion;
    event.pid = 5;
    event.name = std::move(name);
    return event;
}

ImageEvent imageEvent(Occasion occasion, std::int64_t time, Address base, std::string path) {
    ImageEvent event;
    event.time = TraceTime{time};
    event.occasion = occasion;
    event.pid = 5;
    event.base = base;
    event.size = 0x1000;
    event.path = std::move(path);
    return event;
}

} // namespace

class ProcessTableTest : public QObject {
    Q_OBJECT
  private slots:
    void completesAnInstanceThatEventsCameBefore() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto early = table.current(5);
        QCOMPARE(table.apply(processEvent(Occasion::Start, 10, "a.exe"), ended), early);
        QVERIFY(!ended);
        QCOMPARE(table[early].start, TraceTime{10});
        QCOMPARE(table.key(early), std::string("a.exe (5)"));
    }
    void aProcessThatExecutesIsOneWithItsLastName() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto process = table.apply(processEvent(Occasion::Start, 10, "sh"), ended);
        table.apply(imageEvent(Occasion::Start, 11, 0x1000, "sh"));
        for (const auto* name : {"sh", "env", "env", "git"})
            QCOMPARE(table.apply(processEvent(Occasion::Executed, 20, name), ended), process);
        QVERIFY(!ended);
        QCOMPARE(table.key(process), std::string("git (5)"));
        QCOMPARE(table.earlierNames(process), (std::vector<std::string>{"sh", "env"}));
        QCOMPARE(table[process].start, TraceTime{10});
        QCOMPARE(table[process].images[0].unloaded, TraceTime{20});
        // The same address has no meaning afterwards.
        QVERIFY(table.findImage({process, 0}, 0x1000) != nullptr);
        QVERIFY(table.findImage({process, table[process].epoch}, 0x1000) == nullptr);
    }
    void keepsTheLatestOfVeryManyEarlierNames() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto process = table.current(5);
        for (int i = 0; i < 100; ++i)
            table.apply(processEvent(Occasion::Executed, i, std::to_string(i)), ended);
        QCOMPARE(table.earlierNames(process).size(), ProcessTable::kMostNamesBefore);
        QCOMPARE(table.earlierNames(process).back(), std::string("98"));
    }
    void aChangeAfterTheEndIsOfAnotherInstance() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto first = table.apply(processEvent(Occasion::End, 10, "a"), ended);
        const auto second = table.apply(processEvent(Occasion::Executed, 20, "b"), ended);
        QVERIFY(first != second);
        QCOMPARE(table.key(second), std::string("b (5) #2"));
        QCOMPARE(table.earlierNames(second), std::vector<std::string>{});
    }
    void notesNameProcessesAsTheirKeysDo() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        QVERIFY(table.notes().empty());
        table.apply(processEvent(Occasion::Start, 10, "sh"), ended);
        table.apply(processEvent(Occasion::Forked, 10, ""), ended);
        table.apply(processEvent(Occasion::Executed, 20, "git"), ended);
        QCOMPARE(table.notes().size(), std::size_t{1});
        QVERIFY(table.notes()[0].starts_with("sh (5), later git, is a fork"));
        auto other = processEvent(Occasion::Attached, 30, "b");
        for (other.pid = 100; other.pid < 110; ++other.pid)
            table.apply(other, ended);
        QCOMPARE(table.notes().size(), std::size_t{2});
        QVERIFY(table.notes()[1].find("b (107) and 2 more") != std::string::npos);
    }
    /// By the path without its volume: runtimes report drive letters, images devices.
    void imagesThatNameNoPdbHaveTheOnesThatRuntimesName() {
        ProcessTable table;
        const auto process = table.current(5);
        CodeFiles files;
        files.path = "C:\\app\\My.dll";
        files.nativePath = "C:\\Windows\\assembly\\NativeImages\\My.ni.dll";
        files.pdb = {Guid{1, 2, 3, {}}, 1, "C:\\build\\My.pdb", 0, 0};
        files.nativePdb = {Guid{4, 5, 6, {}}, 9, "My.ni.pdb", 0, 0};
        const std::string native = "\\Device\\HarddiskVolume3\\WINDOWS\\assembly\\NativeImages\\My.ni.dll";
        table.apply(imageEvent(Occasion::Start, 10, 0x1000, native));
        const auto lines = table.apply(files);
        table.apply(imageEvent(Occasion::Start, 20, 0x3000, "\\Device\\HarddiskVolume3\\app\\My.dll"));
        const auto identityAt = [&](Address base) {
            return table.module(table.findImage({process, 0}, base)->module).identity;
        };
        QCOMPARE(identityAt(0x1000).pdbName, std::string("My.ni.pdb"));
        QVERIFY(identityAt(0x1000).pdbGuid == files.nativePdb.pdbGuid && identityAt(0x1000).pdbAge == 9);
        QVERIFY(identityAt(0x3000).pdbName.empty()); // has no native code
        QVERIFY(lines.has_value());
        QVERIFY(table.module(*lines).isIl);
        QCOMPARE(table.module(*lines).name, std::string("My.dll"));
        QVERIFY(table.module(*lines).identity.pdbGuid == files.pdb.pdbGuid);
        QVERIFY(table.apply(files) == lines); // every process reports it again
        // A precompiled image has one PDB for both.
        files.isReadyToRun = true;
        QVERIFY(table.apply(files) == lines);
        QVERIFY(identityAt(0x3000).pdbGuid == files.pdb.pdbGuid);
        // The image's own records are reliable.
        ImageIdentityEvent own;
        own.pid = 5;
        own.base = 0x1000;
        own.identity = {Guid{7, 8, 9, {}}, 2, "own.pdb", 0, 0};
        table.apply(own);
        QVERIFY(table.apply(files) == lines);
        QCOMPARE(identityAt(0x1000).pdbName, std::string("own.pdb"));
        QVERIFY(!table.apply(CodeFiles{"C:\\app\\Other.dll", {}, {}, {}, false}));
    }
    void takesARepeatedStartOnce() {
        ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto first = table.apply(processEvent(Occasion::Start, 10, "a.exe"), ended);
        QCOMPARE(table.apply(processEvent(Occasion::Start, 10, "a.exe"), ended), first);
        QVERIFY(!ended);
        const auto second = table.apply(processEvent(Occasion::Start, 20, "a.exe"), ended);
        QVERIFY(second != first);
        QVERIFY(ended == first);
        QCOMPARE(table[first].end, TraceTime{20});
        QCOMPARE(table.key(first), std::string("a.exe (5)"));
        QCOMPARE(table.key(second), std::string("a.exe (5) #2"));
    }
    void keepsTheTimeSinceWhenAnImageWasThere() {
        ProcessTable table;
        const auto process = table.current(5);
        table.apply(imageEvent(Occasion::End, 10, 0x1000, "a.dll")); // unloaded, but its load was never recorded
        table.apply(imageEvent(Occasion::Start, 20, 0x3000, "b.dll"));
        table.apply(imageEvent(Occasion::End, 30, 0x3000, "b.dll"));
        QCOMPARE(table[process].images[0].loaded, kBeforeTrace);
        QCOMPARE(table[process].images[0].unloaded, TraceTime{10});
        QCOMPARE(table[process].images[1].loaded, TraceTime{20});
        QCOMPARE(table[process].images[1].unloaded, TraceTime{30});
        table.apply(imageEvent(Occasion::Start, 40, 0x3000, "b.dll"));
        QCOMPARE(table[process].images.size(), std::size_t{2});
        QCOMPARE(table[process].images[1].unloaded, kNever);
        QCOMPARE(table[process].epoch, 0u);
    }
    void knowsTheMachineOnlyIfAllSayTheSame() {
        const Guid here{1, 2, 3, {}}, there{4, 5, 6, {}};
        ProcessTable table;
        QVERIFY(table.machine() == Guid{});
        table.setMachine(here);
        table.setMachine(here);
        QVERIFY(table.machine() == here);
        for (const auto& said : {there, here, Guid{}, here}) {
            table.setMachine(said);
            QVERIFY(table.machine() == Guid{});
        }
    }
    void findsThePathOnItsVolume() {
        ProcessTable table;
        table.apply(VolumeMappingEvent{"\\Device\\HarddiskVolume1\\", "C:\\"});
        table.apply(VolumeMappingEvent{"\\Device\\HarddiskVolume11\\", "D:\\"});
        QCOMPARE(table.dosPath("\\device\\harddiskvolume11\\x.dll"), std::string("D:\\x.dll"));
        QCOMPARE(table.dosPath("\\Device\\HarddiskVolume1\\x.dll"), std::string("C:\\x.dll"));
        QCOMPARE(table.dosPath("\\Device\\Mup\\x.dll"), std::string("\\Device\\Mup\\x.dll"));
    }
};
HIGHWATER_TEST(ProcessTableTest);
#include "process_table_test.moc"
