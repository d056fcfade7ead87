#include "core/export/info/info_writer.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;

namespace {

std::string infoText(const pipeline::TraceFacts& facts, const store::PublishedTrace& trace) {
    std::ostringstream text;
    writeInfoText({facts, trace, TraceNotes{}}, text);
    return text.str();
}

bool hasText(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

/// The text of `info`; the tests of the command compare it with real files.
class InfoWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void aLossHasACountAndASentenceHasNone() {
        SmallTrace small;
        auto trace = *small.process(1, "a").publish(1000);
        trace.health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 1;
        trace.health.notes = {"The program was started with an option."};
        trace.health.remarks = {"The disk was full."};
        const auto text = infoText({}, trace);
        QVERIFY2(hasText(text, "                                   1  free has no recorded allocation\n"),
                 text.c_str());
        QVERIFY2(hasText(text, "                        The program was started with an option.\n"), text.c_str());
        QVERIFY2(hasText(text, "                        The disk was full.\n"), text.c_str());
    }
    /// A trace of Linux has neither a build of Windows nor events of the CLR.
    void whatOnlySomeTracesHaveIsLeftOutIfItIsZero() {
        SmallTrace small;
        const auto trace = small.process(1, "a").publish(1000);
        pipeline::TraceFacts facts;
        const auto without = infoText(facts, *trace);
        for (const auto* name : {"os_build", "clr_", "gc_"})
            QVERIFY2(!hasText(without, name), without.c_str());
        QVERIFY2(hasText(without, "\nheap_events                        0\n"), without.c_str());
        facts.properties.osBuild = 22631;
        facts.counts.code.collections = 3;
        const auto with = infoText(facts, *trace);
        QVERIFY2(hasText(with, "\nos_build                       22631\n"), with.c_str());
        QVERIFY2(hasText(with, "\ngc_collections                     3\n"), with.c_str());
    }
    /// For the window: the keys of JSON are for programs.
    void plainTitlesContainNoKeys() {
        SmallTrace small;
        const auto trace = small.process(1, "a").publish(1000);
        pipeline::TraceFacts facts;
        facts.properties.osBuild = 22631;
        facts.counts.code.collections = 3;
        std::ostringstream out;
        writeInfoText({facts, *trace, TraceNotes{}}, out, InfoTitles::Plain);
        const auto text = out.str();
        for (const auto* line : {"\nHeap events                        0\n", "\nWindows build                  22631\n",
                                 "\nGC collections                     3\n", "\nDuration (s)", "  PID ", "Start (s)"})
            QVERIFY2(hasText(text, line), text.c_str());
        QVERIFY2(!hasText(text, "_"), text.c_str());
    }
};
HIGHWATER_TEST(InfoWriterTest);
#include "info_writer_test.moc"
