#include "core/agent_linux/call_frame_rules.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <memory>

using namespace highwater::agent;

// Functions of every kind whose description is known to the byte. Each has a label at the places that are looked up.
asm(R"(
    .pushsection .text.highwater_probes, "ax", @progbits
    .globl highwater_probe_entry, highwater_probe_pushed, highwater_probe_based
    .globl highwater_probe_outermost, highwater_probe_signal, highwater_probe_aligned
    .globl highwater_probe_strange, highwater_probe_large, highwater_probe_bare
highwater_probe_entry:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
highwater_probe_pushed:
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
highwater_probe_based:
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
highwater_probe_outermost:
    .cfi_startproc
    .cfi_undefined %rip
    nop
    .cfi_endproc
highwater_probe_signal:
    .cfi_startproc
    .cfi_signal_frame
    nop
    .cfi_endproc
highwater_probe_aligned:
    .cfi_startproc
    .cfi_escape 0x0f, 0x03, 0x76, 0x78, 0x06
    .cfi_escape 0x10, 0x06, 0x02, 0x76, 0x00
    nop
    .cfi_endproc
highwater_probe_strange:
    .cfi_startproc
    .cfi_def_cfa %rax, 8
    nop
    .cfi_endproc
highwater_probe_large:
    .cfi_startproc
    .cfi_def_cfa_offset 4194304
    nop
    .cfi_endproc
highwater_probe_bare:
    nop
    nop
    .popsection
)");
extern "C" const char highwater_probe_entry, highwater_probe_pushed, highwater_probe_based, highwater_probe_outermost,
    highwater_probe_signal, highwater_probe_aligned, highwater_probe_strange, highwater_probe_large,
    highwater_probe_bare;

namespace {

using Kind = FrameRule::Kind;

std::uint64_t placeOfProbe(const char& label) { return reinterpret_cast<std::uint64_t>(&label); }

void compareRules(const FrameRule& found, Kind kind, int frameOffset = 0, int savedBelow = 0) {
    QCOMPARE(static_cast<int>(found.kind), static_cast<int>(kind));
    QCOMPARE(found.frameOffset, frameOffset);
    QCOMPARE(found.savedBelow, savedBelow);
}

} // namespace

/// The call frame information of a module, read place by place.
class CallFrameLookupTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (dlsym(RTLD_DEFAULT, "_dl_find_object") == nullptr) QSKIP("glibc is older than 2.35");
    }

    void aFunctionThatPushesItsFramePointer() {
        compareRules(readFrameRule(placeOfProbe(highwater_probe_entry)), Kind::StackPointer, 8);
        compareRules(readFrameRule(placeOfProbe(highwater_probe_pushed)), Kind::StackPointer, 16, 16);
        compareRules(readFrameRule(placeOfProbe(highwater_probe_based)), Kind::FramePointer, 16, 16);
    }
    void aFunctionThatAlignsItsStack() {
        compareRules(readFrameRule(placeOfProbe(highwater_probe_aligned)), Kind::AtFramePointer, -8);
    }
    void theOutermostFunction() { compareRules(readFrameRule(placeOfProbe(highwater_probe_outermost)), Kind::End); }
    void theFrameBelowASignalHandler() {
        compareRules(readFrameRule(placeOfProbe(highwater_probe_signal)), Kind::SignalFrame);
    }
    void aFrameFromAnotherRegisterEndsTheWalk() {
        compareRules(readFrameRule(placeOfProbe(highwater_probe_strange)), Kind::Stop);
    }
    void codeWithoutDescriptionIsGuessedAt() {
        compareRules(readFrameRule(placeOfProbe(highwater_probe_bare)), Kind::Guess);
        const auto block = std::make_unique<std::array<char, 64>>();
        compareRules(readFrameRule(reinterpret_cast<std::uint64_t>(block->data())), Kind::Guess); // in no module
        compareRules(readFrameRule(0), Kind::Guess);
    }
    void functionsOfLibrariesAreFoundToo() {
        const auto place = reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, "qsort"));
        QVERIFY(place != 0);
        compareRules(readFrameRule(place), Kind::StackPointer, 8);
    }

    void whatWasLearntIsAnsweredTheSame() {
        const auto table = std::make_unique<FrameRuleTable>();
        for (int round = 0; round < 3; ++round) {
            compareRules(table->at(placeOfProbe(highwater_probe_pushed)), Kind::StackPointer, 16, 16);
            compareRules(table->at(placeOfProbe(highwater_probe_aligned)), Kind::AtFramePointer, -8);
            compareRules(table->at(placeOfProbe(highwater_probe_large)), Kind::StackPointer, 4194304);
            if (round == 1) table->forget();
        }
        QVERIFY(table->at(~std::uint64_t{0}) == kNoCode);
        static int data = 0; // in this program, but not executable
        QVERIFY(table->at(reinterpret_cast<std::uint64_t>(&data)) == kNoCode);
    }
};
HIGHWATER_TEST(CallFrameLookupTest);

#include "call_frame_lookup_test.moc"
