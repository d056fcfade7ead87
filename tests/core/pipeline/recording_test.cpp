#include "core/analysis/balance/balance.h"
#include "core/base/text.h"
#include "core/pipeline/recording.h"
#include "core/source/etl_files/etl_file_source.h"
#include "core/source/etl_files/replay_source.h"
#include "tests/core/pipeline/small_batches.h"
#include "tests/core/pipeline/test_disks.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/core/pipeline/trace_rows.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QStorageInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <future>

using namespace highwater;
using namespace highwater::pipeline;
using fixtures::exercise2Trace;

namespace {

std::vector<std::byte> bytesOf(const fixtures::TraceShape& shape = {}) { return exercise2Trace(shape).bytes().value(); }

/// A source that plays a file from memory, with `speed` as in ReplaySource.
Recording::OpenSource replay(std::vector<std::byte> bytes, double speed = 0) {
    return [bytes = std::move(bytes), speed](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
        auto file = TRY(source::EtlFileSource::fromMemory(bytes, "example.etl", health));
        return std::unique_ptr<source::RecordSource>(std::make_unique<source::ReplaySource>(std::move(file), speed));
    };
}

TraceNotes notesIn(const std::filesystem::path& path) {
    TraceLoader loader({path});
    loader.wait();
    return *loader.notes();
}

/// A source with a list of the processes that it records.
class TargetedSource final : public source::RecordSource {
  public:
    TargetedSource(std::unique_ptr<source::RecordSource> records, std::vector<std::uint32_t> pids)
        : records_(std::move(records)), pids_(std::move(pids)) {}
    [[nodiscard]] const TraceProperties& properties() const override { return records_->properties(); }
    [[nodiscard]] std::vector<std::uint32_t> targets() const override { return pids_; }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override {
        return records_->run(sink, health, std::move(stop), progress);
    }

  private:
    std::unique_ptr<source::RecordSource> records_;
    std::vector<std::uint32_t> pids_;
};
/// Does not end before it may.
class LateSource final : public source::RecordSource {
  public:
    LateSource(std::unique_ptr<source::RecordSource> records, std::shared_future<void> mayEnd)
        : records_(std::move(records)), mayEnd_(std::move(mayEnd)) {}
    [[nodiscard]] const TraceProperties& properties() const override { return records_->properties(); }
    [[nodiscard]] std::vector<std::uint32_t> targets() const override { return records_->targets(); }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override {
        auto result = records_->run(sink, health, std::move(stop), progress);
        mayEnd_.wait();
        return result;
    }

  private:
    std::unique_ptr<source::RecordSource> records_;
    std::shared_future<void> mayEnd_;
};
Recording::OpenSource withTargets(Recording::OpenSource open, std::vector<std::uint32_t> pids) {
    return [open = std::move(open),
            pids = std::move(pids)](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
        auto opened = TRY(open(health));
        return std::unique_ptr<source::RecordSource>(std::make_unique<TargetedSource>(std::move(opened), pids));
    };
}

/// Both have the same data in every row.
void compareTraces(const store::PublishedTrace& actual, const store::PublishedTrace& expected) {
    for (const auto kind : {store::TableKind::Heap, store::TableKind::VirtualAlloc}) {
        const auto rows = TraceRows(actual).rows(kind);
        const auto wanted = TraceRows(expected).rows(kind);
        QCOMPARE(rows.size(), wanted.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(rows[i], wanted[i]);
        }
    }
    QCOMPARE(actual.health.counts, expected.health.counts);
    QCOMPARE(actual.wholeRange().end.ns, expected.wholeRange().end.ns);
}

} // namespace

