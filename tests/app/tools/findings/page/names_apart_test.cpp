#include "app/tools/findings/page/names_apart.h"

#include "tests/support/test_registry.h"

#include <QFont>
#include <QTest>

using namespace highwater;

namespace {

QStringList apart(const QStringList& names, int letters) {
    const QFontMetrics metrics{QFont()};
    const int width = metrics.horizontalAdvance(QString(letters, 'n'));
    const auto shown = ui::namesApart(names, QList<int>(names.size(), width), metrics);
    for (const auto& name : shown) {
        if (metrics.horizontalAdvance(name) > width) qFatal("%s is too wide", qPrintable(name));
    }
    return shown;
}

} // namespace

class NamesApartTest : public QObject {
    Q_OBJECT
  private slots:
    void namesThatFitAreWhole() {
        const QStringList names{"shop.exe!addItem", "shop.exe!readOrder"};
        QCOMPARE(apart(names, 40), names);
    }
    void theModuleIsShortenedFirst() {
        QVERIFY(apart({"shop-with-a-long-name.exe!addItem"}, 12).first().endsWith("!addItem"));
    }
    void differentNamesNeverReadTheSame() {
        const QString start = "library.dll!" + QString(60, 'a');
        const QStringList names{start + "_first_" + QString(60, 'b'), start + "_second_" + QString(60, 'b'),
                                start + "_third_" + QString(60, 'b')};
        for (const int letters : {8, 12, 20, 40}) {
            const auto shown = apart(names, letters);
            QVERIFY2(shown[0] != shown[1], qPrintable(shown.join(" ")));
            QVERIFY2(shown[1] != shown[2], qPrintable(shown.join(" ")));
            QVERIFY2(shown[0] != shown[2], qPrintable(shown.join(" ")));
        }
    }
    void equalNamesStayEqual() {
        const QString name = "library.dll!" + QString(60, 'a');
        const auto shown = apart({name, name}, 12);
        QCOMPARE(shown[0], shown[1]);
    }
};

HIGHWATER_TEST(NamesApartTest);
#include "names_apart_test.moc"
