#pragma once

#include "ui/view/parts/plain_widgets.h"

namespace highwater::ui {

/// A line of text that may become narrower than it: then it ends in "…" and the tooltip says all.
class ElidedLabel : public PlainLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace highwater::ui
