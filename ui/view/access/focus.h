#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace highwater::ui {

/// Passes the focus of a compound widget to one of its parts. A focus proxy would do the same, but then Tab skips the
/// parts before it. The last call wins. GUI thread only.
void passFocus(QWidget& from, QWidget& to);

/// Draws a focus ring where the style draws nothing: lists without a current row, flat and large buttons. Created by
/// installAccess(); GUI thread only.
class FocusRings : public QObject {
    Q_OBJECT
  public:
    explicit FocusRings(QObject* parent);

  private:
    void follow(QWidget* now);

    QPointer<QWidget> ring_;
};

} // namespace highwater::ui
