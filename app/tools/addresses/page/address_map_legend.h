#pragma once

#include <QStringList>
#include <QWidget>

namespace highwater::ui {

/// The legend of the address map: a swatch and a word per colour of the theme. GUI thread only.
class AddressMapLegend : public QWidget {
    Q_OBJECT
  public:
    explicit AddressMapLegend(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] static QStringList names();
};

} // namespace highwater::ui
