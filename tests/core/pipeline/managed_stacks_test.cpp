#include "core/decode/record_decoder.h"
#include "core/event/code_opcodes.h"
#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/store/published/code_index.h"
#include "core/store/published/image_index.h"
#include "core/store/trace_store.h"
#include "tests/core/analysis/printed_table.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;
using fixtures::seconds;

namespace {

constexpr Address kHeap = 0x1D0000;

CodeEvent function(Occasion occasion, Address start, std::string name) {
    CodeEvent event;
    event.occasion = occasion;
    event.start = start;
    event.size = 0x100;
    event.module = 0x7000;
    event.name = std::move(name);
    event.signature = "(int32)";
    return event;
}

CodeEvent saying(CodeEvent::Kind kind, Occasion occasion, std::string name = {}) {
    CodeEvent event;
    event.kind = kind;
    event.occasion = occasion;
    event.module = 0x7000;
    event.name = std::move(name);
    return event;
}

/// A native program with the CLR in it. `New` replaces `Old` at second 3; `Main` is reported only by the rundown.
fixtures::TraceBuilder managedProgram(fixtures::TraceShape shape = {}) {
    fixtures::TraceBuilder builder(shape);
    const fixtures::Moment at{seconds(0.5), 10, 11};
    builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {"clr.dll"}});
    builder.code(at, saying(CodeEvent::Kind::Runtime, Occasion::Start));
    builder.code({seconds(1), 10, 11}, function(Occasion::Start, 0x20000, "App.Cache.Old"));
    const auto keep = [&](double second, Address block, std::string_view stack) {
        builder.heapAlloc({seconds(second), 10, 11}, kHeap, {block, 64}, stack);
    };
    keep(2, 0x1D0100, "app.exe!main;0x10040;0x20050;clr.dll!Alloc");
    builder.code({seconds(3), 10, 11}, function(Occasion::Start, 0x20000, "App.Cache.New"));
    keep(4, 0x1D0200, "app.exe!main;0x10040;0x20050;clr.dll!Alloc");
    keep(5, 0x1D0300, "app.exe!main;0x30000;clr.dll!Alloc"); // between named functions: a stub
    builder.code({seconds(6), 10, 11}, function(Occasion::RundownEnd, 0x10000, "App.Program.Main"));
    builder.code({seconds(6.1), 10, 11}, saying(CodeEvent::Kind::Module, Occasion::RundownEnd, "App.dll"));
    builder.code({seconds(6.2), 10, 11}, saying(CodeEvent::Kind::Complete, Occasion::RundownEnd));
    builder.endsAt(seconds(7));
    return builder;
}

std::shared_ptr<const store::PublishedTrace> loadedManaged(const fixtures::TraceBuilder& builder) {
    return load(builder.bytes().value());
}

Query byStack() {
    Query query;
    query.table = Table::Heap;
    query.interval = {TraceTime{0}, seconds(7)};
    query.keys = {Column::Stack};
    return query;
}

/// Passes the records to a decoder, one by one, and makes an allocation of each stack of the CLR's own events (82).
class ClrStacks final : public etl::RecordSink {
  public:
    ClrStacks(const TraceProperties& properties, store::TraceStore& store, TraceHealth& health)
        : decoder(properties, store, health), store_(store) {}
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            decoder.decode({&record, 1});
            const bool isStack =
                record.kind == etl::RawRecord::Kind::Provider && record.eventId == clr_event::kStackWalk;
            if (isStack && record.providerGuid() == kClrProvider) allocate(record);
        }
    }

    decode::RecordDecoder decoder;

  private:
    void allocate(const etl::RawRecord& record) {
        ByteReader reader(record.payloadSpan());
        (void)reader.skip(8);
        std::vector<Address> frames;
        while (const auto frame = reader.takePointer(record.pointerBytes))
            frames.push_back(*frame);
        MemoryEvent event;
        event.time = decoder.endTime();
        event.pid = record.pid;
        event.operation = MemoryOperation::HeapAlloc;
        event.heap = kHeap;
        event.address = 0x1000 + 16 * allocations_++;
        event.size = 16;
        event.stack = {.kind = EventStack::Kind::Frames, .frames = frames};
        store_.onMemoryEvent(event);
    }

    store::TraceStore& store_;
    std::uint64_t allocations_ = 0;
};

