#include "app/settings/theme.h"
#include "app/settings/theme_style.h"
#include "tests/app/main_window_test/window_stage.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme_colors.h"

#include <QApplication>
#include <QDockWidget>
#include <QImage>
#include <QLayout>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

class ThemeTest : public QObject {
    Q_OBJECT
  private slots:
    void uncheckedBoxesAreVisible_data() {
        QTest::addColumn<app::Theme>("theme");
        QTest::addColumn<QStyle::PrimitiveElement>("element");
        for (const auto theme : {app::Theme::Light, app::Theme::Dark, app::Theme::HighContrast}) {
            const auto name = app::themeWord(theme).toLatin1();
            QTest::addRow("box, %s", name.constData()) << theme << QStyle::PE_IndicatorCheckBox;
            QTest::addRow("circle, %s", name.constData()) << theme << QStyle::PE_IndicatorRadioButton;
            QTest::addRow("box in a list, %s", name.constData()) << theme << QStyle::PE_IndicatorItemViewItemCheck;
        }
    }
    void uncheckedBoxesAreVisible() {
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
    void wordsAreThoseOfTheCommandLine() {
        for (const auto theme : app::kThemes)
            QCOMPARE(app::parseTheme(app::themeWord(theme)), std::optional(theme));
        QVERIFY(!app::parseTheme("pink"));
        QCOMPARE(app::themeWord(app::Theme::HighContrast), "high-contrast");
    }
    void eachThemeIsApplied() {
        for (const auto& [theme, ground] : {std::pair{app::Theme::Dark, ui::Ground::Dark},
                                            {app::Theme::HighContrast, ui::Ground::HighContrast},
                                            {app::Theme::Light, ui::Ground::Light}}) {
            app::applyTheme(theme);
            QCOMPARE(ui::groundOf(QApplication::palette()), ground);
            QVERIFY(ui::hasEvenFigures(QApplication::font("QTableView")));
        }
        app::applyTheme(app::Theme::System);
    }
    /// Icons that Qt's own widgets and dialogs request, if this program has them.
    void noIconIsFusions() {
        const app::ThemeStyle style;
        const std::unique_ptr<QStyle> fusion(QStyleFactory::create("fusion"));
        for (const auto pixmap : {QStyle::SP_TitleBarCloseButton,
                                  QStyle::SP_TitleBarNormalButton,
                                  QStyle::SP_LineEditClearButton,
                                  QStyle::SP_ToolBarHorizontalExtensionButton,
                                  QStyle::SP_CommandLink,
                                  QStyle::SP_MessageBoxQuestion,
                                  QStyle::SP_MessageBoxWarning,
                                  QStyle::SP_MessageBoxInformation,
                                  QStyle::SP_MessageBoxCritical,
                                  QStyle::SP_FileDialogBack,
                                  QStyle::SP_FileDialogToParent,
                                  QStyle::SP_FileDialogNewFolder,
                                  QStyle::SP_FileDialogDetailedView,
                                  QStyle::SP_FileDialogListView,
                                  QStyle::SP_ArrowForward,
                                  QStyle::SP_DirIcon,
                                  QStyle::SP_FileIcon,
                                  QStyle::SP_ComputerIcon,
                                  QStyle::SP_DirHomeIcon,
                                  QStyle::SP_DriveHDIcon}) {
            const auto own = style.standardIcon(pixmap).pixmap(16).toImage();
            QVERIFY2(!own.isNull() && own != fusion->standardIcon(pixmap).pixmap(16).toImage(),
                     qPrintable(QString::number(pixmap)));
            QVERIFY(!style.standardPixmap(pixmap).isNull());
        }
        QCOMPARE(style.styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons), 0);
    }
    void controlsHaveAFrameOnBlack() {
        const app::ThemeStyle style;
        for (const auto element : {QStyle::PE_PanelButtonCommand, QStyle::PE_FrameLineEdit}) {
            QImage image(40, 20, QImage::Format_RGB32);
            image.fill(Qt::black);
            QPainter painter(&image);
            QStyleOptionButton button;
            button.rect = image.rect();
            button.palette = app::paletteOf(app::Theme::HighContrast);
            button.state = QStyle::State_Enabled | QStyle::State_Raised;
            style.drawPrimitive(element, &button, &painter);
            painter.end();
            QCOMPARE(image.pixelColor(20, 0), QColor(Qt::white));
            QCOMPARE(image.pixelColor(0, 10), QColor(Qt::white));
        }
    }
    /// Horizontally multiples of 4; vertically of 2, because bars of 28 contain controls of 24.
    void distancesStandOnTheGrid() {
        app::applyTheme(app::Theme::Light);
        WindowStage stage;
        const auto path = stage.folder.filePath("exercise2.etl");
        QVERIFY(fixtures::exercise2Trace().writeTo(path.toStdString()).hasValue());
        QVERIFY(stage.open({path}));
        for (auto* dock : stage.window.findChildren<QDockWidget*>())
            dock->show();
        QVERIFY(stage.wait());
        QStringList off;
        for (const auto* layout : stage.window.findChildren<QLayout*>()) {
            const auto* owner = layout->parentWidget();
            // Qt's own widgets have their own.
            if (!owner || layout->metaObject()->className() == QByteArray("QToolBarLayout") ||
                owner->inherits("QStatusBar") || layout->spacing() < 0)
                continue;
            const auto margins = layout->contentsMargins();
            const bool isOn = margins.left() % ui::kGrid == 0 && margins.right() % ui::kGrid == 0 &&
                              margins.top() % 2 == 0 && margins.bottom() % 2 == 0 && layout->spacing() % ui::kGrid == 0;
            if (!isOn)
                off << QStringLiteral("%1 %2 %3: %4 %5 %6 %7, %8")
                           .arg(owner->metaObject()->className(), owner->objectName(),
                                layout->metaObject()->className())
                           .arg(margins.left())
                           .arg(margins.top())
                           .arg(margins.right())
                           .arg(margins.bottom())
                           .arg(layout->spacing());
        }
        app::applyTheme(app::Theme::System);
        QVERIFY2(off.isEmpty(), qPrintable(off.join(QLatin1Char('\n'))));
    }
    /// As in the pivot tables: an arrow up means that values rise.
    void sortArrowsPointUpWhereValuesRise() {
        const app::ThemeStyle style;
        // As QHeaderView reports an ascending order.
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
