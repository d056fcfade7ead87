#include "core/decode/record_decoder.h"
#include "core/event/module_identity.h"
#include "core/source/agent/agent_records.h"
#include "core/store/trace_store.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <deque>

using namespace highwater;
using source::AgentEvent, source::AgentOp, source::AgentDetail;

namespace {

constexpr std::uint32_t kPid = 10, kTid = 11;
constexpr std::uint8_t kRead = 1, kReadWrite = 3;
constexpr std::uint32_t kPrivate = 0x22, kFixed = 0x10, kSharedFile = 1;
constexpr ByteCount kAgentPage = 4096;

/// Events from an agent, and the trace that the engine builds from them.
class Told {
  public:
    Told() {
        auto& start = add(AgentOp::ProcessStart);
        start.oldAddress = 1;
    }

    AgentEvent& add(AgentOp op, Address address = 0, ByteCount size = 0) {
        AgentEvent event;
        event.timeNs = 1'000 + 10 * static_cast<std::int64_t>(events_.size());
        event.pid = kPid;
        event.tid = kTid;
        event.op = op;
        event.address = address;
        event.size = size;
        return events_.emplace_back(event);
    }
    AgentEvent& map(Address address, ByteCount size, std::uint8_t protection, std::uint32_t flags = kPrivate) {
        auto& event = add(AgentOp::Map, address, size);
        event.protection = protection;
        event.flags = flags;
        return event;
    }
    void protect(Address address, ByteCount size, std::uint8_t protection) {
        add(AgentOp::Protect, address, size).protection = protection;
    }
    void defineStack(std::uint64_t key, std::vector<Address> frames) {
        details_.push_back({std::move(frames), {}, {}});
        auto& event = add(AgentOp::Stack);
        event.stackKey = key;
        event.detail = &details_.back();
    }
    void name(std::string text) {
        details_.push_back({{}, std::move(text), {}});
        add(AgentOp::ThreadName).detail = &details_.back();
    }
    void loadModule(Address base, ByteCount size, std::string path, std::vector<std::uint8_t> buildId) {
        details_.push_back({{}, std::move(path), std::move(buildId)});
        auto& event = add(AgentOp::Module, base, size);
        event.flags = 1;
        event.detail = &details_.back();
    }

    std::shared_ptr<const store::PublishedTrace> trace() {
        TraceProperties properties;
        properties.ticksPerSecond = 1'000'000'000;
        properties.firstTicks = 1'000;
        properties.pointerBytes = 8;
        store::TraceStore store(health);
        decode::RecordDecoder decoder(properties, store, health);
        bool isEarly = isNotedAs.has_value();
        source::AgentRecords records(health, [&](std::uint32_t) { return isEarly ? *isNotedAs : program; });
        if (isEarly) records.noteProcess(kPid);
        isEarly = false;
        etl::RecordBatch batch;
        const std::vector<AgentEvent> all(events_.begin(), events_.end());
        records.translate(all, batch);
        decoder.decode(batch.records);
        decoder.finish();
        return store.publish();
    }

    TraceHealth health;
    source::AgentProgram program{"app", "app --fast"};
    std::optional<source::AgentProgram> isNotedAs; ///< before any event is read

  private:
    std::deque<AgentEvent> events_;
    std::deque<AgentDetail> details_;
};

/// "begin-end size" of every row, in units of events; "-" while it lives.
std::string rows(const store::TableView& table) {
    std::string text;
    for (std::uint32_t i = 0; i < table.rows; ++i) {
        const auto end = table.end(RowId{i});
        text += std::to_string(table.begin(RowId{i}).ns / 10) + "-" +
                (end == kNever ? std::string() : std::to_string(end.ns / 10)) + " " +
                std::to_string(table.size(RowId{i})) + "\n";
    }
    return text;
}

} // namespace

