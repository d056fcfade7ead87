#include "app/settings/theme.h"
#include "app/settings/theme_style.h"
#include "tests/support/test_registry.h"

#include <QImage>
#include <QPainter>
#include <QStyleOption>
#include <QTest>

#include <algorithm>

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
};
HIGHWATER_TEST(ThemeTest);
#include "theme_test.moc"
