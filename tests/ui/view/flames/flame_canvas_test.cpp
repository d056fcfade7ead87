#include "tests/support/test_registry.h"
#include "tests/ui/view/flames/flame_stage.h"

#include <QPainter>
#include <QScrollBar>

#include <cmath>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

namespace {

/// Four levels below one process, each with `each` frames of falling widths.
std::shared_ptr<const FlameAnswer> wideAnswer(std::uint32_t each, std::uint32_t depth) {
    auto answer = std::make_shared<FlameAnswer>();
    auto& tree = answer->tree;
    answer->query.measure = analysis::Column::Size;
    for (std::uint32_t label = 0; label < each; ++label)
        tree.labels.push_back({analysis::Column::Stack, label, "module.dll!function_" + std::to_string(label)});
    tree.nodes.front().width = std::uint64_t{1} << 40;
    tree.depth = depth;
    for (std::uint32_t parent = 0; parent < tree.nodes.size(); ++parent) {
        if (tree.nodes[parent].depth == depth) break;
        tree.nodes[parent].firstChild = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes[parent].childCount = each;
        auto begin = tree.nodes[parent].begin;
        for (std::uint32_t child = 0; child < each; ++child) {
            analysis::FlameNode node;
            node.parent = parent;
            node.depth = tree.nodes[parent].depth + 1;
            node.begin = begin;
            node.width = (tree.nodes[parent].width - begin + tree.nodes[parent].begin) / 2;
            node.label = child;
            begin += node.width;
            tree.nodes.push_back(node);
        }
    }
    return answer;
}

/// The tallest stack only.
std::shared_ptr<const FlameAnswer> tallAnswer(std::uint32_t depth) { return wideAnswer(1, depth); }

} // namespace

