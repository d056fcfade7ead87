#pragma once

#include "ui/view/access/row_height.h"

#include <QList>
#include <QWidget>

namespace highwater::ui {

/// A small line without axes, from 0 to the highest of its values: how an amount went. Nothing below two values.
void paintSparkline(QPainter& painter, const QRectF& box, const QList<qint64>& values, const QColor& color);

/// The line as a widget of its own. GUI thread only.
class Sparkline : public QWidget {
    Q_OBJECT
  public:
    explicit Sparkline(QWidget* parent = nullptr);
    void setValues(const QList<qint64>& values);
    [[nodiscard]] const QList<qint64>& values() const { return values_; }
    [[nodiscard]] QSize sizeHint() const override { return {70, 16}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QList<qint64> values_;
};

/// Cells whose model has a QList<qint64> under a role: the line to the left, the text to the right of it.
class SparklineDelegate : public RowDelegate {
    Q_OBJECT
  public:
    static constexpr int kWidth = 60;

    explicit SparklineDelegate(int role, QObject* parent = nullptr) : RowDelegate(parent), role_(role) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  private:
    int role_;
};

} // namespace highwater::ui
