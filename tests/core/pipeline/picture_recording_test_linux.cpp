#include "core/analysis/held/held_by.h"
#include "core/analysis/pictures/picture_rows.h"
#include "core/pipeline/core_files/core_picture.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "core/source/contract/process_copy.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/core_writer.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <map>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

using Counts = std::array<std::uint64_t, kReachabilities>;

/// The planted blocks of the program, by size.
std::map<ByteCount, Counts> countsBySize(const MemoryPicture& picture) {
    std::map<ByteCount, Counts> counts;
    for (const auto& block : picture.blocks)
        if (block.bytes >= 1101 && block.bytes <= 1299)
            ++counts[block.bytes][static_cast<std::size_t>(block.reachability)];
    return counts;
}

std::string textOf(const MemoryPicture& picture) {
    std::string text;
    for (const auto& [bytes, counts] : countsBySize(picture))
        text += fmt::format("{}: {} {} {} {}; ", bytes, counts[0], counts[1], counts[2], counts[3]);
    return text;
}

/// With the sizes that malloc gives. Behind the end of a block that was requested is the rest of a larger one.
constexpr auto kClassesOfChunks = "1112: 200 20 0 0; 1128: 121 0 0 0; 1208: 0 20 120 120; ";

const MemoryPicture* pictureIn(const std::shared_ptr<const store::PublishedTrace>& trace) {
    return trace && trace->pictures ? trace->pictures->back().get() : nullptr;
}

} // namespace

