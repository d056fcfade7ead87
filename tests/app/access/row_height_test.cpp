#include "tests/app/access/every_page.h"
#include "tests/support/test_registry.h"
#include "ui/view/access/row_height.h"
#include "ui/view/analysis/graph_explorer.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHeaderView>
#include <QTableView>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Lists whose rows are lines: the Graph Explorer shows pictures, and lists of boxes belong to the boxes.
QList<QAbstractItemView*> listsOf(const QWidget& top) {
    QList<QAbstractItemView*> lists;
    for (auto* list : top.findChildren<QAbstractItemView*>()) {
        const bool isOther = qobject_cast<QHeaderView*>(list) || qobject_cast<ui::GraphExplorer*>(list) ||
                             list->window() != &top || !list->isVisible();
        if (!isOther && list->model() && list->model()->rowCount() > 0) lists << list;
    }
    return lists;
}

class RowHeightTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path_;
    QFont font_;

  private slots:
    void initTestCase() {
        font_ = QApplication::font();
        path_ = folder_.filePath("exercise2.etl");
        auto trace = fixtures::exercise2Trace();
        QVERIFY(trace.writeTo(path_.toStdString()).hasValue());
    }
    void cleanup() { QApplication::setFont(font_); }
    void rowsOfAllListsHaveOneHeight_data() { addPages(); }
    void rowsOfAllListsHaveOneHeight();
    void controlsHaveRoomForLargeLetters();
};

void RowHeightTest::rowsOfAllListsHaveOneHeight() {
    EveryPage stage(path_);
    QVERIFY(stage.goTo(QTest::currentDataTag()));
    for (const int times : {1, 2}) {
        auto font = font_;
        font.setPointSizeF(font_.pointSizeF() * times);
        QApplication::setFont(font);
        QTest::qWait(50);
        for (const auto* list : listsOf(stage.topWindow())) {
            const auto height = ui::rowHeight(list->fontMetrics());
            QCOMPARE(list->fontMetrics().height(), QFontMetrics(font).height());
            const auto rows = std::min(list->model()->rowCount(), 8);
            for (int row = 0; row < rows; ++row) {
                const auto rect = list->visualRect(list->model()->index(row, 0));
                if (rect.isEmpty()) continue;
                QVERIFY2(rect.height() == height, qPrintable(QStringLiteral("%1 row %2: %3, not %4")
                                                                 .arg(list->objectName())
                                                                 .arg(row)
                                                                 .arg(rect.height())
                                                                 .arg(height)));
            }
        }
    }
}

void RowHeightTest::controlsHaveRoomForLargeLetters() {
    EveryPage stage(path_);
    QVERIFY(stage.flames());
    auto font = font_;
    font.setPointSizeF(font_.pointSizeF() * 2);
    QApplication::setFont(font);
    int looked = 0;
    const auto check = [&](const QWidget& control, int needed) {
        ++looked;
        // The layout follows the font some events later.
        QTRY_VERIFY2(control.height() >= needed, qPrintable(control.objectName()));
        QTRY_VERIFY2(control.parentWidget()->height() >= control.height(), qPrintable(control.objectName()));
    };
    for (const auto* name : {"preset", "chartType", "crumb", "flameMeasure", "flameSearch", "newAnalysis"}) {
        for (const auto* control : stage.window.findChildren<QWidget*>(QLatin1String(name))) {
            if (control->isVisible()) check(*control, control->fontMetrics().height() + 2);
        }
    }
    QVERIFY(looked >= 6);
    for (const auto* name : {"startTime", "endTime", "duration"}) {
        const auto* field = stage.window.findChild<QLineEdit*>(QLatin1String(name));
        QVERIFY2(field->width() > field->fontMetrics().horizontalAdvance(field->text()), name);
    }
}

HIGHWATER_TEST(RowHeightTest);

} // namespace

#include "row_height_test.moc"
