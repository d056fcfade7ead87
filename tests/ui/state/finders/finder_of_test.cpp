#include "ui/state/finders/finder_of.h"

#include "tests/support/test_registry.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::ui;

namespace {

/// Answers numbers with their doubles after the release. A negative number fails.
struct FinderStage {
    FinderOf<int, std::string>::Find find() {
        return [this](const int& number, const std::stop_token& stop) -> Result<std::string> {
            while (isHeld && !stop.stop_requested())
                QThread::msleep(1);
            if (stop.stop_requested()) return Error{ErrorKind::Cancelled, "cancelled"};
            if (number < 0) return Error{ErrorKind::NotFound, "There is none."};
            return std::to_string(number * 2);
        };
    }
    FinderOf<int, std::string>::Deliver deliver() {
        return [this](const int& asked, Result<std::string> found) {
            answers.push_back(found.hasValue() ? std::to_string(asked) + ": " + found.value() : found.error().message);
        };
    }

    QObject home;
    std::atomic<bool> isHeld{true};
    std::vector<std::string> answers;
};

} // namespace

class FinderOfTest : public QObject {
    Q_OBJECT
  private slots:
    void deliversTheNewestAnswerAlone() {
        FinderStage stage;
        FinderOf<int, std::string> finder(stage.home, stage.find(), stage.deliver());
        std::vector<bool> busy;
        finder.onBusyChange([&] { busy.push_back(finder.isBusy()); });
        finder.ask(1, Urgency::Now);
        finder.ask(2, Urgency::Now);
        QVERIFY(finder.isBusy());
        stage.isHeld = false;
        QTRY_VERIFY(!finder.isBusy());
        QCOMPARE(stage.answers, std::vector<std::string>{"2: 4"});
        QCOMPARE(busy, (std::vector<bool>{true, false}));
    }
    void deliversWhyThereIsNone() {
        FinderStage stage;
        stage.isHeld = false;
        FinderOf<int, std::string> finder(stage.home, stage.find(), stage.deliver());
        finder.ask(-1, Urgency::Now);
        QTRY_COMPARE(stage.answers, std::vector<std::string>{"There is none."});
    }
    void cancelledQueriesDeliverNothing() {
        FinderStage stage;
        FinderOf<int, std::string> finder(stage.home, stage.find(), stage.deliver());
        finder.ask(1, Urgency::Now);
        finder.cancel();
        QVERIFY(!finder.isBusy());
        stage.isHeld = false;
        QTest::qWait(50);
        QVERIFY(stage.answers.empty());
    }
    /// The window is closed while a query runs: the worker ends first, and no callback follows.
    void endsWithItsOwner() {
        FinderStage stage;
        int told = 0;
        {
            FinderOf<int, std::string> finder(stage.home, stage.find(), stage.deliver());
            finder.onBusyChange([&] { ++told; });
            finder.ask(1, Urgency::Now);
        }
        QTest::qWait(50);
        QVERIFY(stage.answers.empty());
        QCOMPARE(told, 1);
    }
};

HIGHWATER_TEST(FinderOfTest);
#include "finder_of_test.moc"
