#include "tests/app/access/every_page.h"
#include "tests/support/test_registry.h"

#include <QApplication>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr int kMostStops = 300;

QString nameOf(const QWidget* widget) {
    if (!widget) return QStringLiteral("nothing");
    auto name = QStringLiteral("%1 '%2'").arg(widget->metaObject()->className(), widget->objectName());
    for (const auto* parent = widget->parentWidget(); parent; parent = parent->parentWidget()) {
        if (parent->objectName().isEmpty() || parent->objectName().startsWith(QLatin1String("qt_"))) continue;
        return name + QStringLiteral(" in '%1'").arg(parent->objectName());
    }
    return name;
}

/// Its part of the screen that its ancestors do not clip.
QRect placeOf(const QWidget& widget) {
    auto place = widget.rect();
    const auto* at = &widget;
    for (; !at->isWindow() && at->parentWidget(); at = at->parentWidget())
        place = place.translated(at->pos()) & at->parentWidget()->rect();
    return {at->mapToGlobal(place.topLeft()), place.size()};
}

/// The part of the window that forms one reading unit: a dock, the toolbar, the status bar, a graph with its table, or
/// else the area around them.
const QWidget* areaOf(const QWidget& widget) {
    for (const auto* parent = widget.parentWidget(); parent; parent = parent->parentWidget()) {
        const bool isArea = qobject_cast<const QDockWidget*>(parent) || qobject_cast<const QToolBar*>(parent) ||
                            qobject_cast<const QStatusBar*>(parent) || qobject_cast<const ui::GraphPanel*>(parent);
        if (isArea || parent->isWindow()) return parent;
    }
    return nullptr;
}

/// Whether this is the reading order: along a line, then down, or to the next column.
bool isBehind(const QRect& next, const QRect& before) {
    const int shared = std::min(next.bottom(), before.bottom()) - std::max(next.top(), before.top());
    const bool isSameLine = 2 * shared > std::min(next.height(), before.height());
    if (isSameLine) return next.left() >= before.left();
    return next.top() >= before.top() || next.left() > before.right();
}

bool isSeen(const QWidget& widget) { return widget.isVisible() && !placeOf(widget).isEmpty(); }

using Stops = QList<QWidget*>;

/// Follows the key from here until it comes round. The last one equals the first, unless that never happens. `unseen`:
/// widgets that were not visible when they had the focus.
Stops walk(QWidget& top, Qt::Key key, QStringList* unseen = nullptr) {
    Stops stops;
    if (!top.focusWidget() || !top.focusWidget()->isVisible()) QTest::keyClick(&top, Qt::Key_Tab);
    while (stops.size() < kMostStops) {
        auto* now = QApplication::focusWidget();
        if (!now) break;
        const bool isRound = !stops.isEmpty() && now == stops.first();
        if (unseen && !isSeen(*now)) {
            const auto at = now->geometry();
            *unseen << QStringLiteral("%1 at %2,%3 %4x%5")
                           .arg(nameOf(now))
                           .arg(at.x())
                           .arg(at.y())
                           .arg(at.width())
                           .arg(at.height());
        }
        stops << now;
        if (isRound) break;
        QTest::keyClick(now, key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
    }
    return stops;
}

/// Rotated so that the topmost one comes first.
Stops fromTheTop(Stops stops) {
    if (stops.isEmpty()) return stops;
    if (stops.size() > 1 && stops.first() == stops.last()) stops.removeLast();
    const auto first = std::min_element(stops.begin(), stops.end(), [](const auto* a, const auto* b) {
        const auto one = placeOf(*a), other = placeOf(*b);
        return std::pair(one.top(), one.left()) < std::pair(other.top(), other.left());
    });
    std::rotate(stops.begin(), first, stops.end());
    return stops;
}

class FocusWalkTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;

  private slots:
    void initTestCase() {
        path_ = folder_.filePath("exercise2.etl");
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(path_.toStdString()).hasValue());
    }
    void noStopIsATrapOrHidden_data() { addPages(); }
    void noStopIsATrapOrHidden();
    void pagesBehindAnotherAreNotStops();
    void orderFollowsTheEye_data() { addPages(); }
    void orderFollowsTheEye();
    void focusIsSeenAtEachStop_data() { addPages(); }
    void focusIsSeenAtEachStop();
};

