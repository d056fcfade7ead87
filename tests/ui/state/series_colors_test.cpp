#include "tests/support/test_registry.h"
#include "ui/state/series_colors.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;

namespace {

analysis::KeyStep process(std::uint64_t key) { return {analysis::Column::Process, key}; }

} // namespace

class SeriesColorsTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsTheColorOfAGroup() {
        SeriesColors colors;
        const auto first = colors.colorOf(process(7));
        const auto second = colors.colorOf(process(3));
        QVERIFY(first.isValid() && first != second);
        QCOMPARE(colors.colorOf(process(7)), first);
        QCOMPARE(colors.knownColorOf(process(3)), second);
        QVERIFY(!colors.knownColorOf(process(99)).isValid());
        QVERIFY(!colors.knownColorOf({analysis::Column::Handle, 7}).isValid());
        colors.clear();
        QVERIFY(!colors.knownColorOf(process(7)).isValid());
    }
};
HIGHWATER_TEST(SeriesColorsTest);
#include "series_colors_test.moc"
