#pragma once

#include <QStringList>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace highwater::ui {

class ElidedLabel;

/// Where the runs lie: typed, chosen from those of before, or a file; below it user and password, where a server asks
/// for them. GUI thread only.
class FleetStoreBar : public QWidget {
    Q_OBJECT
  public:
    explicit FleetStoreBar(QWidget* parent = nullptr);

    void setRecent(const QStringList& addresses);
    void setAddress(const QString& address);
    /// "120 runs of 3 builds on 40 machines".
    void setFacts(const QString& facts);
    /// The password is asked for anew each time.
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
    QTimer soon_; ///< opens once what was chosen in two ways
};

} // namespace highwater::ui
