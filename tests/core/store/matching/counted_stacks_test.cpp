#include "core/store/matching/counted_stacks.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::store;

namespace {

/// Counts the same stacks as the table beside it, which is asked for each of them.
class CountedBeside {
  public:
    void count(StackRoot root, const std::vector<Address>& frames) {
        counted_.count(root, frames);
        (void)plain_.intern(root, frames);
    }
    [[nodiscard]] bool isSame() const {
        return table_.shortenedStacks() == plain_.shortenedStacks() && table_.stackCount() == plain_.stackCount() &&
               table_.nodeCount() == plain_.nodeCount();
    }
    [[nodiscard]] const StackTable& table() const { return table_; }

  private:
    StackTable table_;
    CountedStacks counted_{table_};
    StackTable plain_;
};

} // namespace

class CountedStacksTest : public QObject {
    Q_OBJECT
  private slots:
    /// Far more than are known at a time, some of them over and over.
    void countsAsTheTableDoes() {
        std::mt19937 random(1);
        CountedBeside stacks;
        for (unsigned i = 0; i < 400'000; ++i) {
            const auto number = static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? 100 : 150'000));
            std::vector<Address> frames{0x1000 + number, 0x2000 + number % 97, 0x3000};
            frames.resize(1 + number % 3);
            stacks.count({ProcessIndex{number % 5}, number % 2}, frames);
        }
        QVERIFY(stacks.table().stackCount() > 100'000);
        QVERIFY(stacks.isSame());
    }
    /// Stacks of the same frames are not the same stack.
    void tellsStacksApart_data() {
        QTest::addColumn<std::vector<Address>>("one");
        QTest::addColumn<std::vector<Address>>("other");
        QTest::newRow("other order") << std::vector<Address>{1, 2, 3, 4} << std::vector<Address>{2, 1, 3, 4};
        QTest::newRow("pairs in other order") << std::vector<Address>{1, 2, 3, 4} << std::vector<Address>{3, 4, 1, 2};
        QTest::newRow("one less") << std::vector<Address>{1, 2, 3} << std::vector<Address>{1, 2};
        QTest::newRow("a frame at 0 more") << std::vector<Address>{1, 2} << std::vector<Address>{1, 2, 0};
        QTest::newRow("last frame") << std::vector<Address>{1, 2, 3} << std::vector<Address>{1, 2, 4};
    }
    void tellsStacksApart() {
        QFETCH(std::vector<Address>, one);
        QFETCH(std::vector<Address>, other);
        CountedBeside stacks;
        for (int i = 0; i < 3; ++i) {
            stacks.count({ProcessIndex{1}, 0}, one);
            stacks.count({ProcessIndex{1}, 0}, other);
        }
        QCOMPARE(stacks.table().stackCount(), 3u); // and none
        stacks.count({ProcessIndex{2}, 0}, one);
        stacks.count({ProcessIndex{1}, 1}, one);
        QCOMPARE(stacks.table().stackCount(), 5u);
        QVERIFY(stacks.isSame());
    }
    void countsWhatIsTooDeepOrTooMuch() {
        CountedBeside stacks;
        const std::vector<Address> deep(600, 0x1000);
        for (int i = 0; i < 3; ++i)
            stacks.count({ProcessIndex{1}, 0}, deep);
        QCOMPARE(stacks.table().shortenedStacks(), std::uint64_t{1});
        std::vector<Address> frames(40);
        for (Address i = 0; i < 40'000; ++i) {
            for (auto& frame : frames)
                frame = 0x100000 + i;
            stacks.count({ProcessIndex{1}, 0}, frames);
        }
        QVERIFY(stacks.table().shortenedStacks() > 1'000);
        QVERIFY(stacks.isSame());
    }
};

HIGHWATER_TEST(CountedStacksTest);
#include "counted_stacks_test.moc"
