#include "ui/view/flames/flame_picture.h"

#include "core/export/flames_writer.h"
#include "ui/format/qt_text.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/parts/picture_file.h"

#include <QIODevice>
#include <QPainter>

#include <sstream>

namespace highwater::ui {
namespace {

constexpr int kPictureMargin = 10;

/// Subject of the picture, and explanations for its readers.
QStringList titlesOf(const FlameAnswer& answer, const QString& subject) {
    QStringList titles{subject};
    for (const auto& sentence : exports::flameSentences(answer.tree, answer.query.measure))
        titles << toQString(sentence);
    return titles;
}

} // namespace

QImage pictureOf(const FlameCanvas& canvas, const QString& subject, double scale) {
    const auto titles = canvas.answer() ? titlesOf(*canvas.answer(), subject) : QStringList();
    const auto metrics = canvas.fontMetrics();
    const auto width = canvas.viewport()->width();
    const auto top = kPictureMargin + static_cast<int>(titles.size()) * (metrics.height() + 2) + kPictureMargin / 2;
    const QSize size(width + 2 * kPictureMargin, top + canvas.wholeHeight() + kPictureMargin);
    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(canvas.palette().color(QPalette::Base));
    QPainter painter(&image);
    painter.setFont(canvas.font());
    painter.setPen(canvas.palette().color(QPalette::Text));
    for (int line = 0; line < titles.size(); ++line)
        painter.drawText(kPictureMargin, kPictureMargin + line * (metrics.height() + 2) + metrics.ascent(),
                         metrics.elidedText(titles[line], Qt::ElideRight, width));
    painter.translate(kPictureMargin, top);
    canvas.paintWhole(painter, width);
    return image;
}

QString saveDrawingOf(const FlameCanvas& canvas, const QString& subject, const QString& file) {
    if (!canvas.answer()) return {};
    const auto& answer = *canvas.answer();
    exports::FlameDrawing drawing;
    for (const auto& title : titlesOf(answer, subject))
        drawing.titles.push_back(title.toStdString());
    drawing.measure = answer.query.measure;
    drawing.root =
        canvas.root() == FlameRoot::Top ? exports::FlameDrawing::Root::Top : exports::FlameDrawing::Root::Bottom;
    drawing.zoom = canvas.zoom();
    std::ostringstream svg;
    exports::writeFlamesSvg(answer.tree, drawing, svg);
    const auto text = std::move(svg).str();
    return savePicture(file, [&](QIODevice& to) {
        const auto size = static_cast<qint64>(text.size());
        return to.write(text.data(), size) == size ? QString() : to.errorString();
    });
}

} // namespace highwater::ui
