#include "core/analysis/frames/frame_labels.h"

#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <fmt/format.h>

#include <set>
#include <string>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::set<std::string> textsOfFrames(const NamedTrace& trace) {
    std::set<std::string> texts;
    const auto labels = trace.labels->labelsOf(*trace.trace);
    for (const auto label : *labels)
        if (label != FrameLabels::kNoStack) texts.emplace(trace.labels->text(label));
    return texts;
}

using Texts = std::set<std::string>;

} // namespace

/// The names of frames, and which of them are allocator frames.
class FrameLabelsTest : public QObject {
    Q_OBJECT
  private slots:
    void labelsFramesByModuleAndOffsetUntilTheyHaveNames() {
        NamedTrace trace;
        trace.block(10, "main;f;f+0x20");
        QCOMPARE(textsOfFrames(trace), (Texts{"main!+0x1", "f!+0x1", "f!+0x20"}));
        trace.name("f", {{0, "work"}});
        QCOMPARE(textsOfFrames(trace), (Texts{"main!+0x1", "f!work"})); // all addresses of a function
        trace.forget("f");
        QCOMPARE(textsOfFrames(trace), (Texts{"main!+0x1", "f!+0x1", "f!+0x20"}));
    }
    void stacksThatWereCutBeginWithThatInsteadOfACaller() {
        std::string stack = "f";
        for (std::size_t i = 2; i < store::kMostRecordedFrames; ++i)
            stack += fmt::format(";f+0x{:x}", i);
        NamedTrace whole;
        whole.block(10, stack);
        QVERIFY(!textsOfFrames(whole).contains("(stack cut at 192 frames)"));
        NamedTrace trace;
        trace.block(10, stack + ";g");
        trace.block(20, "h;g");
        QVERIFY(textsOfFrames(trace).contains("(stack cut at 192 frames)"));
    }
    void keepsItsAnswerWhileNothingChanges() {
        NamedTrace trace;
        trace.block(10, "main;f");
        const auto first = trace.labels->labelsOf(*trace.trace);
        QVERIFY(trace.labels->labelsOf(*trace.trace) == first);
        trace.name("f", {{0, "work"}});
        QVERIFY(trace.labels->labelsOf(*trace.trace) != first);
    }
    void textsHaveOneIdEach() {
        FrameLabels labels;
        const auto line = labels.textId("main.cpp:12");
        QVERIFY(labels.textId("main.cpp:12") == line);
        QVERIFY(labels.textId("main.cpp:13") != line);
        QCOMPARE(labels.text(line), std::string("main.cpp:12"));
        QCOMPARE(labels.text(FrameLabels::kNoStack), std::string("(no stack)"));
        QCOMPARE(labels.text(FrameLabels::kNotResolved), std::string("(stack not resolved)"));
    }
    void shortNamesTakeEffectWithTheNextAnswer() {
        NamedTrace trace;
        trace.block(10, "f");
        trace.name("f", {{0, "_ZNSt6vectorIiSaIiEE9push_backERKi"}});
        QCOMPARE(textsOfFrames(trace), (Texts{"f!std::vector<>::push_back"}));
        trace.labels->setNameStyle(symbols::NameStyle::Full);
        QCOMPARE(textsOfFrames(trace), (Texts{"f!std::vector<int, std::allocator<int>>::push_back(int const&)"}));
    }
    void inlinedFunctionsHaveRowsOfTheirOwn() {
        NamedTrace trace;
        trace.block(10, "f");
        trace.nameCode("f", {{0, {{"outer"}, {"inner"}}}});
        const auto labels = trace.labels->labelsOf(*trace.trace);
        QVERIFY(labels->hasInlined());
        std::string rows;
        for (const auto label : labels->rowsOf(labels->size() - 1))
            rows.append(trace.labels->text(label)).append(";");
        QCOMPARE(rows, std::string("f!outer;f!inner [inlined];"));
        QCOMPARE(withoutInlinedMark("f!inner [inlined]"), std::string_view("f!inner"));
        QCOMPARE(withoutInlinedMark("f!inner"), std::string_view("f!inner"));
    }
    void tellsOffsetsFromNames() {
        QVERIFY(isOffset("+0x12ab"));
        QVERIFY(isOffset("0x7ff712ab"));
        QVERIFY(!isOffset("main"));
        QVERIFY(!isOffset("+[NSObject new]"));
        QVERIFY(!isOffset(""));
    }
    void knowsTheFramesOfAllocators() {
        const AllocatorFrames frames("ntdll.dll!Rtl*Heap*\n# a comment\nnonsense\nnew!*\n");
        QCOMPARE(frames.rejected(), std::vector<std::string>{"nonsense"});
        FrameLabels labels;
        const auto isOne = [&](const char* text) { return labels.isAllocatorFrame(labels.textId(text), frames); };
        QVERIFY(isOne("NTDLL.DLL!rtlAllocateHeap"));
        QVERIFY(isOne("new!+0x1234"));
        QVERIFY(isOne("new!operator new [inlined]"));
        QVERIFY(!isOne("ntdll.dll!RtlUserThreadStart"));
        QVERIFY(!isOne("main!newer"));
        QVERIFY(AllocatorFrames::builtIn()->rejected().empty());
    }
    void matchesPatternsWhereverTheirWildcardsAre() {
        const AllocatorFrames frames("*!operator!*\n*Pool*!Take\na?c.dll!*\n*!*Slab\n*!\n");
        QVERIFY(frames.matches("app.exe!operator!=(X, Y)"));
        QVERIFY(frames.matches("odd!name.dll!Operator!()")); // the module's name contains a !
        QVERIFY(!frames.matches("app.exe!my operator!="));
        QVERIFY(frames.matches("ThreadPool.dll!Take"));
        QVERIFY(!frames.matches("ThreadPool.dll!TakeAll"));
        QVERIFY(frames.matches("a?c.dll!f"));
        QVERIFY(!frames.matches("abc.dll!f")); // * alone matches any text
        QVERIFY(frames.matches("x.dll!GetSlab"));
        QVERIFY(frames.matches("x.dll!"));
        QVERIFY(!frames.matches(""));
        QVERIFY(!AllocatorFrames("").matches("x.dll!f"));
    }
};
HIGHWATER_TEST(FrameLabelsTest);
#include "frame_labels_test.moc"
