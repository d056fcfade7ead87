#include "core/base/background_release.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <future>
#include <thread>
#include <vector>

using namespace highwater;

namespace {

/// Records the thread that deletes it.
class Witness {
  public:
    explicit Witness(std::promise<std::thread::id>& told) : reported_(told) {}
    ~Witness() { reported_.set_value(std::this_thread::get_id()); }
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;

  private:
    std::promise<std::thread::id>& reported_;
};

} // namespace

class BackgroundReleaseTest : public QObject {
    Q_OBJECT
  private slots:
    void deletesOnAnotherThreadWhenTheLastOneLetsGo() {
        std::promise<std::thread::id> told;
        auto deletedOn = told.get_future();
        auto first = makeReleasedInBackground<Witness>(told);
        auto second = first;
        first.reset();
        QVERIFY(deletedOn.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
        second.reset();
        QVERIFY(deletedOn.get() != std::this_thread::get_id());
    }
    void waitsForNobody() {
        std::promise<void> gate;
        std::promise<std::thread::id> told;
        auto deletedOn = told.get_future();
        releaseInBackground([opened = gate.get_future().share()] { opened.wait(); });
        makeReleasedInBackground<Witness>(told).reset(); // while the thread is busy
        QVERIFY(deletedOn.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
        gate.set_value();
        QVERIFY(deletedOn.get() != std::this_thread::get_id());
    }
    void keepsTheOrder() {
        std::vector<int> order;
        std::promise<void> done;
        for (int i = 0; i < 100; ++i)
            releaseInBackground([&order, i] { order.push_back(i); });
        releaseInBackground([&done] { done.set_value(); });
        done.get_future().wait();
        QCOMPARE(order.size(), std::size_t{100});
        QVERIFY(std::is_sorted(order.begin(), order.end()));
    }
};
HIGHWATER_TEST(BackgroundReleaseTest);
#include "background_release_test.moc"
