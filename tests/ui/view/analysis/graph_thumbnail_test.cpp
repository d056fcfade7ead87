#include "ui/view/analysis/graph_thumbnail.h"

#include "tests/support/test_registry.h"

#include <QTest>
#include <QTreeWidget>

using namespace highwater;
using namespace highwater::ui;

/// Entries of the Graph Explorer.
class GraphThumbnailTest : public QObject {
    Q_OBJECT
  private slots:
    /// In a narrow window, the first would be elided to "VirtualAlloc Com…" otherwise.
    void aLongTitleTakesSeveralLines() {
        GraphThumbnail graph;
        QTreeWidget list;
        list.setHeaderHidden(true);
        list.setItemDelegate(new GraphThumbnailDelegate([&](const QModelIndex&) { return &graph; }, &list));
        auto* longTitle = new QTreeWidgetItem(&list, {QStringLiteral("VirtualAlloc Commit LifeTimes")});
        auto* shortTitle = new QTreeWidgetItem(&list, {QStringLiteral("Frees")});
        const auto linesMore = [&](int width) {
            list.resize(width, 400);
            list.show();
            list.doItemsLayout();
            return (list.visualItemRect(longTitle).height() - list.visualItemRect(shortTitle).height()) /
                   list.fontMetrics().lineSpacing();
        };
        const int title = list.fontMetrics().horizontalAdvance(longTitle->text(0));
        QCOMPARE(linesMore(2 * title), 0);
        QCOMPARE(linesMore(title), 1);
        QCOMPARE(linesMore(2 * title), 0);
    }
    void wordsReplaceAPicture() {
        GraphThumbnail graph;
        graph.nothing = QStringLiteral("no events");
        QCOMPARE(graph.words(), "no trace");
        graph.isAsked = true;
        QCOMPARE(graph.words(), "counting…");
        graph.timeline.emplace();
        QVERIFY(graph.isEmpty());
        QCOMPARE(graph.words(), "no events");
        graph.isRefused = true;
        graph.hasRows = true;
        QCOMPARE(graph.words(), "no timeline");
    }
};
HIGHWATER_TEST(GraphThumbnailTest);
#include "graph_thumbnail_test.moc"
