#include "core/analysis/balance/rows_on_pages.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <map>
#include <string>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

constexpr Address kHeapBegin = 0x10000;

/// "0: 100 bytes, 0 of 2 -; 1: 9000 bytes, 0 of 2 1 of 1 +1": the row, its bytes, the first and the last page, each
/// with the number of its users, and the number of pages between; "?" if other pages of the row are unknown.
std::string textOf(const RowsOnPages& rows) {
    std::string text;
    for (const auto& part : rows.parts()) {
        text += fmt::format("{}{}: {} bytes,", text.empty() ? "" : "; ", part.row, part.resident);
        for (const auto page : {part.firstPage, part.lastPage})
            text += page == RowsOnPages::kNoPage ? " -" : fmt::format(" {} of {}", page, rows.partsOn(page));
        if (part.innerPages > 0) text += fmt::format(" +{}", part.innerPages);
        if (part.isOnUnknownPages) text += " ?";
    }
    return text;
}

RowsOnPages rowsOf(const store::PublishedTrace& trace, store::TableKind kind = store::TableKind::Heap) {
    auto rows = RowsOnPages::find(trace, kind, trace.wholeRange(), {});
    if (!rows) qFatal("stopped");
    return *std::move(rows);
}

/// A sample of a heap of 16 pages with these resident ones.
void sampleHeap(EventScript& script, const SampleBuilder::Runs& runs) {
    SampleBuilder sample(++script.now);
    script.store.onResidentSample(sample.map(kHeapBegin, 16 * kPage, kDivided, "[heap]", runs).done());
}

} // namespace

class RowsOnPagesTest : public QObject {
    Q_OBJECT

