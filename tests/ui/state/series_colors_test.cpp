#include "tests/support/test_registry.h"
#include "ui/state/series_colors.h"

#include <QGuiApplication>
#include <QPalette>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace highwater;
using namespace highwater::ui;

namespace {

using analysis::KeyPath;

KeyPath process(std::uint64_t key) { return {{analysis::Column::Process, key}}; }

KeyPath heap(std::uint64_t process, std::uint64_t handle) {
    return {{analysis::Column::Process, process}, {analysis::Column::Handle, handle}};
}

int distance(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

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
        QVERIFY(!colors.knownColorOf({{analysis::Column::Handle, 7}}).isValid());
        colors.clear();
        QVERIFY(!colors.knownColorOf(process(7)).isValid());
    }
    void givesNoColorTwiceAsLongAsThereAreSome() {
        for (const auto ground : {Qt::white, Qt::black}) {
            const auto before = QGuiApplication::palette();
            auto palette = before;
            palette.setColor(QPalette::Base, ground);
            QGuiApplication::setPalette(palette);
            SeriesColors colors;
            std::vector<QColor> given;
            for (std::uint64_t i = 0; i < SeriesColors::kCount; ++i) {
                // Processes, heaps in them, and selected rows: one owner.
                const auto color = colors.colorOf(i % 2 == 0 ? process(i) : heap(i, i));
                for (const auto& other : given)
                    QVERIFY2(distance(color, other) > 20, qPrintable(color.name() + " and " + other.name()));
                given.push_back(color);
            }
            QGuiApplication::setPalette(before);
        }
    }
    void distinguishesMembersOfAGroup() {
        SeriesColors colors;
        for (std::uint64_t i = 0; i < 3 * SeriesColors::kCount; ++i)
            (void)colors.colorOf(process(i));
        std::vector<QColor> heaps;
        for (std::uint64_t i = 0; i < SeriesColors::kCount; ++i) {
            heaps.push_back(colors.colorOf(heap(1, i)));
            QCOMPARE(std::count(heaps.begin(), heaps.end(), heaps.back()), 1);
        }
        QCOMPARE(colors.knownColorOf(heap(1, 0)), heaps[0]); // unaffected by later ones
    }
    void givesNoneThatIsSeenTogether() {
        SeriesColors colors;
        for (std::uint64_t i = 0; i < SeriesColors::kCount; ++i)
            (void)colors.colorOf(process(i));
        const std::vector<QColor> used{colors.knownColorOf(process(0)), colors.knownColorOf(process(1))};
        const auto color = colors.colorOf(heap(1, 7), used);
        QCOMPARE(std::count(used.begin(), used.end(), color), 0);
    }
};
HIGHWATER_TEST(SeriesColorsTest);
#include "series_colors_test.moc"