/// Pictures of a real program with planted blocks.
class PictureRecordingTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const auto isThere = folder_.filePath("there");
        source::CaptureLaunch launch;
        launch.program = HIGHWATER_PICTURED_PROGRAM;
        launch.arguments = {isThere.toStdString(), HIGHWATER_PICTURED_LIBRARY};
        recording_ =
            std::make_unique<Recording>([launch](TraceHealth&) { return source::startCapture(launch, {}); },
                                        RecordingOptions{.spool = folder_.filePath("spool.etl").toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(isThere), 60'000);
        do { // until it waits again
            rows_ = rows();
            QTest::qWait(300);
        } while (rows() != rows_);
        recording_->takePicture();
        QTRY_VERIFY2_WITH_TIMEOUT(pictureIn(recording_->trace().latest()) ||
                                      !recording_->status().pictureRefusal.empty(),
                                  "no picture", 60'000);
        QCOMPARE(recording_->status().pictureRefusal, std::string());
        trace_ = recording_->trace().latest();
    }
    void cleanupTestCase() {
        if (recording_ && !recording_->targets().empty())
            ::kill(static_cast<pid_t>(recording_->targets().front()), SIGKILL);
        recording_.reset();
    }

    void eachBlockHasItsClass_data() {
        QTest::addColumn<quint64>("bytes");
        QTest::addColumn<quint64>("reachable");
        QTest::addColumn<quint64>("possible");
        QTest::addColumn<quint64>("unreachable");
        QTest::addColumn<quint64>("onlyLeaked");
        const auto add = [](const char* name, quint64 bytes, const Counts& counts) {
            QTest::newRow(name) << bytes << quint64{counts[0]} << quint64{counts[1]} << quint64{counts[2]}
                                << quint64{counts[3]};
        };
        add("global", 1101, {20, 0, 0, 0});
        add("static local", 1102, {20, 0, 0, 0});
        add("thread-local of the first thread", 1103, {20, 0, 0, 0});
        add("on another thread's stack", 1104, {20, 0, 0, 0});
        add("thread-local of another thread", 1105, {20, 0, 0, 0});
        add("vector", 1107, {20, 0, 0, 0});
        add("list", 1108, {20, 0, 0, 0});
        add("map", 1109, {20, 0, 0, 0});
        add("unordered map", 1110, {20, 0, 0, 0});
        add("pointer into the middle", 1111, {0, 20, 0, 0});
        add("chain", 1112, {20, 0, 0, 0});
        add("in a register", 1113, {1, 0, 0, 0});
        add("in memory above the data of the program", 1114, {20, 0, 0, 0});
        add("in a mapping with few touched pages", 1115, {20, 0, 0, 0});
        add("thread-local of a library, first thread", 1116, {20, 0, 0, 0});
        add("thread-local of a library, another thread", 1117, {20, 0, 0, 0});
        add("thread-local of a library that was loaded later, first thread", 1118, {20, 0, 0, 0});
        add("thread-local of a library that was loaded later, another thread", 1119, {20, 0, 0, 0});
        add("leak", 1201, {0, 0, 20, 0});
        add("leak with another", 1202, {0, 0, 20, 0});
        add("only from a leak", 1203, {0, 0, 0, 20});
        add("cycle", 1204, {0, 0, 20, 20});
        add("cycle of one", 1205, {0, 0, 20, 0});
        add("pointer behind the end", 1206, {0, 0, 20, 0});
        add("overwritten pointer", 1207, {0, 0, 20, 0});
        add("leaked chain", 1208, {0, 0, 20, 80});
        add("in memory that cannot be copied", 1209, {0, 0, 1, 0});
        add("on the stack of a thread that has ended", 1210, {0, 0, 20, 0});
        add("thread-local of a thread that has ended", 1211, {0, 0, 20, 0});
        add("thread-local of a library and of a thread that has ended", 1212, {0, 0, 20, 0});
        add("thread-local of a loaded library and of a thread that has ended", 1213, {0, 0, 20, 0});
    }
    void eachBlockHasItsClass() {
        QFETCH(quint64, bytes);
        QFETCH(quint64, reachable);
        QFETCH(quint64, possible);
        QFETCH(quint64, unreachable);
        QFETCH(quint64, onlyLeaked);
        const auto counts = countsBySize(*pictureIn(trace_))[bytes];
        QVERIFY2((counts == Counts{reachable, possible, unreachable, onlyLeaked}),
                 fmt::format("{} reachable, {} possibly, {} unreachable, {} only from leaked", counts[0], counts[1],
                             counts[2], counts[3])
                     .c_str());
    }
    void holdersHaveTheNamesOfVariables_data() {
        QTest::addColumn<quint64>("bytes");
        QTest::addColumn<QString>("name");
        QTest::newRow("global") << quint64{1101} << "g_array";
        QTest::newRow("static local") << quint64{1102} << "s_local";
        QTest::newRow("thread-local") << quint64{1103} << "pictured_program!(anonymous namespace)::t_own of pictured_";
        QTest::newRow("thread-local of another thread")
            << quint64{1105} << "pictured_program!(anonymous namespace)::t_own of pictured_";
        QTest::newRow("thread-local of a library")
            << quint64{1116} << "libpictured_linked.so!(anonymous namespace)::t_linked of pictured_";
        QTest::newRow("thread-local of a library and another thread")
            << quint64{1117} << "libpictured_linked.so!(anonymous namespace)::t_linked of pictured_";
        QTest::newRow("thread-local of a loaded library")
            << quint64{1118} << "libpictured_loaded.so!(anonymous namespace)::t_loaded of pictured_";
        QTest::newRow("thread-local of a loaded library and another thread")
            << quint64{1119} << "libpictured_loaded.so!(anonymous namespace)::t_loaded of pictured_";
        QTest::newRow("vector") << quint64{1107} << "g_vector";
        QTest::newRow("list") << quint64{1108} << "g_list";
        QTest::newRow("map") << quint64{1109} << "g_map";
        QTest::newRow("unordered map") << quint64{1110} << "g_unordered";
        QTest::newRow("pointer into the middle") << quint64{1111} << "g_inner";
        QTest::newRow("chain") << quint64{1112} << "g_chain";
        QTest::newRow("stack") << quint64{1104}
                               << "): pictured_program!(anonymous namespace)::ownStack, pictured_program.cpp:";
        QTest::newRow("register") << quint64{1113} << "registers of";
        QTest::newRow("memory above the data of the program") << quint64{1114} << "mapping";
    }
    void holdersHaveTheNamesOfVariables() {
        QFETCH(quint64, bytes);
        QFETCH(QString, name);
        const analysis::PictureRows pictures(*trace_, trace_->wholeRange());
        const auto& blocks = pictures.all().front().picture->blocks;
        for (std::uint32_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].bytes != bytes) continue;
            const auto& holder = pictures.holders()[pictures.holderOf({0, i})];
            QVERIFY2(QString::fromStdString(holder).contains(name), holder.c_str());
        }
    }
    void memoryThatCannotBeCopiedIsCountedAsUnread() {
        const auto unread = pictureIn(trace_)->unreadBytes;
        QVERIFY2(unread >= (1 << 20) && unread < (2 << 20), std::to_string(unread).c_str());
    }
    void aSavedRecordingHasTheSamePicture() {
        const std::filesystem::path saved = folder_.filePath("saved.etl").toStdString();
        QVERIFY(recording_->save(saved).hasValue());
        const auto file = load(saved);
        QVERIFY(pictureIn(file) && *pictureIn(file) == *pictureIn(trace_));
    }
    /// The program stays as it is, and allocates nothing for them.
    void manyPicturesFollowEachOther() {
        constexpr std::size_t kPictures = 20;
        const auto count = [&] {
            const auto trace = recording_->trace().latest();
            return trace->pictures->size();
        };
        for (auto before = count(); count() < kPictures; before = count()) {
            recording_->takePicture();
            QTRY_VERIFY_WITH_TIMEOUT(count() > before, 60'000);
        }
        const auto last = recording_->trace().latest();
        QVERIFY(countsBySize(*pictureIn(last)) == countsBySize(*pictureIn(trace_)));
        QCOMPARE(rows(), rows_);
        QVERIFY(last->health.entries().empty());
    }
    /// All that it has allocated before. Sizes are those that malloc gives, which are larger.
    void blocksFromBeforeTheRecordingAreExamined() {
        const auto isThere = folder_.filePath("attached");
        QProcess program;
        program.start(HIGHWATER_PICTURED_PROGRAM, {isThere, HIGHWATER_PICTURED_LIBRARY});
        const auto end = qScopeGuard([&] {
            program.kill();
            program.waitForFinished();
        });
        QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(isThere), qPrintable(program.errorString()), 60'000);
        const auto pid = static_cast<std::uint32_t>(program.processId());
        Recording recording([pid](TraceHealth&) { return source::startCapture(pid, {}); },
                            RecordingOptions{.spool = folder_.filePath("attached.etl").toStdString()});
        QTRY_VERIFY_WITH_TIMEOUT(!recording.targets().empty(), 60'000);
        recording.takePicture();
        QTRY_VERIFY2_WITH_TIMEOUT(pictureIn(recording.trace().latest()) || !recording.status().pictureRefusal.empty(),
                                  "no picture", 60'000);
        QCOMPARE(recording.status().pictureRefusal, std::string());
        const auto trace = recording.trace().latest();
        QVERIFY(!pictureIn(trace)->hasUnknownBlocks);
        const auto text = textOf(*pictureIn(trace));
        QVERIFY2(text.starts_with(kClassesOfChunks), text.c_str());

        analysis::FrameLabels labels;
        analysis::HeldByQuery query;
        query.interval = trace->wholeRange();
        const auto found = analysis::findHeldBy(*trace, labels, query);
        QVERIFY(found.hasValue());
        const auto& answer = found.value().front();
        QVERIFY(answer.untraced.count >= 481);
        const auto vector = std::ranges::find_if(
            answer.holders, [](const analysis::RootHolder& holder) { return holder.text.ends_with("g_vector"); });
        QVERIFY(vector != answer.holders.end());
        QCOMPARE(vector->held.count, std::uint64_t{21});
        QCOMPARE(vector->path.size(), std::size_t{1});
        QCOMPARE(answer.nodes[vector->path.front()].text, std::string(analysis::kUntraced));
        recording.stop();
        recording.wait();
    }
    /// The same memory, as the system writes it when the program dies.
    void aCoreFileHasTheSameClasses() {
        const auto core = coreFile();
        const auto made = pictureOfCore(*core, recording_->trace().latest(), {});
        QVERIFY2(made.hasValue(), made.hasValue() ? "" : made.error().message.c_str());
        QCOMPARE(textOf(*pictureIn(made.value().trace)), textOf(*pictureIn(trace_)));
        QVERIFY(!pictureIn(made.value().trace)->hasUnknownBlocks);
    }
    void aCoreFileWithoutATraceHasThem() {
        const auto core = coreFile();
        const auto made = pictureOfCore(*core, nullptr, {});
        QVERIFY2(made.hasValue(), made.hasValue() ? "" : made.error().message.c_str());
        const auto text = textOf(*pictureIn(made.value().trace));
        QVERIFY2(text.starts_with(kClassesOfChunks), text.c_str());
    }
    void aProcessThatHasGrownIsCopied() {
        const auto copiesOf = [this](ByteCount residentBytes) {
            std::atomic<int> copies = 0, looks = 0;
            RecordingOptions options;
            options.spool = folder_.filePath("growth.etl").toStdString();
            options.pictures.onGrowth = ByteCount{10} << 20;
            options.ask.memory = [&looks, residentBytes](std::uint32_t) {
                return source::ProcessMemory{0, static_cast<ByteCount>(looks++) * residentBytes};
            };
            options.copy = [&copies](std::uint32_t, const std::function<std::int64_t()>&, const std::stop_token&) {
                ++copies;
                return Result<std::unique_ptr<source::ProcessCopy>>(Error{ErrorKind::Io, "No picture."});
            };
            Recording recording(
                [](TraceHealth&) {
                    source::CaptureLaunch launch;
                    launch.program = "/bin/sleep";
                    launch.arguments = {"100"};
                    return source::startCapture(launch, {});
                },
                std::move(options));
            const bool isCopied = QTest::qWaitFor([&] { return looks > 1 && (copies > 0 || residentBytes == 0); });
            ::kill(static_cast<pid_t>(recording.targets().front()), SIGKILL);
            recording.wait();
            return isCopied ? copies.load() : -1;
        };
        QCOMPARE(copiesOf(ByteCount{10} << 20), 1);
        QCOMPARE(copiesOf(0), 0);
    }
    /// Others were taken, so that it does not suffice to say that there is none.
    void aRefusalNamesTheProcessAndTheTime() {
        std::atomic<int> copies = 0;
        RecordingOptions options;
        options.spool = folder_.filePath("refused.etl").toStdString();
        options.copy = [&copies](std::uint32_t pid, const std::function<std::int64_t()>& clock,
                                 const std::stop_token& stop) {
            if (copies++ == 0) return source::copyProcess(pid, clock, stop);
            return Result<std::unique_ptr<source::ProcessCopy>>(Error{ErrorKind::Io, "It does not answer."});
        };
        Recording recording(
            [](TraceHealth&) {
                source::CaptureLaunch launch;
                launch.program = "/bin/sleep";
                launch.arguments = {"100"};
                return source::startCapture(launch, {});
            },
            std::move(options));
        for (const int count : {1, 2}) {
            recording.takePicture();
            QTRY_VERIFY(copies == count && !recording.isTakingPicture());
        }
        const auto pid = recording.targets().front();
        QCOMPARE(recording.status().pictureRefusal, std::string("No picture of memory was taken. It does not answer."));
        ::kill(static_cast<pid_t>(pid), SIGKILL);
        recording.wait();
        const auto sentences = recording.trace().latest()->health.sentences();
        const auto begin = fmt::format("No picture of the memory of sleep ({}) was taken at ", pid);
        QVERIFY2(std::ranges::any_of(sentences,
                                     [&](const std::string& sentence) {
                                         return sentence.starts_with(begin) &&
                                                sentence.ends_with(
                                                    " s. It does not answer. 1 picture was taken before.");
                                     }),
                 fmt::format("{}", fmt::join(sentences, "\n")).c_str());
    }
    void anEndedProgramIsRefused() {
        ::kill(static_cast<pid_t>(recording_->targets().front()), SIGKILL);
        recording_->wait();
        QCOMPARE(recording_->trace().state(), LoadState::Finished);
        recording_->takePicture(); // nothing hangs
    }

  private:
    [[nodiscard]] std::unique_ptr<CoreFile> coreFile() const {
        const auto pid = recording_->targets().front();
        const auto copy = source::copyProcess(pid, nullptr);
        if (!copy.hasValue()) qFatal("%s", copy.error().message.c_str());
        const auto path = folder_.filePath("core").toStdString();
        fixtures::writeCore({pid, "pictured_progra", copy.value()->mappings(), copy.value()->threads(),
                             [&](Address from, std::span<std::byte> to) { return copy.value()->read(from, to); }},
                            path);
        auto core = CoreFile::open(path);
        if (!core.hasValue()) qFatal("%s", core.error().message.c_str());
        return std::move(core).value();
    }
    [[nodiscard]] std::uint64_t rows() const {
        const auto trace = recording_->trace().latest();
        return trace ? std::uint64_t{trace->heap.rows} : 0;
    }

    std::uint64_t rows_ = 0; ///< before the first picture
    QTemporaryDir folder_{folderInMemory()};
    std::unique_ptr<Recording> recording_;
    std::shared_ptr<const store::PublishedTrace> trace_;
};

HIGHWATER_TEST(PictureRecordingTest);
#include "picture_recording_test_linux.moc"
