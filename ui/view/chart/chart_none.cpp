#include "ui/format/qt_text.h"
#include "ui/view/chart/chart_canvas.h"
#include "ui/view/parts/plain_widgets.h"

namespace highwater::ui {
namespace {

class NoCanvas : public PlainLabel, public ChartCanvas {
  public:
    explicit NoCanvas(QWidget& parent) : PlainLabel({}, &parent) {
        setAlignment(Qt::AlignCenter);
        setWordWrap(true);
        setSentence(ui::tr("Charts are not available because this build of Highwater does not include Qt Charts. The "
                           "table shows the numbers."));
    }
    [[nodiscard]] QWidget& widget() override { return *this; }
    void draw(const ChartPicture& /*picture*/) override {}
    void setPointed(std::optional<std::size_t> /*point*/) override {}
    [[nodiscard]] QRectF plot() const override { return {}; }
    [[nodiscard]] int legendWidth() const override { return 0; }
    void paintPicture(QPainter& /*painter*/) override {}
};

} // namespace

std::unique_ptr<ChartCanvas> makeChartCanvas(QWidget& parent) { return std::make_unique<NoCanvas>(parent); }

} // namespace highwater::ui