void FocusWalkTest::noStopIsATrapOrHidden() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    auto& top = stage.topWindow();
    QStringList unseen;
    const auto there = walk(top, Qt::Key_Tab, &unseen);
    QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char('\n'))));
    QVERIFY(there.size() > 2);
    QVERIFY2(there.first() == there.last(), qPrintable(nameOf(there.last())));
    for (const auto* stop : there)
        QVERIFY2(stop->window() == &top, qPrintable(nameOf(stop)));
    auto back = walk(top, Qt::Key_Backtab);
    std::reverse(back.begin(), back.end());
    if (qEnvironmentVariableIsSet("SHOW_STOPS")) {
        for (auto* stop : there)
            qInfo().noquote() << "there" << nameOf(stop);
        for (auto* stop : back)
            qInfo().noquote() << "back" << nameOf(stop);
    }
    QStringList lost;
    for (auto* stop : there) {
        if (!back.contains(stop)) lost << QStringLiteral("not back: ") + nameOf(stop);
    }
    for (auto* stop : back) {
        if (!there.contains(stop)) lost << QStringLiteral("only back: ") + nameOf(stop);
    }
    QVERIFY2(lost.isEmpty(), qPrintable(lost.join(QLatin1Char('\n'))));
    QCOMPARE(back, there);
}

/// Qt keeps such pages in hidden places, but marks them visible.
void FocusWalkTest::pagesBehindAnotherAreNotStops() {
    EveryPage stage(path_);
    QVERIFY(stage.severalPages());
    QStringList unseen;
    const auto there = walk(stage.topWindow(), Qt::Key_Tab, &unseen);
    QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char('\n'))));
    QVERIFY(there.size() > 2 && there.first() == there.last());
}

void FocusWalkTest::orderFollowsTheEye() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    const auto stops = fromTheTop(walk(stage.topWindow(), Qt::Key_Tab));
    QStringList wrong;
    QList<const QWidget*> areas;
    for (qsizetype i = 0; i < stops.size(); ++i) {
        const auto* area = areaOf(*stops[i]);
        if (i > 0 && area == areas.last()) {
            if (!isBehind(placeOf(*stops[i]), placeOf(*stops[i - 1])))
                wrong << nameOf(stops[i - 1]) + QStringLiteral(" -> ") + nameOf(stops[i]);
            continue;
        }
        if (areas.contains(area) && !area->isWindow()) wrong << QStringLiteral("back in ") + nameOf(area);
        areas << area;
    }
    if (qEnvironmentVariableIsSet("SHOW_STOPS")) {
        for (const auto* stop : stops)
            qInfo().noquote() << nameOf(stop) << placeOf(*stop) << nameOf(areaOf(*stop));
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
}

/// The pixels around the widget differ with and without the focus.
void FocusWalkTest::focusIsSeenAtEachStop() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    auto& top = stage.topWindow();
    const auto stops = walk(top, Qt::Key_Tab);
    QStringList unseen;
    for (auto* stop : stops) {
        if (!stop->isVisible()) continue; // names have arrived meanwhile
        const auto area = QRect(stop->mapTo(&top, QPoint()), stop->size()).adjusted(-3, -3, 3, 3) & top.rect();
        stop->setFocus(Qt::TabFocusReason);
        QApplication::processEvents();
        const auto with = top.grab(area).toImage();
        stop->clearFocus();
        QApplication::processEvents();
        if (top.grab(area).toImage() == with) unseen << nameOf(stop);
    }
    QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QLatin1Char('\n'))));
}

HIGHWATER_TEST(FocusWalkTest);

} // namespace

#include "focus_walk_test.moc"
