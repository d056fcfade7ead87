#include "tests/support/test_registry.h"
#include "ui/view/access/tip_place.h"

#include <QTest>

#include <random>

using namespace highwater::ui;

namespace {

const QRect kScreen(100, 50, 1000, 700);

class TipPlaceTest : public QObject {
    Q_OBJECT
  private slots:
    void isBelowIfPossible();
    void isAboveAtTheLowerEdge();
    void staysWithinAtTheRightEdge();
    void isBesideHighWidgets();
    void neverCoversThePointedPlace();
    void leavesThePointerFreeInAFullScreenWidget();
};

QRect tipOf(const QSize& size, const Pointed& pointed) { return {tipPlace(size, pointed, kScreen), size}; }

void TipPlaceTest::isBelowIfPossible() {
    const QRect cell(300, 300, 200, 40); // as high as rows with large letters
    const auto tip = tipOf({150, 60}, {cell, {310, 302}});
    QVERIFY(tip.top() > cell.bottom());
    QVERIFY(tip.top() < cell.bottom() + 10);
    QVERIFY(tip.left() > 300 && tip.left() < 330);
}

void TipPlaceTest::isAboveAtTheLowerEdge() {
    const QRect cell(300, 720, 200, 25);
    const auto tip = tipOf({150, 60}, {cell, {310, 740}});
    QVERIFY(tip.bottom() < cell.top());
}

void TipPlaceTest::staysWithinAtTheRightEdge() {
    const QRect cell(1000, 300, 100, 20);
    const auto tip = tipOf({400, 60}, {cell, {1095, 310}});
    QCOMPARE(tip.right(), kScreen.right());
    QVERIFY(tip.top() > cell.bottom());
}

void TipPlaceTest::isBesideHighWidgets() {
    const QRect bar(300, 60, 30, 680);
    QVERIFY(tipOf({150, 60}, {bar, {310, 400}}).left() > bar.right());
    const QRect atTheEdge(1060, 60, 40, 680);
    QVERIFY(tipOf({150, 60}, {atTheEdge, {1070, 400}}).right() < atTheEdge.left());
}

void TipPlaceTest::neverCoversThePointedPlace() {
    std::mt19937 random(1);
    const auto among = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
    for (int i = 0; i < 20'000; ++i) {
        const QSize size(among(10, 600), among(10, 300));
        QRect rect(among(kScreen.left(), kScreen.right() - 5), among(kScreen.top(), kScreen.bottom() - 5),
                   among(5, 900), among(5, 60));
        rect &= kScreen;
        const QPoint pointer(among(rect.left(), rect.right()), among(rect.top(), rect.bottom()));
        const auto tip = tipOf(size, {rect, pointer});
        QVERIFY2(kScreen.contains(tip), qPrintable(QString::number(i)));
        // Less than half as high as the screen: each of these fits above or below.
        QVERIFY2(!tip.intersects(rect), qPrintable(QString::number(i)));
        QVERIFY(!tip.contains(pointer));
    }
}

void TipPlaceTest::leavesThePointerFreeInAFullScreenWidget() {
    for (const auto& pointer : {kScreen.topLeft(), kScreen.bottomRight(), kScreen.center()})
        QVERIFY(!tipOf({200, 100}, {kScreen, pointer}).contains(pointer));
}

HIGHWATER_TEST(TipPlaceTest);

} // namespace

#include "tip_place_test.moc"
