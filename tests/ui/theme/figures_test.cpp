#include "tests/support/test_registry.h"
#include "ui/theme/figures.h"

#include <QFontDatabase>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QTest>

using namespace highwater::ui;

class FiguresTest : public QObject {
    Q_OBJECT
  private slots:
    void areOfOneWidthInTables() {
        const auto font = withEvenFigures(QGuiApplication::font());
        QVERIFY(hasEvenFigures(font));
        const QFontMetricsF metrics(font);
        QCOMPARE(metrics.horizontalAdvance("1,111.1"), metrics.horizontalAdvance("8,888.8"));
        QCOMPARE(font.pointSizeF(), QGuiApplication::font().pointSizeF());
    }
    void everyFamilyGetsThem() {
        int uneven = 0;
        for (const auto& family : QFontDatabase::families()) {
            QFont font(family, 10);
            if (hasEvenFigures(font)) {
                QCOMPARE(withEvenFigures(font), font); // stays as it is
                continue;
            }
            ++uneven;
            QVERIFY2(hasEvenFigures(withEvenFigures(font)) || !QFontDatabase::hasFamily("DejaVu Sans"),
                     qPrintable(family));
        }
        qInfo("%d families of %d have figures of several widths", uneven, int(QFontDatabase::families().size()));
    }
};
HIGHWATER_TEST(FiguresTest);
#include "figures_test.moc"
