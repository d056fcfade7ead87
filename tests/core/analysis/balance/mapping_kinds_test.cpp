#include "core/analysis/balance/mapping_kinds.h"
#include "core/event/agent_names.h"
#include "core/store/published/process_table.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kInaccessible = 0;

/// "images stacks/divided heap/divided from 7f0000000000"
std::string kindsText(const std::vector<MappingKind>& kinds, const ResidentSample& sample) {
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", layerId(kinds[i].layer),
                            kinds[i].isDivided ? "/divided" : "");
        if (kinds[i].arena != sample.mappings[i].end) text += fmt::format(" from {:x}", kinds[i].arena);
    }
    return text;
}
std::string kindsIn(const SampleBuilder& builder, const PageRanges& images = {}) {
    return kindsText(kindsOf(*builder.done(), images), *builder.done());
}
std::string kindOf(const std::string& name, std::uint32_t flags) {
    return kindsIn(SampleBuilder().map(0x10000, kPage, flags, name));
}

} // namespace

class MappingKindsTest : public QObject {
    Q_OBJECT

  private slots:
    void dataWithoutAFileBelongsToTheModuleBelow() {
        const auto sample = SampleBuilder()
                                .map(0x10000, kPage, kFileCode, "/lib/a.so")
                                .map(0x11000, kPage, kFileData, "/lib/a.so")
                                .map(0x12000, kPage, kAnonymous)
                                .map(0x13000, kPage, kFileCode & ~mapping_flag::kFile, "[vdso]") // of the system
                                .map(0x15000, kPage, kAnonymous)
                                .map(0x16000, kPage, kFileData, "/var/app.db")
                                .map(0x17000, kPage, kAnonymous)
                                .map(0x20000, kPage, kFileCode, "/lib/b.so")
                                .map(0x21000, kPage, kAnonymous, "[anon:highwater-agent]")
                                .done();
        std::string modules;
        for (const auto& kind : kindsOf(*sample, {}))
            modules += std::string(kind.module) + " ";
        QCOMPARE(modules, std::string("/lib/a.so /lib/a.so /lib/a.so     /lib/b.so  "));
    }
    void byName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<unsigned>("flags");
        QTest::addColumn<QString>("kind");
        const auto row = [](const char* name, std::uint32_t flags, const char* kind) {
            QTest::addRow("%s, flags %u", name, flags) << QString(name) << flags << QString(kind);
        };
        row("", kAnonymous, "unknown/divided");
        row("", kAnonymous | mapping_flag::kExecute, "code");
        row("", kInaccessible, "unknown");
        row("", kSharedData, "shared");
        row("[heap]", kAnonymous, "returnable/divided");
        row("[stack]", kAnonymous, "stacks");
        row("[vdso]", mapping_flag::kRead | mapping_flag::kExecute, "images");
        row("[vvar_vclock]", mapping_flag::kRead, "images");
        row("[anon: glibc: malloc arena]", kAnonymous, "returnable/divided");
        row("[anon: glibc: pthread stack: 12]", kAnonymous, "stacks");
        row("[anon:scudo:primary]", kAnonymous, "returnable/divided");
        row("[anon: Go: heap]", kAnonymous, "code");
        row("[anon:v8]", kAnonymous, "code");
        row("[anon:.bss]", kAnonymous, "images");
        row("[anon:my cache]", kAnonymous, "unknown/divided");
        row("[anon:highwater-agent]", kAnonymous, "highwater");
        row("[anon:highwater]", kAnonymous, "unknown/divided"); // by the program itself
        row("[anon_shmem:frames]", kSharedData, "shared");
        row("/memfd:highwater-agent (deleted)", kSharedData | mapping_flag::kFile, "highwater");
        row("/memfd:highwater (deleted)", kSharedData | mapping_flag::kFile, "shared"); // by the program itself
        row("/memfd:highwater-agent-2 (deleted)", kSharedData | mapping_flag::kFile, "shared");
        row("/usr/lib/libhighwater-agent.so", kFileCode, "highwater");
        row("/usr/lib/libhighwater-agent.so", kFileData, "highwater");
        row("/usr/bin/app", kFileCode, "images");
        row("/var/lib/app.db", kFileData, "files");
        row("/var/lib/app.db", kSharedData | mapping_flag::kFile, "files");
        row("/memfd:frames (deleted)", kSharedData | mapping_flag::kFile, "shared");
        row("/memfd:doublemapper (deleted)", kFileCode | mapping_flag::kShared, "code");
        row("/dev/shm/frames", kSharedData | mapping_flag::kFile, "shared");
        row("/SYSV00000000 (deleted)", kSharedData | mapping_flag::kFile, "shared");
        row("/dev/zero (deleted)", kSharedData | mapping_flag::kFile, "shared");
        row("/dev/zero", kAnonymous, "unknown/divided");
        row("/dev/zero", kAnonymous | mapping_flag::kExecute, "code");
        row("[private]", kAnonymous, "unknown/divided"); // from here on as on Windows
        row("[private]", kAnonymous | mapping_flag::kExecute, "code");
        row("[private]", kInaccessible, "unknown"); // reserved
        row("[stack]", kInaccessible, "stacks");
        row("[image]", mapping_flag::kFile | mapping_flag::kRead, "images");
        row("C:\\Windows\\System32\\ntdll.dll", kFileCode, "images");
        row("C:\\app.db", kSharedData | mapping_flag::kFile, "files");
        row("[rest of the working set]", kInaccessible, "unknown");
        row("anon_inode:i915.gem", kSharedData | mapping_flag::kFile, "files");
    }
    void byName() {
        QFETCH(QString, name);
        QFETCH(unsigned, flags);
        QFETCH(QString, kind);
        QCOMPARE(QString::fromStdString(kindOf(name.toStdString(), flags)), kind);
    }
    /// The system merges the agent's data with memory that the program maps next to it.
    void largeMemoryNextToTheAgentIsNotOfIt() {
        const auto agent = std::string("/tmp/") + kAgentLibraryFile;
        SampleBuilder small, large;
        small.map(0x10000, kPage, kFileCode, agent).map(0x11000, 8 * kPage, kAnonymous);
        large.map(0x10000, kPage, kFileCode, agent).map(0x11000, 512 * kPage, kAnonymous);
        QCOMPARE(kindsIn(small), std::string("highwater highwater/divided"));
        QCOMPARE(kindsIn(large), std::string("highwater unknown/divided"));
        QCOMPARE(kindsIn(small, {{0x10, 0x12}}), std::string("highwater unknown/divided")); // by its range
    }
    /// A fork has the modules that its parent had, which are not reported again.
    void aForkHasTheModulesOfItsParent() {
        store::ProcessTable table;
        std::optional<ProcessIndex> ended;
        const auto start = [&](std::uint32_t pid, std::uint32_t parent, Occasion occasion, std::int64_t time) {
            ProcessEvent event;
            event.time = TraceTime{time};
            event.occasion = occasion;
            event.pid = pid;
            event.parentPid = parent;
            event.name = "app";
            return table.apply(event, ended);
        };
        const auto load = [&](std::uint32_t pid, Address base, std::int64_t time, Occasion occasion = Occasion::Start) {
            ImageEvent event;
            event.time = TraceTime{time};
            event.occasion = occasion;
            event.pid = pid;
            event.base = base;
            event.size = kPage;
            event.path = fmt::format("/lib/{:x}.so", base);
            table.apply(event);
        };
        (void)start(100, 1, Occasion::Start, 1);
        load(100, 0x400000, 2);
        load(100, 0x500000, 3);
        load(100, 0x500000, 4, Occasion::End);
        (void)start(101, 100, Occasion::Start, 5);
        const auto fork = start(101, 100, Occasion::Forked, 5);
        load(101, 0x600000, 6);
        load(100, 0x700000, 7); // only in the parent
        const auto images = imagesAt(table, fork, TraceTime{8});
        QCOMPARE(images.others.size(), std::size_t{2});
        QCOMPARE(images.others[0].first, PageNumber{0x400});
        QCOMPARE(images.others[1].first, PageNumber{0x600});
    }
    void aModuleHasAnExecutableMapping() {
        SampleBuilder sample;
        sample.map(0x1000, kPage, kFileData, "/lib/a.so")
            .map(0x2000, kPage, kFileCode, "/lib/a.so")
            .map(0x3000, kPage, kFileData, "/lib/a.so")
            .map(0x4000, kPage, kAnonymous)         // .bss
            .map(0x5000, kPage, kAnonymous | 4)     // its neighbour is not a file
            .map(0x7000, kPage, kAnonymous)         // not its neighbour
            .map(0x8000, kPage, kFileData, "/data") //
            .map(0x9000, kPage, kAnonymous);        // the neighbour of a file without code
        QCOMPARE(kindsIn(sample),
                 std::string("images images images images/divided code unknown/divided files unknown/divided"));
        // If the loader has reported the range of the module, this range decides: .bss ends inside a mapping.
        QCOMPARE(kindsIn(sample, {{1, 5}, {8, 9}}),
                 std::string("images images images unknown/divided code unknown/divided images unknown/divided"));
    }
    void theAgentHasItsOwnLayer() {
        SampleBuilder sample;
        sample.map(0x1000, kPage, kFileCode, "/opt/libhighwater-agent.so").map(0x2000, kPage, kAnonymous);
        QCOMPARE(kindsIn(sample), std::string("highwater highwater/divided"));
    }
    void aStackIsAboveAGuard() {
        SampleBuilder sample;
        sample.map(0x10000, kPage, kInaccessible)
            .map(0x11000, 8 * kPage, kAnonymous)
            .map(0x20000, 17 * kPage, kInaccessible)
            .map(0x31000, kPage, kAnonymous)
            .map(0x40000, kPage, kInaccessible)
            .map(0x42000, kPage, kAnonymous);
        QCOMPARE(kindsIn(sample),
                 std::string("unknown stacks/divided unknown unknown/divided unknown unknown/divided"));
    }
    /// Windows reports which allocations are stacks, and reserves memory for heaps in front of other memory.
    void theNeighboursOfPrivateMemoryOfWindowsSayNothing() {
        SampleBuilder sample;
        sample.map(0x10000, kPage, kInaccessible, "[private]")
            .map(0x11000, 8 * kPage, kAnonymous, "[private]")
            .map(0x20000, kPage, kFileCode, "C:\\a.dll")
            .map(0x21000, kPage, kAnonymous, "[private]")
            .map(kArenaStart, 8 * kPage, kAnonymous, "[private]")
            .map(kArenaStart + 8 * kPage, kArenaBytes - 8 * kPage, kInaccessible, "[private]");
        QCOMPARE(kindsIn(sample),
                 std::string("unknown unknown/divided images unknown/divided unknown/divided unknown"));
    }
    void anArenaIsApartFromItsNeighbour() {
        SampleBuilder alone;
        alone.map(kArenaStart, 8 * kPage, kAnonymous).map(kArenaStart + 8 * kPage, kArenaBytes - 8 * kPage, 0);
        QCOMPARE(kindsIn(alone), std::string("unknown/divided from 7f0000000000 returnable"));
        SampleBuilder merged;
        merged.map(kArenaStart - 4 * kPage, 12 * kPage, kAnonymous)
            .map(kArenaStart + 8 * kPage, 2 * kArenaBytes, kInaccessible);
        QCOMPARE(kindsIn(merged), std::string("unknown/divided from 7f0000000000 returnable"));
        SampleBuilder shorter;
        shorter.map(kArenaStart, 8 * kPage, kAnonymous).map(kArenaStart + 8 * kPage, kArenaBytes - 9 * kPage, 0);
        QCOMPARE(kindsIn(shorter), std::string("unknown/divided unknown"));
        SampleBuilder whole;
        whole.map(kArenaStart, kArenaBytes, kAnonymous).map(kArenaStart + kArenaBytes, kPage, kInaccessible);
        QCOMPARE(kindsIn(whole), std::string("unknown/divided unknown"));
    }
    void imagesOfAProcessAtATime() {
        store::ProcessTable table;
        std::optional<ProcessIndex> reused;
        ProcessEvent start;
        start.occasion = Occasion::Start;
        start.pid = 7;
        const auto process = table.apply(start, reused);
        ImageEvent image;
        image.pid = 7;
        image.occasion = Occasion::Start;
        const auto load = [&](std::int64_t time, Address base, const char* path) {
            image.time = TraceTime{time};
            image.base = base;
            image.size = 3 * kPage;
            image.path = path;
            table.apply(image);
        };
        load(10, 0x10000, "/lib/a.so");
        load(20, 0x20000, "/opt/libhighwater-agent.so");
        QVERIFY(imagesAt(table, process, TraceTime{9}).others.empty());
        QCOMPARE(imagesAt(table, process, TraceTime{10}).others, (PageRanges{{0x10, 0x13}}));
        QVERIFY(imagesAt(table, process, TraceTime{10}).agent.empty());
        QCOMPARE(imagesAt(table, process, TraceTime{20}).agent, (PageRanges{{0x20, 0x23}}));
    }
};

HIGHWATER_TEST(MappingKindsTest);
#include "mapping_kinds_test.moc"
