#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace highwater::ui {

class ElidedLabel;

/// The address of the store: typed, chosen from recent ones, or a file; with user and password fields if the server
/// requires them. GUI thread only.
class FleetStoreBar : public QWidget {
    Q_OBJECT
  public:
    explicit FleetStoreBar(QWidget* parent = nullptr);

    void setRecent(const QStringList& addresses);
    void setAddress(const QString& address);
    /// "120 runs of 3 builds on 40 machines".
    void setFacts(const QString& facts);
    /// Asks for the password anew each time.
    void askToSignIn(bool asks);
    [[nodiscard]] bool isAsking() const;
    void focusAddress();

  signals:
    void openWanted(const QString& address);
    void browseWanted();
    void signInWanted(const QString& user, const QString& password);

  private:
    void build();
    void open();
    void signIn();

    QComboBox* address_;
    QPushButton* browse_;
    QPushButton* open_;
    ElidedLabel* facts_;
    QWidget* signIn_;
    QLineEdit* user_;
    QLineEdit* password_;
    QPushButton* connect_;
    QTimer soon_; ///< opens a store once even if two signals report the choice
};

} // namespace highwater::ui
