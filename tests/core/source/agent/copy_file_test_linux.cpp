#include "core/source/agent/copy_file_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstddef>
#include <fcntl.h>
#include <optional>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

using namespace highwater;
using namespace highwater::source;
using agent::CopyAnswer, agent::CopyThreadRecord;

namespace {

/// Opened as the process and the tracer do: by its path.
OwnedFile opened(const CopyFile& file) { return OwnedFile(::open(file.path().c_str(), O_RDWR | O_CLOEXEC)); }

} // namespace

class CopyFileTest : public QObject {
    Q_OBJECT

  private slots:
    void theProcessFindsTheRequester() {
        const CopyFile file;
        QVERIFY(file.isOpen());
        CopyAnswer answer{.magic = 0};
        QCOMPARE(::pread(opened(file).number(), &answer, sizeof answer, 0), static_cast<ssize_t>(sizeof answer));
        QCOMPARE(answer.magic, agent::kCopyMagic);
        QCOMPARE(answer.requester, static_cast<std::uint64_t>(::getpid()));
        QVERIFY(answer.state == agent::CopyState::Waiting && file.threads().empty());
    }
    void itIsLockedAsLongAsTheRequesterHasIt() {
        auto file = std::make_optional<CopyFile>();
        const auto copy = opened(*file);
        QCOMPARE(::flock(copy.number(), LOCK_SH | LOCK_NB), -1);
        file.reset();
        QCOMPARE(::flock(copy.number(), LOCK_SH | LOCK_NB), 0);
    }
    void threadsAreThoseThatWereWritten() {
        const CopyFile file;
        CopyAnswer answer{.stop = {.instantNs = 7, .unreadThreads = 1, .threads = 2}};
        const std::vector<CopyThreadRecord> records{{.tid = 5, .instruction = 6}, {.tid = 8}};
        const auto tracer = opened(file);
        QVERIFY(::pwrite(tracer.number(), records.data(), sizeof records.front() * 2, sizeof answer) > 0);
        QVERIFY(::pwrite(tracer.number(), &answer, sizeof answer, 0) > 0);
        QCOMPARE(file.answer()->stop.instantNs, std::uint64_t{7});
        QCOMPARE(file.threads().size(), std::size_t{2});
        QCOMPARE(file.threads()[0].instruction, std::uint64_t{6});
        QCOMPARE(file.threads()[1].tid, std::uint64_t{8});
    }
    /// The process can write to the file, too.
    void moreThreadsThanItHasAreNotRead() {
        const CopyFile file;
        const CopyAnswer answer{.stop = {.threads = ~std::uint64_t{0}}};
        const CopyThreadRecord record{.tid = 5};
        const auto tracer = opened(file);
        QVERIFY(::pwrite(tracer.number(), &answer, sizeof answer, 0) > 0);
        QVERIFY(::pwrite(tracer.number(), &record, sizeof record, sizeof answer) > 0);
        QCOMPARE(file.threads().size(), std::size_t{1});
        QCOMPARE(::ftruncate(tracer.number(), 3), 0);
        QVERIFY(!file.answer() && file.threads().empty());
    }
};
HIGHWATER_TEST(CopyFileTest);

#include "copy_file_test_linux.moc"