RecordCounts runThrough(const char* file, store::TraceStore& store, TraceHealth& health) {
    const auto source = source::EtlFileSource::open({std::filesystem::path(sharedTracesFolder()) / file}, health);
    if (!source.hasValue()) return {};
    ClrStacks sink(source.value()->properties(), store, health);
    Progress progress;
    (void)source.value()->run(sink, health, {}, progress);
    sink.decoder.finish();
    return sink.decoder.counts();
}

/// Counts of the user-mode frames of one process.
struct FrameCounts {
    std::size_t inImages = 0, named = 0, left = 0;
    [[nodiscard]] std::string text() const {
        return fmt::format("{} in images, {} named, {} left", inImages, named, left);
    }
};

std::map<std::uint32_t, FrameCounts> framesOf(const store::PublishedTrace& trace) {
    store::ImageIndex images(*trace.processes);
    store::CodeIndex code;
    (void)code.update(trace);
    const auto& stacks = trace.columns->stacks;
    std::map<std::uint32_t, FrameCounts> counts; // by pid
    for (RowId row = 0; row < trace.heap.rows; ++row) {
        std::vector<Address> frames;
        auto node = stacks.node(trace.leaf(trace.heap.site(row).stack));
        for (; node.depth > 0; node = stacks.node(node.parent))
            frames.push_back(node.address);
        const auto root = store::unpackRoot(node);
        auto& count = counts[(*trace.processes)[root.process].pid];
        for (const auto frame : frames) {
            if ((frame & store::kKernelBit) != 0) continue;
            if (images.find(root, frame) != nullptr)
                ++count.inImages;
            else
                ++(code.find(root, frame) ? count.named : count.left);
        }
    }
    return counts;
}

} // namespace

