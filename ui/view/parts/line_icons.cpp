#include "ui/view/parts/line_icons.h"

#include "ui/theme/theme_colors.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>

#include <tuple>

namespace highwater::ui {
namespace {

/// Points are on a 16 x 16 grid.
QPainterPath pathOf(std::initializer_list<QPointF> points) {
    QPainterPath path;
    for (const auto& point : points) {
        if (path.elementCount() == 0)
            path.moveTo(point);
        else
            path.lineTo(point);
    }
    return path;
}

QPainterPath lensAt(QPointF middle, double radius) {
    QPainterPath path;
    path.addEllipse(middle, radius, radius);
    const auto rim = radius * 0.71;
    path.addPath(pathOf({{middle.x() + rim, middle.y() + rim}, {14.5, 14.5}}));
    return path;
}

QPainterPath funnel() {
    auto path = pathOf({{1.5, 2.5}, {14.5, 2.5}, {9.5, 8.5}, {9.5, 13.5}, {6.5, 11.5}, {6.5, 8.5}});
    path.closeSubpath();
    return path;
}

QPainterPath folder() {
    auto path = pathOf({{1.5, 13.5}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {13, 5.5}, {13, 8}});
    path.addPath(pathOf({{1.5, 13.5}, {4, 8}, {14.5, 8}, {12, 13.5}, {1.5, 13.5}}));
    return path;
}

/// Icons of dialogs.
QPainterPath outlineOfDialog(LineIcon icon) {
    QPainterPath path;
    switch (icon) {
    case LineIcon::File: // a sheet with a corner turned down
        path = pathOf({{3.5, 1.5}, {9.5, 1.5}, {12.5, 4.5}, {12.5, 14.5}, {3.5, 14.5}});
        path.closeSubpath();
        path.addPath(pathOf({{9.5, 1.5}, {9.5, 4.5}, {12.5, 4.5}}));
        return path;
    case LineIcon::NewFolder:
        path = pathOf({{8, 13.5}, {1.5, 13.5}, {1.5, 3.5}, {6, 3.5}, {7.5, 5.5}, {14.5, 5.5}, {14.5, 8}});
        path.addPath(pathOf({{10, 12}, {14.5, 12}}));
        path.addPath(pathOf({{12.25, 9.75}, {12.25, 14.25}}));
        return path;
    case LineIcon::Info:
        path.addEllipse(QPointF(8, 8), 6, 6);
        path.addPath(pathOf({{8, 7.25}, {8, 11.5}}));
        path.addPath(pathOf({{8, 4.5}, {8, 5.5}}));
        return path;
    case LineIcon::Question:
        path.addEllipse(QPointF(8, 8), 6, 6);
        path.moveTo(6, 6.5);
        path.cubicTo(6, 3.5, 10, 3.5, 10, 6.25);
        path.cubicTo(10, 7.75, 8, 7.75, 8, 9.5);
        path.addPath(pathOf({{8, 11}, {8, 12}}));
        return path;
    case LineIcon::Warning:
        path = pathOf({{8, 2}, {14.5, 13.5}, {1.5, 13.5}});
        path.closeSubpath();
        path.addPath(pathOf({{8, 6}, {8, 9.5}}));
        path.addPath(pathOf({{8, 11}, {8, 12}}));
        return path;
    default:
        return path;
    }
}

/// Icons of queries.
QPainterPath outlineOfQuestion(LineIcon icon) {
    QPainterPath path;
    switch (icon) {
    case LineIcon::Zoom: // a magnifying glass
        path = lensAt({6.5, 6.5}, 5);
        path.addPath(pathOf({{4, 6.5}, {9, 6.5}}));
        path.addPath(pathOf({{6.5, 4}, {6.5, 9}}));
        return path;
    case LineIcon::WholeTrace: // from edge to edge
        path.addPath(pathOf({{1.5, 2.5}, {1.5, 13.5}}));
        path.addPath(pathOf({{14.5, 2.5}, {14.5, 13.5}}));
        path.addPath(pathOf({{4, 8}, {12, 8}}));
        path.addPath(pathOf({{6.5, 5.5}, {4, 8}, {6.5, 10.5}}));
        path.addPath(pathOf({{9.5, 5.5}, {12, 8}, {9.5, 10.5}}));
        return path;
    case LineIcon::Find:
        return lensAt({6.5, 6.5}, 5);
    case LineIcon::Filter:
        return funnel();
    case LineIcon::FilterOut: // struck out
        path = funnel();
        path.addPath(pathOf({{2.5, 14}, {14, 5}}));
        return path;
    case LineIcon::BottomUp: // from the leaf up
        path.addPath(pathOf({{4, 14}, {4, 2.5}}));
        path.addPath(pathOf({{1.5, 5}, {4, 2.5}, {6.5, 5}}));
        path.addPath(pathOf({{9, 3.5}, {14.5, 3.5}}));
        path.addPath(pathOf({{9, 8.25}, {13, 8.25}}));
        path.addPath(pathOf({{9, 13}, {11.5, 13}}));
        return path;
    case LineIcon::Symbols: // braces, for functions
        path.moveTo(6, 2);
        path.cubicTo(3, 2, 5.5, 7, 2.5, 8);
        path.cubicTo(5.5, 9, 3, 14, 6, 14);
        path.moveTo(10, 2);
        path.cubicTo(13, 2, 10.5, 7, 13.5, 8);
        path.cubicTo(10.5, 9, 13, 14, 10, 14);
        return path;
    case LineIcon::Leaks: // a drop
        path.moveTo(8, 1.5);
        path.cubicTo(10, 5, 13, 7.5, 13, 10);
        path.cubicTo(13, 13, 10.75, 14.5, 8, 14.5);
        path.cubicTo(5.25, 14.5, 3, 13, 3, 10);
        path.cubicTo(3, 7.5, 6, 5, 8, 1.5);
        return path;
    default:
        return outlineOfDialog(icon);
    }
}

QPainterPath outlineOfCommand(LineIcon icon) {
    QPainterPath path;
    switch (icon) {
    case LineIcon::Open:
        return folder();
    case LineIcon::Save: // into a tray
        path.addPath(pathOf({{8, 1.5}, {8, 9.5}}));
        path.addPath(pathOf({{4.5, 6.5}, {8, 10}, {11.5, 6.5}}));
        path.addPath(pathOf({{1.5, 10.5}, {1.5, 14}, {14.5, 14}, {14.5, 10.5}}));
        return path;
    case LineIcon::Mark: // a flag
        path.addPath(pathOf({{3.5, 14.5}, {3.5, 2}, {13, 2}, {10.5, 5.25}, {13, 8.5}, {3.5, 8.5}}));
        return path;
    case LineIcon::Snapshot: // a camera
        path.addRoundedRect(1.5, 4.5, 13, 9, 1.5, 1.5);
        path.addEllipse(QPointF(8, 9), 2.5, 2.5);
        path.addPath(pathOf({{5.5, 4.5}, {6.5, 2.5}, {9.5, 2.5}, {10.5, 4.5}}));
        return path;
    case LineIcon::Play:
        path = pathOf({{4, 2.5}, {13, 8}, {4, 13.5}});
        path.closeSubpath();
        return path;
    case LineIcon::Record:
        path.addEllipse(QPointF(8, 8), 6, 6);
        return path;
    case LineIcon::Stop:
        path.addRoundedRect(3, 3, 10, 10, 1.5, 1.5);
        return path;
    case LineIcon::Float: // a window in front of another
        path.addRect(1.5, 5.5, 9, 9);
        path.addPath(pathOf({{5.5, 5.5}, {5.5, 1.5}, {14.5, 1.5}, {14.5, 10.5}, {10.5, 10.5}}));
        return path;
    default:
        return outlineOfQuestion(icon);
    }
}

QPainterPath outlineOf(LineIcon icon) {
    QPainterPath path;
    switch (icon) {
    case LineIcon::Line:
        return pathOf({{1.5, 12.5}, {5.5, 6.5}, {9.5, 9.5}, {14.5, 3.5}});
    case LineIcon::StackedArea:
        path = pathOf({{1.5, 13.5}, {1.5, 10.5}, {6.5, 8.5}, {10.5, 9.5}, {14.5, 6.5}, {14.5, 13.5}});
        path.closeSubpath();
        path.addPath(pathOf({{1.5, 7.5}, {6.5, 4.5}, {10.5, 5.5}, {14.5, 2.5}}));
        return path;
    case LineIcon::Bars:
        for (const auto& [x, top] : {std::pair{2.5, 8.5}, {6.5, 3.5}, {10.5, 6.5}})
            path.addRect(x, top, 3, 13.5 - top);
        return path;
    case LineIcon::Lifetimes:
        path.addPath(pathOf({{1.5, 3.5}, {8.5, 3.5}}));
        path.addPath(pathOf({{4.5, 7}, {14.5, 7}}));
        path.addPath(pathOf({{6.5, 10.5}, {10.5, 10.5}}));
        path.addPath(pathOf({{9.5, 14}, {14.5, 14}}));
        return path;
    case LineIcon::Flames:
        for (const auto& [x, y, width] : {std::tuple{1.5, 11.0, 13.0}, {1.5, 6.5, 8.0}, {3.5, 2.0, 4.0}})
            path.addRect(x, y, width, 3.0);
        return path;
    case LineIcon::Icicle:
        for (const auto& [x, y, width] : {std::tuple{1.5, 2.0, 13.0}, {1.5, 6.5, 8.0}, {3.5, 11.0, 4.0}})
            path.addRect(x, y, width, 3.0);
        return path;
    case LineIcon::NewBytes: // bars with a remaining part
        for (const auto& [x, top, left] : {std::tuple{2.5, 4.5, 11.5}, {6.5, 2.5, 2.5}, {10.5, 6.5, 9.5}}) {
            path.addRect(x, top, 3, 13.5 - top);
            path.addPath(pathOf({{x, left}, {x + 3, left}}));
        }
        return path;
    case LineIcon::GraphAndTable:
        path.addPath(pathOf({{2.5, 6.5}, {6.5, 2.5}, {9.5, 5.5}, {13.5, 1.5}}));
        path.addPath(pathOf({{1.5, 9.5}, {14.5, 9.5}}));
        path.addPath(pathOf({{1.5, 12}, {14.5, 12}}));
        path.addPath(pathOf({{1.5, 14.5}, {14.5, 14.5}}));
        return path;
    case LineIcon::GraphOnly:
        path.addPath(pathOf({{1.5, 1.5}, {1.5, 14.5}, {14.5, 14.5}}));
        path.addPath(pathOf({{3.5, 11.5}, {7, 5.5}, {10, 8.5}, {14, 3.5}}));
        return path;
    case LineIcon::TableOnly:
        path.addRect(1.5, 2.5, 13, 11);
        path.addPath(pathOf({{1.5, 6}, {14.5, 6}}));
        path.addPath(pathOf({{1.5, 9.75}, {14.5, 9.75}}));
        path.addPath(pathOf({{6.5, 2.5}, {6.5, 13.5}}));
        return path;
    case LineIcon::Up:
        return pathOf({{3.5, 10.5}, {8, 5.5}, {12.5, 10.5}});
    case LineIcon::Down:
        return pathOf({{3.5, 5.5}, {8, 10.5}, {12.5, 5.5}});
    case LineIcon::Close:
        path.addPath(pathOf({{4, 4}, {12, 12}}));
        path.addPath(pathOf({{12, 4}, {4, 12}}));
        return path;
    case LineIcon::Back:
        return pathOf({{10.5, 3.5}, {5.5, 8}, {10.5, 12.5}});
    case LineIcon::Forward:
        return pathOf({{5.5, 3.5}, {10.5, 8}, {5.5, 12.5}});
    case LineIcon::More:
        for (const auto x : {2.5, 7.25, 12.0})
            path.addEllipse(x, 7.25, 1.5, 1.5);
        return path;
    case LineIcon::Link: // two links of a chain
        path.addRoundedRect(1.5, 5.5, 7.5, 5, 2.5, 2.5);
        path.addRoundedRect(7, 5.5, 7.5, 5, 2.5, 2.5);
        return path;
    default:
        return outlineOfCommand(icon);
    }
}

class LineIconEngine final : public QIconEngine {
  public:
    explicit LineIconEngine(LineIcon icon) : icon_(icon) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State /*state*/) override {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto side = qMin(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.center().x() + 0.5 - side / 2.0, rect.center().y() + 0.5 - side / 2.0);
        painter->scale(side / 16.0, side / 16.0);
        painter->setPen(QPen(QGuiApplication::palette().color(group, QPalette::ButtonText), 1.3));
        painter->drawPath(outlineOf(icon_));
        if (icon_ == LineIcon::Record) drawDot(*painter, mode);
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new LineIconEngine(icon_); }

  private:
    static void drawDot(QPainter& painter, QIcon::Mode mode) {
        const auto palette = QGuiApplication::palette();
        const auto red = QColor::fromRgb(themeColors(palette).recording);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mode == QIcon::Disabled ? palette.color(QPalette::Disabled, QPalette::ButtonText) : red);
        painter.drawEllipse(QPointF(8, 8), 3.5, 3.5);
    }

    LineIcon icon_;
};

} // namespace

QIcon lineIcon(LineIcon icon) { return QIcon(new LineIconEngine(icon)); }

} // namespace highwater::ui