class AgentRecordsTest : public QObject {
    Q_OBJECT
  private slots:
    void pairsBlocks() {
        Told told;
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.add(AgentOp::Allocate, 0x2000, 50);
        told.add(AgentOp::Free, 0x1000);
        const auto trace = told.trace();
        QCOMPARE(rows(trace->heap), std::string("1-3 40\n2- 50\n"));
        QVERIFY(trace->health.isClean());
        QCOMPARE(trace->processes->key(ProcessIndex{0}), std::string("app (10)"));
        QCOMPARE((*trace->processes)[ProcessIndex{0}].commandLine, std::string("app --fast"));
    }
    /// A late look-up would find another program there, or none.
    void aProgramIsWhatItWasWhenItWasFound() {
        Told told;
        told.isNotedAs = source::AgentProgram{"early", "early --once"};
        told.program = {};
        const auto trace = told.trace();
        QCOMPARE(trace->processes->key(ProcessIndex{0}), std::string("early (10)"));
        QCOMPARE((*trace->processes)[ProcessIndex{0}].commandLine, std::string("early --once"));
    }
    void aReallocEndsOneBlockAndBeginsAnother() {
        Told told;
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.add(AgentOp::ReallocateRelease, 0x1000);
        told.add(AgentOp::ReallocateMake, 0x3000, 80).oldAddress = 0x1000;
        told.add(AgentOp::Reallocate, 0x3000, 160).oldAddress = 0x3000; // in place
        told.add(AgentOp::Free, 0x3000);
        const auto trace = told.trace();
        QCOMPARE(rows(trace->heap), std::string("1-3 40\n3-4 80\n4-5 160\n"));
        QVERIFY(trace->health.isClean());
    }
    void anAddressThatWasTakenWhileAReallocMovedKeepsItsNewBlock() {
        Told told;
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.add(AgentOp::ReallocateRelease, 0x1000);
        told.add(AgentOp::Allocate, 0x1000, 24).tid = kTid + 1;
        told.add(AgentOp::ReallocateMake, 0x3000, 80).oldAddress = 0x1000;
        const auto trace = told.trace();
        QCOMPARE(rows(trace->heap), std::string("1-3 40\n3- 24\n4- 80\n"));
        QVERIFY(trace->health.isClean());
    }
    void writableMappingsAreCommittedOthersReserved() {
        Told told;
        told.map(0x10000, 4 * kAgentPage, kReadWrite);
        told.map(0x20000, 4 * kAgentPage, 0);                       // address space
        told.map(0x30000, 4 * kAgentPage, kRead);                   // a file, for reading
        told.map(0x40000, 4 * kAgentPage, kReadWrite, kSharedFile); // a file, for writing
        told.protect(0x21000, kAgentPage, kReadWrite);
        told.protect(0x21000, kAgentPage, kRead); // keeps the written data
        told.protect(0x21000, kAgentPage, 0);
        told.add(AgentOp::Unmap, 0x10000, 4 * kAgentPage);
        told.add(AgentOp::Unmap, 0x90000, 4 * kAgentPage); // libc's own
        const auto trace = told.trace();
        QCOMPARE(rows(trace->virtualAlloc), std::string("1-8 16384\n5-7 4096\n"));
        QVERIFY(trace->health.isClean());
    }
    void aFixedMappingReplacesWhatWasThere() {
        Told told;
        told.map(0x10000, 4 * kAgentPage, kReadWrite);
        told.map(0x10000, 4 * kAgentPage, 0, kPrivate | kFixed);
        told.map(0x11000, kAgentPage, kReadWrite, kPrivate | kFixed);
        const auto trace = told.trace();
        QCOMPARE(rows(trace->virtualAlloc), std::string("1-2 16384\n3- 4096\n"));
        QVERIFY(trace->health.isClean());
    }
    void mappingsGrowShrinkAndMove() {
        Told told;
        told.map(0x10000, 2 * kAgentPage, kReadWrite);
        auto& grown = told.add(AgentOp::Remap, 0x10000, 4 * kAgentPage);
        grown.oldAddress = 0x10000;
        grown.oldSize = 2 * kAgentPage;
        auto& moved = told.add(AgentOp::Remap, 0x80000, 3 * kAgentPage);
        moved.oldAddress = 0x10000;
        moved.oldSize = 4 * kAgentPage;
        const auto trace = told.trace();
        QCOMPARE(rows(trace->virtualAlloc), std::string("1-3 8192\n2-3 8192\n3- 12288\n"));
        QVERIFY(trace->health.isClean());
    }
    void theBreakGrowsAndShrinks() {
        Told told;
        told.add(AgentOp::Break, 0x13000).oldAddress = 0x10000;
        told.add(AgentOp::Break, 0x12000).oldAddress = 0x13000;
        told.add(AgentOp::Break, 0x10000).oldAddress = 0x12000;
        const auto trace = told.trace();
        QCOMPARE(rows(trace->virtualAlloc), std::string("1-3 12288\n"));
        QVERIFY(trace->health.isClean());
    }
    void stacksComeBeforeTheirUse() {
        Told told;
        told.loadModule(0x400000, 0x10000, "/opt/app", {0xAB, 0xCD, 0x01});
        told.defineStack(7, {0x401005, 0x402010});
        told.add(AgentOp::Allocate, 0x1000, 40).stackKey = 7;
        told.add(AgentOp::Allocate, 0x2000, 40).stackKey = 7;
        const auto trace = told.trace();
        const auto& site = trace->heap.site(RowId{1});
        auto node = trace->columns->stacks.node(trace->leaf(site.stack));
        QCOMPARE(node.address, Address{0x401004}); // inside the call
        node = trace->columns->stacks.node(node.parent);
        QCOMPARE(node.address, Address{0x402010});
        QCOMPARE(node.depth, 1u);
        QCOMPARE(trace->heap.site(RowId{0}).stack, site.stack);
        QVERIFY(trace->health.isClean());
    }
    void modulesCarryTheirBuildId() {
        Told told;
        told.loadModule(0x400000, 0x10000, "/opt/söme app", {0xAB, 0xCD, 0x01});
        const auto trace = told.trace();
        QCOMPARE(trace->processes->modules().size(), std::size_t{1});
        const auto& module = trace->processes->module(store::ModuleIndex{0});
        QCOMPARE(module.path, std::string("/opt/söme app"));
        QCOMPARE(module.name, std::string("söme app"));
        QCOMPARE(module.identity.pdbName, std::string(".build-id/ab/cd01.debug"));
        QCOMPARE(buildIdOfPdb(module.identity.pdbName), std::string("abcd01"));
        QCOMPARE(buildIdOfPdb("ntdll.pdb"), std::string());
    }
    void aProgramThatIsGoneIsNamedByItsModule() {
        Told told;
        told.program = {};
        told.loadModule(0x400000, 0x10000, "/opt/app", {});
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.add(AgentOp::ProcessEnd);
        const auto trace = told.trace();
        QCOMPARE(trace->processes->key(ProcessIndex{0}), std::string("app (10)"));
        QVERIFY((*trace->processes)[ProcessIndex{0}].end != kNever);
    }
    void aProgramThatExecutesAnotherIsOneProcess() {
        Told told;
        told.program = {"git", "git gc"}; // asked late: the program that it executes in the end
        told.loadModule(0x400000, 0x10000, "/bin/bash", {});
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.map(0x7000, kAgentPage, kReadWrite);
        told.add(AgentOp::ReallocateRelease, 0x9000); // never finished
        told.add(AgentOp::ProcessEnd).flags = 1;
        told.add(AgentOp::ProcessStart);
        told.loadModule(0x400000, 0x10000, "/bin/git", {});
        told.add(AgentOp::Allocate, 0x1000, 50);
        told.add(AgentOp::Allocate, 0x9000, 60);
        told.add(AgentOp::ProcessEnd);
        const auto trace = told.trace();
        QCOMPARE(trace->processes->processes().size(), std::size_t{1});
        QCOMPARE(trace->processes->key(ProcessIndex{0}), std::string("git (10)"));
        QCOMPARE(rows(trace->heap), std::string("2-6 40\n8- 50\n9- 60\n"));
        QCOMPARE(rows(trace->virtualAlloc), std::string("3-6 4096\n"));
        QVERIFY(trace->health.isClean());
    }
    void namesThreads() {
        Told told;
        told.add(AgentOp::ThreadStart);
        told.add(AgentOp::Allocate, 0x1000, 40);
        told.name("first");
        told.name("wörk\xFF");
        told.add(AgentOp::ThreadEnd);
        told.add(AgentOp::ThreadStart); // the number is reused
        told.add(AgentOp::Allocate, 0x2000, 40);
        const auto trace = told.trace();
        const auto nameOf = [&](RowId row) {
            return std::string(trace->threadNames->text(trace->threadNameOf(trace->heap.site(row))));
        };
        QCOMPARE(nameOf(0), std::string("wörk?"));
        QCOMPARE(nameOf(1), std::string());
        QVERIFY(trace->health.isClean());
    }
    void countsWhatWasLost() {
        Told told;
        told.add(AgentOp::Lost, 0, 12);
        auto& lost = told.add(AgentOp::Lost, 5'000, 1);
        lost.oldAddress = 3'000;
        const auto trace = told.trace();
        QCOMPARE(trace->health[Loss::EventsLost], std::uint64_t{13});
        QCOMPARE(trace->health.zones.back(), (LostZone{TraceTime{2'000}, TraceTime{4'000}, "events lost", 1, true}));
        QVERIFY(trace->health.totalsAreBounds());
    }
    void pathsOfAnyBytesAreTold() {
        Told told;
        told.loadModule(0x400000, 0x10000, "/opt/\xFF\xC3", {});
        QCOMPARE(told.trace()->processes->module(store::ModuleIndex{0}).path, std::string("/opt/??"));
    }
};
HIGHWATER_TEST(AgentRecordsTest);
#include "agent_records_test.moc"
