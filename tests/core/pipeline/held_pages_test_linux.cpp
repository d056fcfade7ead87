#include "core/analysis/held/holders.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

std::size_t sampleCount(const Recording& recording) {
    const auto trace = recording.trace().latest();
    return trace && trace->residentSamples ? trace->residentSamples->size() : 0;
}

} // namespace

/// Held Pages of a real program, compared with the memory that it returns when it frees the blocks.
class HeldPagesTest : public QObject {
    Q_OBJECT
  private slots:
    void thePagesOfAFunctionAreReturnedWhenItsBlocksAreFreed() {
        const QTemporaryDir folder(folderInMemory());
        const auto isThere = folder.filePath("there"), go = folder.filePath("go"), fall = folder.filePath("fall");
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_HELD_PAGES_PROGRAM;
        launch.arguments = {isThere.toStdString(), go.toStdString(), fall.toStdString()};
        Recording recording([&](TraceHealth&) { return source::startCapture(launch, {}); },
                            {.spool = folder.filePath("spool.etl").toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(isThere), 120'000);
        const auto before = sampleCount(recording);
        QTRY_VERIFY_WITH_TIMEOUT(sampleCount(recording) > before + 1, 120'000); // one that began after it
        const auto trace = recording.trace().latest();
        QFile(go).open(QFile::WriteOnly);
        recording.wait();
        QFile result(fall);
        QVERIFY(result.open(QFile::ReadOnly));
        const auto returned = result.readAll().trimmed().toDouble();
        QVERIFY2(returned > 40e6, fmt::format("{} bytes were returned", returned).c_str());

        analysis::FrameLabels labels;
        const auto found = analysis::findHolders(*trace, labels, {.samples = {.interval = trace->wholeRange()}});
        QVERIFY2(found.hasValue() && found.value().size() == 1, "no holders");
        const auto& first = found.value().front().holders.front();
        const auto held = static_cast<double>(first.heldPages);
        QVERIFY2(std::abs(held - returned) < 0.05 * returned,
                 fmt::format("{} holds {} bytes, and {} were returned", first.owner, held, returned).c_str());
        QVERIFY(first.rows >= 19'000 && first.resident < ByteCount{2} << 20);
        const auto meaning = analysis::meaningOf(found.value().front());
        QVERIFY2(meaning.find("of pages that contain no other heap blocks") != std::string::npos, meaning.c_str());
    }
};

HIGHWATER_TEST(HeldPagesTest);
#include "held_pages_test_linux.moc"
