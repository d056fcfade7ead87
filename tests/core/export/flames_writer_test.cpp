#include "core/export/flames_writer.h"

#include "core/export/flame_colors.h"
#include "tests/core/analysis/flames/printed_flames.h"
#include "tests/support/test_registry.h"

#include <QTest>
#include <QXmlStreamReader>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;

namespace {

std::string folded(const FlameTree& tree) {
    std::ostringstream out;
    writeFlamesFolded(tree, out);
    return out.str();
}

/// The texts of the elements of this name in a drawing; a single error if it is not XML.
QStringList textsIn(const std::string& svg, const QString& element) {
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    QStringList texts;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement() && reader.name() == element) texts << reader.readElementText();
    }
    return reader.hasError() ? QStringList{reader.errorString()} : texts;
}

std::string drawn(const FlameTree& tree, FlameDrawing drawing) {
    std::ostringstream out;
    writeFlamesSvg(tree, drawing, out);
    return out.str();
}

FlameDrawing ofSizes() {
    FlameDrawing drawing;
    drawing.titles = {"Heap <Allocations>"};
    return drawing;
}

} // namespace

/// Flame graphs as files.
class FlamesWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void foldsAStackIntoALine() {
        QCOMPARE(folded(flamesOf(threeStacks(), stacksOf(Column::Size))),
                 std::string("a.exe (7);A!+0x1 10\na.exe (7);A!+0x1;B!+0x1 60\na.exe (7);A!+0x1;C!+0x1 30\n"));
    }
    void foldsBothOfAComparison() {
        auto query = stacksOf(Column::Size, {TraceTime{50}, TraceTime{100}});
        query.before = TimeRange{TraceTime{0}, TraceTime{50}};
        const auto tree = flamesOf(traceOfBlocks({{10, 15, 20, "A"}, {60, 0, 7, "A;C"}}), query);
        QCOMPARE(folded(tree), std::string("a.exe (7);A!+0x1 20 0\na.exe (7);A!+0x1;C!+0x1 0 7\n"));
    }
    void namesCannotBreakLines() {
        auto tree = flamesOf(threeStacks(), stacksOf(Column::Count));
        tree.labels[1].text = "A;\nB 5";
        QCOMPARE(folded(tree).substr(0, 22), std::string("a.exe (7);A:\xEF\xBF\xBD"
                                                         "B 5 1\na"));
        tree.labels[1].text = "A\x1B[31m\xC2\x9B\xE2\x80\xAE\xff";
        QVERIFY(folded(tree).find_first_of("\x1B\xff") == std::string::npos);
        QVERIFY(folded(tree).find("\xC2\x9B") == std::string::npos);
        QVERIFY(folded(tree).find("\xE2\x80\xAE") == std::string::npos);
        tree.labels[1].text = "<b>&\"\x01\xff";
        const auto svg = drawn(tree, ofSizes());
        QVERIFY(textsIn(svg, "title").filter("<b>&\"").size() > 0);
    }
    void drawsEachFrameWithItsFacts() {
        const auto svg = drawn(flamesOf(threeStacks(), stacksOf(Column::Size)), ofSizes());
        const auto titles = textsIn(svg, "title");
        QCOMPARE(titles.size(), 5);
        QCOMPARE(titles[0], QString("all\n100 B\n100.0 % of all\nCount 3"));
        QCOMPARE(titles[3], QString("B!+0x1\n60 B\n60.0 % of all, 60.0 % of its parent\nCount 1"));
        QCOMPARE(textsIn(svg, "text").front(), QString("Heap <Allocations>"));
        QVERIFY(textsIn(svg, "text").contains("B!+0x1"));
    }
    void aNarrowFrameTellsItsFunctionRatherThanItsModule() {
        auto tree = flamesOf(threeStacks(), stacksOf(Column::Size));
        tree.labels[3].text = "module_of_a_long_name.dll!f";
        auto drawing = ofSizes();
        drawing.width = 200;
        QVERIFY(textsIn(drawn(tree, drawing), "text").contains("f"));
    }
    void standsOnItsRootOrHangsFromIt() {
        const auto tree = flamesOf(threeStacks(), stacksOf(Column::Size));
        const auto placeOfRoot = [&](FlameDrawing::Root root) {
            auto drawing = ofSizes();
            drawing.root = root;
            const auto svg = drawn(tree, drawing);
            const auto at = svg.find(" y=\"", svg.find("<title>all"));
            return std::stod(svg.substr(at + 4));
        };
        QCOMPARE(placeOfRoot(FlameDrawing::Root::Top), 27.0);
        QCOMPARE(placeOfRoot(FlameDrawing::Root::Bottom), 27.0 + 3 * 17);
    }
    void drawsNothingOfNothing() {
        const auto svg = drawn(flamesOf(traceOfBlocks({}), stacksOf(Column::Size)), ofSizes());
        QVERIFY(textsIn(svg, "title").isEmpty());
    }
    void tellsWhatIsToBeKnown() {
        const auto trace = traceOfBlocks({{1, 30, 8, "A;B"}, {2, 0, 5, "A;C"}, {25, 0, 20, "A;D"}});
        const auto query = stacksOf(Column::ImpactingSize, {TraceTime{20}, TraceTime{40}});
        const auto tree = flamesOf(trace, query);
        QCOMPARE(
            flameSentences(tree, query.measure),
            (std::vector<std::string>{"Impacting Size 12 B in 3 frames.", "Decreases have no width: -8 B not drawn."}));
        QCOMPARE(flameFacts(tree, 2, query.measure)[1], std::string("12 B: 20 B grew, 8 B fell"));
        const auto peak = flamesOf(trace, stacksOf(Column::PeakSize));
        QCOMPARE(flameSentences(peak, Column::PeakSize).back(),
                 std::string("Amounts outstanding at the peak of the total, at 0.000000025 s."));
    }
    void aModuleHasAColour() {
        auto tree = flamesOf(threeStacks(), stacksOf(Column::Size));
        const auto of = [&](std::uint32_t node) { return flameColorOf(tree, node, FlameGround::Light); };
        tree.labels[2].text = "A!other";
        QCOMPARE(of(2), of(3));
        QVERIFY(of(1).red == of(1).blue); // a process is grey
        tree.hasBefore = true;
        tree.nodes[2].before = 1;
        tree.nodes[3].before = 1000;
        QVERIFY(of(2).red > of(2).blue);
        QVERIFY(of(3).blue > of(3).red);
    }
};
HIGHWATER_TEST(FlamesWriterTest);
#include "flames_writer_test.moc"
