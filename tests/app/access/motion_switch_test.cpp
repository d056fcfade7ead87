#include "tests/app/access/every_page.h"
#include "tests/support/test_registry.h"
#include "ui/view/access/motion.h"

using namespace highwater;
using namespace highwater::tests;

namespace {

class MotionSwitchTest : public QObject {
    Q_OBJECT
  private slots:
    void cleanup() { ui::setMotion(ui::Motion::Full); }
    void theMenuReducesMotionAndIsRemembered() {
        WindowStage stage;
        auto* reduce = stage.window.findChild<QAction*>("reduceMotion");
        QVERIFY(reduce && reduce->isCheckable() && !reduce->isChecked());
        QVERIFY(!stage.settings.reducesMotion().has_value());
        reduce->trigger();
        QCOMPARE(ui::motion(), ui::Motion::Reduced);
        ui::setMotion(ui::Motion::Full); // as before a start
        const app::MainWindow next(stage.settings);
        QCOMPARE(ui::motion(), ui::Motion::Reduced);
        QVERIFY(next.findChild<QAction*>("reduceMotion")->isChecked());
        reduce->trigger();
        QCOMPARE(ui::motion(), ui::Motion::Full);
    }
};

HIGHWATER_TEST(MotionSwitchTest);

} // namespace

#include "motion_switch_test.moc"
