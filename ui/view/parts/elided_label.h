#pragma once

#include "ui/view/parts/plain_widgets.h"

namespace highwater::ui {

/// A line of text that may become narrower. It is then elided, and the tooltip shows the full text. With word wrap, it
/// takes several lines instead.
class ElidedLabel : public PlainLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace highwater::ui