/// The parts that a flame graph paints, and their places.
class FlameCanvasTest : public QObject {
    Q_OBJECT
  private slots:
    void framesAreAsWideAsTheirShare() {
        FlameStage stage;
        const auto width = stage.canvas.viewport()->width();
        const auto widthOf = [&](const char* text) { return stage.canvas.rectOf(stage.node(text)).width() + 1; };
        QVERIFY(std::abs(widthOf("0x400300") - width * 4 / 13) <= 1);
        QVERIFY(std::abs(widthOf("0x400400") - width * 8 / 13) <= 1);
        QVERIFY(std::abs(widthOf("b.exe (2)") - width / 13) <= 1);
    }
    void flamesGrowUpFromTheRootAndIciclesDown() {
        FlameStage stage;
        const auto top = [&](const char* text) { return stage.canvas.rectOf(stage.node(text)).top(); };
        QVERIFY(top("a.exe (1)") > top("0x400100") && top("0x400100") > top("0x400300"));
        const auto root = stage.canvas.rectOf(0);
        QCOMPARE(root.bottom() + 2, stage.canvas.viewport()->height());
        stage.graph.setChart(ChartType::Icicle);
        QCOMPARE(stage.canvas.rectOf(0).top(), 0);
        QVERIFY(top("a.exe (1)") < top("0x400100"));
    }
    void paintsFramesInTheirColours() {
        FlameStage stage;
        const auto picture = stage.canvas.viewport()->grab().toImage();
        const auto at = [&](const char* text) {
            return picture.pixelColor(stage.canvas.rectOf(stage.node(text)).bottomRight() - QPoint(2, 2));
        };
        QVERIFY(at("0x400300").red() > at("0x400300").blue()); // warm
        QCOMPARE(at("a.exe (1)").red(), at("a.exe (1)").blue());
        QVERIFY(picture.pixelColor(2, 2) == stage.canvas.palette().color(QPalette::Base));
    }
    void followsATheme() {
        FlameStage stage;
        const auto colorAt = [&] {
            return stage.canvas.viewport()->grab().toImage().pixelColor(
                stage.canvas.rectOf(stage.node("0x400300")).bottomRight() - QPoint(2, 2));
        };
        const auto light = colorAt();
        auto palette = stage.view.palette();
        palette.setColor(QPalette::Base, QColor(30, 30, 30));
        palette.setColor(QPalette::Text, Qt::white);
        stage.view.setPalette(palette);
        QTRY_VERIFY(colorAt().lightness() < light.lightness());
    }
    void keepsItsZoomAndCurrentFrameWhenTheAnswerIsAnother() {
        FlameStage stage;
        stage.click("0x400200");
        stage.canvas.setCurrent(stage.node("0x400300"));
        stage.trace.commit(700, 1, 0x200000, 100 * kPage, {0x400500, 0x400200, 0x400100});
        stage.shown.show(stage.trace.publish(1000), stage.labels);
        QVERIFY(stage.wait());
        QVERIFY(stage.node("0x400500") > 0);
        QCOMPARE(stage.zoomed(), "0x400200");
        QCOMPARE(stage.current(), "0x400300");
    }
    void paintsNoMoreThanIsSeen() {
        FlameCanvas canvas;
        canvas.resize(600, 200);
        canvas.show();
        canvas.setAnswer(wideAnswer(14, 4)); // 41,371 nodes
        canvas.grab();
        const auto boxes = canvas.paintedBoxes();
        QVERIFY2(boxes > 40 && boxes < 2000, qPrintable(QString::number(boxes)));
    }
    void drawsNarrowFramesAsOneAndCountsThem() {
        FlameCanvas canvas;
        canvas.resize(600, 200);
        canvas.show();
        canvas.setAnswer(wideAnswer(14, 1));
        const auto row = canvas.rectOf(1).center().y();
        std::optional<analysis::FlameBox> merged;
        for (int x = 0; x < canvas.viewport()->width(); ++x) {
            const auto box = canvas.boxAt({x, row});
            if (box && box->isMerged()) merged = box;
        }
        QVERIFY(merged);
        QCOMPARE(merged->row, 1u);
    }
    void scrollsToTheCurrentFrameAndStaysAtTheRoot() {
        FlameCanvas canvas;
        canvas.resize(400, 120);
        canvas.show();
        canvas.setAnswer(tallAnswer(60));
        auto* bar = canvas.verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), bar->maximum()); // at the root
        canvas.setCurrent(40);
        const auto rect = canvas.rectOf(40);
        QVERIFY(rect.top() >= 0 && rect.bottom() <= canvas.viewport()->height());
        canvas.setRoot(FlameRoot::Top);
        QCOMPARE(bar->value(), 0);
    }
    void reportsWhyItIsEmpty() {
        FlameStage stage;
        stage.state.zoomTo({ms(700), ms(800)});
        auto layout = stage.graph.layout();
        layout.columns = {analysis::Column::ImpactingSize};
        layout.sort = {{analysis::Column::ImpactingSize}};
        stage.graph.setLayout(layout);
        QVERIFY(stage.wait());
        QVERIFY(stage.tree().isEmpty());
        QVERIFY(!stage.canvas.boxAt({10, 10}));
        stage.state.zoomTo({ms(500), ms(700)}); // b.exe falls
        QVERIFY(stage.wait());
        QVERIFY(stage.canvas.words().front().contains("not drawn"));
        QVERIFY(stage.canvas.words().front().contains(QString(QChar(0x2212)) + "4.0 KB"));
    }
    void theRootHasTheMeasureAndItsTotal() {
        FlameStage stage;
        const auto& tree = stage.tree();
        const auto text = stage.canvas.wholeText(analysis::FlameTree::kRoot);
        QVERIFY2(text.startsWith("All: " + QString::fromStdString(tree.valueName) + ' '), qPrintable(text));
        QVERIFY2(text.endsWith("B"), qPrintable(text));
    }
    void nextMatchesComeIntoSight() {
        FlameStage stage;
        stage.click("b.exe (2)");
        stage.finder.search("400");
        QVERIFY(QTest::qWaitFor([&] {
            stage.key(Qt::Key_F3);
            return stage.current() == "0x400100";
        }));
        QVERIFY(!stage.canvas.rectOf(*stage.canvas.current()).isEmpty());
        QTest::mouseMove(stage.canvas.viewport(), QPoint(1, 1));
        QTest::mouseMove(stage.canvas.viewport(), stage.canvas.rectOf(0).center()); // where the mouse rests
        QTRY_COMPARE(stage.canvas.words().front(), "All");
        stage.key(Qt::Key_F3);
        QCOMPARE(stage.current(), "0x400200");
        QCOMPARE(stage.canvas.words().front(), "0x400200");
        stage.key(Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(stage.current(), "0x400100");
        stage.key(Qt::Key_F3, Qt::ShiftModifier); // wraps around
        QCOMPARE(stage.current(), "0x400300");
    }
};
HIGHWATER_TEST(FlameCanvasTest);
#include "flame_canvas_test.moc"
