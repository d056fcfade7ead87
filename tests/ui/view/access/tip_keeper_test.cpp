#include "tests/support/test_registry.h"
#include "tests/ui/view/flames/flame_stage.h"
#include "ui/view/access/access.h"

#include <QApplication>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScreen>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

#include <memory>

using namespace highwater::tests;
using namespace highwater::ui;

namespace {

const QString kLines = QStringLiteral("what is told here\nin lines\nthat need\nsome room");

QRect screenOf(const QWidget& widget) { return widget.screen()->geometry(); }

/// Where the tip appears when the mouse rests here, in coordinates of this widget.
QRect tipAt(QWidget& widget, const QPoint& place) {
    QToolTip::hideText();
    (void)QTest::qWaitFor([] { return !QToolTip::isVisible(); });
    QHelpEvent help(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &help);
    for (auto* top : QApplication::topLevelWidgets()) {
        if (top->inherits("QTipLabel") && top->isVisible()) return {widget.mapFromGlobal(top->pos()), top->size()};
    }
    return {};
}

/// The widget's lower right corner in that of the screen.
void putIntoCorner(QWidget& widget) {
    widget.move(screenOf(widget).bottomRight() - QPoint(widget.width(), widget.height()));
    (void)QTest::qWaitForWindowExposed(&widget);
}

struct List {
    QStandardItemModel model{20, 3};
    QTreeView view;

    List() {
        for (int row = 0; row < 20; ++row) {
            for (int column = 0; column < 3; ++column) {
                auto* item = new QStandardItem(QString::number(row));
                item->setToolTip(kLines);
                model.setItem(row, column, item);
            }
        }
        auto font = view.font();
        font.setPointSize(24); // rows are higher than an arrow
        view.setFont(font);
        view.setModel(&model);
        view.resize(320, 400);
        view.show();
    }
};

class TipKeeperTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { installAccess(); }
    void cleanup() { QToolTip::hideText(); }
    void cellsStayFreeAtTheEdges();
    void headersStayFreeAtTheEdges();
    void framesOfFlamesStayFree();
    void buttonsAndTabsStayFreeInTheCorner();
    void isInstalledOnce();
};

void TipKeeperTest::cellsStayFreeAtTheEdges() {
    List list;
    putIntoCorner(list.view);
    const auto& view = list.view;
    int told = 0;
    for (int x = 5; x < view.viewport()->width(); x += 70) {
        for (int y = 2; y < view.viewport()->height(); y += 33) {
            const auto cell = view.visualRect(view.indexAt({x, y}));
            if (cell.isEmpty()) continue;
            const auto tip = tipAt(*view.viewport(), {x, y});
            QVERIFY(!tip.isEmpty());
            QVERIFY2(!tip.intersects(cell & view.viewport()->rect()), qPrintable(QString("%1, %2").arg(x).arg(y)));
            QVERIFY(screenOf(view).contains(QRect(view.viewport()->mapToGlobal(tip.topLeft()), tip.size())));
            ++told;
        }
    }
    QVERIFY(told > 20);
}

void TipKeeperTest::headersStayFreeAtTheEdges() {
    List list;
    for (int i = 0; i < 3; ++i)
        list.model.setHeaderData(i, Qt::Horizontal, kLines, Qt::ToolTipRole);
    auto& header = *list.view.header();
    list.view.move(screenOf(list.view).right() - 320, screenOf(list.view).bottom() - header.height() - 4);
    (void)QTest::qWaitForWindowExposed(&list.view);
    for (int section = 0; section < 3; ++section) {
        const int left = header.sectionViewportPosition(section);
        const auto tip = tipAt(*header.viewport(), {left + 10, 3});
        QVERIFY(!tip.isEmpty());
        QVERIFY(!tip.intersects({left, 0, header.sectionSize(section), header.height()}));
    }
}

void TipKeeperTest::framesOfFlamesStayFree() {
    FlameStage stage;
    auto font = stage.view.font();
    font.setPointSize(20);
    stage.view.setFont(font);
    stage.view.resize(700, 400);
    putIntoCorner(stage.view);
    for (const auto* name : {"a.exe (1)", "0x400100", "0x400400"}) {
        const auto node = stage.node(name);
        QVERIFY(node != 0);
        const auto box = stage.canvas.rectOf(node) & stage.canvas.viewport()->rect();
        for (const auto& place : {box.topLeft() + QPoint(2, 2), box.center(), box.bottomRight() - QPoint(2, 2)}) {
            const auto tip = tipAt(*stage.canvas.viewport(), place);
            QVERIFY(!tip.isEmpty());
            QVERIFY2(!tip.intersects(box), name);
        }
    }
}

void TipKeeperTest::buttonsAndTabsStayFreeInTheCorner() {
    QToolButton button;
    button.setToolTip(kLines);
    button.resize(40, 40);
    button.show();
    putIntoCorner(button);
    QVERIFY(!tipAt(button, {5, 5}).isEmpty());
    QVERIFY(!tipAt(button, {5, 5}).intersects(button.rect()));

    QTabBar tabs;
    tabs.addTab(QStringLiteral("one"));
    tabs.addTab(QStringLiteral("two"));
    tabs.setTabToolTip(1, kLines);
    tabs.show();
    tabs.resize(tabs.sizeHint());
    putIntoCorner(tabs);
    const auto tip = tipAt(tabs, tabs.tabRect(1).center());
    QVERIFY(!tip.isEmpty());
    QVERIFY(!tip.intersects(tabs.tabRect(1)));
}

void TipKeeperTest::isInstalledOnce() {
    installAccess();
    installAccess();
    QCOMPARE(qApp->findChildren<TipKeeper*>().size(), 1);
}

HIGHWATER_TEST(TipKeeperTest);

} // namespace

#include "tip_keeper_test.moc"
