#include "core/source/agent/trim_copy_linux.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;

namespace {

/// Writes as a copy does: by the path of the file.
template <typename T>
void write(const TrimAnswerFile& file, const T& bytes) {
    const int opened = ::open(file.path().c_str(), O_RDWR | O_CLOEXEC);
    QCOMPARE(::pwrite(opened, &bytes, sizeof bytes, 0), static_cast<ssize_t>(sizeof bytes));
    ::close(opened);
}

} // namespace

class TrimCopyTest : public QObject {
    Q_OBJECT

  private slots:
    void anAnswerIsReadWhenSomethingWasMeasured() {
        const TrimAnswerFile file;
        QVERIFY(file.isOpen());
        QVERIFY(!file.answer()); // not cleared yet: too short
        file.clear();
        QVERIFY(!file.answer());
        agent::TrimAnswer answer{.state = agent::TrimState::Trying, .before = 5, .after = 2};
        write(file, answer);
        QVERIFY(!file.answer());
        answer.state = agent::TrimState::Finished;
        write(file, answer);
        QVERIFY(file.answer());
        QCOMPARE(file.answer()->before, std::uint64_t{5});
        QCOMPARE(file.answer()->after, std::uint64_t{2});
        answer.state = agent::TrimState::Trimmed; // other allocators have not answered yet
        write(file, answer);
        QVERIFY(file.answer() && file.answer()->state == agent::TrimState::Trimmed);
        file.clear();
        QVERIFY(!file.answer());
    }
    void allocatorsHaveWhatTheyGaveBeforeTheEnd() {
        using enum agent::AllocatorState;
        using End = AllocatorTrial::End;
        agent::TrimAnswer answer;
        QVERIFY(allocatorTrials(answer, End::Failed).empty());
        auto& own = answer.allocators[static_cast<std::size_t>(OtherAllocator::Tcmalloc)];
        own = {.state = Counting, .known = 1, .numbers = {7, 8}, .before = 50, .after = 20};
        const auto only = [&](End end) { return allocatorTrials(answer, end).at(0); };
        QVERIFY(only(End::TooLate).allocator == OtherAllocator::Tcmalloc);
        QVERIFY(only(End::TooLate).end == End::TooLate && !only(End::TooLate).tried);
        QVERIFY(!only(End::TooLate)[AllocatorNumber::Allocated]);
        own.state = Releasing;
        QVERIFY(only(End::Failed).end == End::Failed && !only(End::Failed).tried);
        QCOMPARE(only(End::Failed)[AllocatorNumber::Allocated], std::optional<std::uint64_t>(7));
        QVERIFY(!only(End::Failed)[AllocatorNumber::Active]);
        own.state = Released;
        QVERIFY(only(End::Failed).end == End::Answered); // another allocator ended the copy
        QCOMPARE(only(End::Failed).tried, std::optional<ByteCount>(30));
        own.after = 60; // it grew
        QCOMPARE(only(End::Failed).tried, std::optional<ByteCount>(0));
        own.state = Kept;
        QVERIFY(only(End::Failed).end == End::Answered && !only(End::Failed).tried);
        own.state = static_cast<agent::AllocatorState>(99); // a process may write anything
        QVERIFY(only(End::Failed).end == End::Answered && !only(End::Failed).tried);
    }
};
HIGHWATER_TEST(TrimCopyTest);

#include "trim_copy_test_linux.moc"
