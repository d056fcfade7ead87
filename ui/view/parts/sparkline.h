#pragma once

#include "ui/view/access/row_height.h"

#include <QList>
#include <QWidget>

namespace highwater::ui {

/// Draws a small line without axes, scaled from 0 to the largest value. Draws nothing for fewer than two values.
void paintSparkline(QPainter& painter, const QRectF& box, const QList<qint64>& values, const QColor& color);

/// A sparkline as a widget. GUI thread only.
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

/// Draws cells whose model has a QList<qint64> in a role: the line on the left, the text on the right.
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
