#include "core/pipeline/core_files/core_mappings.h"

#include "core/event/agent_names.h"
#include "tests/core/pipeline/core_files/fake_core.h"
#include "tests/core/references/fake_heap.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;

namespace {

constexpr Address kProgram = 0x40'0000, kAgent = 0x7F20'0000'0000;

FakeProcess appProcess() {
    FakeProcess process;
    process.mapping(kProgram, kProgram + 0x4000, kReadOnly | mapping_flag::kFile, "/bin/app");
    process.thread(kCorePid, "app");
    return process;
}

/// Of the mapping at this address: "[heap]", or "name shared".
std::string nameAt(const CoreFile& core, Address begin) {
    for (const auto& mapping : core.mappings().mappings)
        if (mapping.begin == begin)
            return core.mappings().nameOf(mapping) + ((mapping.flags & mapping_flag::kShared) != 0 ? " shared" : "");
    return "nothing";
}

} // namespace

/// Names that a core file does not contain.
class CoreMappingsTest : public QObject {
    Q_OBJECT

  private slots:
    void theHeapIsThatOfGlibcAboveTheProgram() {
        auto process = appProcess();
        process.mapping(kProgram + 0x10'0000, kProgram + 0x20'0000, kReadWrite, ""); // requested by the program
        FakeHeap heap(process);
        heap.add(64);
        heap.end();
        const auto core = FakeCores().open(process);
        QCOMPARE(nameAt(*core, FakeProcess::kHeap), std::string("[heap]"));
        QCOMPARE(nameAt(*core, kProgram + 0x10'0000), std::string());
    }
    void otherMemoryAboveTheProgramIsNoHeap() {
        const auto core = FakeCores().open(appProcess()); // zeros
        QCOMPARE(nameAt(*core, FakeProcess::kHeap), std::string());
    }
    void theStackOfTheFirstThreadHasAName() {
        auto process = appProcess();
        process.mapping(0x7FF0'0000'0000, 0x7FF0'0002'0000, kReadWrite, "[stack]");
        QCOMPARE(nameAt(*FakeCores().open(process), 0x7FF0'0000'0000), std::string("[stack]"));
    }
    void sharedMemoryIsRecognizedByItsName() {
        auto process = appProcess();
        const auto shared = kReadWrite | mapping_flag::kFile | mapping_flag::kShared;
        process.mapping(0x7A00'0000'0000, 0x7A00'0000'1000, shared, "/memfd:x (deleted)");
        process.mapping(0x7A00'0001'0000, 0x7A00'0001'1000, shared, "/data/table");
        const auto core = FakeCores().open(process);
        QCOMPARE(nameAt(*core, 0x7A00'0000'0000), std::string("/memfd:x (deleted) shared"));
        QCOMPARE(nameAt(*core, 0x7A00'0001'0000), std::string("/data/table shared")); // without contents
        QCOMPARE(nameAt(*core, FakeProcess::kData), std::string("/usr/lib/libapp.so"));
    }
    void pagesOfTheAgentAreThoseThatItsDataRefersTo() {
        constexpr Address kPages = 0x7A00'0000'0000, kOthers = 0x7A00'0010'0000;
        auto process = appProcess();
        process.mapping(kAgent, kAgent + 0x1000, kPrivateFile, "/opt/libhighwater-agent.so");
        process.mapping(kPages, kPages + 0x2000, kReadWrite, "");
        process.mapping(kOthers, kOthers + 0x2000, kReadWrite, "");
        process.word(kAgent + 0x40, kPages + 0x1000);
        const auto core = FakeCores().open(
            process, [](const Mapping& mapping) { return mapping.begin == kPages || mapping.begin == kOthers; });
        QCOMPARE(nameAt(*core, kPages), std::string(kAgentPagesMapping));
        QCOMPARE(nameAt(*core, kOthers), std::string());
    }
    void memoryIsThatOfTheProcess() {
        auto process = appProcess();
        process.word(FakeProcess::kHeap + 0x2FF8, 1).word(FakeProcess::kHeap + 0x3000, 2);
        const auto core = FakeCores().open(process);
        std::array<std::uint64_t, 2> words{};
        QCOMPARE(core->read(FakeProcess::kHeap + 0x2FF8, std::as_writable_bytes(std::span(words))), sizeof words);
        QCOMPARE(words[0], std::uint64_t{1});
        QCOMPARE(words[1], std::uint64_t{2});
        const auto end = FakeProcess::kHeap + FakeProcess::kHeapBytes;
        QCOMPARE(core->read(end - 8, std::as_writable_bytes(std::span(words))), std::size_t{8});
        QCOMPARE(core->read(end, std::as_writable_bytes(std::span(words))), std::size_t{0});
        QCOMPARE(core->read(0, std::as_writable_bytes(std::span(words))), std::size_t{0});
    }
};

HIGHWATER_TEST(CoreMappingsTest);
#include "core_mappings_test.moc"
