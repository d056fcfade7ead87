#include "app/settings/theme.h"
#include "app/settings/theme_style.h"
#include "tests/support/test_registry.h"

#include <QImage>
#include <QPainter>
#include <QStyleOption>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace highwater;

class ThemeTest : public QObject {
    Q_OBJECT
  private slots:
    void whatIsNotTickedCanBeSeen_data() {
        QTest::addColumn<app::Theme>("theme");
        QTest::addColumn<QStyle::PrimitiveElement>("element");
        for (const auto theme : {app::Theme::Light, app::Theme::Dark}) {
            const auto name = app::themeWord(theme).toLatin1();
            QTest::addRow("box, %s", name.constData()) << theme << QStyle::PE_IndicatorCheckBox;
            QTest::addRow("circle, %s", name.constData()) << theme << QStyle::PE_IndicatorRadioButton;
            QTest::addRow("box in a list, %s", name.constData()) << theme << QStyle::PE_IndicatorItemViewItemCheck;
        }
    }
    void whatIsNotTickedCanBeSeen() {
        QFETCH(app::Theme, theme);
        QFETCH(QStyle::PrimitiveElement, element);
        const app::ThemeStyle style;
        const auto palette = app::paletteOf(theme);
        const auto ground = palette.color(QPalette::Base);
        QImage image(15, 15, QImage::Format_RGB32);
        image.fill(ground);
        QPainter painter(&image);
        QStyleOptionViewItem item;
        item.rect = image.rect().adjusted(1, 1, -1, -1);
        item.palette = palette;
        item.state = QStyle::State_Enabled | QStyle::State_Off;
        QStyleOptionButton button;
        button.rect = item.rect;
        button.palette = palette;
        button.state = item.state;
        const bool isInList = element == QStyle::PE_IndicatorItemViewItemCheck;
        style.drawPrimitive(element, isInList ? static_cast<const QStyleOption*>(&item) : &button, &painter);
        painter.end();
        int most = 0;
        for (int x = 0; x < image.width(); ++x)
            most = std::max(most, std::abs(image.pixelColor(x, image.height() / 2).lightness() - ground.lightness()));
        QVERIFY2(most >= 60, qPrintable(QString::number(most)));
    }
    /// As in the pivot tables: what rises points up.
    void sortArrowsPointUpWhereValuesRise() {
        const app::ThemeStyle style;
        // What QHeaderView says of an ascending order.
        for (const bool isAscending : {true, false}) {
            QImage image(21, 21, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QStyleOptionHeader header;
            header.rect = image.rect();
            header.palette = app::paletteOf(app::Theme::Light);
            header.state = QStyle::State_Enabled;
            header.sortIndicator = isAscending ? QStyleOptionHeader::SortDown : QStyleOptionHeader::SortUp;
            style.drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &header, &painter);
            painter.end();
            std::vector<int> inked; // by row that has any
            for (int y = 0; y < image.height(); ++y) {
                int ink = 0;
                for (int x = 0; x < image.width(); ++x)
                    ink += image.pixelColor(x, y).lightness() < 200 ? 1 : 0;
                if (ink > 0) inked.push_back(ink);
            }
            QVERIFY(inked.size() > 1);
            QCOMPARE(inked.front() < inked.back(), isAscending); // the tip above
        }
    }
};
HIGHWATER_TEST(ThemeTest);
#include "theme_test.moc"
