#include "core/base/retired_work.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

using namespace highwater;

class RetiredWorkTest : public QObject {
    Q_OBJECT
  private slots:
    void itsOwnerGoesOn() {
        std::promise<void> gate;
        std::promise<std::thread::id> ended;
        RetiredWork work;
        work.add([opened = gate.get_future().share(), &ended] {
            opened.wait();
            ended.set_value(std::this_thread::get_id());
        });
        gate.set_value(); // reached: add() does not wait
        QVERIFY(ended.get_future().get() != std::this_thread::get_id());
    }
    void noneWaitsForAnother() {
        std::promise<void> gate, second;
        RetiredWork work;
        work.add([opened = gate.get_future().share()] { opened.wait(); });
        work.add([&second] { second.set_value(); });
        second.get_future().wait();
        gate.set_value();
    }
    void theLastOwnerWaitsForAll() {
        std::atomic<int> ended{0};
        {
            RetiredWork work;
            for (int i = 0; i < 8; ++i) {
                work.add([&ended] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                    ++ended;
                });
            }
        }
        QCOMPARE(ended.load(), 8);
    }
    void whatIsHeldGoesAtTheEnd() {
        auto held = std::make_shared<int>(1);
        const std::weak_ptr<int> witness = held;
        std::promise<void> done;
        RetiredWork work;
        work.add([held = std::move(held), &done] { done.set_value(); });
        done.get_future().wait();
        QTRY_VERIFY(witness.expired());
    }
};
HIGHWATER_TEST(RetiredWorkTest);
#include "retired_work_test.moc"