class RecordingTest : public QObject {
    Q_OBJECT
  private slots:
    void savesWhatWasRecorded_data() {
        QTest::addColumn<int>("stacks");
        QTest::addColumn<int>("processors");
        QTest::addColumn<bool>("packed");
        using fixtures::StackForm;
        for (const auto packed : {false, true}) {
            const auto* end = packed ? "packed" : "plain";
            QTest::addRow("stack walks, %s", end) << static_cast<int>(StackForm::StackWalk) << 1 << packed;
            QTest::addRow("stack walks on 4 processors, %s", end)
                << static_cast<int>(StackForm::StackWalk) << 4 << packed;
            QTest::addRow("keys, %s", end) << static_cast<int>(StackForm::Keys) << 2 << packed;
            QTest::addRow("keys of an agent, %s", end) << static_cast<int>(StackForm::KeysDefinedBefore) << 1 << packed;
            QTest::addRow("extended, %s", end) << static_cast<int>(StackForm::Extended) << 1 << packed;
        }
    }
    void savesWhatWasRecorded() {
        QFETCH(int, stacks);
        QFETCH(int, processors);
        QFETCH(bool, packed);
        const QTemporaryDir folder(folderInMemory());
        fixtures::TraceShape shape;
        shape.stacks = static_cast<fixtures::StackForm>(stacks);
        shape.processors = static_cast<std::uint16_t>(processors);
        const auto original = bytesOf(shape);
        const std::filesystem::path spoolPath = folder.filePath("spool.etl").toStdString();
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        {
            Recording recording(
                replay(original),
                {.spool = spoolPath, .compression = packed ? etl::Compression::Xpress : etl::Compression::None});
            recording.wait();
            QCOMPARE(recording.trace().state(), LoadState::Finished);
            QVERIFY(std::filesystem::exists(spoolPath));
            QCOMPARE(recording.save(saved).value(), std::string());
            compareTraces(*recording.trace().latest(), *load(writeFile(folder, "original.etl", original)));
        }
        QVERIFY(!std::filesystem::exists(spoolPath));
        compareTraces(*load(saved), *load(writeFile(folder, "original.etl", original)));
    }
    void countsBlocksWhoseRowsNobodyAsksFor_data() { savesWhatWasRecorded_data(); }
    /// The file has everything; memory has the same except for rows of blocks and stacks.
    void countsBlocksWhoseRowsNobodyAsksFor() {
        QFETCH(int, stacks);
        QFETCH(int, processors);
        QFETCH(bool, packed);
        const QTemporaryDir folder(folderInMemory());
        fixtures::TraceShape shape;
        shape.stacks = static_cast<fixtures::StackForm>(stacks);
        shape.processors = static_cast<std::uint16_t>(processors);
        const auto original = bytesOf(shape);
        const auto expected = load(original);
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(replay(original),
                            {.spool = folder.filePath("spool.etl").toStdString(),
                             .compression = packed ? etl::Compression::Xpress : etl::Compression::None,
                             .blocks = store::BlockRows::Counted});
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        QCOMPARE(recording.save(saved).value(), std::string());
        compareTraces(*load(saved), *expected);
        const auto counted = recording.trace().latest();
        QCOMPARE(counted->heap.rows, 0u);
        QVERIFY(expected->heap.rows > 0);
        QCOMPARE(recording.trace().heapAllocations(), std::uint64_t{expected->heap.rows});
        QCOMPARE(counted->virtualAlloc.rows, expected->virtualAlloc.rows);
        QCOMPARE(counted->wholeRange().end.ns, expected->wholeRange().end.ns);
        QVERIFY(counted->health.notes == expected->health.notes);
        QVERIFY(counted->health.remarks == expected->health.remarks);
        for (const auto loss : {Loss::UnmatchedFrees, Loss::FreesLost, Loss::ReallocsOfUnknown, Loss::HeapsUnknown,
                                Loss::ProcessesUnknown, Loss::DecommitsOfUnknown, Loss::RecordsTruncated})
            QCOMPARE(counted->health[loss], expected->health[loss]);
        const auto& processes = counted->processes->processes();
        QCOMPARE(processes.size(), expected->processes->processes().size());
        for (std::size_t i = 0; i < processes.size(); ++i)
            QCOMPARE(processes[i].name, expected->processes->processes()[i].name);
    }
    void keepsRowsThatAnotherOptionNeeds() {
        const QTemporaryDir folder(folderInMemory());
        for (const auto needsRows : {true, false}) {
            RecordingOptions options;
            options.spool = folder.filePath("spool.etl").toStdString();
            options.blocks = store::BlockRows::Counted;
            if (needsRows) options.snapshots.onGrowth = 1;
            Recording recording(replay(bytesOf()), std::move(options));
            recording.wait();
            QCOMPARE(recording.trace().latest()->heap.rows > 0, needsRows);
        }
    }
    void savesAgainAndElsewhereWithoutRecordingOn() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        const std::filesystem::path first = folder.filePath("first.etl").toStdString();
        const std::filesystem::path second = folder.filePath("second.etl").toStdString();
        Recording recording(replay(original), {.spool = folder.filePath("spool.etl").toStdString()});
        recording.wait();
        QVERIFY(recording.save(first).hasValue());
        QVERIFY(recording.save(first).hasValue());
        QVERIFY(recording.save(second).hasValue());
        compareTraces(*load(first), *load(second));
        QVERIFY(!recording.save("/nonexistent/folder/third.etl").hasValue());
        const auto refused = recording.save(folder.path().toStdString());
        QVERIFY(refused.error().message.find("it is a folder") != std::string::npos);
    }
    void savesWhatTheSystemHasLost() {
        const QTemporaryDir folder(folderInMemory());
        auto original = bytesOf();
        constexpr std::size_t kHeader = 72 + 32; // the first buffer's, and the first record's
        constexpr std::uint32_t kEvents = 207, kBuffers = 2;
        std::memcpy(original.data() + kHeader + 48, &kEvents, sizeof(kEvents));
        std::memcpy(original.data() + kHeader + 276, &kBuffers, sizeof(kBuffers));
        Recording recording(replay(original), {.spool = folder.filePath("spool.etl").toStdString()});
        recording.wait();
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        QVERIFY(recording.save(saved).hasValue());
        const auto health = load(saved)->health;
        QCOMPARE(health[Loss::EventsLost], std::uint64_t{kEvents});
        QCOMPARE(health[Loss::BuffersLost], std::uint64_t{kBuffers});
    }
    void savesWhileItGoesOn() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        const std::filesystem::path early = folder.filePath("early.etl").toStdString();
        const std::filesystem::path late = folder.filePath("late.etl").toStdString();
        Recording recording(replay(original, 20), {.spool = folder.filePath("spool.etl").toStdString()});
        QTRY_VERIFY(recording.trace().latest() && recording.trace().latest()->heap.rows > 100);
        QCOMPARE(recording.save(early).value(), std::string());
        recording.wait();
        // As a recorder that is killed now leaves it.
        const std::filesystem::path left = folder.filePath("left.etl").toStdString();
        std::filesystem::copy_file(folder.filePath("spool.etl").toStdString(), left);
        const auto remarks = load(left)->health.remarks;
        QCOMPARE(remarks.size(), std::size_t{1});
        QVERIFY2(remarks[0].find("the recording continued after this file was saved") != std::string::npos,
                 remarks[0].c_str());
        QCOMPARE(recording.save(late).value(), std::string());
        const auto part = load(early);
        QVERIFY(part->heap.rows > 100);
        QVERIFY(!part->health.totalsAreBounds());
        const auto whole = load(late);
        QVERIFY(part->heap.rows < whole->heap.rows);
        compareTraces(*whole, *load(writeFile(folder, "original.etl", original)));
        // Rows that started before the first save start the same in both; the last event's stack may come after it.
        const auto begins = [](const std::string& row) { return QString::fromStdString(row).section(" until ", 0, 0); };
        const auto rows = TraceRows(*part).rows(store::TableKind::Heap);
        const auto all = TraceRows(*whole).rows(store::TableKind::Heap);
        const auto missing = part->health[Loss::StacksMissing];
        QVERIFY(missing <= 1);
        for (std::size_t i = 0; i + missing < rows.size(); ++i) {
            QCOMPARE(begins(rows[i]), begins(all[i]));
        }
        QVERIFY(begins(all[rows.size() - 1]).startsWith(begins(rows.back())));
    }
    void stopsInTheMiddle() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(replay(bytesOf(), 20), {.spool = folder.filePath("spool.etl").toStdString()});
        QTRY_VERIFY(recording.trace().latest() && recording.trace().latest()->heap.rows > 100);
        recording.stop();
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        QVERIFY(recording.save(saved).hasValue());
        const auto live = recording.trace().latest();
        const auto file = load(saved);
        QCOMPARE(TraceRows(*file).rows(store::TableKind::Heap), TraceRows(*live).rows(store::TableKind::Heap));
        QVERIFY(!file->health.totalsAreBounds());
    }
    void timeGoesOnWhileNothingHappens() {
        const QTemporaryDir folder(folderInMemory());
        fixtures::TraceBuilder quiet;
        quiet.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        quiet.heapAlloc({fixtures::seconds(0.01), 10, 11}, 0x1D0000, {0x1D0100, 64}, "a.exe!main");
        quiet.endsAt(fixtures::seconds(3600));
        Recording recording(replay(quiet.bytes().value(), 1), {.spool = folder.filePath("spool.etl").toStdString()});
        // The row appears without a later record that pushes it out, and so does the time after it.
        QTRY_VERIFY(recording.trace().latest() && recording.trace().latest()->heap.rows == 1);
        QTRY_VERIFY(recording.trace().latest()->wholeRange().end.seconds() > 0.5);
        QVERIFY(recording.trace().latest()->wholeRange().end.seconds() < 60);
    }
    void keepsMarksWithTheirNames() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path early = folder.filePath("early.etl").toStdString();
        const std::filesystem::path late = folder.filePath("late.etl").toStdString();
        Recording recording(replay(bytesOf(), 20), {.spool = folder.filePath("spool.etl").toStdString()});
        QTRY_VERIFY(recording.trace().latest() && recording.trace().latest()->heap.rows > 100);
        recording.mark("start");
        recording.mark("step");
        recording.mark("never mind");
        QTRY_COMPARE(recording.trace().notes()->marks.size(), std::size_t{3});
        const auto marks = recording.trace().notes()->marks;
        QVERIFY(marks[0].ticks < marks[1].ticks); // their identity
        QVERIFY(marks[0].time.ns > 0);
        QTRY_VERIFY(marks[0].time < recording.trace().latest()->wholeRange().end); // reported before it is published
        QTRY_VERIFY(recording.status().records > 0);
        QVERIFY(recording.save(early).hasValue());
        QCOMPARE(notesIn(early).marks, marks);

        recording.editMark(marks[1].ticks, "gr\xC3\xB6\xC3\x9F"
                                           "er");
        recording.editMark(marks[2].ticks, "");
        recording.wait();
        recording.editMark(marks[0].ticks, "after the end");
        QCOMPARE(recording.save(late).value(), std::string());
        const auto kept = notesIn(late).marks;
        QCOMPARE(kept.size(), std::size_t{2});
        QCOMPARE(kept[0], (Mark{marks[0].ticks, marks[0].time, "after the end"}));
        QCOMPARE(kept[1], (Mark{marks[1].ticks, marks[1].time,
                                "gr\xC3\xB6\xC3\x9F"
                                "er"}));
        // The file has been handed over: it is rewritten, and so is a copy.
        recording.editMark(marks[0].ticks, "again");
        QVERIFY(recording.save(late).hasValue());
        QCOMPARE(notesIn(late).marks.front().name, std::string("again"));
        recording.editMark(marks[0].ticks, "elsewhere");
        QVERIFY(recording.save(early).hasValue());
        QCOMPARE(notesIn(early).marks.front().name, std::string("elsewhere"));
        QCOMPARE(notesIn(late).marks.front().name, std::string("again"));
        QVERIFY(recording.save(late).hasValue());
        QCOMPARE(notesIn(late).marks.front().name, std::string("elsewhere"));
        // Nothing else differs.
        const auto whole = load(late);
        QCOMPARE(TraceRows(*whole).rows(store::TableKind::Heap),
                 TraceRows(*recording.trace().latest()).rows(store::TableKind::Heap));
        QVERIFY(!whole->health.totalsAreBounds());
        QCOMPARE(whole->health[Loss::RecordsOutOfOrder], std::uint64_t{0});
    }
    void keepsLateNamesOfMarksOnAnotherDisk() {
        const QTemporaryDir folder;
        const QTemporaryDir elsewhere(folderInMemory());
        if (QStorageInfo(elsewhere.path()) == QStorageInfo(folder.path())) QSKIP("There is one disk only.");
        std::promise<void> marked;
        const auto open = [isMarked = marked.get_future().share(), play = replay(bytesOf())](TraceHealth& health) {
            isMarked.wait();
            return play(health);
        };
        Recording recording(open, {.spool = folder.filePath("spool.etl").toStdString()});
        recording.mark("start");
        marked.set_value();
        recording.wait();
        const auto marks = recording.trace().notes()->marks;
        QCOMPARE(marks.size(), std::size_t{1});
        for (const auto* name : {"as it was", "after the first copy", "after the second"}) {
            const std::filesystem::path copy = elsewhere.filePath("copy.etl").toStdString();
            recording.editMark(marks[0].ticks, name);
            QCOMPARE(recording.save(copy).value(), std::string());
            QCOMPARE(notesIn(copy).marks, (std::vector<Mark>{{marks[0].ticks, marks[0].time, name}}));
        }
    }
    void keepsWhatIsMarkedAfterTheEnd() {
        const QTemporaryDir folder;
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(replay(bytesOf()), {.spool = folder.filePath("spool.etl").toStdString()});
        recording.wait();
        const auto end = recording.trace().latest()->wholeRange().end;
        std::vector<Mark> marks;
        std::vector<TraceTime> instants;
        for (const std::int64_t part : {3, 1, 1, 1, 2}) {
            const TraceTime asked{end.ns / 4 * part + 77};
            marks.push_back(recording.markLate(asked, "part " + std::to_string(part)));
            QVERIFY(std::abs(asked.ns - marks.back().time.ns) < 1000);
            const auto number = static_cast<std::uint32_t>(instants.size() + 1);
            instants.push_back(recording.snapshotLate(number, asked));
            QVERIFY(instants.back() <= asked && asked.ns - instants.back().ns < 1000);
            if (part == 2) QVERIFY(recording.save(saved).hasValue()); // and again below
        }
        recording.editMark(marks[1].ticks, "renamed");
        marks[1].name = "renamed";
        recording.editMark(marks[4].ticks, "");
        marks.pop_back();
        recording.undoLateSnapshot(instants.back());
        instants.pop_back();
        QCOMPARE(recording.save(saved).value(), std::string());
        QVERIFY(marks[1].ticks < marks[2].ticks && marks[2].ticks < marks[3].ticks); // in order of creation
        std::ranges::sort(marks, {}, &Mark::ticks);
        QCOMPARE(notesIn(saved).marks, marks);
        const auto whole = load(saved);
        QVERIFY(whole->snapshots);
        QCOMPARE(whole->snapshots->size(), instants.size());
        for (std::size_t i = 0; i < instants.size(); ++i)
            QCOMPARE((*whole->snapshots)[i], (store::Snapshot{static_cast<std::uint32_t>(i + 1), instants[i]}));
        QVERIFY(!whole->health.totalsAreBounds());
        QCOMPARE(whole->health[Loss::RecordsOutOfOrder], std::uint64_t{0});
        QCOMPARE(whole->wholeRange().end, end);
    }
    /// Without room after the earlier ones.
    void marksOfTheEndStandAsTheyWereMade() {
        const QTemporaryDir folder;
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(replay(bytesOf()), {.spool = folder.filePath("spool.etl").toStdString()});
        recording.wait();
        const auto end = recording.trace().latest()->wholeRange().end;
        std::vector<Mark> marks;
        for (const auto* name : {"Mark 1", "Mark 2", "Mark 3"}) {
            marks.push_back(recording.markLate(TraceTime{end.ns - 1}, name));
            QVERIFY(marks.back().time < end && end.ns - marks.back().time.ns < 10'000);
        }
        QVERIFY(std::ranges::is_sorted(marks, comesBefore));
        QCOMPARE(recording.save(saved).value(), std::string());
        QCOMPARE(notesIn(saved).marks, marks);
        QCOMPARE(load(saved)->wholeRange().end, end);
    }
    void keepsThePrivateBytesOfTheTarget() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        RecordingOptions options{.spool = folder.filePath("spool.etl").toStdString()};
        options.ask.memory = [](std::uint32_t pid) { return source::ProcessMemory{pid * 1'000'000, 9'000'000'000}; };
        options.stopWhen.after = std::chrono::milliseconds(1500);
        Recording recording(withTargets(replay(bytesOf(), 1), {4242}), options);
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        QCOMPARE(recording.status().stopReason, std::string("The recording was stopped after 1.5 s, as requested."));
        QVERIFY(recording.trace().latest()->wholeRange().end.seconds() < 10);
        const auto samples = recording.trace().notes()->privateBytes;
        QVERIFY(samples.size() >= 1 && samples.size() <= 3);
        QCOMPARE(samples.front().pid, 4242u);
        QCOMPARE(samples.front().bytes, ByteCount{4'242'000'000 / 4096 + 1} * 4096); // whole pages
        QCOMPARE(samples.front().workingSet, ByteCount{9'000'000'000 / 4096} * 4096);
        QVERIFY(recording.save(saved).hasValue());
        QCOMPARE(notesIn(saved).privateBytes, samples);
    }
    /// A busy program's last events are delivered for seconds after the stop.
    void takesNoPrivateBytesAfterTheStop() {
        const QTemporaryDir folder(folderInMemory());
        RecordingOptions options{.spool = folder.filePath("spool.etl").toStdString()};
        std::atomic<int> asked = 0;
        options.ask.memory = [&asked](std::uint32_t) {
            ++asked;
            return source::ProcessMemory{1'000'000, 1'000'000};
        };
        options.stopWhen.privateBytesAbove = ~ByteCount{0}; // it looks more often
        std::promise<void> end;
        const auto open = withTargets(replay(bytesOf(), 1), {4242});
        Recording recording(
            [&](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
                auto opened = TRY(open(health));
                return std::unique_ptr<source::RecordSource>(
                    std::make_unique<LateSource>(std::move(opened), end.get_future().share()));
            },
            options);
        QTRY_VERIFY(!recording.trace().notes()->privateBytes.empty());
        recording.stop();
        QTRY_VERIFY(recording.trace().isCancelled());
        const auto before = recording.trace().notes()->privateBytes.size();
        const int looks = asked;
        QTRY_VERIFY(asked > looks + 25); // two samples
        end.set_value();
        recording.wait();
        QVERIFY(recording.trace().notes()->privateBytes.size() <= before + 1); // one may have waited for its batch
    }
    /// Samples as this system takes them: of this process, as if it were the recorded one.
    void keepsSamplesOfResidentMemory() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        RecordingOptions options{.spool = folder.filePath("spool.etl").toStdString()};
        options.ask.resident = [](std::uint32_t pid) -> Result<std::optional<ResidentSample>> {
            auto sample = TRY(source::residentMemoryOf(static_cast<std::uint32_t>(QCoreApplication::applicationPid())));
            if (sample) sample->pid = pid;
            return sample;
        };
        options.stopWhen.after = std::chrono::milliseconds(1500);
        constexpr std::uint32_t kExplorer = 1200; // runs from the start
        Recording recording(withTargets(replay(bytesOf(), 1), {kExplorer}), options);
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        const auto live = recording.trace().latest()->residentSamples;
        QVERIFY(live && !live->empty() && live->front()->resident() > 0);
        QVERIFY(recording.save(saved).hasValue());
        const auto file = load(saved);
        QVERIFY(std::ranges::equal(
            *file->residentSamples, *live, {}, [](const auto& sample) { return *sample; },
            [](const auto& sample) { return *sample; }));
        const auto balances = analysis::balanceAt(*file, {file->wholeRange()});
        QVERIFY2(balances.hasValue(), balances.hasValue() ? "" : balances.error().message.c_str());
        QCOMPARE(balances.value().size(), std::size_t{1});
        const auto& point = balances.value().front().point;
        QCOMPARE(point.resident, live->back()->resident());
        QCOMPARE(point.layers.sum(), point.resident);
        for (const auto layer : {analysis::MemoryLayer::Stacks, analysis::MemoryLayer::Images})
            QVERIFY(point.layers[layer] > 0);
    }
    void aDiskThatStandsStillKeepsNobodyWaiting() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf({.stacks = fixtures::StackForm::KeysDefinedBefore});
        std::promise<void> goOn;
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        RecordingOptions options{.spool = folder.filePath("spool.etl").toStdString()};
        options.flushEvery = std::chrono::milliseconds(1);
        options.mostBatchesWaiting = 2;
        options.diskPatience = std::chrono::milliseconds(20);
        options.mostBytesWaiting = 30'000;
        options.output = std::make_shared<StandingDisk>(options.spool, goOn.get_future().share());
        Recording recording(smallBatches(original), options);
        QTRY_VERIFY_WITH_TIMEOUT(recording.trace().isDone(), 60'000); // while the disk is stalled
        QVERIFY(recording.status().missingEvents > 0);
        goOn.set_value();
        recording.wait();
        const auto whole = load(writeFile(folder, "original.etl", original));
        QCOMPARE(TraceRows(*recording.trace().latest()).rows(store::TableKind::Heap),
                 TraceRows(*whole).rows(store::TableKind::Heap));
        const auto missing = thousands(recording.status().missingEvents);
        QCOMPARE(recording.save(saved).value(),
                 missing + " events are missing from the file: the disk could not keep up.");
        const auto file = load(saved);
        QVERIFY(file->health.totalsAreBounds());
        QCOMPARE(thousands(file->health[Loss::EventsLost]), missing);
        QCOMPARE(file->health.remarks.size(), std::size_t{1});
        const auto& said = file->health.remarks[0];
        QVERIFY2(said.starts_with(missing + " events between ") && said.ends_with("the disk could not keep up."),
                 said.c_str());
        QVERIFY(file->heap.rows > 0 && file->heap.rows < whole->heap.rows);
        // Everything that the other events refer to exists.
        QCOMPARE(file->processes->processes().size(), whole->processes->processes().size());
        QCOMPARE(file->health[Loss::StacksUnresolved], std::uint64_t{0});
        QCOMPARE(file->health[Loss::ProcessesUnknown], std::uint64_t{0});
        QCOMPARE(file->health[Loss::RecordsOutOfOrder], std::uint64_t{0});
    }
    void aDiskThatIsNotSureHasAWholeFile() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        const std::filesystem::path spoolPath = folder.filePath("spool.etl").toStdString();
        const std::filesystem::path saved = folder.filePath("saved.etl").toStdString();
        Recording recording(replay(original), {.spool = spoolPath, .output = std::make_shared<UnsureDisk>(spoolPath)});
        recording.wait();
        const auto said = recording.save(saved).value();
        QVERIFY2(said.starts_with("The disk did not confirm that it stored the whole file"), said.c_str());
        QVERIFY(!recording.status().spoolError.has_value());
        compareTraces(*load(saved), *load(writeFile(folder, "original.etl", original)));
    }
    void closesTheFileThatItHasSaved() {
        const QTemporaryDir folder(folderInMemory());
        const std::filesystem::path spoolPath = folder.filePath("spool.etl").toStdString();
        std::shared_ptr<etl::ByteOutput> output = etl::createFileOutput(spoolPath).value();
        const std::weak_ptr<etl::ByteOutput> isOpen = output;
        Recording recording(replay(bytesOf()), {.spool = spoolPath, .output = std::move(output)});
        recording.wait();
        QVERIFY(recording.save(folder.filePath("saved.etl").toStdString()).hasValue());
        QVERIFY(isOpen.expired());
    }
    void recordsOnWithoutASpool() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        Recording recording(replay(original), {.spool = "/nonexistent/folder/spool.etl"});
        QTRY_VERIFY(recording.status().spoolError.has_value()); // reported at once
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Finished);
        QVERIFY(recording.status().spoolError->message.find("spool.etl") != std::string::npos);
        compareTraces(*recording.trace().latest(), *load(writeFile(folder, "original.etl", original)));
        const auto saved = recording.save(folder.filePath("saved.etl").toStdString());
        QVERIFY(!saved.hasValue());
        QVERIFY(saved.error().message.find("nothing was written") != std::string::npos);
    }
    void overwritesNothing() {
        const QTemporaryDir folder(folderInMemory());
        const auto old = writeFile(folder, "spool.etl", ByteSpan(reinterpret_cast<const std::byte*>("old"), 3));
        {
            Recording recording(replay(bytesOf()), {.spool = old});
            recording.wait();
            QVERIFY(recording.status().spoolError.has_value());
            const auto saved = recording.save(folder.filePath("saved.etl").toStdString());
            QVERIFY2(saved.error().message.ends_with(" exists."), saved.error().message.c_str()); // one full stop
        }
        QCOMPARE(std::filesystem::file_size(old), std::uintmax_t{3});
    }
    void leavesItsFileToWhoCannotSave() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        const std::filesystem::path spoolPath = folder.filePath("spool.etl").toStdString();
        {
            Recording recording(replay(original), {.spool = spoolPath});
            recording.wait();
            QVERIFY(!recording.save("/nonexistent/folder/a.etl").hasValue());
            QCOMPARE(recording.leaveFile(), std::optional(spoolPath));
        }
        compareTraces(*load(spoolPath), *load(writeFile(folder, "original.etl", original)));
    }
    void isStoppedWhileItsSourceIsOpened() {
        const QTemporaryDir folder(folderInMemory());
        RecordingOptions options{.spool = folder.filePath("spool.etl").toStdString()};
        const auto open =
            [stop = options.opening.get_token()](TraceHealth&) -> Result<std::unique_ptr<source::RecordSource>> {
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return Error{ErrorKind::Cancelled, "The recording was stopped before it began."};
        };
        Recording recording(open, std::move(options));
        recording.stop();
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Failed);
    }
    void saysWhyItCannotStart() {
        const QTemporaryDir folder(folderInMemory());
        const auto path = std::filesystem::path(folder.filePath("spool.etl").toStdString());
        Recording recording(
            [](TraceHealth&) -> Result<std::unique_ptr<source::RecordSource>> {
                return Error{ErrorKind::AccessDenied, "Recording needs administrator rights."};
            },
            {.spool = path});
        recording.wait();
        QCOMPARE(recording.trace().state(), LoadState::Failed);
        QCOMPARE(recording.trace().error()->message, std::string("Recording needs administrator rights."));
        QVERIFY(!std::filesystem::exists(path));
    }
    void mayBeDestroyedAtAnyMoment() {
        const QTemporaryDir folder(folderInMemory());
        const auto original = bytesOf();
        for (int i = 0; i < 10; ++i) {
            const auto path = std::filesystem::path(folder.filePath("spool.etl").toStdString());
            {
                Recording recording(replay(original, i % 2 == 0 ? 0 : 50), {.spool = path});
                QTest::qWait(i);
            }
            QVERIFY(!std::filesystem::exists(path));
        }
    }
};
HIGHWATER_TEST(RecordingTest);
#include "recording_test.moc"