/// Managed functions by name, from the bytes of a trace to the table.
class ManagedStacksTest : public QObject {
    Q_OBJECT
  private slots:
    void everyFrameHasTheNameOfItsTime() {
        const auto expected = std::string("app.exe!+0x1020: 3 192 192\n"
                                          "  App.dll!App.Program.Main: 2 128 128\n"
                                          "    App.dll!App.Cache.New: 1 64 64\n"
                                          "      clr.dll!+0x1020: 1 64 64\n"
                                          "    App.dll!App.Cache.Old: 1 64 64\n"
                                          "      clr.dll!+0x1020: 1 64 64\n"
                                          "  [stub]: 1 64 64\n"
                                          "    clr.dll!+0x1020: 1 64 64\n");
        for (const auto form :
             {fixtures::StackForm::StackWalk, fixtures::StackForm::Keys, fixtures::StackForm::Extended}) {
            const auto text = printed(loadedManaged(managedProgram({.stacks = form})), byStack());
            QVERIFY2(text == expected, text.c_str());
        }
    }
    void fullNamesHaveTheirArguments() {
        const auto labels = std::make_shared<FrameLabels>();
        labels->setNameStyle(symbols::NameStyle::Full);
        const auto text = printed(loadedManaged(managedProgram()), byStack(), labels);
        QVERIFY2(text.find("App.dll!App.Cache.New(int32): 1") != std::string::npos, text.c_str());
    }
    /// Functions of precompiled images: as the rundown lists them, otherwise by the nearest entry point, and where that
    /// is too far, by their offset. Leftovers of the runtime at addresses of a later image are not functions.
    void precompiledFunctions() {
        fixtures::TraceBuilder builder;
        constexpr auto kLibrary = "System.Private.CoreLib.dll";
        const auto base = builder.addresses().declare(kLibrary, {"a"}).base;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {kLibrary}});
        const fixtures::Moment at{seconds(0.5), 10, 11};
        builder.code(at, saying(CodeEvent::Kind::Runtime, Occasion::Start));
        auto entry = function(Occasion::Start, base + 0x2000, "System.String.Concat");
        entry.kind = CodeEvent::Kind::EntryPoint;
        builder.code({seconds(1), 10, 11}, entry);
        builder.code({seconds(1.5), 10, 11}, entry); // reported twice
        auto listed = function(Occasion::RundownEnd, base + 0x2400, "System.String.Join");
        listed.isPrecompiled = true;
        builder.code({seconds(6), 10, 11}, listed);
        builder.code({seconds(6), 10, 11}, function(Occasion::RundownEnd, base + 0x1000, "Left.Over"));
        builder.code({seconds(6.1), 10, 11}, saying(CodeEvent::Kind::Module, Occasion::RundownEnd, "CoreLib.dll"));
        builder.code({seconds(6.2), 10, 11}, saying(CodeEvent::Kind::Complete, Occasion::RundownEnd));
        std::string stack = "app.exe!main";
        for (const auto offset : {0x1020, 0x1FFF, 0x2001, 0x2010, 0x2480, 0x2600, 0x6000, 0x6002})
            stack += fmt::format(";0x{:x}", base + static_cast<Address>(offset));
        builder.heapAlloc({seconds(2), 10, 11}, kHeap, {0x1D0100, 64}, stack);
        builder.endsAt(seconds(7));
        std::string expected = "app.exe!+0x1020: 1 64 64\n";
        std::string indent = "  ";
        for (const auto* label :
             {"System.Private.CoreLib.dll!+0x1020", "System.Private.CoreLib.dll!+0x1fff",
              "System.Private.CoreLib.dll!System.String.Concat", "System.Private.CoreLib.dll!System.String.Concat",
              "CoreLib.dll!System.String.Join", "System.Private.CoreLib.dll!System.String.Concat",
              "System.Private.CoreLib.dll!System.String.Concat", "System.Private.CoreLib.dll!+0x6002"}) {
            expected += fmt::format("{}{}: 1 64 64\n", indent, label);
            indent += "  ";
        }
        const auto text = printed(loadedManaged(builder), byStack());
        QVERIFY2(text == expected, text.c_str());
    }
    void filtersAndBottomUpKnowThem() {
        auto query = byStack();
        query.keys = {Column::StackBottomUp};
        const auto text = printed(loadedManaged(managedProgram()), query);
        QVERIFY2(text.find("App.dll!App.Cache.Old: 1 64 64\n") != std::string::npos, text.c_str());
    }
    void whatLacksItsRundownIsSaid() {
        fixtures::TraceBuilder builder;
        builder.processRunsAlready({.pid = 10, .name = "app.exe", .mainTid = 11, .modules = {}});
        builder.code({seconds(0.5), 10, 11}, saying(CodeEvent::Kind::Runtime, Occasion::Start));
        const auto notes = loadedManaged(builder)->health.notes;
        QVERIFY(std::any_of(notes.begin(), notes.end(),
                            [](const auto& note) { return note.find("managed") != std::string::npos; }));
        const auto whole = loadedManaged(managedProgram())->health.notes;
        QVERIFY(std::none_of(whole.begin(), whole.end(),
                             [](const auto& note) { return note.find("managed") != std::string::npos; }));
    }
    /// Each frame of the program's own events is identified. The other program is a 32-bit one, reported only by the
    /// rundown; its remaining frames are stubs.
    void realPrograms() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not there.");
        TraceHealth health;
        store::TraceStore store(health);
        const auto counts = runThrough("perfview_net.4.5.2.x64.etl", store, health).code;
        QCOMPARE(counts.methods, std::uint64_t{290 + 288 + 16702});
        QCOMPARE(counts.ilMaps, std::uint64_t{16494});
        QCOMPARE(counts.ilMapEntries, std::uint64_t{195311});
        QCOMPARE(counts.stacks, std::uint64_t{14983});
        QCOMPARE(counts.allocationTicks, std::uint64_t{10382});
        const auto found = framesOf(*store.publish());
        QCOMPARE(found.at(3676).text(), std::string("304972 in images, 28805 named, 0 left"));
        QCOMPARE(found.at(3988).text(), std::string("1768 in images, 1454 named, 31 left"));
    }
    void bothVersionsOfMethodEvents() {
        if (sharedTracesFolder().empty()) QSKIP("The folder of real traces is not there.");
        TraceHealth health;
        store::TraceStore store(health);
        const auto counts = runThrough("perfview_diaghub.user_paged.1.etl", store, health).code;
        QCOMPARE(counts.methods, std::uint64_t{2 * (4875 + 534)});
        QCOMPARE(counts.ilMaps, std::uint64_t{5247});
        QCOMPARE(counts.ilMapEntries, std::uint64_t{46762});
        QVERIFY(store.publish()->health[Loss::RecordsTruncated] == 0);
    }
};
HIGHWATER_TEST(ManagedStacksTest);
#include "managed_stacks_test.moc"