  private slots:
    void blocksShareAPage() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100).alloc(kHeapBegin + 0x100, 200).alloc(kHeapBegin + kPage + 16, 300);
        sampleHeap(script, {{0, 4}});
        QCOMPARE(textOf(rowsOf(*script.publish())),
                 std::string("0: 100 bytes, 0 of 2 -; 1: 200 bytes, 0 of 2 -; 2: 300 bytes, 1 of 1 -"));
    }
    void aLargeBlockHasItsInnerPagesAlone() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100).alloc(kHeapBegin + 0x100, 5 * kPage);
        sampleHeap(script, {{0, 3}, {4, 2}}); // three of its four inner pages are resident
        QCOMPARE(textOf(rowsOf(*script.publish())),
                 std::string("0: 100 bytes, 0 of 2 -; 1: 16384 bytes, 0 of 2 1 of 1 +3"));
    }
    void blocksThatAreNotResidentAreLeftOut() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100).alloc(kHeapBegin + 2 * kPage + 16, 100).alloc(0x900000, 100);
        sampleHeap(script, {{2, 1}});
        QCOMPARE(textOf(rowsOf(*script.publish())), std::string("1: 100 bytes, 0 of 1 -"));
    }
    /// The size field of the second block is on the page of the first.
    void whatTheAllocatorNeedsForABlockIsPartOfIt() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100).alloc(kHeapBegin + kPage, 24);
        sampleHeap(script, {{0, 2}});
        QCOMPARE(textOf(rowsOf(*script.publish())), std::string("0: 100 bytes, 0 of 2 -; 1: 24 bytes, 0 of 2 1 of 1"));
    }
    /// An address that was allocated again belongs to the newer block: the free of the older one was lost.
    void aNewerBlockReplacesAnOlderOne() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 2 * kPage).alloc(kHeapBegin + kPage + 16, 0xe8);
        sampleHeap(script, {{0, 4}});
        QCOMPARE(textOf(rowsOf(*script.publish())),
                 std::string("0: 4088 bytes, 0 of 1 1 of 3; 0: 3864 bytes, 1 of 3 2 of 1; 1: 232 bytes, 1 of 3 -"));
    }
    void onlyRowsThatAreThereCount() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100).alloc(kHeapBegin + 0x100, 100).free(kHeapBegin + 16);
        sampleHeap(script, {{0, 1}});
        script.free(kHeapBegin + 0x100).alloc(kHeapBegin + 0x200, 100);
        QCOMPARE(textOf(rowsOf(*script.publish())), std::string("1: 100 bytes, 0 of 1 -"));
    }
    void thePagesOfVirtualAllocAreWhole() {
        EventScript script;
        script.reserveAndCommit(kHeapBegin, 3 * kPage);
        sampleHeap(script, {{1, 8}});
        QCOMPARE(textOf(rowsOf(*script.publish(), store::TableKind::VirtualAlloc)),
                 std::string("0: 8192 bytes, - 0 of 1 +1"));
    }
    void pagesThatAreNotListedAreUnknownUnlessAllOrNoneAreResident() {
        for (const auto& [resident, text] :
             std::map<std::uint64_t, std::string>{{0, ""}, {1, "0: 0 bytes, - - ?"}, {2, "0: 100 bytes, 0 of 1 -"}}) {
            EventScript script;
            script.alloc(kHeapBegin + 16, 100);
            SampleBuilder sample(++script.now);
            sample.map(kHeapBegin, 2 * kPage, kAnonymous, "", {{0, resident}});
            script.store.onResidentSample(sample.done());
            QCOMPARE(textOf(rowsOf(*script.publish())), text);
        }
    }
    void aRowMayBeOnKnownAndUnknownPages() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 2 * kPage).alloc(kHeapBegin + 2 * kPage + 0x100, 100);
        SampleBuilder sample(++script.now);
        sample.map(kHeapBegin, 2 * kPage, kDivided, "", {{1, 1}});
        sample.map(kHeapBegin + 2 * kPage, 4 * kPage, kAnonymous, "", {{0, 1}});
        script.store.onResidentSample(sample.done());
        QCOMPARE(textOf(rowsOf(*script.publish())), std::string("0: 4096 bytes, - - +1 ?; 1: 0 bytes, - - ?"));
    }
    void eachProcessHasItsOwnPages() {
        EventScript script;
        script.process(Occasion::Start).alloc(kHeapBegin + 16, 100);
        script.inProcess(200).process(Occasion::Start).alloc(kHeapBegin + 16, 200);
        script.inProcess(300).process(Occasion::Start).alloc(kHeapBegin + 16, 300);
        for (const std::uint32_t pid : {100u, 200u}) {
            SampleBuilder sample(++script.now, pid);
            script.store.onResidentSample(sample.map(kHeapBegin, kPage, kDivided).done());
        }
        const auto rows = rowsOf(*script.publish());
        QCOMPARE(textOf(rows), std::string("0: 100 bytes, 0 of 1 -; 1: 200 bytes, 1 of 1 -"));
        QCOMPARE(rows.samples().size(), std::size_t{2});
        QVERIFY(rows.isSampled(rows.samples()[0].process) && !rows.isSampled(ProcessIndex{99}));
    }
    /// A file may contain a resident mapping of petabytes, and any number of overlapping blocks.
    void hostileSizesNeedNoMemory() {
        EventScript script;
        for (Address i = 0; i < 20'000; ++i)
            script.alloc(kHeapBegin + 16 * i, std::uint64_t{1} << 46);
        SampleBuilder sample(++script.now);
        sample.map(kHeapBegin, std::uint64_t{1} << 46, kAnonymous);
        script.store.onResidentSample(sample.done());
        const auto rows = rowsOf(*script.publish());
        QVERIFY(rows.parts().size() <= 40'000 && rows.pageCount() <= 40'000);
    }
    void stopsWhenAsked() {
        EventScript script;
        script.alloc(kHeapBegin + 16, 100);
        sampleHeap(script, {{0, 1}});
        std::stop_source stop;
        stop.request_stop();
        const auto trace = script.publish();
        QVERIFY(!RowsOnPages::find(*trace, store::TableKind::Heap, trace->wholeRange(), stop.get_token()));
    }
};

HIGHWATER_TEST(RowsOnPagesTest);
#include "rows_on_pages_test.moc"
