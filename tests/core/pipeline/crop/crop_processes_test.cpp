#include "core/pipeline/crop/crop_processes.h"
#include "tests/core/pipeline/crop/crops.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <map>

using namespace highwater;
using namespace highwater::crops;
using namespace highwater::fixtures;

/// Crops with only some of the processes.
class CropProcessesTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsOneProcessAlone() {
        const QTemporaryDir folder(folderInMemory());
        auto story = smallStory();
        for (std::uint32_t pid : {10u, 20u}) {
            story.heapAlloc({seconds(1), pid, pid + 1}, kHeap, {0x1000, 40}, kMain);
            story.heapAlloc({seconds(5), pid, pid + 1}, kHeap, {0x3000, 60}, kMain);
            story.virtualAlloc({seconds(2), pid, pid + 1}, {0x100000, 4096}, virtual_flag::kCommit, kMain);
        }
        const auto whole = writeFile(folder, "whole.etl", story.bytes().value());
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        for (const auto& word : {"b.EXE", "20", "b.exe (20)"}) {
            const auto cropped = crop(whole, output, between(4, 7), {word});
            QVERIFY2(cropped.hasValue(), text(cropped));
            const auto trace = load(output);
            QCOMPARE(trace->heap.rows, 2u);
            QCOMPARE(trace->virtualAlloc.rows, 1u);
            for (RowId row = 0; row < trace->heap.rows; ++row)
                QCOMPARE((*trace->processes)[trace->heapOf(trace->heap.site(row)).process].pid, 20u);
            for (const auto& process : trace->processes->processes())
                QVERIFY2(process.pid != 10, "the crop names a process that it was not to hold");
        }
        const auto missing = crop(whole, folder.filePath("none.etl").toStdString(), between(4, 7), {"c.exe"});
        QVERIFY(!missing.hasValue());
        QVERIFY2(missing.error().message.starts_with(
                     "The trace has no process named c.exe. Its processes: a.exe (10), B.exe (20)"),
                 missing.error().message.c_str());
        QCOMPARE(filesIn(folder).size(), std::size_t{2});
    }
};

HIGHWATER_TEST(CropProcessesTest);
#include "crop_processes_test.moc"
